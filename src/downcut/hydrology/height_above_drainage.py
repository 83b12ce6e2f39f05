"""Height above the nearest drainage: how high a place lies over the river it drains to."""

from typing import Any, ClassVar, Literal

import numpy as np

from downcut._jit import kernel
from downcut.flow.drained import drain
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Step


class HeightAboveDrainage(Step):
    """Measure how high each place lies above the river cell that its water reaches first.

    HAND (Rennó et al. 2008), along the way of steepest descent: low values are flood plains and
    wet ground, high ones slopes and crests. Depressions count as full of water, so that no height
    is negative; water that meets no river is measured to the sea or the edge of the map.

    Reads elevation (ny, nx) [m] and channel, where not 0 a river runs. Writes
    height_above_drainage (ny, nx) float32 [m], 0 or more.

    Examples
    --------
    >>> slope, river = [[9.0, 7.0, 4.0, 3.0]], [[0, 0, 1, 1]]
    >>> HeightAboveDrainage()(slope, river, grid=Grid(1, 4)).tolist()
    [[5.0, 3.0, 0.0, 0.0]]
    """

    op: Literal["hydrology.height_above_drainage"] = "hydrology.height_above_drainage"

    reads: ClassVar[tuple[str, ...]] = ("elevation", "channel")
    writes: ClassVar[tuple[str, ...]] = ("height_above_drainage",)
    cites: ClassVar[tuple[str, ...]] = ("renno2008",)
    nanoseconds: ClassVar[float] = 90.0
    working_bytes: ClassVar[int] = 24

    def halo(self, grid: Grid) -> int | None:
        """A depression's outlet may be anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Route the water, and measure down to the first river cell on its way."""
        elevation, channel = arrays
        drained = drain(elevation, run)
        flow = drained.receivers.ravel()
        cells = np.arange(flow.size, dtype=flow.dtype)
        base = np.where((channel.ravel() != 0) | (flow == cells), cells, -1)
        height = np.empty(grid.shape, np.float32)
        _heights(drained.level.ravel(), flow, base, height.ravel())
        return height


@kernel
def _heights(level, receivers, base, height):  # type: ignore[no-untyped-def]
    """Give each cell the base that its water reaches, and the height above that."""
    for first in range(base.size):
        cell = first
        while base[cell] < 0:
            cell = receivers[cell]
        found = base[cell]
        cell = first
        while base[cell] < 0:
            base[cell] = found
            cell = receivers[cell]
        height[first] = level[first] - level[found]
