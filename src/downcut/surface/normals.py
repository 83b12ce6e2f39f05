"""Normals: which way the surface faces."""

from typing import Any, Literal

import numpy as np

from downcut._jit import kernel
from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import gradient
from downcut.step import Array, Step

CELLS_A_SLICE = 1 << 17
"""So many cells' temporaries fit in a thread's cache."""


class Normals(Step):
    """The unit normal of the ground, for light and for engines.

    n = (−∂z/∂x, −∂z/∂y, 1) / |…|, by central differences inside and one-sided ones at the map's
    edge.

    Reads `elevation` (ny, nx) [m]; writes `normals` (ny, nx, 3) float32: east, north, up.
    Guaranteed: length 1; a plane's normal is the same in every cell, those at the edge included;
    windows meet without a seam (halo 1).

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> Normals()([[0.0, 0.0], [0.0, 0.0]], grid=Grid(2, 2))[0, 0].tolist()
    [0.0, 0.0, 1.0]
    """

    reads = ("elevation",)
    writes = ("normals",)
    nanoseconds = 6.0
    working_bytes = 6

    op: Literal["surface.normals"] = "surface.normals"

    def halo(self, grid: Grid) -> int:
        """Return 1: the neighbours of a cell."""
        return 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `normals`."""
        (elevation,) = arrays
        normals = np.empty((*grid.shape, 3), np.float32)

        def work(start: int, stop: int) -> None:
            east, north = gradient(elevation, grid.cell_size, start, stop)
            _upright(east, north, normals[start:stop])

        run.slices(work, grid.ny, max(1, CELLS_A_SLICE // grid.nx))
        return normals


@kernel
def _upright(east, north, normals):  # type: ignore[no-untyped-def]
    """The unit vector across each slope; −0 would be another byte for the same flat ground."""
    one, zero = np.float32(1), np.float32(0)
    for i in range(east.shape[0]):
        for j in range(east.shape[1]):
            up = one / np.sqrt(one + east[i, j] * east[i, j] + north[i, j] * north[i, j])
            normals[i, j, 0] = -east[i, j] * up + zero
            normals[i, j, 1] = -north[i, j] * up + zero
            normals[i, j, 2] = up
