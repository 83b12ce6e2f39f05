"""What every step about rivers asks for: where they begin, what they carry, how wide they are."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from downcut.flow.accumulate import accumulate
from downcut.flow.drained import Drained, drain, drained_area
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, LayerName, Number, SquareMetres, Step

YEAR = 365.25 * 86_400.0
"""Seconds in a year."""
WIDTH_EXPONENT, DEPTH_EXPONENT = 0.5, 0.4
"""How width and depth grow with discharge downstream (Leopold & Maddock 1953)."""

MetresPerYear = Annotated[float, Field(json_schema_extra={"unit": "m/yr"})]


@dataclass(frozen=True)
class Channels:
    """Where rivers run on a land, and what they carry.

    Attributes
    ----------
    drained : Drained
    area : (ny * nx,) float64
        Ground that drains through each cell [m²].
    discharge : (ny * nx,) float64
        Water that runs through each cell [m³/yr].
    channel : (ny * nx,) uint8
        1 where a river runs; never in the sea.
    """

    drained: Drained
    area: Array
    discharge: Array
    channel: Array


class ChannelStep(Step):
    """The parameters and the routing that steps about rivers share."""

    channel_area: SquareMetres = Field(250_000.0, gt=0, le=1e12)
    """How much ground must drain through a place for a river to run there."""
    runoff: MetresPerYear = Field(0.5, gt=0, le=100)
    """Water that leaves the ground in a year: 0.1 in dry country, 0.5 in hills, 2 in wet ranges."""
    width_coefficient: Number = Field(7.2, ge=0, le=1000)
    """Width in metres of a river that carries 1 m³/s; others by the square root."""
    depth_coefficient: Number = Field(0.27, ge=0, le=1000)
    """Depth in metres of a river that carries 1 m³/s; others by the power 0.4."""
    rain: LayerName | None = None
    """A layer that multiplies the runoff from place to place."""

    def inputs(self) -> dict[str, str]:
        """Elevation, and the layers that are named."""
        return super().inputs() | ({"rain": self.rain} if self.rain else {})

    def halo(self, grid: Grid) -> int | None:
        """A river may come from anywhere: the whole map decides."""
        return None

    def channels(self, elevation: Array, rain: Array | None, grid: Grid, run: Run) -> Channels:
        """Route the water and find the rivers."""
        drained = drain(elevation, run)
        area = drained_area(drained, grid.cell_area, run).ravel()
        if rain is None:
            discharge = area * self.runoff
        else:
            discharge = accumulate(drained.receivers, np.maximum(rain, 0)).ravel()
            discharge *= self.runoff * grid.cell_area
        channel = (area >= self.channel_area).view(np.uint8)
        if drained.sea is not None:
            channel[drained.sea.ravel()] = 0
        return Channels(drained, area, discharge, channel)

    def width(self, discharge: Any) -> Any:
        """Return the width [m] of rivers that carry so much [m³/yr]: a · Q^0.5, Q in m³/s."""
        return self.width_coefficient * (discharge / YEAR) ** WIDTH_EXPONENT

    def depth(self, discharge: Any) -> Any:
        """Return their depth [m]: c · Q^0.4, Q in m³/s."""
        return self.depth_coefficient * (discharge / YEAR) ** DEPTH_EXPONENT
