"""A world served as map tiles: each drawn once however many ask, and kept within bounds."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from downcut.server.jobs import BusyError
from downcut.world.cache import Disk, Memory
from downcut.world.tiles import KINDS, Tiles

Place = tuple[int, int, int]
"""z, x, y."""
Drawn = dict[str, bytes]
MEMORY = 128 << 20
"""Bytes of tiles kept in memory."""
WAITING = 512
"""Tiles that may wait to be drawn: whoever asks for more hears that it is busy."""


class Atlas:
    """The tiles of a world, as a server hands them out.

    Parameters
    ----------
    tiles : Tiles
    disk : Disk
        Where drawn tiles are kept for the next time.
    """

    def __init__(self, tiles: Tiles, disk: Disk) -> None:
        self.tiles, self.disk = tiles, disk
        self.name = disk.folder.name if disk.folder else secrets.token_hex(8)
        """What names the bytes of all tiles: the recipe and the program."""
        self.drawn = 0
        """How many tiles were drawn since the start, rather than kept."""
        self._kept: Memory[Drawn] = Memory(MEMORY, lambda d: sum(map(len, d.values())))
        self._coming: dict[Place, asyncio.Future[Drawn]] = {}
        self._artist = ThreadPoolExecutor(1, thread_name_prefix="tiles")

    async def tile(self, kind: str, place: Place) -> bytes:
        """Return a tile; those who ask for one that is being drawn wait for it together.

        Raises
        ------
        DowncutError
            For a tile that is none.
        BusyError
            While too many wait.
        """
        if (found := self._kept.find(place)) is not None:
            return found[kind]
        coming = self._coming.get(place)
        if coming is None:
            if len(self._coming) >= WAITING:
                raise BusyError("many tiles are being drawn: ask again in a moment")
            loop = asyncio.get_running_loop()
            coming = asyncio.ensure_future(loop.run_in_executor(self._artist, self._make, place))
            self._coming[place] = coming
            coming.add_done_callback(lambda _: self._coming.pop(place, None))
        drawn = await asyncio.shield(coming)  # who leaves does not take it from the others
        return drawn[kind]

    def close(self) -> None:
        """Draw no more."""
        self._artist.shutdown(wait=False, cancel_futures=True)

    def _make(self, place: Place) -> Drawn:
        name = "tile " + " ".join(map(str, place))
        arrays: dict[str, Any] | None = self.disk.read(name)
        if arrays is not None and set(arrays) == set(KINDS):
            drawn = {kind: array.tobytes() for kind, array in arrays.items()}
        else:
            self.drawn += 1
            drawn = self.tiles.draw(*place)
            self.disk.write(name, {k: np.frombuffer(png, np.uint8) for k, png in drawn.items()})
        self._kept.keep(place, drawn)
        return drawn
