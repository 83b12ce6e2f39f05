"""Materials: grass where it is flat, rock where it is steep."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import Tone, gradient, smoothstep
from downcut.step import Array, Degrees, Step

CELLS_A_SLICE = 1 << 15
"""So many cells' temporaries fit in a thread's cache."""
LEAST_ANGLE = 0.01
"""Degrees from grass to rock, at least: float32 must tell their cosines apart."""

GRASS = Tone("grass", 108, 132, 70)
ROCK = Tone("rock", 124, 116, 108)


class Materials(Step):
    """Choose the ground's material by its slope.

    The normal's up component n = cos(slope angle) blends grass into rock: rock is the smoothstep
    of n from cos(grass_angle), where it is 0, to cos(rock_angle), where it is 1. A cheap stand-in
    for texturing each side of a cliff.

    Reads `elevation` (ny, nx) [m]; writes `rock` (ny, nx) float32, the share of rock; the rest is
    grass. Guaranteed: rises with the slope; windows meet without a seam (halo 1).

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> Materials()([[0.0, 0.0, 9.0]], grid=Grid(1, 3))[0].round(2).tolist()
    [0.0, 1.0, 1.0]
    """

    reads = ("elevation",)
    writes = ("rock",)
    exact: ClassVar[bool] = False  # the limits' cosines
    nanoseconds = 15.0
    working_bytes = 2

    op: Literal["surface.materials"] = "surface.materials"
    grass_angle: Degrees = Field(25.0, ge=0, le=89)
    """Up to this slope all is grass."""
    rock_angle: Degrees = Field(42.0, ge=LEAST_ANGLE, le=90)
    """From this slope on all is bare rock."""

    @model_validator(mode="after")
    def _in_order(self) -> "Materials":
        if self.rock_angle - self.grass_angle < LEAST_ANGLE:
            raise ValueError(
                f"grass_angle is {self.grass_angle:g}° and rock_angle {self.rock_angle:g}°: "
                "rock begins where grass ends, on steeper ground"
            )
        return self

    def halo(self, grid: Grid) -> int:
        """Return 1: the neighbours of a cell."""
        return 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `rock`."""
        (elevation,) = arrays
        rock = np.empty(grid.shape, np.float32)
        flat = math.cos(math.radians(self.grass_angle))
        steep = math.cos(math.radians(self.rock_angle))

        def work(start: int, stop: int) -> None:
            east, north = gradient(elevation, grid.cell_size, start, stop)
            up = 1 / np.sqrt(1 + east * east + north * north)
            rock[start:stop] = smoothstep(flat, steep, up)

        run.slices(work, grid.ny, max(1, CELLS_A_SLICE // grid.nx))
        return rock
