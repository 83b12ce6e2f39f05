"""Splat: how much of grass, rock, sand and snow covers each cell, as engines paint ground."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import gradient, smoothstep
from downcut.step import Array, Degrees, Metres, Step

SLICE = 64
"""Rows a thread takes at a time: their temporaries fit in its cache."""
LEAST_ANGLE = 0.01
"""Degrees from grass to rock, at least: float32 must tell their cosines apart."""


class Splat(Step):
    """Share the ground out among grass, rock, sand and snow.

    Rock takes the steep ground: the smoothstep of the normal's up component, as in
    `surface.materials`. Of what is left, snow takes the heights above the snow line, then sand the
    beds of lakes and sea and gentle ground by the sea; grass has the rest. Heights are above the
    sea, or above the datum on a land without one.

    Reads `elevation` (ny, nx) [m] and, where there is one, `water_depth` (ny, nx) [m]; writes
    `splat` (ny, nx, 4) uint8: grass, rock, sand, snow. Guaranteed: the four of a cell add up to
    255, each within 1 of 255 × its share and the largest within 2; windows meet without a seam
    (halo 1).

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> heights = [[-9.0, -9.0, 50.0, 50.0, 3000.0, 3000.0]]
    >>> Splat()(heights, grid=Grid(1, 6, 1e5), sea_level=0)[0, ::2].tolist()
    [[0, 0, 255, 0], [255, 0, 0, 0], [0, 0, 0, 255]]
    """

    reads = ("elevation", "water_depth")
    writes = ("splat",)
    exact: ClassVar[bool] = False  # the limits' cosines
    nanoseconds = 60.0
    working_bytes = 8

    op: Literal["surface.splat"] = "surface.splat"
    grass_angle: Degrees = Field(28.0, ge=0, le=89)
    """Up to this slope there is no rock."""
    rock_angle: Degrees = Field(42.0, ge=LEAST_ANGLE, le=90)
    """From this slope on all is rock."""
    snow_line: Metres = Field(2200.0, ge=0, le=20_000)
    """At this height snow covers half of the ground."""
    snow_blend: Metres = Field(300.0, gt=0, le=20_000)
    """Over how many metres of height snow goes from none to all."""
    beach_height: Metres = Field(6.0, ge=0, le=1000)
    """At this height above the sea half of the ground is sand, and none from twice of it on."""

    @model_validator(mode="after")
    def _in_order(self) -> "Splat":
        if self.rock_angle - self.grass_angle < LEAST_ANGLE:
            raise ValueError(
                f"grass_angle is {self.grass_angle:g}° and rock_angle {self.rock_angle:g}°: "
                "rock begins where grass ends, on steeper ground"
            )
        return self

    def optional(self) -> frozenset[str]:
        """Return `water_depth`."""
        return frozenset({"water_depth"})

    def halo(self, grid: Grid) -> int:
        """Return 1: the slope takes the neighbours of a cell."""
        return 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `splat`."""
        elevation, depth = arrays
        splat = np.empty((*grid.shape, 4), np.uint8)

        def work(start: int, stop: int) -> None:
            east, north = gradient(elevation, grid.cell_size, start, stop)
            up = 1 / np.sqrt(1 + east * east + north * north)
            water = None if depth is None else depth[start:stop]
            splat[start:stop] = in_bytes(self._shares(elevation[start:stop], up, water, run))

        run.slices(work, grid.ny, SLICE)
        return splat

    def _shares(self, elevation: Array, up: Array, depth: Array | None, run: Run) -> Array:
        """Return the shares of some rows, (4, rows, nx): each takes of what the one before left."""
        height = elevation - np.float32(run.sea_level or 0)
        flat, steep = (math.cos(math.radians(a)) for a in (self.grass_angle, self.rock_angle))
        rock = smoothstep(flat, steep, up)
        low, high = (self.snow_line + s * self.snow_blend / 2 for s in (-1, 1))
        snow = smoothstep(low, high, height) * (1 - rock)
        sand = np.zeros_like(rock)
        if run.sea_level is not None:
            sand = 1 - smoothstep(0, 2 * self.beach_height or 1e-3, height)
        if depth is not None:
            sand[depth > 0] = 1
        sand *= 1 - rock - snow
        return np.stack([1 - rock - snow - sand, rock, sand, snow])


def in_bytes(shares: Array) -> NDArray[np.uint8]:
    """Return shares that add up to 1, (bands, ny, nx), as bytes that add up to 255.

    (ny, nx, bands); what rounding leaves over goes to the largest.
    """
    whole = np.rint(shares * np.float32(255)).astype(np.int16)
    largest = whole.argmax(axis=0)[None]
    left = 255 - whole.sum(axis=0, dtype=np.int16)
    np.put_along_axis(whole, largest, np.take_along_axis(whole, largest, 0) + left, 0)
    return np.moveaxis(whole, 0, -1).astype(np.uint8)
