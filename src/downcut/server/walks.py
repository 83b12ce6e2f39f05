"""Walks that were made, kept while there is room, and the countries that they are windows of."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

ROOM = 160 << 20
"""Bytes of walks that are kept."""

Files = dict[str, bytes]


class Walks:
    """The files of the walks that were asked for last."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._walks: OrderedDict[tuple[str, str], Files] = OrderedDict()
        self._country: tuple[str, Any] = ("", None)
        self._lock = threading.Lock()

    def country(self, digest: str, make: Callable[[], Any]) -> Any:
        """Return what windows of a land share: of the last land kept, of others made now."""
        with self._lock:
            name, found = self._country
        if name != digest:
            found = make()
            with self._lock:
                self._country = (digest, found)
        return found

    def find(self, land: str, place: str) -> Files | None:
        """Return the files of a walk, if they are still kept."""
        with self._lock:
            if (land, place) in self._walks:
                self._walks.move_to_end((land, place))
            return self._walks.get((land, place))

    def keep(self, land: str, place: str, files: Files) -> None:
        """Keep the files of a walk; the ones unused for longest make room."""
        with self._lock:
            self._walks[land, place] = files
            while len(self._walks) > 1 and sum(map(_bytes, self._walks.values())) > self._room:
                self._walks.popitem(last=False)


def _bytes(files: Files) -> int:
    return sum(map(len, files.values()))
