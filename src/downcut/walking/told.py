"""What is told of a window: where she begins, where it is good to be, what lies round it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.export.placement import edges
from downcut.export.walk import Limits, Place, Walk
from downcut.features import Table
from downcut.flow.stream import stream_line
from downcut.grid import Grid
from downcut.terrain import Terrain
from downcut.walking.blades import EDGE, patch
from downcut.walking.country import Country
from downcut.walking.dressing import colours
from downcut.walking.standing import Ground, facing, stand
from downcut.walking.viewpoints import Sight, sights

CIRCLE, CLEARANCE = 26.0, 4.4
"""The glade: how far from its middle one may walk, and how near to the stream's line [m]."""


@dataclass(frozen=True)
class Told:
    """A window that is made, and what is told of it."""

    country: Country
    window: Terrain
    layers: dict[str, NDArray[Any]]
    at: tuple[float, float] | None
    """Where somebody asked to begin [m]."""

    def walk(self) -> Walk:
        """Return all of it."""
        country, grid = self.country, self.window.grid
        land = country.land
        recipe, glade = land.recipe, country.is_glade
        around = None if glade else country.around
        limits = Limits(radius=CIRCLE, clearance=CLEARANCE) if glade else Limits()
        start, views = _glade() if glade else self._views(limits)
        return Walk(
            land=self.window,
            colours=colours(country.scene, grid, self.layers),
            start=start,
            title=recipe.title if recipe else "",
            description=recipe.description if recipe else "",
            digest=recipe.digest if recipe else land.checksum,
            sea_level=recipe.sea_level if recipe else None,
            limits=limits,
            viewpoints=views,
            patch=None if "blades" in self.window.features else patch(),
            patch_edge=EDGE,
            around=around,
            around_colours=None if around is None else self._far(around),
            bounds=None if country.endless else edges(land.grid),
            sights=() if glade else country.sights,
        )

    def _far(self, around: Terrain) -> NDArray[np.uint8]:
        return colours(self.country.scene, around.grid, around.layers)

    def _views(self, limits: Limits) -> tuple[Place, list[Place]]:
        """Return where she begins, and the places worth going to."""
        grid, rivers = self.window.grid, self.window.features.get("rivers")
        ground = Ground(self.layers["elevation"], self.layers["water_depth"], grid, limits)
        margin = max(3 * limits.margin, 0.02 * grid.ny * grid.cell_size)
        found = sights(self.layers["elevation"], grid, rivers, self.layers["lake"], margin)
        views = stand(ground, found)
        begin = self.at or _middle_of_river(rivers, grid)
        place = ground.nearest(*begin)
        if place is None:
            raise DowncutError(
                "there is nowhere to stand here: water and cliffs alone; choose another place"
            )
        kind = "view" if self.at or rivers is None or not len(rivers) else "river"
        heading = facing(ground, place, Sight("view", *begin, 0))
        start = Place("Here" if self.at else "Where you begin", kind, *place, heading)
        return start, [start, *views]


def _middle_of_river(rivers: Table | None, grid: Grid) -> tuple[float, float]:
    """Return the point of the rivers nearest to the window's middle; that, where there are none."""
    x, y = float(grid.x.mean()), float(grid.y.mean())
    if rivers is None or not len(rivers):
        return x, y
    way = np.hypot(rivers.points["x"] - x, rivers.points["y"] - y)
    best = int(way.argmin())
    return float(rivers.points["x"][best]), float(rivers.points["y"][best])


def _glade() -> tuple[Place, list[Place]]:
    """Return where she begins in the glade, by the water, and where else it is good to be."""
    south = np.array([5.0, -14.0])
    (x, far), (z, away) = stream_line(south) - 5.2, south
    start = Place("By the water", "river", float(x), -float(z), 30.0)
    return start, [
        start,
        Place("Under the great tree", "view", -4.6, 6.2, 75.0),
        Place("Upstream", "river", float(far), -float(away), 8.0),
        Place("The open meadow", "view", -17.0, -9.0, 55.0),
    ]
