"""The ground as it is measured: lakes filled, the sea and missing cells left out, water routed."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from downcut._jit import finite_kernel, kernel
from downcut.errors import DowncutError
from downcut.flow.accumulate import accumulate
from downcut.flow.depressions import fill
from downcut.flow.descent import border, descend
from downcut.flow.descent import ground as clean
from downcut.flow.routing import order
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run
from downcut.step import Array

SMALLEST_EDGE = 32
"""Cells: on less land than this no figure means anything."""

CHANNEL_CELLS = 100
"""A channel runs where at least this many cells drain through one."""


@dataclass(frozen=True)
class Ground:
    """Land to be measured and what its water does, found when first asked for.

    Attributes
    ----------
    z : (ny, nx) float32 [m]
        Elevation, of lakes their surface. Cells that are left out lie below all land.
    land : (ny, nx) bool
        False for the sea and for cells without data: water leaves the land there.
    cell_size : float [m]
    """

    z: Array
    land: Array
    cell_size: float
    run: Run = field(default_factory=Run)

    @classmethod
    def of(
        cls, elevation: Array, land: Array, cell_size: float, run: Run | None = None
    ) -> "Ground":
        """Return the ground of an elevation whose cells count where `land` says so.

        Raises
        ------
        DowncutError
            If too little is left to measure, it is flat, or a cell of it is infinite.
        """
        cells, edge = int(np.count_nonzero(land)), min(elevation.shape)
        if edge < SMALLEST_EDGE or cells < SMALLEST_EDGE**2:
            raise DowncutError(
                f"{elevation.shape[0]} × {elevation.shape[1]} cells, {cells:,} of them land, are "
                f"too few to measure: give at least {SMALLEST_EDGE} × {SMALLEST_EDGE}"
            )
        low, high = float(elevation[land].min()), float(elevation[land].max())
        if low == high:
            raise DowncutError("the land is flat: there is no relief to measure")
        z = clean(np.where(land, elevation, np.float32(low - max(1.0, high - low))))
        return cls(z, np.ascontiguousarray(land), cell_size, run or Run())

    @cached_property
    def count(self) -> int:
        """How many cells are land."""
        return int(np.count_nonzero(self.land))

    @cached_property
    def relief(self) -> float:
        """Highest less lowest land [m]."""
        heights = self.z[self.land]
        return float(heights.max()) - float(heights.min())

    @cached_property
    def filled(self) -> Array:
        """(ny, nx) float32 [m]: every depression at the level where it spills.

        Water leaves at the map's edge and wherever the land ends.
        """
        filled = fill(self.z, self.run)
        if self.count < self.z.size:
            _drain_to_gaps(self.z.ravel(), filled.ravel(), self.land.ravel(), self.z.shape[1])
        return filled

    @cached_property
    def flow(self) -> Array:
        """(ny, nx) receivers by D8 on the filled surface; edge cells and gaps are outlets."""
        flat, _ = descend(self.filled, self.run)
        for edge in border(*self.z.shape):
            flat[edge] = edge
        gaps = np.flatnonzero(~self.land)
        flat[gaps] = gaps
        return flat.reshape(self.z.shape)

    @cached_property
    def cells(self) -> Array:
        """Flat indices, each cell after its receiver."""
        return order(self.flow)

    @cached_property
    def area(self) -> Array:
        """(ny, nx) float64: cells of land that drain through each cell, itself included; 0 off it.

        Water that has left the land counts no more.
        """
        area = accumulate(self.flow, self.land.astype(np.float64))
        area[~self.land] = 0
        return area

    @cached_property
    def channel(self) -> Array:
        """(ny, nx) bool: where at least 100 cells drain."""
        channel: Array = self.area >= CHANNEL_CELLS
        return channel

    @cached_property
    def slope(self) -> Array:
        """(ny, nx) float32 [m/m]: |∇z| by central differences; NaN beside the edge and gaps."""
        z = self.z.astype(np.float64)
        east, south = z[1:-1, 2:] - z[1:-1, :-2], z[2:, 1:-1] - z[:-2, 1:-1]
        whole = self.land[1:-1, 1:-1] & self.land[1:-1, 2:] & self.land[1:-1, :-2]
        whole &= self.land[2:, 1:-1] & self.land[:-2, 1:-1]
        slope = np.full(z.shape, np.nan, np.float32)
        slope[1:-1, 1:-1] = np.where(whole, np.hypot(east, south) / (2 * self.cell_size), np.nan)
        return slope

    @cached_property
    def slopes(self) -> Array:
        """(k,) float64 [m/m]: the slope of every cell that has one."""
        return self.slope[np.isfinite(self.slope)].astype(np.float64)


@finite_kernel
def _level(z, filled, cell, ny, nx):  # type: ignore[no-untyped-def]
    """max(z, lowest filled level around): what the water in a cell falls to."""
    row, col = cell // nx, cell % nx
    lowest = filled[cell]
    for k in range(8):
        r, c = row + D8_ROW[k], col + D8_COL[k]
        if 0 <= r < ny and 0 <= c < nx:
            lowest = min(lowest, filled[r * nx + c])
    return max(z[cell], lowest)


@kernel
def _drain_to_gaps(z, filled, land, nx):  # type: ignore[no-untyped-def]
    """Let water out where the land ends inside the map: lower levels until none can fall.

    A gap is at the bottom of everything, so filling from the edge has drowned what drains into
    it. `waiting` is a ring of cells whose neighbours may have fallen; each stands in it once.
    """
    ny = z.size // nx
    waiting = np.empty(z.size, np.int64)
    queued = np.zeros(z.size, np.bool_)
    first, count = 0, 0
    for cell in range(z.size):
        if not land[cell]:
            filled[cell] = z[cell]
            waiting[count] = cell
            queued[cell] = True
            count += 1
    while count > 0:
        cell = waiting[first]
        first = (first + 1) % z.size
        count -= 1
        queued[cell] = False
        for k in range(8):
            r, c = cell // nx + D8_ROW[k], cell % nx + D8_COL[k]
            other = r * nx + c
            if not (0 <= r < ny and 0 <= c < nx) or not land[other] or queued[other]:
                continue
            if filled[other] > z[other]:
                level = _level(z, filled, other, ny, nx)
                if level < filled[other]:
                    filled[other] = level
                    waiting[(first + count) % z.size] = other
                    queued[other] = True
                    count += 1
