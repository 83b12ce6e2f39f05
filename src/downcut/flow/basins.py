"""Basins: which pit each cell drains to, and how each basin spills.

Depressions are found on the graph of basins instead of on the grid: it is far smaller, and it
needs no priority queue (Cordonnier 2019). Basin 0 is all that reaches an outlet by itself.
"""

import numpy as np

from downcut._jit import inlined, kernel
from downcut.flow.descent import descend
from downcut.flow.saddles import all_saddles, stop_if_asked
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run
from downcut.step import Array

_NONE = -1


class Basins:
    """The basins of a land and the saddle by which each one drains.

    Attributes
    ----------
    receivers : (ny * nx,) int
        Descent as `descent.descend` gives it; a pit, and each cell of a flat pit, is its own.
    labels : (ny * nx,) int
        Basin of each cell.
    saddles : (m,) `saddles.SADDLE`
        Every pair of touching basins at least once.
    leave : (basins,) int
        The saddle by which a basin drains, on its way to basin 0; -1 for basin 0.
    spill : (basins,) float32
        Level to which water rises in the basin before it leaves the map [m]; -inf for basin 0.
    """

    def __init__(self, z: Array, run: Run, stray: float = 0.0, key: int = 0) -> None:
        self.receivers, self.labels = descend(z, run, stray, key)
        stack = np.empty_like(self.receivers)
        self.count = 1 + label_pits(z.ravel(), self.receivers, self.labels, stack, z.shape[1])
        del stack
        self._label(z.shape, run)
        self.saddles = all_saddles(z, self.labels, self.count, run)
        stop_if_asked(run)
        self.leave = np.full(self.count, _NONE, np.int64)
        self.spill = np.full(self.count, -np.inf, np.float32)
        spill_levels(self.saddles, by_level(self.saddles["level"]), self.leave, self.spill)

    def _label(self, shape: tuple[int, int], run: Run) -> None:
        """Label all cells; threads that meet on a way down write the same."""
        if self.count == 1:
            self.labels[:] = 0
            return
        span = shape[1]

        def work(first: int, last: int) -> None:
            label_slopes(self.receivers, self.labels, first * span, last * span)

        run.slices(work, shape[0], max(1, 2**16 // span), part=(1, 8))


def by_level(level: Array) -> Array:
    """Return the order of rising levels; equal ones in the order they stand, on any machine.

    One integer, the level's bits above the place: numpy sorts such keys many times faster than it
    argsorts floats. (The place has 32 bits: memory ends before they do.)
    """
    bits = np.ascontiguousarray(level).view(np.int32)
    rising = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    keys = rising.astype(np.int64) << 32
    keys |= np.arange(len(level))
    keys.sort()
    keys &= 0xFFFFFFFF
    return keys


@kernel
def label_pits(z, receivers, labels, stack, nx):  # type: ignore[no-untyped-def]
    """Number the pits from 1, row by row; all cells of a flat pit share a number."""
    basins = 0
    for pit in range(z.size):
        if labels[pit] >= 0 or receivers[pit] != pit:
            continue
        basins += 1
        labels[pit] = basins
        stack[0] = pit
        count = 1
        while count > 0:
            count -= 1
            cell = stack[count]
            for k in range(8):
                other = cell + D8_ROW[k] * nx + D8_COL[k]
                if z[other] == z[cell] and labels[other] < 0 and receivers[other] == other:
                    labels[other] = basins
                    stack[count] = other
                    count += 1
    return basins


@kernel
def label_slopes(receivers, labels, start, stop):  # type: ignore[no-untyped-def]
    """Give each cell the label of where its way ends; every cell is walked over twice."""
    for first in range(start, min(stop, labels.size)):
        cell = first
        while labels[cell] < 0:
            cell = receivers[cell]
        label = labels[cell]
        cell = first
        while labels[cell] < 0:
            labels[cell] = label
            cell = receivers[cell]


@kernel
def spill_levels(saddles, order, leave, spill):  # type: ignore[no-untyped-def]
    """Join basins over ever higher saddles; what joins basin 0 spills at that level.

    Kruskal's spanning tree. Each part joined so far is a tree whose links (`leave`) point to its
    root; a part that joins is turned so that its root is where it joins. `ring` closes the basins
    of a part to a circle.
    """
    parts = leave.size
    joined = np.arange(parts).astype(np.int32)
    ring = np.arange(parts).astype(np.int32)
    size = np.ones(parts, np.int32)
    size[0] = parts  # basin 0 is never the one that turns
    for saddle in order:
        a, b = saddles[saddle].a, saddles[saddle].b
        part, onto = _find(joined, a), _find(joined, b)
        if part == onto:
            continue
        if size[part] > size[onto]:
            part, onto, a = onto, part, b
        _turn(saddles, leave, a, saddle)
        if onto == _find(joined, 0):
            basin = part
            while spill[basin] == -np.inf:
                spill[basin] = saddles[saddle].level
                basin = ring[basin]
        ring[part], ring[onto] = ring[onto], ring[part]
        joined[part] = onto
        size[onto] += size[part]
        parts -= 1
        if parts == 1:
            break


@inlined
def _find(joined, basin):  # type: ignore[no-untyped-def]
    """The part that a basin belongs to; halves the way for the next who asks."""
    while joined[basin] != basin:
        joined[basin] = joined[joined[basin]]
        basin = joined[basin]
    return basin


@inlined
def _turn(saddles, leave, basin, saddle):  # type: ignore[no-untyped-def]
    """Make `basin` the root of its tree, leaving by `saddle`: reverse the links above it."""
    while saddle >= 0:
        before = leave[basin]
        leave[basin] = saddle
        if before >= 0:
            basin = saddles[before].a + saddles[before].b - basin
        saddle = before
