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
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut._jit import inlined
from downcut.grid import Grid
from downcut.randomness import derive, hash64
from downcut.run import Run

BLOCK = 8
"""Edge of the square of world cells that gets one droplet at most in a sub-batch."""
GRAY = ((0, 0), (0, 1), (1, 1), (1, 0))
"""The order of the colours: each shares an edge with the one before."""
DROPLETS_A_SLICE = 20_000
"""Droplets that fall before a thread looks up again: well under a second."""
DROPLETS_WORTH_A_THREAD = 1_000
"""Fewer than these are not handed to a thread of their own."""


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
        turns = product(range(self.showers_count), GRAY, chunks)
        for number, (shower, colour, batches) in enumerate(turns):
            shower_key = derive(key, "shower", shower)
            places = self._places(grid, shower_key, colour, run)
            rain = (np.uint64(shower_key), *batches, odds)

            def work(first: int, last: int, places: Any = places, rain: Any = rain) -> Any:
                return fall(rain, places[first:last])

            droplets = self.density * self.tile**2 * (batches[1] - batches[0]) / self.batches
            together = max(1, int(DROPLETS_WORTH_A_THREAD / droplets))
            sums = run.slices(work, len(places), together, (number, parts))
            yield sums, (number + 1) % (parts // self.showers_count) == 0

    def _places(self, grid: Grid, key: int, colour: tuple[int, int], run: Run) -> NDArray[np.int64]:
        """Return the tiles of a colour that lie on the grid, (n, 10), as the kernel wants them.

        A row is (first block row, last + 1, first block column, last + 1, the grid's first cell
        row and column, the counting cells' first row, last + 1, first column, last + 1).
        """
        blocks = self.tile // BLOCK
        spans = []
        for axis, (first, count) in enumerate(zip(grid.first_cell, grid.shape, strict=True)):
            shift = derive(key, "shift", axis) % blocks
            low, high = first // BLOCK, (first + count - 1) // BLOCK + 1
            numbers = range((low - shift) // blocks, (high - 1 - shift) // blocks + 1)
            spans.append(
                [
                    (max(low, t * blocks + shift), min(high, (t + 1) * blocks + shift))
                    for t in numbers
                    if t % 2 == colour[axis]
                ]
            )
        count_in = run.core_of(grid.shape)
        tiles = [(*rows, *cols, *grid.first_cell, *count_in) for rows, cols in product(*spans)]
        # the largest first: on 512² cells two threads then end a colour together, not 4 % apart
        tiles.sort(key=lambda tile: (tile[0] - tile[1]) * (tile[3] - tile[2]))
        return np.array(tiles, dtype=np.int64).reshape(len(tiles), 10)


@inlined
def chance(key, batch, row, col):  # type: ignore[no-untyped-def]
    """64 bits for a block: the upper 24 say whether it rains, 20 each where."""
    return hash64(key + np.uint64(batch) * np.uint64(0x9E3779B97F4A7C15), row, col)


@inlined
def cast(bits):  # type: ignore[no-untyped-def]
    """Place within a block [cells] along one axis, from 20 bits: 0 ≤ place < 8."""
    return np.float64(bits & np.uint64(0xFFFFF)) * np.float64(2.0**-17)
