"""Hillslope creep that is decided nearby: the law of `erosion.hillslope` in explicit steps."""

import math
from functools import partial

import numpy as np

from downcut._jit import finite_kernel
from downcut.erosion.erosion import writeable
from downcut.erosion.hillslope import CELLS_A_SLICE, Hillslope, settle
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array

STABLE = 0.2
"""Of a difference in height, what a part may move: a quarter would let pits and peaks grow."""


class NearbyCreep(Hillslope):
    """`Hillslope` for a plane without an edge, where its implicit lines would never end.

    Forward Euler in as many equal parts as make each move 0.2 of a difference at most, and at least
    as many as the step's substeps. A part looks one cell far, so their number is the halo and a
    window is the crop of any larger one to the last bit. No new peak or pit arises; earth is
    conserved. Against the implicit step it is more exact, and differs from it by what that errs.
    `hold_border` means nothing here. 3 ns a cell and part.

    Examples
    --------
    >>> grid = Grid(9, 9, 10.0)
    >>> creep = NearbyCreep(diffusivity=0.02, time_step=5000)
    >>> creep.parts(grid), creep.halo(grid)
    (5, 5)
    """

    def parts(self, grid: Grid) -> int:
        """Return how many explicit parts the time is divided into."""
        whole = self.diffusivity * self.time_step / grid.cell_area
        return max(math.ceil(whole / STABLE - 1e-9), self.substeps)

    def halo(self, grid: Grid) -> int | None:
        """Each part looks one cell farther."""
        return self.parts(grid)

    def apply(self, *arrays: Array, grid: Grid, key: int, run: Run) -> Array:
        """Creep part by part; nothing crosses the window's edge, which is cropped."""
        elevation, loose = (writeable(a) for a in (*arrays, None)[:2])
        parts = self.parts(grid)
        rate = self.diffusivity * self.time_step / parts / grid.cell_area
        rows = max(1, CELLS_A_SLICE // grid.nx)
        z, new = elevation.astype(np.float64), np.empty(grid.shape)
        for number in range(parts):
            work = partial(_part, z, loose, rate, new)
            run.slices(work, grid.ny, rows, (number, parts))
            z, new = new, z
        ground: Array = np.empty(grid.shape, np.float32)
        sums, core = np.zeros(3), run.core_of(grid.shape)
        settle(elevation, z, ground, core, 0, grid.ny, sums)
        run.ledger.note(
            grid.cell_area,
            eroded=sums[0],
            deposited=sums[1],
            carried_out=sums[0] - sums[1],
            clamped=sums[2],
        )
        return ground


@finite_kernel
def _part(z, loose, rate, new, first, last):  # type: ignore[no-untyped-def]
    """Rows first…last: each cell and its four neighbours, z + rate · Σ ease · (zₙ − z)."""
    ny, nx = z.shape
    for i in range(first, last):
        up, down = max(i - 1, 0), min(i + 1, ny - 1)
        for j in range(nx):
            left, right, here = max(j - 1, 0), min(j + 1, nx - 1), z[i, j]
            north, south = z[up, j] - here, z[down, j] - here
            west, east = z[i, left] - here, z[i, right] - here
            if loose is not None:
                ease = min(max(np.float64(loose[i, j]), 0.0), 1.0)
                north *= max(min(ease, loose[up, j]), 0.0)
                south *= max(min(ease, loose[down, j]), 0.0)
                west *= max(min(ease, loose[i, left]), 0.0)
                east *= max(min(ease, loose[i, right]), 0.0)
            new[i, j] = here + rate * ((north + south) + (west + east))
