"""Accumulation in tiles: each sums its own, rims hand on what leaves, and each sums once more.

All sums are whole numbers, so that they do not depend on the tiles (Barnes 2017).
"""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.flow.accumulate import walk_sums
from downcut.flow.routing import donors
from downcut.scale.descending import rims
from downcut.scale.parts import Array, Parts
from downcut.scale.passes import WHOLE, Pass, Work
from downcut.scale.ways import decode


def sums_in(flow: Array, inflow: Array | None, rim: Array) -> Array:
    """Return how many cells drain through each of a tile's, flat int64.

    `inflow` is what comes to the rim's cells from other tiles; None for nothing.
    """
    receivers = np.empty(flow.size, np.int32)
    decode(flow, receivers)
    sums = np.ones(flow.size, np.int64)
    if inflow is not None:
        sums[rim] += inflow
    walk_sums(receivers, donors(receivers, flow.shape[1]), sums)
    return sums


@dataclass(frozen=True)
class Gather(Pass):
    """What comes to every rim's cell from other tiles."""

    @property
    def title(self) -> str:
        """What is done."""
        return "accumulation across tiles"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """The rims of all tiles."""
        return 500 * len(parts.places) * parts.tile

    def do(self, unit: str, work: Work) -> None:
        """Hand on from rim to rim, downstream."""
        parts = work.parts
        cell, last, to, amount = rims(parts, self.number - 1)
        exits = np.flatnonzero((last == cell) & (to >= 0))
        entry = np.searchsorted(cell, to)
        entry[to < 0] = 0
        goes_on = to[entry] >= 0
        after = np.where(goes_on, np.searchsorted(cell, last[entry]), -1)
        inflow = np.zeros(cell.size, np.int64)
        _hand_on(exits, entry, after, amount, np.zeros(cell.size, np.int32), inflow)
        parts.keep(self.number, "cell", cell)
        parts.keep(self.number, "inflow", inflow)


@kernel
def _hand_on(exits, entry, after, total, waiting, inflow):  # type: ignore[no-untyped-def]
    """Add up what leaves tiles, each exit once all that comes through it has."""
    for x in exits:
        if after[x] >= 0:
            waiting[after[x]] += 1
    for source in exits:
        x = source
        while waiting[x] == 0:
            waiting[x] = -1
            inflow[entry[x]] += total[x]
            if after[x] < 0:
                break
            total[after[x]] += total[x]
            x = after[x]
            waiting[x] -= 1
