"""The engine warms up beside the first requests: what is compiled once is quick from then on."""

import threading
from collections.abc import Callable

from downcut import presets
from downcut.erosion.droplets import Droplets
from downcut.errors import Cancelled
from downcut.export.painting import tinted
from downcut.grow import generate
from downcut.grow import preset as recipe_of

EDGE = 64
"""Cells along the lands that are grown for it."""


class Warmth:
    """Whether the kernels of the presets are compiled, and who waits to hear of it."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.is_warm = False
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Warm up in a thread of its own."""
        threading.Thread(target=self.warm, name="downcut-warming", daemon=True).start()

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
