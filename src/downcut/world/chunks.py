"""Chunks: squares of a fixed lattice in which land that needs a halo is grown, and kept."""

import numpy as np

from downcut.grid import Grid
from downcut.windows import Layers
from downcut.world.cache import Disk, Memory
from downcut.world.plan import Plan
from downcut.world.province import Place
from downcut.world.provinces import Provinces
from downcut.world.window import grow

CHUNK = 256
"""Edge of a chunk [cells]."""
TOGETHER = 4
"""Chunks in a row, and rows of them, that are grown at once at most."""


class Chunks:
    """The chunks of a plan, with all layers.

    Parameters
    ----------
    plan : Plan
    provinces : Provinces
    disk : Disk
    memory : int
        Bytes of chunks kept in memory at most, about.
    threads : int
    """

    def __init__(
        self, plan: Plan, provinces: Provinces, disk: Disk, memory: int, threads: int
    ) -> None:
        self._plan, self._provinces, self._disk, self._threads = plan, provinces, disk, threads
        self._kept: Memory[Layers] = Memory(memory, _bytes)

    @property
    def nbytes(self) -> int:
        """What is kept in memory."""
        return self._kept.nbytes

    def joined(self, grid: Grid, level: int) -> Layers:
        """Return the layers of a grid, put together from chunks."""
        out: Layers = {}
        top, left = (int(edge) for edge in grid.corner)
        rows = range(top // CHUNK, (top + grid.ny - 1) // CHUNK + 1)
        cols = range(left // CHUNK, (left + grid.nx - 1) // CHUNK + 1)
        for row in rows[::TOGETHER]:
            for col in cols[::TOGETHER]:
                block = [(r, c) for r in range(row, min(row + TOGETHER, rows.stop))
                         for c in range(col, min(col + TOGETHER, cols.stop))]  # fmt: skip
                for (r, c), layers in self._block(block, level).items():
                    here_rows, from_rows = _shared(top, grid.ny, r * CHUNK)
                    here_cols, from_cols = _shared(left, grid.nx, c * CHUNK)
                    for name, array in layers.items():
                        if name not in out:
                            out[name] = np.empty((*grid.shape, *array.shape[2:]), array.dtype)
                        out[name][here_rows, here_cols] = array[from_rows, from_cols]
        return out

    def _block(self, places: list[Place], level: int) -> dict[Place, Layers]:
        """Return chunks; those that are not kept are grown together, which shares their halo."""
        found: dict[Place, Layers] = {}
        for place in places:
            name = _name(level, place)
            if chunk := self._kept.find(name) or self._disk.read(name):
                self._kept.keep(name, chunk)
                found[place] = chunk
        missing = [place for place in places if place not in found]
        if missing:
            for place, chunk in self._grown(missing, level).items():
                self._kept.keep(_name(level, place), chunk)
                self._disk.write(_name(level, place), chunk)
                found[place] = chunk
        return found

    def _grown(self, places: list[Place], level: int) -> dict[Place, Layers]:
        """Grow the rectangle round some chunks and cut them out."""
        (top, bottom), (left, right) = ((min(n), max(n) + 1) for n in zip(*places, strict=True))
        shape = (bottom - top) * CHUNK, (right - left) * CHUNK
        grid = Grid(*shape, self._plan.cell_size(level), top * CHUNK, left * CHUNK)
        near = tuple(self._provinces.near(grid, level, max(self._plan.halos(level))))
        made = grow(self._plan, grid, level, near, self._threads, None)
        chunks = {}
        for row, col in places:
            part = (slice((row - top) * CHUNK, (row - top + 1) * CHUNK),
                    slice((col - left) * CHUNK, (col - left + 1) * CHUNK))  # fmt: skip
            chunks[row, col] = {n: np.ascontiguousarray(array[part]) for n, array in made.items()}
        return chunks


def _name(level: int, place: Place) -> str:
    return f"chunk {level} {place[0]} {place[1]}"


def _shared(first: int, count: int, chunk: int) -> tuple[slice, slice]:
    """Return which part of a span lies in a chunk, counted in the span and in the chunk."""
    low, high = max(first, chunk), min(first + count, chunk + CHUNK)
    return slice(low - first, high - first), slice(low - chunk, high - chunk)


def _bytes(layers: Layers) -> int:
    return sum(array.nbytes for array in layers.values())
