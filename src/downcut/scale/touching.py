"""Where basins touch, tile by tile: every place where water could pass from one to another."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.flow.basins import label_slopes
from downcut.grid import D8_COL, D8_ROW
from downcut.scale.descending import WAY, ground
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import Pass, Work, place_of
from downcut.scale.ways import ENDS, decode

BASIN = "_basin"
OUTSIDE = np.int32(2**31 - 1)
"""Beyond the map."""
LINE = 2**48
"""Exits over the map's edge come before all others, line by line."""
COLUMNS = ("level", "basins", "cells", "rank")
Touching = tuple[Array, Array, Array]
"""Levels, (n, 2) basins, (n, 2) cells of the land: −1 off the map."""


@dataclass(frozen=True)
class Touch(Pass):
    """The basin of each cell, and where basins touch, in the order of the map."""

    numbered: int = 0
    """The pass that numbered the basins."""

    @property
    def title(self) -> str:
        """What is done."""
        return "saddles"

    @property
    def writes(self) -> tuple[str, ...]:
        """Numbers of basins."""
        return (BASIN,)

    def memory(self, parts: Parts) -> int:
        """Heights, numbers, receivers and what touches."""
        return 60 * parts.tile**2

    def nanoseconds(self, parts: Parts) -> float:
        """Labels and saddles."""
        return 40.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Label a tile and look over its cells and the next tiles' first."""
        place, parts = place_of(unit), work.parts
        core = parts.box(place)
        z = walled(dict(self.reads), place, work)
        labels = self._labels(unit, core, work)
        parts.write(self.number, place, {BASIN: labels})
        basin = basins_around(labels, core, self.numbered, parts)
        levels, basins, cells = _touching(z, basin, core, parts.nx)
        out = basins[:, 0] == 0
        self._keep("", unit, (levels[~out], basins[~out], cells[~out]), parts)
        rank = 4 * LINE + _order_on_map(cells[out], parts.nx)
        exits = _exits(z, labels, core, parts)
        within = (levels[out], basins[out], cells[out], rank)
        both = (np.concatenate(pair) for pair in zip(exits, within, strict=True))
        self._keep("out.", unit, least(*both), parts)

    def _keep(self, start: str, unit: str, columns: tuple[Array, ...], parts: Parts) -> None:
        for name, values in zip(COLUMNS, columns, strict=False):
            parts.keep(self.number, f"{start}{name}.{unit}", values)

    def _labels(self, unit: str, core: Box, work: Work) -> Array:
        """Return the basin of each cell of the tile."""
        parts, numbered = work.parts, self.numbered
        way = parts.read(self.reads[WAY], WAY, core)
        receivers = np.empty(way.size, np.int32)
        decode(way, receivers)
        labels = np.full(way.size, -1, np.int32)
        ends = receivers == np.arange(way.size)
        labels[ends] = 0
        own, first, _ = parts.kept(self.reads[WAY], f"own.{unit}").T
        labels[own] = 1 + np.searchsorted(parts.kept(numbered, "pits"), first)
        gone = np.flatnonzero(ends & (way.ravel() < ENDS))
        labels[gone] = basins_of(parts, numbered, beyond(way, gone, core, parts.nx))
        label_slopes(receivers, labels, 0, labels.size)
        return labels.reshape(way.shape)


def beyond(way: Array, cells: Array, core: Box, wide: int) -> Array:
    """Return where in the land the ways of some cells of a tile lead to."""
    row, col = np.divmod(cells, way.shape[1])
    codes = way.ravel()[cells]
    found: Array = (row + D8_ROW[codes] + core[0]) * wide + col + D8_COL[codes] + core[2]
    return found


def basins_of(parts: Parts, numbered: int, cells: Array) -> Array:
    """Return the basins of cells on the rims of tiles."""
    known = parts.kept(numbered, "cell")
    found: Array = parts.kept(numbered, "basin")[np.searchsorted(known, cells)]
    return found


def walled(reads: dict[str, int], place: tuple[int, int], work: Work) -> Array:
    """Return the heights of a tile and of one cell around it, (ny + 2, nx + 2); 0 off the map."""
    core, box = work.parts.box(place), work.parts.box(place, 1)
    z, _ = ground(reads, box, work)
    out = np.zeros((core[1] - core[0] + 2, core[3] - core[2] + 2), np.float32)
    top, left = box[0] - core[0] + 1, box[2] - core[2] + 1
    out[top : top + z.shape[0], left : left + z.shape[1]] = z
    return out


