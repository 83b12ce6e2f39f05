"""The last passes: tiles into the store, its coarser levels, and the names of all bytes."""

import hashlib
import math
from dataclasses import dataclass

import numpy as np

from downcut.layers import layer as meaning_of
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import WHOLE, Pass, Work, cell_bytes, place_of
from downcut.scale.store import array_of, halved, lay_out, levels
from downcut.terrain import PART

PARTS_AT_ONCE = 16
PACKING = 5.0
"""Nanoseconds a byte."""


@dataclass(frozen=True)
class LayOut(Pass):
    """The store's arrays, before anything is in them; and its tables."""

    @property
    def title(self) -> str:
        """What is done."""
        return "laying out the store"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """Hardly any."""
        return 1 << 20

    def nanoseconds(self, parts: Parts) -> float:
        """What zarr takes to be there, and its arrays."""
        return 6e8

    def do(self, unit: str, work: Work) -> None:
        """Lay it out."""
        declared = [(name, meaning_of(name)) for name in self.reads]
        layers = [(name, np.dtype(each.dtype), each.bands) for name, each in declared]
        lay_out(work.parts, layers, work.way.grid)


@dataclass(frozen=True)
class Shards(Pass):
    """A level's tiles into the store: each a file a layer, written by one task.

    The land's own cells go there with the level above them, four tiles and one, so that they are
    not read again.
    """

    level: int = 0

    def _levels(self, parts: Parts) -> range:
        """Return the levels that are written."""
        return range(self.level, min(max(self.level, 1) + 1, len(levels(parts.ny, parts.nx))))

    @property
    def title(self) -> str:
        """What is done."""
        return f"storing level {self.level}" if self.level else "storing the land's own cells"

    def units(self, parts: Parts) -> list[str]:
        """Return the tiles of the coarsest level that is written."""
        return [f"{r}.{c}" for r, c in self._there(self._levels(parts)[-1], parts).places]

    def _there(self, level: int, parts: Parts) -> Parts:
        return Parts(parts.folder, *levels(parts.ny, parts.nx)[level], parts.tile)

    def memory(self, parts: Parts) -> int:
        """One layer of four tiles and of the one made of them, and what packing takes."""
        edges = (min(2 * parts.tile, count) for count in (parts.ny, parts.nx))
        return math.prod(edges) * 3 * max(map(cell_bytes, self.reads))

    def nanoseconds(self, parts: Parts) -> float:
        """Packing."""
        share = 2.5 * 4.0**-self.level if self.level else 1.25  # a coarse level is read first
        return PACKING * sum(map(cell_bytes, self.reads)) * parts.ny * parts.nx * share

    def do(self, unit: str, work: Work) -> None:
        """Pack a tile of every layer."""
        written = self._levels(work.parts)
        box = self._there(written[-1], work.parts).box(place_of(unit))
        for name, number in self.reads.items():
            a, b, c, d = (2 * edge for edge in box) if len(written) == 2 or self.level else box
            if self.level:
                finer = array_of(work.parts.folder, self.level - 1, name)
                values = finer[a:b, c:d]
            else:
                a, b, c, d = (a, min(b, work.parts.ny), c, min(d, work.parts.nx))
                values = work.parts.read(number, name, (a, b, c, d))
                self._pack(0, name, values, (a, b, c, d), work)
                if name == "elevation":
                    work.notes["relief"] = [float(values.min()), float(values.max())]
            if written[-1]:
                self._pack(written[-1], name, halved(values), box, work)

    def _pack(self, level: int, name: str, values: Array, box: Box, work: Work) -> None:
        """Write shards, whole ones, one after another."""
        array, tile = array_of(work.parts.folder, level, name), work.parts.tile
        for row in range(0, values.shape[0], tile):
            for col in range(0, values.shape[1], tile):
                part = values[row : row + tile, col : col + tile]
                top, left = box[0] + row, box[2] + col
                array[top : top + part.shape[0], left : left + part.shape[1]] = part
        work.moved += values.nbytes


@dataclass(frozen=True)
class Sums(Pass):
    """The names of the layers' bytes, some rows of tiles at a time: `terrain.checksum`."""

    @property
    def title(self) -> str:
        """What is done."""
        return "naming the bytes"

    def units(self, parts: Parts) -> list[str]:
        """Return the rows of tiles of every layer."""
        rows = -(-parts.ny // parts.tile)
        return [f"{name}-{row}" for name in self.reads for row in range(rows)]

    def memory(self, parts: Parts) -> int:
        """Some parts and a row of cells."""
        return 2 * PART * PARTS_AT_ONCE + 2 * parts.nx * max(map(cell_bytes, self.reads))

    def nanoseconds(self, parts: Parts) -> float:
        """SHA-256."""
        return 1.0 * parts.ny * parts.nx * sum(map(cell_bytes, self.reads))

    def do(self, unit: str, work: Work) -> None:
        """Name every part that begins in these rows."""
        name, row = unit.rsplit("-", 1)
        parts = work.parts
        width = parts.nx * cell_bytes(name)
        top, bottom, _, _ = parts.box((int(row), 0))
        first, last = -(-top * width // PART), -(-bottom * width // PART)
        digests = []
        for start in range(first, last, PARTS_AT_ONCE):
            stop = min(start + PARTS_AT_ONCE, last)
            low, high = start * PART, min(stop * PART, parts.ny * width)
            rows = (low // width, -(-high // width))
            values = parts.read(self.reads[name], name, (*rows, 0, parts.nx))
            data = values.reshape(-1).view(np.uint8)[low - rows[0] * width :][: high - low]
            digests += [
                hashlib.sha256(data[at : at + PART].data).hexdigest()
                for at in range(0, len(data), PART)
            ]
        work.notes["names"] = digests
