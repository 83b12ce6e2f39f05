"""Palette: colour by height, from the sea's depth to the summit's snow."""

import itertools
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator

from downcut._jit import kernel
from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import CODES
from downcut.step import Array, Metres, Record, Share, Step

SLICE = 128
"""Rows a thread takes at a time: their temporaries fit in its cache."""


class Stop(Record):
    """A colour at a height."""

    elevation: Metres = Field(ge=-20_000, le=20_000)
    """Where the colour is pure."""
    red: Share
    """Red light, linear."""
    green: Share
    """Green light, linear."""
    blue: Share
    """Blue light, linear."""


def _stop(elevation: float, red: float, green: float, blue: float) -> Stop:
    return Stop(elevation=elevation, red=red, green=green, blue=blue)


ISLAND = (
    _stop(-2.0, 0.05, 0.12, 0.40),  # deep water
    _stop(-0.5, 0.10, 0.25, 0.55),  # shallow water
    _stop(0.5, 0.82, 0.76, 0.55),  # sand
    _stop(3.0, 0.25, 0.52, 0.22),  # grass
    _stop(8.0, 0.35, 0.30, 0.25),  # rock
    _stop(14.0, 0.80, 0.85, 0.90),  # snow
    _stop(20.0, 1.00, 1.00, 1.00),  # snow of the summit
)
"""Stops for an island of about 20 m."""


class Palette(Step):
    """Colour the land by its height.

    Linear between stops, in linear light (so that no mixture is too dark), and the end stops'
    colours beyond them; then 8-bit sRGB. Heights are metres, never a share of the map's range:
    the same height has the same colour on every map, and tiles meet.

    Reads `elevation` (ny, nx) [m]; writes `colour` (ny, nx, 3) uint8.

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> Palette()([[-90.0, 90.0]], grid=Grid(1, 2))[0].tolist()
    [[63, 97, 170], [255, 255, 255]]
    """

    reads = ("elevation",)
    writes = ("colour",)
    exact: ClassVar[bool] = False  # the table of sRGB codes is made with pow
    nanoseconds = 40.0
    working_bytes = 4

    op: Literal["surface.palette"] = "surface.palette"
    stops: tuple[Stop, ...] = Field(ISLAND, min_length=2, max_length=64)
    """Colours by rising height."""

    @field_validator("stops")
    @classmethod
    def _rise(cls, stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
        for below, above in itertools.pairwise(stops):
            if above.elevation <= below.elevation:
                raise ValueError(
                    f"the stop at {above.elevation:g} m follows the one at {below.elevation:g} m: "
                    "list them by rising height"
                )
        return stops

    def halo(self, grid: Grid) -> int:
        """Return 0: a cell's height is all it takes."""
        return 0

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `colour`."""
        (elevation,) = arrays
        colour = np.empty((*grid.shape, 3), np.uint8)
        heights = np.array([stop.elevation for stop in self.stops])
        light = np.array([[s.red, s.green, s.blue] for s in self.stops])
        rise = np.diff(light, axis=0) / np.diff(heights)[:, None]

        def work(start: int, stop: int) -> None:
            _paint(elevation[start:stop], heights, light, rise, CODES, colour[start:stop])

        run.slices(work, grid.ny, SLICE)
        return colour


@kernel
def _paint(z, heights, light, rise, codes, colour):  # type: ignore[no-untyped-def]
    """Linear between the stops around a cell, then the code of that light."""
    last = len(heights) - 1
    for i in range(z.shape[0]):
        for j in range(z.shape[1]):
            height = np.float64(z[i, j])
            k = np.searchsorted(heights, height, side="right") - 1
            for band in range(3):
                value = light[max(k, 0), band]
                if 0 <= k < last:
                    value = rise[k, band] * (height - heights[k]) + light[k, band]
                colour[i, j, band] = codes[np.uint16(min(max(value, 0.0), 1.0) * 65535.0 + 0.5)]
