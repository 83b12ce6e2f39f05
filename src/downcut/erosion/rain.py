"""Rain that is parallel and exact: where droplets start, and in which order they fall.

- One droplet at most falls on a block of 8 × 8 world cells in a sub-batch, with a probability and
  at a place that are hash bits of (seed, shower, sub-batch, block): nothing knows the map's size.
- The world is cut into square tiles of whole blocks, at least twice as wide as a droplet reaches,
  with an origin that jumps from shower to shower. Tiles take four colours, which fall one after
  another in Gray order; tiles of a colour never touch the same cells and fall side by side. Inside
  a tile droplets fall in groups, in one order: those of a group take their steps together, and in
  each step first all look and then one after another changes the ground. So threads change nothing.
- A shower's sub-batches all fall within each tile's turn. A cell then depends on at most three
  earlier tiles in a row, and a window with a halo of 3 tiles + 2 reaches a shower is exact.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut._jit import finite_kernel, inlined
from downcut.grid import Grid
from downcut.randomness import derive, hash64
from downcut.run import Region, Run

BLOCK = 8
"""Edge of the square of world cells that gets one droplet at most in a sub-batch."""
GRAY = ((0, 0), (0, 1), (1, 1), (1, 0))
"""The order of the colours: each shares an edge with the one before."""
APART = 4
"""Blocks between droplets that follow each other in the order, so that groups seldom meet."""
DROPLETS_A_SLICE = 20_000
"""Droplets that fall before a thread looks up again: well under a second."""
DROPLETS_WORTH_A_THREAD = 1_000
"""Fewer than these are not handed to a thread of their own."""


Spans = list[tuple[tuple[int, int], tuple[int, int]]]
"""Tiles, each by the first and the last + 1 of its rows of blocks, and of its columns."""


@dataclass(frozen=True)
class Rain:
    """How droplets are spread over places and showers."""

    density: float
    """Droplets a cell in a shower."""
    showers_count: int
    reach: int
    """Cells that a droplet may touch away from where it starts."""

    @property
    def tile(self) -> int:
        """Edge of a tile: whole blocks, at least two reaches."""
        return -(-2 * self.reach // BLOCK) * BLOCK

    @property
    def halo(self) -> int:
        """Cells around a window that decide it, and the ledger of its droplets."""
        return self.showers_count * (3 * self.tile + 2 * self.reach) + self.reach

    @property
    def batches(self) -> int:
        """Sub-batches of a shower, enough that a block needs no second droplet in one."""
        return max(1, int(np.ceil(self.density * BLOCK**2)))

    def showers(
        self, fall: Callable[[Any, Any], Any], *, grid: Grid, key: int, run: Run
    ) -> Iterator[tuple[list[Any], bool]]:
        """Yield, part by part, what `fall(shower, places)` returns for its tiles, in the one order.

        `shower` is (key, first batch, last batch + 1, probability) and `places` (n, 10) the
        droplets' blocks and the cells that count, of tiles that fall one after another. With each
        part comes whether it is the last of its shower.
        """
        odds = self.density * BLOCK**2 / self.batches
        chunk = max(1, int(DROPLETS_A_SLICE / (self.density * self.tile**2) * self.batches))
        chunks = [(b, min(b + chunk, self.batches)) for b in range(0, self.batches, chunk)]
        parts = self.showers_count * len(GRAY) * len(chunks)
        turns = product(self.turns, chunks)
        for number, ((shower, colour), batches) in enumerate(turns):
            shower_key = derive(key, "shower", shower)
            places = self._places(grid, shower_key, colour, run)
            rain = (np.uint64(shower_key), *batches, odds)

            def work(first: int, last: int, places: Any = places, rain: Any = rain) -> Any:
                return fall(rain, places[first:last])

            droplets = self.density * self.tile**2 * (batches[1] - batches[0]) / self.batches
            together = max(1, int(DROPLETS_WORTH_A_THREAD / droplets))
            sums = run.slices(work, len(places), together, (number, parts))
            yield sums, (number + 1) % (parts // self.showers_count) == 0

    @property
    def turns(self) -> list[tuple[int, tuple[int, int]]]:
        """(shower, colour) of the turns that follow one another; within one, tiles fall at will."""
        return list(product(range(self.showers_count), GRAY))

    def turn(
        self, number: int, fall: Callable[[Any, Any], Any], tiles: Spans, *, window: Grid, key: int
    ) -> Any:
        """Return what `fall` returns for some tiles of a turn, on a window that holds their reach.

        For who has no memory for the whole land: `tiles` are those that `tiles_on` gives.
        """
        rain = (np.uint64(derive(key, "shower", self.turns[number][0])), 0, self.batches)
        counts = (*window.first_cell, 0, window.ny, 0, window.nx)
        places = np.array([(*rows, *cols, *counts) for rows, cols in tiles], np.int64)
        return fall((*rain, self.density * BLOCK**2 / self.batches), places.reshape(-1, 10))

    def tiles_on(self, number: int, grid: Grid, key: int, part: Region | None = None) -> Spans:
        """Return the tiles of a turn that lie on a grid, or that begin in a part of it."""
        shower, colour = self.turns[number]
        return self._spans_of(colour, grid, derive(key, "shower", shower), part)

    def _spans_of(
        self, colour: tuple[int, int], grid: Grid, key: int, part: Region | None = None
    ) -> Spans:
        first = grid.first_cell
        top, bottom, left, right = part or (0, grid.ny, 0, grid.nx)
        rows, cols = (
            [
                span
                for n, span in numbered
                if n % 2 == parity and low <= max(span[0] * BLOCK - start, 0) < high
            ]
            for numbered, parity, start, low, high in zip(
                _spans(self.tile // BLOCK, first, grid.shape, key),
                colour, first, (top, left), (bottom, right), strict=True,
            )
        )  # fmt: skip
        return list(product(rows, cols))

    def reached(self, tiles: Spans, grid: Grid) -> list[Region]:
        """Return the cells of a grid that droplets of each tile may touch."""
        (row, col), far = grid.first_cell, self.reach
        return [
            (
                max(top * BLOCK - row - far, 0), min(bottom * BLOCK - row + far, grid.ny),
                max(left * BLOCK - col - far, 0), min(right * BLOCK - col + far, grid.nx),
            )
            for (top, bottom), (left, right) in tiles
        ]  # fmt: skip

    def _places(self, grid: Grid, key: int, colour: tuple[int, int], run: Run) -> NDArray[np.int64]:
        """Return the tiles of a colour that lie on the grid, (n, 10), as the kernel wants them.

        A row is (first block row, last + 1, first block column, last + 1, the grid's first cell
        row and column, the counting cells' first row, last + 1, first column, last + 1).
        """
        first, count_in = grid.first_cell, run.core_of(grid.shape)
        spans = self._spans_of(colour, grid, key)
        tiles = [(*row, *col, *first, *count_in) for row, col in spans]
        # the largest first: on 512² cells two threads then end a colour together, not 4 % apart
        tiles.sort(key=lambda tile: (tile[0] - tile[1]) * (tile[3] - tile[2]))
        return np.array(tiles, dtype=np.int64).reshape(len(tiles), 10)


@lru_cache(8)
def _spans(
    blocks: int, first: tuple[int, int], shape: tuple[int, int], key: int
) -> tuple[list[tuple[int, tuple[int, int]]], ...]:
    """Return, along each axis, the tiles on a map: their number, first block and last + 1."""
    axes = []
    for axis in (0, 1):
        shift = derive(key, "shift", axis) % blocks
        low, high = first[axis] // BLOCK, (first[axis] + shape[axis] - 1) // BLOCK + 1
        numbers = range((low - shift) // blocks, (high - 1 - shift) // blocks + 1)
        ends = [(t * blocks + shift, (t + 1) * blocks + shift) for t in numbers]
        axes.append(
            [(t, (max(low, a), min(high, b))) for t, (a, b) in zip(numbers, ends, strict=True)]
        )
    return tuple(axes)


@inlined
def chance(key, batch, row, col):  # type: ignore[no-untyped-def]
    """64 bits for a block: the upper 24 say whether it rains, 20 each where."""
    return hash64(key + np.uint64(batch) * np.uint64(0x9E3779B97F4A7C15), row, col)


@inlined
def cast(bits):  # type: ignore[no-untyped-def]
    """Place within a block [cells] along one axis, from 20 bits: 0 ≤ place < 8."""
    return np.float64(bits & np.uint64(0xFFFFF)) * np.float64(2.0**-17)


@finite_kernel
def starts_on(key, batch, odds, place, first, ny, nx, hits, starts):  # type: ignore[no-untyped-def]
    """Find where the droplets of a sub-batch start on a tile; return how many there are."""
    found = _draw(key, batch, odds, place, hits)
    ends = np.zeros(APART * APART + 1, np.int64)
    for n in range(found):
        ends[_turn_of(hits[n, 0], hits[n, 1]) + 1] += 1
    for turn in range(APART * APART):
        ends[turn + 1] += ends[turn]
    for n in range(found):
        turn = _turn_of(hits[n, 0], hits[n, 1])
        hits[ends[turn], 3] = n
        ends[turn] += 1
    count = 0
    for n in range(found):
        row, col, bits = hits[hits[n, 3], 0], hits[hits[n, 3], 1], np.uint64(hits[hits[n, 3], 2])
        y = cast(bits >> np.uint64(20)) + (row * BLOCK - place[4] - first)
        x = cast(bits) + (col * BLOCK - place[5])
        if 0 <= y < ny - 1 and 0 <= x < nx - 1:
            starts[count, 0], starts[count, 1] = y, x
            count += 1
    return count


@inlined
def _turn_of(row, col):  # type: ignore[no-untyped-def]
    """When the droplet of a block falls: after those of all blocks with a smaller number."""
    return row % APART * APART + col % APART


@finite_kernel
def _draw(key, batch, odds, place, hits):  # type: ignore[no-untyped-def]
    """List the blocks that a droplet falls on and their bits, row by row; return their number.

    Without a branch: that chance cannot be foreseen took most of the time. So `hits` has a row
    more than the tile has blocks.
    """
    count = 0
    for row in range(place[0], place[1]):
        for col in range(place[2], place[3]):
            bits = chance(key, batch, row, col)
            hits[count, 0], hits[count, 1], hits[count, 2] = row, col, np.int64(bits)
            count += np.float64(bits >> np.uint64(40)) * 2.0**-24 < odds
    return count
