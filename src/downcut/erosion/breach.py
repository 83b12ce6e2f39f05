"""Breaching: water that stands behind a low bar cuts through it, as it does in nature."""

import math
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import inlined, kernel
from downcut.erosion.erosion import Erosion
from downcut.flow.basins import Basins
from downcut.flow.drained import let_in_sea
from downcut.flow.heap import HEAP, pop, push
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW, Grid
from downcut.randomness import hash64
from downcut.run import Run
from downcut.step import Array, Degrees, Metres

FALL = 1e-3
"""Slope of a cut's bed, where the way allows that much [m/m]."""
BEND = 6.0
"""Wavelength of the noise that bends the ways [cells]."""
PITS_A_SLICE = 256
FIRST_HEAP = 1 << 14


class Breach(Erosion):
    """Cut a way out of depressions where a short, shallow one is found; the others stay lakes.

    From each pit, the lowest first, the cheapest way to lower ground, the edge of the map or the
    sea is sought (Dijkstra's search, as Lindsay 2016): a metre costs 0.01 + (cut / max_depth)²,
    times 0.2 to 4, which varies smoothly from place to place, so that ways follow low ground and
    bend instead of running straight. Along it the ground is cut to a bed that falls all the way,
    and beside it by as much less as a bank at `bank_angle` rises. No way is longer than
    `max_length`, no cut deeper than `max_depth` (and the fall of the bed, 1 ‰ at most). What is
    cut leaves the map: it is counted as eroded and carried out.

    Reads and writes elevation (ny, nx) float32 [m]. Guaranteed: nothing rises; no new pit arises
    (without a mask); land without pits stays bit for bit. The time for a pit grows with the
    square of max_length in cells.

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> dam = np.array([[9, 9, 9, 9, 9, 9], [9, 2, 3, 1, 0, -1], [9, 9, 9, 9, 9, 9]])
    >>> out = dc.erosion.Breach(max_depth=2)(dam, grid=dc.Grid(3, 6))
    >>> bool(out[1, 2] < 2), bool((np.diff(out[1, 1:]) < 0).all())
    (True, True)
    """

    op: Literal["erosion.breach"] = "erosion.breach"
    cites: ClassVar[tuple[str, ...]] = ("lindsay2016", "dijkstra1959")
    exact: ClassVar[bool] = False  # the tangent of the banks
    nanoseconds: ClassVar[float] = 150.0
    working_bytes: ClassVar[int] = 40

    max_length: Metres = Field(500.0, gt=0, le=100_000)
    """How long a cut may be."""
    max_depth: Metres = Field(15.0, gt=0, le=10_000)
    """How deep a cut may be."""
    bank_angle: Degrees = Field(35.0, ge=10, le=89)
    """How steep the sides of a cut are; 89 leaves a trench one cell wide."""

    def halo(self, grid: Grid) -> int | None:
        """One cut makes another cheaper: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Find the pits, and cut a way out of each from the lowest up."""
        elevation, mask = (*arrays, None)[:2]
        z, sea = let_in_sea(elevation, run.sea_level)
        pits = self._pits(z, run)
        given = None if mask is None else np.clip(mask, 0, 1).ravel()
        if pits.size:
            self._cut_all(z, given, pits, grid, key, run)
        if sea is not None:
            z[sea] = elevation[sea]
        return z

    def _pits(self, z: Array, run: Run) -> Array:
        """Return a cell of each pit that lies shallow enough under its rim, the lowest first."""
        basins = Basins(z, replace(run, on_progress=None))  # progress is that of the cutting
        own = np.flatnonzero(basins.receivers == np.arange(z.size))
        labels, first = np.unique(basins.labels[own], return_index=True)
        pits: Array = own[first[labels > 0]]
        rim = np.full(basins.count, np.inf, np.float32)
        for side in ("a", "b"):
            np.minimum.at(rim, basins.saddles[side], basins.saddles["level"])
        heights = z.ravel()[pits]
        shallow = rim[labels[labels > 0]].astype(np.float64) - heights <= self.max_depth
        pits = pits[shallow][np.argsort(heights[shallow], kind="stable")]
        if run.sea_level is not None:
            pits = pits[z.ravel()[pits] > run.sea_level]
        return pits

    def _cut_all(
        self, z: Array, mask: Array | None, pits: Array, grid: Grid, key: int, run: Run
    ) -> None:
        """Cut from pit to pit, in slices, and count the earth."""
        n, cell = grid.cells, grid.cell_size
        search = (np.empty(n, np.float32), np.empty(n, np.float32), np.full(n, -1, np.int32),
                  np.empty(n, np.uint8))  # fmt: skip
        bank, longest = math.tan(math.radians(self.bank_angle)), self.max_length / cell
        law = (longest, self.max_depth, bank * cell, FALL * cell)
        place = (np.uint64(key), *grid.first_cell)
        before, sums, heap = z.copy(), np.zeros(2), np.empty(FIRST_HEAP, HEAP)

        def some_pits(start: int, stop: int) -> None:
            nonlocal heap
            while start < stop:
                start = _breach(z, before, mask, pits, start, stop, law, place, *search, heap, sums)
                if start < stop:
                    heap = np.empty(2 * heap.size, HEAP)

        replace(run, threads=1).slices(some_pits, pits.size, PITS_A_SLICE)
        run.ledger.note(grid.cell_area, eroded=sums[0], carried_out=sums[0], clamped=sums[1])


