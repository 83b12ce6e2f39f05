"""The graph of basins, whole: how high each fills, and the saddle by which its water leaves."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.flow.basins import by_level, spill_levels
from downcut.flow.saddles import SADDLE, note
from downcut.scale.descending import WAY
from downcut.scale.parts import Array, Parts
from downcut.scale.passes import WHOLE, Pass, Work, place_of
from downcut.scale.touching import COLUMNS, least
from downcut.scale.ways import by_tile, followed, in_box, in_land, slice_of


@dataclass(frozen=True)
class Spill(Pass):
    """Each basin's level and saddle: the same as for the land in memory, ties included.

    Which of equal saddles counts depends on the order in which the map has them, and on which
    pairs of basins are remembered on the way: so what the tiles found is gone through row by row,
    as if there were no tiles.
    """

    numbered: int = 0

    @property
    def title(self) -> str:
        """What is done."""
        return "filling depressions"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """The saddles of all basins, and what touches in a row of tiles."""
        return parts.ny * parts.nx * 2 + 12 * parts.tile * parts.nx

    def nanoseconds(self, parts: Parts) -> float:
        """A few for each place that basins touch."""
        return 10.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Go through all saddles and find the lowest ways out."""
        parts, before = work.parts, self.number - 1
        count = parts.kept(self.numbered, "pits").size + 1
        saddles = self._saddles(count, before, parts)
        leave, spill = np.full(count, -1, np.int64), np.full(count, -np.inf, np.float32)
        spill_levels(saddles, by_level(saddles["level"]), leave, spill)
        parts.keep(self.number, "spill", spill)
        chosen = saddles[leave[1:]]
        second = chosen["b"] == np.arange(1, count)
        cell = np.where(second, chosen["cell_b"], chosen["cell_a"])
        target = np.where(second, chosen["cell_a"], chosen["cell_b"])
        target = np.where(target < 0, cell, target)
        order, starts = by_tile(cell, parts)
        parts.keep(self.number, "starts", starts)
        columns = (np.arange(1, count), cell, target)
        parts.keep(self.number, "leave", np.stack(columns, axis=1)[order])

    def _saddles(self, count: int, before: int, parts: Parts) -> Array:
        saddles = np.empty(4 * count, SADDLE)
        saddles["level"][:count], saddles["a"][:count] = np.inf, 0
        saddles["b"][:count] = np.arange(count)
        tiles = [f"{r}.{c}" for r, c in parts.places]
        outer = [
            np.concatenate([parts.kept(before, f"out.{name}.{unit}") for unit in tiles])
            for name in COLUMNS
        ]
        level, basins, cells, _ = least(*outer)
        to = basins[:, 1]
        saddles["level"][to] = level
        saddles["cell_a"][to], saddles["cell_b"][to] = cells[:, 0], cells[:, 1]
        recent = np.zeros(1 << max(10, int(2 * parts.nx).bit_length()), np.int32)
        known = count
        for levels, pairs, places in _rows(before, parts):
            if len(saddles) < known + len(levels):
                more = np.empty(2 * known + len(levels), SADDLE)
                more[:known] = saddles[:known]
                saddles = more
            known = _replay(levels, pairs, places, recent, saddles, known)
        found = saddles[:known]
        found["level"] += 0  # of −0 and 0, which are equal and sort apart, make one zero
        return found


def _rows(before: int, parts: Parts) -> Iterator[tuple[Array, Array, Array]]:
    """Yield what touches in each row of tiles, in the order of the map."""
    across = -(-parts.nx // parts.tile)
    for r in range(-(-parts.ny // parts.tile)):
        columns = [
            np.concatenate([parts.kept(before, f"{name}.{r}.{c}") for c in range(across)])
            for name in COLUMNS[:3]
        ]
        row = columns[2].min(axis=1) // parts.nx
        order = np.argsort(row, kind="stable")
        level, basins, cells = (column[order] for column in columns)
        yield level, basins, cells


@kernel
def _replay(levels, pairs, cells, recent, saddles, count):  # type: ignore[no-untyped-def]
    """Note saddles as `saddles.all_saddles` does; return how many there are now."""
    for i in range(levels.size):
        count = note(
            saddles, count, recent, levels[i], pairs[i, 0], pairs[i, 1], cells[i, 0], cells[i, 1]
        )
    return count


@dataclass(frozen=True)
class Trace(Pass):
    """In each tile, where ways lead from the saddles by which basins leave, down to pits."""

    @property
    def title(self) -> str:
        """What is done."""
        return "ways out"

    def memory(self, parts: Parts) -> int:
        """The ways of a tile."""
        return 10 * parts.tile**2

    def nanoseconds(self, parts: Parts) -> float:
        """Little: only the ways out are walked."""
        return 2.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Follow them through a tile."""
        parts, place, before = work.parts, place_of(unit), self.number - 1
        core = parts.box(place)
        own = slice_of(parts.kept(before, "starts"), place, parts)
        cells = parts.kept(before, "leave")[own, 1]
        way = parts.read(self.reads[WAY], WAY, core)
        last, to = followed(way, in_box(cells, core, parts.nx), core, parts.nx)
        parts.keep(
            self.number, f"ends.{unit}", np.stack([in_land(last, core, parts.nx), to], axis=1)
        )


@dataclass(frozen=True)
class Lead(Pass):
    """Through which rims the ways out go on, and in which cell of its pit each ends."""

    numbered: int = 0

    @property
    def title(self) -> str:
        """What is done."""
        return "ways out across tiles"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """Every basin, and the rims of all tiles."""
        return 300 * len(parts.places) * parts.tile + parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Follow them from rim to rim."""
        parts, n = work.parts, self.numbered
        leave = parts.kept(self.number - 2, "leave")
        tiles = [f"{r}.{c}" for r, c in parts.places]
        ends = np.concatenate([parts.kept(self.number - 1, f"ends.{unit}") for unit in tiles])
        cell, last, after = (parts.kept(n, name) for name in ("cell", "last", "after"))
        enters = np.where(ends[:, 1] >= 0, np.searchsorted(cell, ends[:, 1]), -1)
        pit = np.full(len(leave) + 1, -1, np.int64)
        room = len(leave) + 64
        while True:
            more = np.empty((room, 2), np.int64)
            count = _lead(leave[:, 0], ends[:, 0], enters, cell, last, after, pit, more)
            if count <= room:
                break
            room = count
        entries = np.concatenate([leave[:, 1:], more[:count]])
        order, starts = by_tile(entries[:, 0], parts)
        parts.keep(self.number, "starts", starts)
        parts.keep(self.number, "entries", entries[order])
        parts.keep(self.number, "pit", pit)


@kernel
def _lead(basins, lasts, enters, cell, last, after, pit, more):  # type: ignore[no-untyped-def]
    """Note for each way the rims' cells that it enters tiles by, with the cell before."""
    count = 0
    for n in range(basins.size):
        before, here = lasts[n], enters[n]
        while here >= 0:
            if count < len(more):
                more[count, 0], more[count, 1] = cell[here], before
            count += 1
            before, here = last[here], after[here]
        pit[basins[n]] = before
    return count
