"""A window of a land in fine cells: its ground, water, plants and stones, ready to be walked."""

import math
from dataclasses import dataclass

from downcut.errors import DowncutError
from downcut.export.placement import edges
from downcut.export.walk import Walk
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.surface.meadow import Meadow
from downcut.terrain import Terrain
from downcut.walking.country import MOST_CELLS, Country
from downcut.walking.dressing import biomes, dressed, ground
from downcut.walking.told import Told

CELL = 1.0
"""Edge of a cell to walk on [m], where the land itself has none finer."""
EXTENT = 1024.0
"""Edge of a window [m], and ..."""
LARGEST = 2048.0
"""... of the largest."""
USUAL_CELLS = 1024
"""Along an edge of a window, where nobody says how fine its cells are."""
STEPS_ACROSS = 640
"""Cells along an edge of a land that is made anew in finer ones."""


def suited(recipe: Recipe) -> Recipe:
    """Return the recipe whose land is to be walked: finer, where that changes no form.

    The glade is a function of the place, and so is made in cells that show it within a centimetre.
    """
    if any(isinstance(task.step, Meadow) for task in recipe.tasks(once=True)):
        return recipe.changed(size=max(STEPS_ACROSS, recipe.grid.ny))
    return recipe


@dataclass(frozen=True)
class Asked:
    """Which window of a land: None where the land may choose."""

    at: tuple[float, float] | None = None
    """Its middle: metres east and north of the land's middle."""
    extent: float = EXTENT
    """Its edge [m]."""
    cell_size: float | None = None

    def grid(self, land: Grid, at: tuple[float, float]) -> Grid:
        """Return the window's cells, moved to lie on the land."""
        cell, shape = self._shape(land)
        if cell == land.cell_size and max(land.shape) * cell <= self.extent * 1.001:
            return land
        ny, nx = (2 * int(n / 2 + 1e-6) for n in shape)
        row = _fitted(-at[1] / cell - ny / 2, ny, land.corner[0], land.ny, land.cell_size / cell)
        col = _fitted(at[0] / cell - nx / 2, nx, land.corner[1], land.nx, land.cell_size / cell)
        return Grid(ny, nx, cell, row, col)

    def check(self, land: Grid) -> None:
        """Refuse a window that is none.

        Raises
        ------
        DowncutError
            For a place off the land, or a window or cells out of bounds.
        """
        self.check_size()
        cell, shape = self._shape(land)
        if max(shape) > MOST_CELLS or cell > land.cell_size or min(shape) < 4:
            least, most = max(shape) * cell / MOST_CELLS, min(land.cell_size, min(shape) * cell / 4)
            raise DowncutError(f"a cell of {cell:g} m: give {least:g} to {most:g} m")
        west, south, east, north = edges(land)
        if self.at and not (west <= self.at[0] <= east and south <= self.at[1] <= north):
            raise DowncutError(
                f"place is {self.at[0]:g},{self.at[1]:g}: the land reaches from {west:g} to "
                f"{east:g} m east of its middle, and from {south:g} to {north:g} m north"
            )

    def check_size(self) -> None:
        """Refuse a window that is too small or too large.

        Raises
        ------
        DowncutError
        """
        if not 16 <= self.extent <= LARGEST:
            raise DowncutError(f"extent is {self.extent:g}: give 16 to {LARGEST:g} m")

    def _shape(self, land: Grid) -> tuple[float, list[float]]:
        cell = self.cell_size or min(land.cell_size, max(CELL, self.extent / USUAL_CELLS))
        return cell, [min(self.extent, n * land.cell_size) / cell for n in land.shape]


def _fitted(first: float, count: int, corner: float, cells: int, ratio: float) -> int:
    """Return the first cell of a span of fine ones that begins near `first`, on the land."""
    low, high = math.ceil(corner * ratio - 1e-6), math.floor((corner + cells) * ratio + 1e-6)
    return max(min(round(first), high - count), low)


def walk(land: Terrain | Country, asked: Asked | None = None, run: Run | None = None) -> Walk:
    """Return a window of a land to be walked.

    Where the land's cells are coarser than a step its ground is the smooth surface through them
    with small forms of its own; rivers get their beds in it, lakes and sea their shores, and
    `surface.scatter` (the recipe's, or the usual one) dresses it. The same land gives the same
    window, and a place is the same in any window that holds it, but for what lies near the edges.

    Parameters
    ----------
    land : Terrain, or the Country of one
        With its elevation; its recipe says how rivers, biomes and plants are.
    asked : Asked, optional
        Which window; by default about the largest river in the middle of the land.

    Raises
    ------
    DowncutError
        For a window that is none, or one without a dry place.
    """
    asked, run = asked or Asked(), run or Run()
    asked.check((land.land if isinstance(land, Country) else land).grid)
    country = land if isinstance(land, Country) else Country.of(land)
    land, waters = country.land, country.waters
    run.sea_level = getattr(land.recipe, "sea_level", None)
    whole = country.is_glade
    grid = land.grid if whole else asked.grid(land.grid, asked.at or country.best)
    layers = waters.lay(ground(land, grid, run), grid)
    layers |= biomes(land, layers["elevation"], grid, run)
    tables = dressed(land, layers, grid, run)
    tables["rivers"] = waters.ribbons(grid)
    kept = {n: layers[n] for n in ("elevation", "water_surface", "water_depth", "grass")}
    if not layers["water_depth"].any():
        del kept["water_surface"], kept["water_depth"]
    window = Terrain(grid, kept, tables, recipe=land.recipe)
    return Told(country, window, layers, asked.at).walk()
