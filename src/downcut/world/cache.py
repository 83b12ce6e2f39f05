"""What a world has grown before, kept within bounds: in memory and on the disk."""

import contextlib
import os
import threading
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import platformdirs
from numpy.typing import NDArray

from downcut import __version__, _jit
from downcut.errors import DowncutError
from downcut.export.files import Delivery

T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]
FORMAT = 3
"""Rises when the same recipe would be grown to other bytes."""


class Memory(Generic[T]):
    """Things by name, each made once however many threads ask; the longest unused make room."""

    def __init__(self, limit: int, size: Callable[[T], int]) -> None:
        self.limit = limit
        self.nbytes = 0
        self._size = size
        self._things: OrderedDict[Any, T] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[Any, threading.Lock] = {}

    def find(self, name: Any) -> T | None:
        """Return the thing of this name if it is there."""
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
            return self._things.get(name)

    def get(self, name: Any, make: Callable[[], T]) -> T:
        """Return the thing of this name, made if it is not there."""
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
                return self._things[name]
            making = self._making.setdefault(name, threading.Lock())
        with making:
            with self._lock:
                if name in self._things:
                    return self._things[name]
            try:
                thing = make()
                self.keep(name, thing)
            finally:
                with self._lock:
                    self._making.pop(name, None)
            return thing

    def keep(self, name: Any, thing: T) -> None:
        """Keep a thing under a name, and let others go that nobody has used for longest."""
        with self._lock:
            if name not in self._things:
                self._things[name] = thing
                self.nbytes += self._size(thing)
            while self.nbytes > self.limit and self._things:
                _, dropped = self._things.popitem(last=False)
                self.nbytes -= self._size(dropped)


class Disk:
    """Arrays by name in a folder, whole or not at all; the longest unused make room.

    What cannot be read is grown again, and what cannot be written is done without.
    """

    def __init__(self, folder: Path | None, limit: int) -> None:
        self.folder, self.limit = folder, limit

    @classmethod
    def of(cls, recipe_digest: str, folder: Path | None, limit: int) -> "Disk":
        """Return the part of a folder that is this recipe's, in this version of the program."""
        kernels = _jit.CACHE.name.removeprefix("kernels-")
        name = f"{recipe_digest}-{__version__}-{FORMAT}-{kernels}"
        return cls(folder / name if folder and limit else None, limit)

    def read(self, name: str) -> Arrays | None:
        """Return the arrays of this name, or None."""
        if self.folder is None:
            return None
        path = self.folder / f"{name}.npz"
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                found = {key: arrays[key] for key in arrays.files}
            os.utime(path)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        return found

    def write(self, name: str, arrays: Arrays) -> None:
        """Keep arrays; others go if they take too much room."""
        if self.folder is None:
            return
        size = sum(array.nbytes for array in arrays.values())
        path = self.folder / f"{name}.npz"
        with contextlib.suppress(OSError, DowncutError):
            with Delivery(force=True) as delivery, delivery.file(path, size) as file:
                np.savez(file, allow_pickle=False, **arrays)
            self._make_room()

    def _make_room(self) -> None:
        assert self.folder is not None
        files = []
        for path in self.folder.parent.glob("*/*.npz"):
            with contextlib.suppress(OSError):
                files.append((path.stat().st_mtime, path.stat().st_size, path))
        over = sum(size for _, size, _ in files) - self.limit
        for _, size, path in sorted(files):
            if over <= 0:
                break
            with contextlib.suppress(OSError):
                path.unlink()
            over -= size


def default_folder() -> Path:
    """Return where worlds are kept: a folder of the user's cache."""
    return (
        Path(os.environ.get("DOWNCUT_CACHE") or platformdirs.user_cache_dir("downcut")) / "worlds"
    )
