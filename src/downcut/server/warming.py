"""The engine warms up beside the first requests: what is compiled once is quick from then on."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress

from downcut import presets
from downcut.erosion.droplets import Droplets
from downcut.errors import Cancelled
from downcut.export.painting import tinted
from downcut.grow import generate
from downcut.grow import preset as recipe_of
from downcut.world.looks import Looks
from downcut.world.world import World

EDGE = 64
"""Cells along the lands that are grown for it."""


class Warmth:
    """Whether the kernels of the presets are compiled, and who waits to hear of it."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.is_warm = False
        self.is_busy = False
        """Whether anything is being compiled ahead: whoever asks meanwhile may have to wait."""
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Warm up in a thread of its own."""
        self.is_busy = True
        threading.Thread(target=self._begun, name="downcut-warming", daemon=True).start()

    def _begun(self) -> None:
        try:
            self.warm()
        finally:
            self.is_busy = False

    def warm(self) -> None:
        """Grow every preset small, the first one first, paint it, and let a droplet fall."""
        try:
            for name in sorted(presets.names(), key=lambda name: name != presets.FIRST):
                land = generate(recipe_of(name, size=EDGE), stop=self.stop)
                tinted(land)
                if name == presets.FIRST:
                    Droplets().trace(land["elevation"], 0, 0, grid=land.grid)
        except Cancelled:
            return
        with self._lock:
            self.is_warm, listeners = True, self._listeners
        for listener in listeners:
            listener()
        with suppress(Cancelled):
            self._explore()

    def _explore(self) -> None:
        """Grow a small world too, for whoever is about to explore one."""
        world = _small_world()
        world.provinces.watch(self.stop, None)
        east, north = Looks(world).home
        row, col = (round(way / world.cell_size()) - EDGE // 2 for way in (-north, east))
        world.window(row, col, EDGE, EDGE)

    def tell(self, listener: Callable[[], None]) -> None:
        """Call once the engine is warm; at once if it is."""
        with self._lock:
            if not self.is_warm:
                self._listeners.append(listener)
                return
        listener()

    def forget(self, listener: Callable[[], None]) -> None:
        """Call it no more."""
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)


def _small_world() -> World:
    """Return the world that ships, with lands of some cells that hardly erode."""
    recipe = json.loads(recipe_of("endless").to_json())
    for step in recipe["steps"]:
        if step["op"] == "repeat":
            step["times"] = 1
        elif step["op"] == "fields.continents":
            step |= {"province_size": 8000, "strait": 1000, "shore": 1800, "warp": None}
    return World(recipe, disk=0)