@inlined
def _toil(place, row, col):  # type: ignore[no-untyped-def]
    """How hard the ground is to cut at a place, 0.2 to 4: smooth noise, fixed to the world."""
    key, top, left = place
    v, u = (row + top) / BEND, (col + left) / BEND
    i, j = np.floor(v), np.floor(u)
    total = 0.0
    for corner in range(4):
        down, right = corner >> 1, corner & 1
        bits = hash64(key, np.int64(i) + down, np.int64(j) + right)
        weight = (v - i if down else 1 - v + i) * (u - j if right else 1 - u + j)
        total += weight * np.float64(bits >> np.uint64(40)) / 2.0**24
    return 0.2 + 3.8 * total * total


@kernel
def _breach(z, ground, mask, pits, start, stop, law, place, cost, length, seen, came, heap, sums):  # type: ignore[no-untyped-def]
    """Cut a way out of pits start…stop; return the first left over because the heap is full."""
    for number in range(start, stop):
        pit = pits[number]
        end = _search(z, mask, pit, number, law, place, cost, length, seen, came, heap)
        if end == -2:
            seen[:] = -1
            return number
        if end >= 0:
            _cut(z, ground, mask, pit, end, law, length, came, sums)
    return stop


@inlined
def _search(z, mask, pit, number, law, place, cost, length, seen, came, heap):  # type: ignore[no-untyped-def]
    """Dijkstra from a pit to lower ground or the map's edge; -1 if there is no way, -2 if full."""
    longest, deepest = law[0], law[1]
    ny, nx = z.shape
    level = np.float64(z[pit // nx, pit % nx])
    cost[pit], length[pit], seen[pit] = 0.0, 0.0, number
    heap[0].cost, heap[0].cell = 0.0, pit
    size = 1
    while size > 0:
        reached, cell = heap[0].cost, heap[0].cell
        size -= 1
        pop(heap, size)
        row, col = cell // nx, cell % nx
        if reached > cost[cell]:
            continue  # it has been reached more cheaply since
        if z[row, col] < level or row == 0 or col == 0 or row == ny - 1 or col == nx - 1:
            return cell
        if size + 8 > heap.size:
            return -2
        for k in range(8):
            r, c = row + D8_ROW[k], col + D8_COL[k]
            other = r * nx + c
            far = length[cell] + D8_DISTANCE[k]
            rise = (np.float64(z[r, c]) - level) / deepest
            if rise > 1.0 or far > longest or (mask is not None and mask[other] <= 0.0):
                continue
            rise = max(rise, 0.0)
            step = D8_DISTANCE[k] * (0.01 + rise * rise) * _toil(place, r, c)
            total = np.float32(reached + step)
            if seen[other] != number or total < cost[other]:
                seen[other], came[other] = number, k
                cost[other], length[other] = total, far
                push(heap, size, total, other)
                size += 1
    return -1


@inlined
def _cut(z, ground, mask, pit, end, law, length, came, sums):  # type: ignore[no-untyped-def]
    """Lower the way from `end` back to the pit to a falling bed, and the ground beside it."""
    nx = z.shape[1]
    level, target = np.float64(z[pit // nx, pit % nx]), np.float64(z[end // nx, end % nx])
    fall = law[3] if target >= level else min(law[3], (level - target) / length[end])
    cell = end
    while cell != pit:
        bed = level - fall * length[cell]
        _lower(z, mask, cell // nx, cell % nx, bed, sums)
        if ground[cell // nx, cell % nx] > bed:
            _lower_banks(z, ground, mask, cell // nx, cell % nx, bed, law[2], sums)
        k = came[cell]
        cell -= D8_ROW[k] * nx + D8_COL[k]


@inlined
def _lower_banks(z, ground, mask, row, col, bed, bank, sums):  # type: ignore[no-untyped-def]
    """Lower what lies round a cell cut to `bed`, ring by ring, by as much less as a bank rises.

    A cell goes no lower than the one before it on the way in: so all of them drain to the cut.
    """
    cut = np.float64(ground[row, col]) - bed
    farthest = max(row, col, z.shape[0] - 1 - row, z.shape[1] - 1 - col)
    for ring in range(1, min(np.int64(cut / bank), farthest) + 1):
        for i in range(-ring, ring + 1):
            across = 1 if abs(i) == ring else 2 * ring
            for j in range(-ring, ring + 1, across):
                r, c = row + i, col + j
                if 0 <= r < z.shape[0] and 0 <= c < z.shape[1]:
                    rise = bank * math.sqrt(i * i + j * j)
                    inner = z[
                        row + round(i * (ring - 1) / ring), col + round(j * (ring - 1) / ring)
                    ]
                    floor = max(bed + rise, np.float64(ground[r, c]) - max(cut - rise, 0.0))
                    _lower(z, mask, r, c, max(floor, np.float64(inner)), sums)


@inlined
def _lower(z, mask, row, col, bed, sums):  # type: ignore[no-untyped-def]
    """Cut a cell down to the bed, or as far towards it as the mask says; sums: cut, rounded."""
    old = np.float64(z[row, col])
    if old <= bed:
        return
    cut = old - bed
    if mask is not None:
        cut *= mask[row * z.shape[1] + col]
    z[row, col] = old - cut
    sums[0] += cut
    sums[1] += np.float64(z[row, col]) - (old - cut)