def basins_around(labels: Array, core: Box, numbered: int, parts: Parts) -> Array:
    """Return the basins of a tile and of one cell around it; OUTSIDE off the map."""
    ny, nx = labels.shape
    out = np.full((ny + 2, nx + 2), OUTSIDE, np.int32)
    out[1:-1, 1:-1] = labels
    ring = np.ones(out.shape, np.bool_)
    ring[1:-1, 1:-1] = False
    row, col = np.nonzero(ring)
    row, col = row + core[0] - 1, col + core[2] - 1
    there = (row >= 0) & (row < parts.ny) & (col >= 0) & (col < parts.nx)
    row, col = row[there], col[there]
    found = basins_of(parts, numbered, row * parts.nx + col)
    out[row - core[0] + 1, col - core[2] + 1] = found
    return out


def _touching(z: Array, basin: Array, core: Box, wide: int) -> Touching:
    """Return the places where a tile's cells touch another basin, in the order of the map."""
    room = z.size // 4 + 64
    while True:
        levels = np.empty(room, np.float32)
        basins, cells = np.empty((room, 2), np.int32), np.empty((room, 2), np.int64)
        count = _find(z, basin, core[0], core[2], wide, levels, basins, cells)
        if count <= room:
            return levels[:count], basins[:count], cells[:count]
        room = count


def _exits(z: Array, labels: Array, core: Box, parts: Parts) -> tuple[Array, ...]:
    """Return the cells by which basins reach the map's edge: as `_touching`, and their rank."""
    ny, nx = labels.shape
    inner = z[1:-1, 1:-1]
    rows, cols = np.arange(ny), np.arange(nx)
    lines = [(core[0] == 0, 0 * cols, cols), (core[1] == parts.ny, 0 * cols + ny - 1, cols)]
    lines += [(core[2] == 0, rows, 0 * rows), (core[3] == parts.nx, rows, 0 * rows + nx - 1)]
    found: list[tuple[Array, ...]] = []
    for number, (there, row, col) in enumerate(lines):
        keep = (labels[row, col] > 0) & there
        row, col = row[keep], col[keep]
        place = (col + core[2]) if number < 2 else (row + core[0])
        cell = (row + core[0]) * parts.nx + col + core[2]
        pair = np.stack([0 * row, labels[row, col]], axis=1).astype(np.int32)
        cells = np.stack([0 * cell - 1, cell], axis=1)
        found.append((inner[row, col], pair, cells, number * LINE + place))
    return tuple(np.concatenate(columns) for columns in zip(*found, strict=True))


def least(level: Array, basins: Array, cells: Array, rank: Array) -> tuple[Array, ...]:
    """Return the lowest way from each basin to basin 0; of equals the one of the least rank."""
    order = np.lexsort((rank, level, basins[:, 1]))
    first = order[np.unique(basins[order, 1], return_index=True)[1]]
    return level[first], basins[first], cells[first], rank[first]


def _order_on_map(cells: Array, wide: int) -> Array:
    """Return numbers that rise as pairs of neighbours come on the map: east, then the row below."""
    first = cells.min(axis=1)
    apart = cells.max(axis=1) - first
    found: Array = first * 4 + np.where(apart == 1, 0, apart - (wide - 2))
    return found


@kernel
def _find(z, basin, top, left, wide, levels, basins, cells):  # type: ignore[no-untyped-def]
    """As `saddles.all_saddles` finds them, each as it comes; count those that have no room too."""
    count = 0
    for i in range(1, z.shape[0] - 1):
        for j in range(1, z.shape[1] - 1):
            here = basin[i, j]
            last, last_level = here, z[i, j]
            for k in range(4, 8):
                r, c = i + D8_ROW[k], j + D8_COL[k]
                there = basin[r, c]
                if there in (here, OUTSIDE):
                    continue
                level = max(z[i, j], z[r, c])
                if there == last and level >= last_level:
                    continue
                last, last_level = there, level
                if count < levels.size:
                    swap = here > there
                    a = (i - 1 + top) * wide + j - 1 + left
                    b = (r - 1 + top) * wide + c - 1 + left
                    levels[count] = level
                    basins[count, 0], basins[count, 1] = min(here, there), max(here, there)
                    cells[count, 0], cells[count, 1] = (b, a) if swap else (a, b)
                count += 1
    return count
