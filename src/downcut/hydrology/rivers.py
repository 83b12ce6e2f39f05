"""Rivers: where enough ground drains together for a channel to form, as cells and as lines."""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut.features import Table
from downcut.flow.channels import Channels, ChannelStep
from downcut.flow.lines import smoothed
from downcut.flow.rivers import EDGE, SEA, trace
from downcut.flow.rivers import Rivers as Lines
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count

UNITS = {
    "length": "m", "drop": "m", "slope": "m/m", "area": "m²", "discharge": "m³/yr", "width": "m",
    "depth": "m", "x": "m", "y": "m", "surface": "m", "bed": "m",
}  # fmt: skip


class Rivers(ChannelStep):
    """Name the cells where a river runs, and trace each river from its source to its end.

    A river runs where at least the channel area drains through: the oldest and plainest rule for
    where channels begin. It runs through lakes and over their outlets, and ends in the sea, on
    the map's edge or in the river it joins; where two meet, the one that drains more goes on.
    Width and depth follow the discharge Q [m³/s] by the hydraulic geometry of full channels,
    width = a · Q^0.5 and depth = c · Q^0.4 (Leopold & Maddock 1953, coefficients at 1 m³/s of
    Moody & Troutman 2002).

    Reads elevation (ny, nx) [m]. Writes channel uint8, 1 where a river runs; stream_order uint8,
    Strahler's, 0 where none runs; discharge float32 [m³/yr], 0 likewise. Gives `rivers`, the
    largest first: id; joins, the id of the river it flows into, 0 for none; end, which is 0 in a
    river, 1 in the sea, 2 on the edge; at the end order, area, discharge, width, depth; and
    length, drop and slope. The points of its line: x, y, surface (of the full channel, level with
    lakes), bed, width, depth, area, discharge, order.

    Guaranteed: downstream of a channel there is a channel to the sea or the edge; along a river
    surface, bed never rise, area, width, depth never shrink (without negative rain).

    Examples
    --------
    >>> run, valley = Run(), [[9, 9, 9, 9], [4, 3, 2, 1], [9, 9, 9, 9]]
    >>> channel, order, _ = Rivers(channel_area=4)(valley, grid=Grid(3, 4), run=run)
    >>> channel[1].tolist(), run.features["rivers"].line(0)["x"].tolist()
    ([0, 1, 1, 1], [-0.5, 0.5, 1.5])
    """

    op: Literal["hydrology.rivers"] = "hydrology.rivers"
    smoothing: Count = Field(0, ge=0, le=100)
    """How many times the lines are smoothed; 0 leaves them on the centres of cells."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("channel", "stream_order", "discharge")
    features: ClassVar[tuple[str, ...]] = ("rivers",)
    cites: ClassVar[tuple[str, ...]] = (
        "ocallaghan1984",
        "strahler1957",
        "leopold1953",
        "moody2002",
    )
    exact: ClassVar[bool] = False  # powers
    nanoseconds: ClassVar[float] = 110.0
    working_bytes: ClassVar[int] = 40

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> tuple[Array, ...]:
        """Route the water, trace the lines, and measure along them."""
        elevation, rain = (*arrays, None)[:2]
        channels = self.channels(elevation, rain, grid, run)
        lines = trace(channels)
        run.features["rivers"] = self.table(channels, lines, elevation, grid)
        discharge = np.where(channels.channel, channels.discharge, 0).astype(np.float32)
        layers = (channels.channel, lines.order, discharge)
        return tuple(layer.reshape(grid.shape) for layer in layers)

    def table(
        self,
        channels: Channels,
        lines: Lines,
        elevation: Array,
        grid: Grid,
        places: Array | None = None,
    ) -> Table:
        """Return the rivers with what is known of them along their lines and at their ends.

        `places` are the flat indices on the grid of the cells that the other arrays are of; None
        where they are of all cells.
        """
        points = self._points(channels, lines, grid, places)
        _end_at_the_shore(points, lines, elevation)
        first, last = lines.offsets[:-1], lines.offsets[1:] - 1
        steps = np.hypot(np.diff(points["x"], prepend=0), np.diff(points["y"], prepend=0))
        steps[first] = 0
        length = np.add.reduceat(steps, first) if first.size else np.zeros(0)
        drop = points["surface"][first] - points["surface"][last]
        columns = {
            "id": np.arange(1, first.size + 1),
            "joins": lines.joins,
            "end": lines.end,
            "length": length,
            "drop": drop,
            "slope": np.divide(drop, length, out=np.zeros(first.size), where=length > 0),
        }
        for name in ("order", "area", "discharge", "width", "depth"):
            columns[name] = points[name][last]
        return Table(columns, UNITS, lines.offsets, points)

    def _points(
        self, channels: Channels, lines: Lines, grid: Grid, places: Array | None
    ) -> dict[str, Array]:
        """Return what is known along the lines, point by point."""
        cells = lines.cells
        row, col = np.divmod(cells if places is None else places[cells], grid.nx)
        surface = channels.drained.level.ravel()[cells].astype(np.float64)
        bed = surface - self.depth(channels.discharge[cells])
        own = np.arange(cells.size)
        joined = (lines.offsets[1:] - 1)[lines.end != EDGE]
        own[joined] -= 1  # what it carries at its end is its own, not the sea's or another river's
        discharge = channels.discharge[cells][own]
        depth = self.depth(discharge)
        bed[joined] = np.minimum(bed[joined], bed[joined - 1])
        x, y = smoothed(grid.x[col], grid.y[row], lines, self.smoothing)
        return {
            "x": x,
            "y": y,
            "surface": surface,
            "bed": bed,
            "width": self.width(discharge),
            "depth": depth,
            "area": channels.area[cells][own],
            "discharge": discharge,
            "order": lines.order[cells][own],
        }


def _end_at_the_shore(points: dict[str, Array], lines: Lines, elevation: Array) -> None:
    """Move the last point of rivers into the sea back to where the ground is at its level."""
    last = (lines.offsets[1:] - 1)[lines.end == SEA]
    height = points["surface"][last - 1] - points["surface"][last]
    depth = points["surface"][last] - elevation.ravel()[lines.cells[last]]
    for name in ("x", "y"):
        before = points[name][last - 1]
        points[name][last] = before + (points[name][last] - before) * height / (height + depth)
