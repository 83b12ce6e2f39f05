"""How a world is looked at: what is high and steep in all of it, and a place to begin.

Windows are painted by these rather than by what each of them holds, so that they have no seams.
"""

import threading
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from downcut.export.tints import Scene
from downcut.terrain import Terrain
from downcut.world.world import DEEPEST, World

OVERVIEW = 96
"""Cells along the windows that heights, slopes and the first place are taken from."""
AROUND = 4
"""How much wider than the recipe's own land the first of them is."""


class Looks:
    """What a world looks like at large; learned when it is first asked for.

    Parameters
    ----------
    world : World
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._slopes: dict[int, float] = {}
        self._locks = [threading.Lock() for _ in range(DEEPEST + 1)]

    @property
    def span(self) -> float:
        """The longer edge of the recipe's own land [m]."""
        grid = self.world.recipe.grid
        return max(grid.ny, grid.nx) * grid.cell_size

    @property
    def range(self) -> tuple[float, float]:
        """Where the ramp of colours begins and ends [m]."""
        return self._scene.low, self._scene.high

    @property
    def relief(self) -> tuple[float, float]:
        """The lowest and the highest place near the origin, as coarse cells show them [m]."""
        return float(self._scene.elevation.min()), float(self._scene.elevation.max())

    @cached_property
    def home(self) -> tuple[float, float]:
        """A high place that is not far from the origin: metres east and north of it."""
        elevation, grid = self._scene.elevation, self._scene.grid
        ny, nx = elevation.shape
        row, col = np.mgrid[:ny, :nx]
        away = np.hypot(row - ny / 2, col - nx / 2) / max(ny, nx)
        height = (elevation - elevation.min()) / max(float(np.ptp(elevation)), 1e-6)
        row, col = np.divmod(int(np.argmax(height - 0.5 * away)), nx)
        return float(grid.x[col]), float(grid.y[row])

    def scene(self, land: Terrain, level: int) -> Scene:
        """Return a window of a level as a painter sees it who knows the whole world."""
        return replace(
            self._scene,
            grid=land.grid,
            elevation=land["elevation"],
            layers=land.layers,
            slope=self._slope(level),
        )

    @cached_property
    def _scene(self) -> Scene:
        level, cells = 0, AROUND * self.span / self.world.cell_size()
        while cells > OVERVIEW * 2**level and level < DEEPEST:
            level += 1
        return Scene.of(self._window(0, 0, level))

    def _slope(self, level: int) -> float:
        """Return how steep the land is at a level: coarse cells are less so, and painted alike."""
        with self._locks[level]:
            if level not in self._slopes:
                cell = self.world.cell_size(level)
                east, north = self.home
                land = self._window(round(-north / cell), round(east / cell), level)
                self._slopes[level] = Scene.of(land).slope
            return self._slopes[level]

    def _window(self, row: int, col: int, level: int) -> Any:
        half = OVERVIEW // 2
        return self.world.window(row - half, col - half, OVERVIEW, OVERVIEW, level, ["elevation"])
