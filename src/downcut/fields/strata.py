"""Strata: hard and soft beds, one above the other, as a layer for erosion to read."""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field as Parameter

from downcut.fields.field import in_rows
from downcut.fields.octaves import octaves_of, sum_octaves
from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import smoothstep
from downcut.step import Array, Degrees, Metres, Number, Share, Step, TargetName


class Strata(Step):
    """How hard the rock is at the ground's height: beds of equal thickness, hard and soft in turn.

    The beds dip by `dip` towards `direction` and wave by `wobble`. Inside a Repeat the layer is
    made anew from the sinking ground, so that hard beds stand out as ledges and soft ones retreat.

    Examples
    --------
    >>> import downcut as dc
    >>> steps = dc.fields.Strata(thickness=100, hard_share=0.5, hard=10, wobble=0)
    >>> steps([[25, 75, 125]], grid=dc.Grid(1, 3)).round(2).tolist()
    [[10.0, 1.0, 10.0]]
    """

    op: Literal["fields.strata"] = "fields.strata"
    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 30.0

    into: TargetName = "hardness"
    """The layer that the hardness is written into."""
    thickness: Metres = Parameter(120.0, ge=0.01, le=10_000)
    """Of a hard and a soft bed together."""
    hard_share: Share = 0.4
    """How much of it is hard; the hard bed lies at the bottom."""
    hard: Number = Parameter(8.0, ge=0.001, le=1e4)
    """Hardness of the hard beds."""
    soft: Number = Parameter(1.0, ge=0.001, le=1e4)
    """Hardness of the soft beds."""
    dip: Degrees = Parameter(0.0, ge=0, le=60)
    """How steeply the beds dip."""
    direction: Degrees = Parameter(90.0, ge=0, le=360)
    """Where they dip to, clockwise from north."""
    wobble: Metres = Parameter(15.0, ge=0, le=10_000)
    """How far the beds wave up and down."""
    wobble_wavelength: Metres = Parameter(4000.0, ge=0.01, le=1e8)
    """Length of these waves."""

    def outputs(self) -> tuple[str, ...]:
        """The layer it is written into."""
        return (self.into,)

    def halo(self, grid: Grid) -> int | None:
        """The rock of a cell is its own."""
        return 0

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Find the bed at the height of every cell."""
        (elevation,) = arrays
        octaves = octaves_of(self.wobble_wavelength, 3, 2.0, 0.5)
        straight = (0.0, 1.0, 0.0)
        waves = sum_octaves(octaves, straight, grid=grid, key=key, run=run, amplitude=self.wobble)

        def beds(first: int, last: int, rows: Grid) -> Array:
            return self._hardness(elevation[first:last], waves[first:last], rows)

        return in_rows(beds, grid, run)

    def _hardness(self, elevation: Array, waves: Array, grid: Grid) -> Array:
        bearing, slope = np.radians(self.direction), np.tan(np.radians(self.dip))
        sunk = (grid.x[None, :] * np.sin(bearing) + grid.y[:, None] * np.cos(bearing)) * slope
        place = (elevation + sunk - waves) / self.thickness % 1.0
        edge = 0.04  # of the thickness: beds grade into each other
        is_hard = smoothstep(0, edge, place) - smoothstep(
            self.hard_share, self.hard_share + edge, place
        )
        hardness: Array = self.soft + (self.hard - self.soft) * is_hard
        return hardness
