"""Lakes in tiles: pieces joined over the seams, kept or left out as a whole, numbered by size."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.features import Table
from downcut.grid import D8_COL, D8_ROW, Grid
from downcut.hydrology.lakes import EDGE, LAKE, LAKES, Lakes, table
from downcut.hydrology.lakes import SEA as IN_SEA
from downcut.scale.parts import Array, Parts
from downcut.scale.passes import WHOLE, Pass, Work, place_of
from downcut.scale.pieces import joined, pieces_of
from downcut.scale.ways import ENDS, by_tile, in_box, in_land, rim_of, slice_of

_SEA, _EDGE = -1, -2
"""What an overflow reaches that is no lake."""


@dataclass(frozen=True)
class Name(Pass):
    """Which pieces are lakes, and their numbers: the largest first."""

    steps: tuple[Lakes, ...] = ()
    left: int = 0
    """The pass that measured the pieces."""

    @property
    def title(self) -> str:
        """What is done."""
        return "lakes across tiles"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """The edges of all tiles, and what is known of each piece."""
        return 100 * len(parts.places) * parts.tile + parts.ny * parts.nx // 2

    def do(self, unit: str, work: Work) -> None:
        """Join, choose and number."""
        parts = work.parts
        tiles = [parts.kept(self.left, f"lakes.{r}.{c}") for r, c in parts.places]
        counts = np.array([len(each) for each in tiles])
        root = joined(parts, self.left, "edge", counts)[1:] - 1
        pieces, found = np.concatenate(tiles), np.zeros(len(root), LAKES)
        found["cells"] = np.bincount(root, pieces[:, 0], len(root))
        found["depths"] = np.bincount(root, pieces[:, 1], len(root))
        found["outlet"] = -1
        for name, column in (("max_depth", 2), ("outlet", 3), ("level", 4)):
            most = found[name].astype(np.float64)
            if name == "level":
                most[:] = -np.inf
            np.maximum.at(most, root, pieces[:, column])
            found[name] = np.where(np.isfinite(most), most, 0)
        for k, step in enumerate(self.steps):
            self._number(k, step, root, found, counts, work)

    def _number(
        self, k: int, step: Lakes, root: Array, found: Array, counts: Array, work: Work
    ) -> None:
        parts = work.parts
        min_cells = step.min_area / work.way.grid.cell_area
        small = (found["max_depth"] < step.min_depth) | (found["cells"] < min_cells)
        kept = np.flatnonzero(~small & (found["cells"] > 0))
        rank = kept[np.lexsort((found["outlet"][kept], -found["cells"][kept]))]
        number = np.zeros(len(root), np.int32)
        number[rank] = np.arange(1, len(rank) + 1)
        split = np.split(number[root], np.cumsum(counts)[:-1])
        for (r, c), each in zip(parts.places, split, strict=True):
            parts.keep(self.number, f"number{k}.{r}.{c}", each)
        for name in LAKES.names or ():
            parts.keep(self.number, f"found{k}.{name}", found[name][rank])
        order, starts = by_tile(found["outlet"][rank], parts)
        parts.keep(self.number, f"outlets{k}", found["outlet"][rank][order])
        parts.keep(self.number, f"starts{k}", starts)


def lakes_in(
    k: int, named: int, number: int, unit: str, ground: tuple[Array, Array, Array | None],
    flow: Array, work: Work,
) -> dict[str, Array]:  # fmt: skip
    """Return the layers of lakes of a tile, and keep what their overflows reach.

    `ground` is (heights, level of the water, where the sea is).
    """
    parts, place = work.parts, place_of(unit)
    z, level, sea = ground
    wet = level > z
    if sea is not None:
        wet &= ~sea
    labels, _ = pieces_of(wet)
    numbers = parts.kept(named, f"number{k}.{unit}")
    lake = np.concatenate([np.zeros(1, np.int32), numbers])[labels]
    surface = np.where(wet & (lake == 0), z, level)
    core = parts.box(place)
    own = slice_of(parts.kept(named, f"starts{k}"), place, parts)
    outlets = in_box(parts.kept(named, f"outlets{k}")[own], core, parts.nx)
    cells = np.concatenate([rim_of(flow.shape), outlets]).astype(np.int64)
    reached, to = np.zeros(cells.size, np.int64), np.full(cells.size, -1, np.int64)
    dry = np.zeros(z.shape, np.bool_) if sea is None else sea
    _overflow(flow, lake, dry, cells, core[0], core[2], parts.nx, reached, to)
    rows = np.stack([in_land(cells, core, parts.nx), reached, to], axis=1)
    parts.keep(number, f"overflow{k}.{unit}", rows)
    return {"water_surface": surface, "water_depth": surface - z, "lake": lake}


def table_of(k: int, named: int, number: int, parts: Parts, grid: Grid) -> Table:
    """Return the table of lakes, once all tiles have told what overflows reach."""
    found = np.zeros(parts.kept(named, f"found{k}.outlet").size, LAKES)
    for name in LAKES.names or ():
        found[name] = parts.kept(named, f"found{k}.{name}")
    told = np.concatenate([parts.kept(number, f"overflow{k}.{r}.{c}") for r, c in parts.places])
    cells, first = np.unique(told[:, 0], return_index=True)
    reached, to = told[first, 1].copy(), told[first, 2]
    after = np.where(to >= 0, np.searchsorted(cells, to), -1)
    _resolve(after, reached)
    ends = reached[np.searchsorted(cells, found["outlet"])]
    joins = np.maximum(ends, 0).astype(np.int32)
    end = np.where(ends > 0, LAKE, np.where(ends == _SEA, IN_SEA, EDGE)).astype(np.uint8)
    return table(found, joins, end, grid)


@kernel
def _overflow(flow, lake, sea, cells, top, left, wide, reached, to):  # type: ignore[no-untyped-def]
    """Follow ways from cells to the next lake, the sea, the map's edge, or out of the tile."""
    ny, nx = flow.shape
    for n in range(cells.size):
        row, col = cells[n] // nx, cells[n] % nx
        while True:
            if lake[row, col] > 0:
                reached[n] = lake[row, col]
                break
            if sea[row, col]:
                reached[n] = _SEA
                break
            k = flow[row, col]
            if k == ENDS:
                reached[n] = _EDGE
                break
            row, col = row + D8_ROW[k], col + D8_COL[k]
            if row < 0 or row >= ny or col < 0 or col >= nx:
                to[n] = (row + top) * wide + col + left
                break


@kernel
def _resolve(after, reached):  # type: ignore[no-untyped-def]
    """Give every cell what the way from it reaches in the end."""
    for first in range(after.size):
        cell = first
        while reached[cell] == 0:
            cell = after[cell]
        found = reached[cell]
        cell = first
        while reached[cell] == 0:
            reached[cell] = found
            cell = after[cell]
