"""Where water goes: ground kernels on arrays, below every step that asks."""
