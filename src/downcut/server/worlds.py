"""Worlds on show: their land in chunks, and the ones that were explored last."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from downcut.errors import DowncutError
from downcut.export.blocks import block, joined
from downcut.export.painting import TINT, painted
from downcut.fields.heightmap import Heightmap
from downcut.recipe import Recipe
from downcut.world.looks import Looks
from downcut.world.world import DEEPEST, World

CHUNK = 64
"""Cells along the edge of a chunk, at every level."""
BORDER = 2
"""Cells of its neighbours that come with it: for what lies between, and for slopes."""
FARTHEST = 2**24
"""Chunks from the origin: a thousand million cells."""
MOST_WORLDS = 2
MEMORY, DISK = 2**27, 2**30
"""Bytes that each of them keeps at most."""
SEEN = (
    "elevation", "water_surface", "colour", "biome", "rock", "moisture", "drainage_area", "channel",
)  # fmt: skip
"""The layers that a chunk is drawn or painted from."""


class Explored:
    """A world on show, in chunks without seams.

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
        self.looks = Looks(self.world)
        self._eroding = threading.Lock()

    @contextmanager
    def watched(self, stop: threading.Event, tell: Callable[[float], None]) -> Iterator[None]:
        """Let one job hear of the provinces that grow for it, and stop them."""
        self.world.provinces.watch(stop, tell)
        try:
            yield
        finally:
            self.world.provinces.watch(threading.Event(), None)

    def told(self) -> dict[str, Any]:
        """Look round and return what a page is told of the world."""
        return {
            "world": self.recipe.digest,
            "cell_size": self.world.cell_size(),
            "chunk": CHUNK,
            "border": BORDER,
            "deepest": DEEPEST,
            "farthest": FARTHEST,
            "sea_level": self.recipe.sea_level,
            "span": self.looks.span,
            "range": list(self.looks.range),
            "home": list(self.looks.home),
        }

    def chunk(self, level: int, row: int, col: int) -> bytes:
        """Return a chunk with its border, as blocks in a row."""
        edge = CHUNK + 2 * BORDER
        top, left = row * CHUNK - BORDER, col * CHUNK - BORDER
        names = [name for name in SEEN if name in self.world.plan.layers(level)]
        with self._eroding if max(self.world.plan.halos(level), default=0) > 1 else nullcontext():
            land = self.world.window(top, left, edge, edge, level, names)  # neighbours share much
        facts = {"level": level, "row": row, "col": col, "cell_size": land.grid.cell_size}
        blocks = {
            name: block(name, land[name], **facts)
            for name in ("elevation", "water_surface")
            if name in land.layers
        }
        tint = painted(self.looks.scene(land, level))
        return joined(blocks | {TINT: block(TINT, tint, **facts)})


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
