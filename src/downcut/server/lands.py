"""Lands that were grown, kept while there is room, by the digest of their recipe."""

import threading
from collections import OrderedDict

import psutil

from downcut.terrain import Terrain

SHARE = 1 / 16
"""Of the machine's memory."""
LEAST = 256 << 20


def room() -> int:
    """Return how many bytes of lands are kept."""
    return max(LEAST, int(psutil.virtual_memory().total * SHARE))


class Lands:
    """The lands that were asked for last."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = room() if limit is None else limit
        self._lands: OrderedDict[str, Terrain] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, terrain: Terrain) -> str:
        """Keep a land and return its digest; the ones unused for longest make room."""
        digest = str(terrain.recipe.digest)
        with self._lock:
            self._lands[digest] = terrain
            self._lands.move_to_end(digest)
            while len(self._lands) > 1 and sum(map(size_of, self._lands.values())) > self._limit:
                self._lands.popitem(last=False)
        return digest

    def find(self, digest: str) -> Terrain | None:
        """Return the land of this digest, if it is still kept."""
        with self._lock:
            if digest in self._lands:
                self._lands.move_to_end(digest)
            return self._lands.get(digest)


def size_of(terrain: Terrain) -> int:
    """Return the bytes of a land's layers."""
    return sum(array.nbytes for array in terrain.layers.values())
