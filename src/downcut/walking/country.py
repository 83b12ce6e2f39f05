"""A country: a land with all that windows of it share, found once."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from downcut.export.tints import Scene
from downcut.export.walk import Place
from downcut.fields.glade import Glade
from downcut.grid import Grid
from downcut.sampling import averaged
from downcut.surface.meadow import Meadow
from downcut.terrain import Terrain
from downcut.walking.standing import named
from downcut.walking.viewpoints import confluences, falls, foremost, lakes, peaks
from downcut.walking.waters import Waters, steps_of

MOST_CELLS = 2048
"""Along an edge of a window."""
AROUND = 256
"""Cells, about, along an edge of the land round a window, and ..."""
AROUND_CELL = 16.0
"""... their edge at least [m]: what is nearer is seen in the window."""


@dataclass(frozen=True)
class Country:
    """A land that windows are made of.

    Attributes
    ----------
    land : Terrain
        Its ground, as far as it is needed.
    waters : Waters
    scene : Scene
        What is high and steep here, for the colours.
    around : Terrain
        What stands on the horizon, in coarse cells.
    endless : bool
        Whether other windows lie beyond any edge.
    begin : (float, float) or None
        Where one begins, if that is known: metres east and north.
    """

    land: Terrain
    waters: Waters
    scene: Scene
    around: Terrain
    endless: bool = False
    begin: tuple[float, float] | None = None

    @classmethod
    def of(cls, land: Terrain) -> "Country":
        """Find out what windows of a land share."""
        return cls(land, Waters.of(land), Scene.of(land), coarse(land))

    @property
    def is_glade(self) -> bool:
        """Whether it is the glade, which is walked as a whole and has rules of its own."""
        kinds = {type(step) for step in steps_of(self.land)}
        return {Glade, Meadow} <= kinds and max(self.land.grid.shape) <= MOST_CELLS

    @cached_property
    def best(self) -> tuple[float, float]:
        """Where one would begin: metres east and north."""
        return self.begin or best_place(self.land, self.waters)

    @cached_property
    def sights(self) -> list[Place]:
        """What is worth going to on all the land, where it is known without a window."""
        around, grid = self.around, self.land.grid
        rivers = self.waters.lines.table(grid, 0.0, (0, 0))
        found = [*peaks(around["elevation"], around.grid), *falls(rivers), *confluences(rivers)]
        found += lakes(np.maximum(self.waters.shores.lake, 0), grid)
        return named(foremost(found, around.grid, 2 * around.grid.cell_size))


def coarse(land: Terrain) -> Terrain:
    """Return the whole land in at most about 256 cells along an edge."""
    cell, longest = land.grid.cell_size, max(land.grid.shape)
    times = min(max(math.ceil(longest / AROUND), math.ceil(AROUND_CELL / cell)), longest)
    ny, nx = (max(1, n // times) for n in land.grid.shape)
    there = Grid(ny, nx, land.grid.cell_size * times)
    layers = {
        name: averaged(np.array(land[name], np.float32), land.grid, there)
        for name in ("elevation", "water_surface", "moisture")
        if name in land.layers
    }
    return Terrain(there, layers, recipe=land.recipe)


def best_place(land: Terrain, waters: Waters) -> tuple[float, float]:
    """Return where the widest river runs in the middle half of the land, low enough for trees.

    Where none does, the dry place nearest to the middle.
    """
    points, grid = waters.lines.points, land.grid
    dry = waters.shores.lake == 0
    if not dry.any():
        return 0.0, 0.0
    half = np.array([grid.ny, grid.nx]) * grid.cell_size / 4
    inside = (abs(points["y"]) <= half[0]) & (abs(points["x"]) <= half[1])
    inside &= points["surface"] <= float(np.quantile(land["elevation"][dry], 0.6))
    if waters.sea_level is not None:
        inside &= points["surface"] > waters.sea_level + 2
    if inside.any():
        best = np.flatnonzero(inside)[int(points["width"][inside].argmax())]
        return float(points["x"][best]), float(points["y"][best])
    row, col = np.nonzero(dry)
    best = int((grid.x[col] ** 2 + grid.y[row] ** 2).argmin())
    return float(grid.x[col[best]]), float(grid.y[row[best]])
