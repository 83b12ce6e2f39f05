"""The work's own tiles: each a file of its own, written once, whole, and known by a mark.

A pass writes the layers it makes into a folder of its own and never changes another's, so a task
may run twice, or be cut short, and the next one still reads what it should.
"""

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Box = tuple[int, int, int, int]
"""(first row, last + 1, first column, last + 1) of the land's cells."""


@dataclass(frozen=True)
class Parts:
    """Where the tiles of every pass lie.

    Parameters
    ----------
    folder : Path
        Of the work under way.
    ny, nx : int
        Cells of the land.
    tile : int
        Edge of a tile [cells]; those at the last rows and columns are smaller.
    """

    folder: Path
    ny: int
    nx: int
    tile: int
    written: dict[str, int] = field(default_factory=dict)
    """The files written through it so far, and their sums."""

    @property
    def places(self) -> list[tuple[int, int]]:
        """Row and column of every tile."""
        rows, cols = (-(-count // self.tile) for count in (self.ny, self.nx))
        return [(r, c) for r in range(rows) for c in range(cols)]

    def box(self, place: tuple[int, int], around: int = 0) -> Box:
        """Return the cells of a tile, and as many around it as the land has."""
        top, left = place[0] * self.tile, place[1] * self.tile
        bottom, right = min(top + self.tile, self.ny), min(left + self.tile, self.nx)
        return (
            max(top - around, 0),
            min(bottom + around, self.ny),
            max(left - around, 0),
            min(right + around, self.nx),
        )

    def of(self, number: int) -> Path:
        """Return the folder of a pass."""
        return self.folder / f"{number:04d}"

    def read(self, number: int, name: str, box: Box) -> Array:
        """Return a part of a layer as a pass made it, whichever tiles it lies in."""
        out: Array | None = None
        top, bottom, left, right = box
        for r in range(top // self.tile, -(-bottom // self.tile)):
            for c in range(left // self.tile, -(-right // self.tile)):
                tile = np.load(self._file(number, name, (r, c)), mmap_mode="r")
                a, b, d, e = self.box((r, c))
                rows = slice(max(top, a), min(bottom, b))
                cols = slice(max(left, d), min(right, e))
                if out is None:
                    out = np.empty((bottom - top, right - left, *tile.shape[2:]), tile.dtype)
                out[rows.start - top : rows.stop - top, cols.start - left : cols.stop - left] = (
                    tile[rows.start - a : rows.stop - a, cols.start - d : cols.stop - d]
                )
        assert out is not None
        return out

    def write(self, number: int, place: tuple[int, int], layers: Mapping[str, Array]) -> None:
        """Put a tile's layers in their place."""
        for name, values in layers.items():
            self.keep(number, f"{name}.{place[0]}.{place[1]}", values)

    def write_whole(self, number: int, layers: Mapping[str, Array]) -> None:
        """Put layers of the whole land in their places, tile by tile."""
        for place in self.places:
            a, b, c, d = self.box(place)
            self.write(number, place, {name: v[a:b, c:d] for name, v in layers.items()})

    def keep(self, number: int, name: str, values: Array) -> None:
        """Put an array of a pass in its place."""
        plain = np.ascontiguousarray(values)
        file = self.of(number) / f"{name}.npy"
        with _whole(file) as out:
            about = np.lib.format.header_data_from_array_1_0(plain)
            np.lib.format.write_array_header_1_0(out, about)
            out.write(_bytes(plain))  # numpy's own way to a file hides why it failed
        self.written[str(file.relative_to(self.folder))] = _sum(plain)

    def kept(self, number: int, name: str) -> Array:
        """Return such an array; changes stay in memory."""
        found: Array = np.asarray(np.load(self.of(number) / f"{name}.npy", mmap_mode="c"))
        return found

    def holds(self, written: Mapping[str, int]) -> bool:
        """Tell whether files are still as they were written."""
        try:
            return all(_sum(np.load(self.folder / file)) == sum_ for file, sum_ in written.items())
        except (OSError, ValueError):
            return False

    def forget(self, number: int, name: str) -> None:
        """Remove a layer that no pass will read again."""
        for file in self.of(number).glob(f"{name}.*.npy"):
            file.unlink(missing_ok=True)

    def _file(self, number: int, name: str, place: tuple[int, int]) -> Path:
        return self.of(number) / f"{name}.{place[0]}.{place[1]}.npy"


def put_json(path: Path, content: Any) -> None:
    """Write plain data to its file likewise."""
    with _whole(path) as file:
        file.write(json.dumps(content).encode())


class _whole:  # noqa: N801 - reads as a verb
    """Lend a file beside `path` that takes its place once it is written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.temp = path.with_name(f".{path.name}.{os.getpid()}")

    def __enter__(self) -> Any:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = self.temp.open("wb")
        return self.file

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self.file.close()
            if kind is None:
                self.temp.replace(self.path)
        finally:
            self.temp.unlink(missing_ok=True)


def _sum(values: Array) -> int:
    return zlib.crc32(_bytes(values))


def _bytes(values: Array) -> memoryview:
    return values.reshape(-1).view(np.uint8).data
