"""Walking on a world without an edge: windows about any place, each with the land that it needs."""

from dataclasses import replace
from functools import cached_property

from downcut.errors import DowncutError
from downcut.export.tints import Scene
from downcut.export.walk import Walk
from downcut.fields.constant import Constant
from downcut.fields.continents import Continents
from downcut.fields.field import Field
from downcut.fields.noise import Noise
from downcut.fields.strata import Strata
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.terrain import Terrain
from downcut.walking.country import Country, best_place
from downcut.walking.waters import Waters
from downcut.walking.window import Asked, walk
from downcut.world.plan import Plan
from downcut.world.world import World

MARGIN = 24
"""Cells of the world round a window: what the smooth surface through them looks at."""
BEGIN = 256
"""Cells each way from the origin in which one may begin."""
FAR_CELLS = 96
"""Cells each way of what stands on the horizon ..."""
FAR_LEVEL = 3
"""... which are so much larger: 2³ times."""
GOES_ON = (Noise, Constant, Strata, Continents)
"""Fields that are the same kind of land everywhere."""


def is_endless(recipe: Recipe) -> bool:
    """Tell whether the land of a recipe goes on without an edge, and is land all over."""
    fields = [t.step for t in recipe.tasks(once=True) if isinstance(t.step, Field)]
    if not all(isinstance(field, GOES_ON) for field in fields):
        return False
    try:
        Plan.of(recipe)
    except DowncutError:
        return False
    return True


class Endless:
    """The world of a recipe, to be walked."""

    def __init__(self, recipe: Recipe, threads: int = 0) -> None:
        self.world = World(recipe, threads=threads)

    @cached_property
    def scene(self) -> Scene:
        """What is high and steep, by the land about the origin: colours are alike everywhere."""
        return Scene.of(self._about((0.0, 0.0), BEGIN))

    @cached_property
    def best(self) -> tuple[float, float]:
        """Where one would begin: metres east and north."""
        land = self._about((0.0, 0.0), BEGIN)
        return best_place(land, Waters.of_world(land))

    def walk(self, asked: Asked, run: Run | None = None) -> Walk:
        """Return a window, as `walking.window.walk` does; any place is on the land.

        Raises
        ------
        DowncutError
            For a window that is none, or one without a dry place.
        """
        asked.check_size()
        return walk(self._country(asked.at or self.best, asked.extent), asked, run)

    def _country(self, at: tuple[float, float], extent: float) -> Country:
        """Return the land that a window about a place needs, and its horizon."""
        cell = self.world.cell_size()
        land = self._about(at, round(extent / cell / 2) + MARGIN)
        around = self._about(at, FAR_CELLS, FAR_LEVEL)
        known = ("elevation", "water_surface", "moisture")
        far = Terrain(around.grid, {n: around[n] for n in known if n in around.layers})
        waters = Waters.of_world(land)
        scene = replace(self.scene, layers=land.layers, grid=land.grid)
        return Country(land, waters, scene, far, endless=True, begin=at)

    def _about(self, at: tuple[float, float], cells: int, level: int = 0) -> Terrain:
        """Return the window of so many cells each way from a place."""
        cell = self.world.cell_size(level)
        row, col = round(-at[1] / cell) - cells, round(at[0] / cell) - cells
        return self.world.window(row, col, 2 * cells, 2 * cells, level)
