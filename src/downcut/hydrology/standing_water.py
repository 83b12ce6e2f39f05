"""Standing water: the sea, and lakes where a depression is deep and wide enough."""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import kernel
from downcut.flow.depressions import fill
from downcut.flow.descent import index_dtype
from downcut.grid import D8_COL, D8_ROW, Grid
from downcut.run import Run
from downcut.step import Array, Metres, SquareMetres, Step


class StandingWater(Step):
    """Let the sea in from the edge of the map, and fill depressions to lakes.

    The sea covers ground below its level that it can reach from the edge of the map over such
    ground; a hollow below sea level behind higher ground stays dry, or holds a lake. Every other
    depression fills until it spills. A lake, which is all water that touches (corners count), is
    kept or left out as a whole: for its greatest depth and for its area.

    Parameters of the call: elevation, (ny, nx) [m]. Returns water_surface, (ny, nx) float32 [m]:
    the level of the water, and the ground's own elevation where it is dry.

    Examples
    --------
    >>> bowl = [[5, 5, 5], [5, 1, 5], [5, 3, 5]]
    >>> StandingWater(min_area=1)(bowl, grid=Grid(3, 3)).tolist()[1]
    [5.0, 3.0, 5.0]
    """

    op: Literal["hydrology.standing_water"] = "hydrology.standing_water"
    min_depth: Metres = Field(1.0, ge=0, le=10_000)
    """How deep a lake must be at its deepest place to be kept."""
    min_area: SquareMetres = Field(10_000.0, ge=0, le=1e12)
    """How large a lake must be to be kept."""
    sea_level: Metres | None = Field(None, ge=-20_000, le=20_000)
    """Height of the sea; none for a land without one."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("water_surface",)
    cites: ClassVar[tuple[str, ...]] = ("barnes2014", "cordonnier2019")
    nanoseconds: ClassVar[float] = 85.0
    working_bytes: ClassVar[int] = 24

    def halo(self, grid: Grid) -> int | None:
        """A lake's outlet may be anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Let the sea in, fill what lies above it, and drop the lakes that are too small."""
        (elevation,) = arrays
        ground = elevation.copy()
        queue = np.empty(ground.size, index_dtype(ground.size))
        if self.sea_level is not None:
            _flood_sea(ground, np.float32(self.sea_level), queue)
        water = fill(ground, run)
        seen = np.zeros(ground.size, np.bool_)
        min_cells = self.min_area / grid.cell_area
        _drop_lakes(ground.ravel(), water.ravel(), seen, queue, grid.nx, self.min_depth, min_cells)
        return water


@kernel
def _flood_sea(z, level, queue):  # type: ignore[no-untyped-def]
    """Raise to the sea's level all ground below it that the sea reaches from the edge."""
    ny, nx = z.shape
    count = 0
    for row in range(ny):
        for col in range(0, nx, 1 if row in (0, ny - 1) else max(nx - 1, 1)):
            if z[row, col] < level:
                z[row, col] = level
                queue[count] = row * nx + col
                count += 1
    first = 0
    while first < count:
        row, col = divmod(queue[first], nx)
        first += 1
        for k in range(8):
            r, c = row + D8_ROW[k], col + D8_COL[k]
            if 0 <= r < ny and 0 <= c < nx and z[r, c] < level:
                z[r, c] = level
                queue[count] = r * nx + c
                count += 1


@kernel
def _drop_lakes(z, water, seen, queue, nx, min_depth, min_cells):  # type: ignore[no-untyped-def]
    """Take the water off every lake that is shallower or smaller than asked.

    Wet cells are never on the edge, and wet neighbours always share their level.
    """
    for start in range(z.size):
        if water[start] <= z[start] or seen[start]:
            continue
        seen[start] = True
        queue[0] = start
        first, count, depth = 0, 1, 0.0
        while first < count:
            cell = queue[first]
            first += 1
            depth = max(depth, np.float64(water[cell]) - np.float64(z[cell]))
            for k in range(8):
                other = cell + D8_ROW[k] * nx + D8_COL[k]
                if water[other] > z[other] and not seen[other]:
                    seen[other] = True
                    queue[count] = other
                    count += 1
        if depth < min_depth or count < min_cells:
            for i in range(count):
                water[queue[i]] = z[queue[i]]
