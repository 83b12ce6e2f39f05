"""How much memory a recipe takes, told before any work starts."""

import numpy as np
import psutil

from downcut.errors import DowncutError
from downcut.layers import layer
from downcut.recipe import Recipe


def memory_needed(recipe: Recipe) -> int:
    """Return the memory [bytes] that growing the recipe takes at its peak, about."""
    held: dict[str, int] = {}
    peak = 0
    for task in recipe.tasks(once=True):
        new = {
            name: np.dtype(layer(name).dtype).itemsize * layer(name).bands
            for name in task.step.outputs()
        }
        held |= new
        peak = max(peak, sum(held.values()) + sum(new.values()) + task.step.working_bytes)
    return peak * recipe.grid.ny * recipe.grid.nx


def check_memory(recipe: Recipe) -> None:
    """Refuse a recipe that cannot fit, before any work.

    Raises
    ------
    DowncutError
        Naming what it needs, what there is, and the size that would fit.
    """
    need, have = memory_needed(recipe), psutil.virtual_memory().available
    if need > have:
        ny, nx = recipe.grid.ny, recipe.grid.nx
        fits = max(1, int(0.9 * (have / need) ** 0.5 * min(ny, nx)))
        raise DowncutError(
            f"{ny} × {nx} cells need about {need / 1e9:,.1f} GB of memory and {have / 1e9:,.1f} GB "
            f"are free: ask for a smaller land, as --size {fits}"
        )
