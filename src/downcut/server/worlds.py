"""Worlds on show: one palette for all of a world, and its land in chunks."""

import threading
from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np

from downcut.errors import DowncutError
from downcut.export.blocks import block, joined
from downcut.export.painting import TINT, painted
from downcut.export.tints import Scene
from downcut.fields.heightmap import Heightmap
from downcut.recipe import Recipe
from downcut.world.world import DEEPEST, World

CHUNK = 64
"""Cells along the edge of a chunk, at every level."""
BORDER = 2
"""Cells of its neighbours that come with it: for what lies between, and for slopes."""
OVERVIEW = 96
"""Cells along the window that a world's heights, slopes and first place are taken from."""
AROUND = 4
"""How much wider than the recipe's own land that window is."""
MOST_WORLDS = 2
MEMORY, DISK = 2**27, 2**30
"""Bytes that each of them keeps at most."""
SEEN = (
    "elevation", "water_surface", "colour", "biome", "rock", "moisture", "drainage_area", "channel",
)  # fmt: skip
"""The layers that a chunk is drawn or painted from."""


class Explored:
    """A world on show: one palette for all of it, so that chunks have no seams.

    Raises
    ------
    DowncutError
        For a recipe that makes no world, with what to use instead.
    """

    def __init__(self, recipe: Recipe, threads: int = 0) -> None:
        for task in recipe.tasks(once=True):
            if isinstance(task.step, Heightmap):
                raise DowncutError(
                    f"{task.path} (fields.heightmap) is a picture with an edge, and a world has "
                    "none: use noise in its place, such as fields.fbm"
                )
        self.recipe = recipe
        self.world = World(recipe, memory=MEMORY, disk=DISK, threads=threads)
        self.span = max(recipe.grid.ny, recipe.grid.nx) * recipe.grid.cell_size
        self._scene: Scene | None = None
        self._slopes: dict[int, float] = {}
        self._home = (0.0, 0.0)
        self._lock = threading.Lock()

    def told(self) -> dict[str, Any]:
        """Look round and return what a page is told of the world."""
        scene = self._looked_round()
        east, north = self._home
        return {
            "world": self.recipe.digest,
            "cell_size": self.world.cell_size(),
            "chunk": CHUNK,
            "border": BORDER,
            "deepest": DEEPEST,
            "sea_level": self.recipe.sea_level,
            "span": self.span,
            "range": [scene.low, scene.high],
            "home": [east, north],
        }

    def chunk(self, level: int, row: int, col: int) -> bytes:
        """Return a chunk with its border, as blocks in a row."""
        edge = CHUNK + 2 * BORDER
        top, left = row * CHUNK - BORDER, col * CHUNK - BORDER
        land = self.world.window(top, left, edge, edge, level, self._names(level))
        scene = replace(
            self._looked_round(),
            grid=land.grid,
            elevation=land["elevation"],
            layers=land.layers,
            slope=self._slope(level),
        )
        facts = {"level": level, "row": row, "col": col, "cell_size": land.grid.cell_size}
        blocks = {
            name: block(name, land[name], **facts)
            for name in ("elevation", "water_surface")
            if name in land.layers
        }
        return joined(blocks | {TINT: block(TINT, painted(scene), **facts)})

    def _names(self, level: int) -> list[str]:
        plan = self.world.plan
        made = set(plan.carried if plan.coarse else ())
        for task in plan.at(level):
            made.update(task.step.outputs())
        return [name for name in SEEN if name in made]

    def _looked_round(self) -> Scene:
        """Return what is high and low in this world, from a coarse window round the origin."""
        with self._lock:
            if self._scene is None:
                level, cells = 0, AROUND * self.span / self.world.cell_size()
                while cells > OVERVIEW * 2**level and level < DEEPEST:
                    level += 1
                names = [name for name in self._names(level) if name == "elevation"]
                land = self.world.window(-OVERVIEW // 2, -OVERVIEW // 2, OVERVIEW, OVERVIEW, level,
                                         names)  # fmt: skip
                row, col = _best(land["elevation"])
                self._home = float(land.grid.x[col]), float(land.grid.y[row])
                self._scene = Scene.of(land)
            return self._scene

    def _slope(self, level: int) -> float:
        """Return how steep the land is at a level: coarse cells are less so, and painted alike."""
        self._looked_round()
        with self._lock:
            if level not in self._slopes:
                cell = self.world.cell_size(level)
                east, north = self._home
                col, row = round(east / cell), round(-north / cell)
                half = OVERVIEW // 2
                land = self.world.window(row - half, col - half, OVERVIEW, OVERVIEW, level,
                                         ["elevation"])  # fmt: skip
                self._slopes[level] = Scene.of(land).slope
            return self._slopes[level]


def _best(elevation: Any) -> tuple[int, int]:
    """Return a high place that is not far from the middle."""
    ny, nx = elevation.shape
    row, col = np.mgrid[:ny, :nx]
    away = np.hypot(row - ny / 2, col - nx / 2) / max(ny, nx)
    height = (elevation - elevation.min()) / max(float(np.ptp(elevation)), 1e-6)
    best = int(np.argmax(height - 0.5 * away))
    return best // nx, best % nx


class Worlds:
    """The worlds that were explored last, by the digest of their recipe."""

    def __init__(self) -> None:
        self._worlds: OrderedDict[str, Explored] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, recipe: Recipe, threads: int) -> Explored:
        """Return the world of a recipe, kept or new; the one unused for longest makes room."""
        with self._lock:
            if recipe.digest not in self._worlds:
                self._worlds[recipe.digest] = Explored(recipe, threads)
            self._worlds.move_to_end(recipe.digest)
            while len(self._worlds) > MOST_WORLDS:
                self._worlds.popitem(last=False)
            return self._worlds[recipe.digest]

    def find(self, digest: str) -> Explored | None:
        """Return the world of this name, if it is still open."""
        with self._lock:
            return self._worlds.get(digest)
