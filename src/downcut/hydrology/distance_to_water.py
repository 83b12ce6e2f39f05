"""Distance to water: how far it is to the nearest river, lake or sea."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut.distance import distance
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Metres, Step


class DistanceToWater(Step):
    """Measure how far each place is from water, as the crow flies.

    Water is where `channel` is not 0 and where `water_depth` is above 0, as `hydrology.rivers`
    and `hydrology.lakes` make them (the sea is in the latter); a layer that is not there counts
    as dry. Between centres of cells, exact, and no more than `max_distance`.

    Reads channel and water_depth (ny, nx), either of which may be missing. Writes water_distance
    (ny, nx) float32 [m]. Halo of max_distance.

    Examples
    --------
    >>> DistanceToWater()([[0, 1, 0, 0]], grid=Grid(1, 4, 30.0)).tolist()
    [[30.0, 0.0, 30.0, 60.0]]
    """

    op: Literal["hydrology.distance_to_water"] = "hydrology.distance_to_water"
    max_distance: Metres = Field(2_000.0, gt=0, le=1e6)
    """What is farther away counts as this far."""

    reads: ClassVar[tuple[str, ...]] = ("channel", "water_depth")
    writes: ClassVar[tuple[str, ...]] = ("water_distance",)
    cites: ClassVar[tuple[str, ...]] = ("meijster2000", "felzenszwalb2012")
    nanoseconds: ClassVar[float] = 20.0
    working_bytes: ClassVar[int] = 6

    def optional(self) -> frozenset[str]:
        """Return both: there may be no rivers, or no lakes."""
        return frozenset(self.reads)

    def halo(self, grid: Grid) -> int | None:
        """Water farther than max_distance does not matter."""
        return math.ceil(self.max_distance / grid.cell_size)

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Find the water and measure."""
        channel, depth = arrays
        water = np.zeros(grid.shape, np.bool_)
        if channel is not None:
            water |= channel != 0
        if depth is not None:
            water |= depth > 0
        return distance(water, grid.cell_size, self.max_distance, run)
