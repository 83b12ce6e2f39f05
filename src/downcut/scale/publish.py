"""The last passes: tiles into the store, its coarser levels, and the names of all bytes."""

import hashlib
from dataclasses import dataclass

import numpy as np

from downcut.layers import layer as meaning_of
from downcut.scale.parts import Parts
from downcut.scale.passes import WHOLE, Pass, Work, cell_bytes, place_of
from downcut.scale.store import array_of, halved, lay_out, levels
from downcut.terrain import PART

PARTS_AT_ONCE = 16


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
        """Hardly any."""
        return 1e7

    def do(self, unit: str, work: Work) -> None:
        """Lay it out."""
        declared = [(name, meaning_of(name)) for name in self.reads]
        layers = [(name, np.dtype(each.dtype), each.bands) for name, each in declared]
        lay_out(work.parts, layers, work.way.grid)


@dataclass(frozen=True)
class Shards(Pass):
    """A level's tiles into the store: each a file a layer, written by one task."""

    level: int = 0

    @property
    def title(self) -> str:
        """What is done."""
        return f"storing level {self.level}"

    def units(self, parts: Parts) -> list[str]:
        """Return the tiles of the level."""
        return [f"{r}.{c}" for r, c in self._there(parts).places]

    def _there(self, parts: Parts) -> Parts:
        return Parts(parts.folder, *levels(parts.ny, parts.nx)[self.level], parts.tile)

    def memory(self, parts: Parts) -> int:
        """One layer of a tile, or of the four finer ones, and what packing takes."""
        return parts.tile**2 * 12 * max(map(cell_bytes, self.reads))

    def nanoseconds(self, parts: Parts) -> float:
        """Packing."""
        return sum(map(cell_bytes, self.reads)) * parts.ny * parts.nx * 4.0 ** (1 - self.level)

    def do(self, unit: str, work: Work) -> None:
        """Pack a tile of every layer."""
        place = place_of(unit)
        a, b, c, d = self._there(work.parts).box(place)
        for name, number in self.reads.items():
            if self.level == 0:
                values = work.parts.read(number, name, (a, b, c, d))
                if name == "elevation":
                    work.notes["relief"] = [float(values.min()), float(values.max())]
            else:
                finer = array_of(work.parts.folder, self.level - 1, name)
                values = halved(finer[2 * a : 2 * b, 2 * c : 2 * d])
            array_of(work.parts.folder, self.level, name)[a:b, c:d] = values
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
