"""The unbounded world: windows of a recipe's land, anywhere, at any level of detail."""
