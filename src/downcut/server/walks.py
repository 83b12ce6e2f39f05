"""Walks that were made, kept while there is room: their files by land and place."""

import threading
from collections import OrderedDict

ROOM = 160 << 20
"""Bytes of walks that are kept."""

Files = dict[str, bytes]


class Walks:
    """The files of the walks that were asked for last."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._walks: OrderedDict[tuple[str, str], Files] = OrderedDict()
        self._lock = threading.Lock()

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
