"""Rivers: where enough ground drains together for a channel to form."""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, SquareMetres, Step


class Rivers(Step):
    """Name the cells where a river runs: those that drain at least the channel area.

    The oldest and plainest rule for where channels begin; downstream of a channel there is always
    a channel, to the edge of the map.

    Parameters of the call: drainage_area, (ny, nx) [m²]. Returns channel, (ny, nx) uint8, 1 where
    a river runs. A cell's own area counts: a channel area of one cell makes every cell a river.

    Examples
    --------
    >>> Rivers(channel_area=250)([[100, 200, 300, 400]], grid=Grid(1, 4)).tolist()
    [[0, 0, 1, 1]]
    """

    op: Literal["hydrology.rivers"] = "hydrology.rivers"
    channel_area: SquareMetres = Field(250_000.0, gt=0, le=1e12)
    """How much ground must drain through a place for a river to run there."""

    reads: ClassVar[tuple[str, ...]] = ("drainage_area",)
    writes: ClassVar[tuple[str, ...]] = ("channel",)
    cites: ClassVar[tuple[str, ...]] = ("ocallaghan1984",)
    nanoseconds: ClassVar[float] = 1.0
    working_bytes: ClassVar[int] = 1

    def halo(self, grid: Grid) -> int | None:
        """A cell's own drainage area decides."""
        return 0

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Compare with the channel area."""
        (drainage_area,) = arrays
        channel: Array = (drainage_area >= self.channel_area).view(np.uint8)
        return channel
