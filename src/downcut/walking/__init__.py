"""Walking: a piece of any land in cells as fine as a step, with its water, plants and stones."""
