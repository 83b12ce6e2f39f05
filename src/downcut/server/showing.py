"""What a page is shown of a land: no more cells than a screen has use for."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.grid import Grid
from downcut.terrain import Terrain

MOST = 2048
"""Cells along an edge that are sent: 16 MB of heights, and more pixels than most screens have."""

LINES = ("channel", "stream_order", "discharge", "drainage_area")
"""Layers with lines one cell wide, which would be torn if every other cell were left out."""


def step_of(shape: tuple[int, ...], most: int = MOST) -> int:
    """Return every so manyth cell that is sent of an array.

    Examples
    --------
    >>> step_of((2048, 100)), step_of((2049, 100)), step_of((4096, 8192))
    (1, 2, 4)
    """
    return -(-max(shape[:2]) // most)


def seen(terrain: Terrain, most: int = MOST) -> Terrain:
    """Return the land as it is sent: itself, or a coarser one that has its checksum no more."""
    return thinned(terrain, step_of(terrain.grid.shape, most))


def thinned(terrain: Terrain, step: int) -> Terrain:
    """Return the land with every so manyth cell; of lines, with the largest of so many."""
    if step == 1:
        return terrain
    layers = dict(_thinned(terrain, step))
    ny, nx = layers["elevation"].shape
    grid = Grid(ny, nx, terrain.grid.cell_size * step)
    return Terrain(grid, layers, recipe=terrain.recipe)


def _thinned(terrain: Terrain, step: int) -> Iterator[tuple[str, NDArray[Any]]]:
    for name, array in terrain.layers.items():
        if name not in LINES:
            yield name, array[::step, ::step]
            continue
        for axis, count in enumerate(terrain.grid.shape):
            array = np.maximum.reduceat(array, range(0, count, step), axis=axis)
        yield name, array
