"""Hillshade: the relief as map-makers draw it, lit by the sun."""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import gradient, lambert, several_suns
from downcut.step import Array, Degrees, Number, Step

CELLS_A_SLICE = 1 << 17
"""So many cells' temporaries fit in a thread's cache."""


class Hillshade(Step):
    """Light the ground from a fixed sun.

    cos θ between the sun and the normal of the ground (with its heights exaggerated), 0 where it
    is turned away. `several` blends four suns 45° apart, each weighted by sin² of the angle
    between its direction and the slope's [Mark1992]: what lies in shade keeps its form.

    Reads `elevation` (ny, nx) [m]; writes `hillshade` (ny, nx) float32, 0 to 1.
    Guaranteed: flat ground gives sin(altitude); a plane gives one value everywhere; windows meet
    without a seam (halo 1).

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> light = Hillshade(altitude=30)([[5.0, 5.0]], grid=Grid(1, 2))
    >>> round(float(light[0, 0]), 6)
    0.5
    """

    reads = ("elevation",)
    writes = ("hillshade",)
    cites = ("Mark1992",)
    exact: ClassVar[bool] = False  # the sun's sine and cosine
    nanoseconds = 5.0
    working_bytes = 2

    op: Literal["surface.hillshade"] = "surface.hillshade"
    azimuth: Degrees = Field(315.0, ge=0, le=360)
    """Where the light comes from, clockwise from north: 315 is the north-west of maps."""
    altitude: Degrees = Field(45.0, ge=0, le=90)
    """How high the sun stands above the horizon; a low sun shows gentle forms."""
    vertical_exaggeration: Number = Field(1.0, gt=0, le=1000)
    """How many times steeper the ground is drawn; above 1 for plains."""
    sun: Literal["single", "several"] = "single"
    """One sun, or a blend of four that leaves no slope in the dark."""

    def halo(self, grid: Grid) -> int:
        """Return 1: the neighbours of a cell."""
        return 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `hillshade`."""
        (elevation,) = arrays
        light = np.empty(grid.shape, np.float32)
        law = lambert if self.sun == "single" else several_suns
        exaggeration = np.float32(self.vertical_exaggeration)

        def work(start: int, stop: int) -> None:
            east, north = gradient(elevation, grid.cell_size, start, stop)
            if exaggeration != 1:
                east *= exaggeration
                north *= exaggeration
            light[start:stop] = law(east, north, self.azimuth, self.altitude)

        run.slices(work, grid.ny, max(1, CELLS_A_SLICE // grid.nx))
        return light
