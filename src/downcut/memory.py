"""How much memory a recipe takes, told before any work starts."""

import numpy as np
import psutil

from downcut.errors import DowncutError
from downcut.grid import lattice
from downcut.layers import layer
from downcut.recipe import Recipe


def memory_needed(recipe: Recipe) -> int:
    """Return the memory [bytes] that growing the recipe takes at its peak, about.

    A stage on a lattice of its own holds that beside the land's layers.
    """
    ground = recipe.grid.grid
    held: dict[str, int] = {}
    peak = 0
    for stage in recipe.stages(once=True):
        size = stage.feature_size
        on_lattice = size is not None and size >= ground.cell_size * (1 - 1e-9)
        cells = lattice(ground, size).cells if size and on_lattice else ground.cells
        for task in stage.tasks:
            new = {name: _cell_bytes(name) for name in task.step.outputs()}
            beside = sum(held.values()) * ground.cells if on_lattice else 0
            there = sum(held.values()) + sum(new.values()) + task.step.working_bytes
            held |= new
            peak = max(peak, there * cells + beside)
    return peak


def _cell_bytes(name: str) -> int:
    return np.dtype(layer(name).dtype).itemsize * layer(name).bands


def check_memory(recipe: Recipe, lands: int = 1) -> None:
    """Refuse a recipe that cannot fit, before any work; `lands` of it at a time.

    Raises
    ------
    DowncutError
        Naming what it needs, what there is, and the size that would fit.
    """
    each, have = memory_needed(recipe), psutil.virtual_memory().available
    need = each * lands
    if each <= have < need:
        raise DowncutError(
            f"{lands} lands at a time need about {need / 1e9:,.1f} GB of memory and "
            f"{have / 1e9:,.1f} GB are free: ask for fewer workers, as {max(1, have // each)}"
        )
    if need > have:
        ny, nx = recipe.grid.ny, recipe.grid.nx
        fits = max(1, int(0.9 * (have / need) ** 0.5 * min(ny, nx)))
        raise DowncutError(
            f"{ny} × {nx} cells need about {need / 1e9:,.1f} GB of memory and {have / 1e9:,.1f} GB "
            f"are free: ask for a smaller land, as --size {fits}, or use downcut build"
        )
