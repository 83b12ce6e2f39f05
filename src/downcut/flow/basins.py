"""Basins: which pit each cell drains to, where basins touch, and how each one spills.

Depressions are found on the graph of basins instead of on the grid: it is far smaller, and it
needs no priority queue (Cordonnier 2019). Basin 0 is all that reaches an outlet by itself.
"""

import numpy as np

from downcut._jit import inlined, kernel
from downcut.errors import Cancelled
from downcut.flow.descent import border, descend
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run
from downcut.step import Array

# The lowest place where basins a < b touch: water passes between cell_a and cell_b there. Where
# b reaches the edge of the map itself, a is 0 and there is no cell_a: -1.
SADDLE = np.dtype(
    [("level", "f4"), ("a", "i4"), ("b", "i4"), ("cell_a", "i8"), ("cell_b", "i8")], align=True
)
OFF_THE_MAP = -1
_NONE = -1


class Basins:
    """The basins of a land and the saddle by which each one drains.

    Attributes
    ----------
    receivers : (ny * nx,) int
        Descent as `descent.descend` gives it; a pit, and each cell of a flat pit, is its own.
    labels : (ny * nx,) int
        Basin of each cell.
    saddles : (m,) SADDLE
    leave : (basins,) int
        The saddle by which a basin drains, on its way to basin 0; -1 for basin 0.
    spill : (basins,) float32
        Level to which water rises in the basin before it leaves the map [m]; -inf for basin 0.
    """

    def __init__(self, z: Array, run: Run) -> None:
        self.receivers, self.labels = descend(z, run)
        stack = np.empty_like(self.receivers)
        self.count = 1 + _label_pits(z.ravel(), self.receivers, self.labels, stack, z.shape[1])
        del stack
        rows = max(1, 2**20 // z.shape[1])  # a slice is a few milliseconds: Ctrl-C is heard
        for start in range(0, z.size, rows * z.shape[1]):
            _stop_if_asked(run)
            _label_slopes(self.receivers, self.labels, start, start + rows * z.shape[1])
        self.saddles = _all_saddles(z, self.labels, self.count, run)
        _stop_if_asked(run)
        self.leave = np.full(self.count, _NONE, np.int64)
        self.spill = np.full(self.count, -np.inf, np.float32)
        _spill(self.saddles, _by_level(self.saddles["level"].copy()), self.leave, self.spill)


def _stop_if_asked(run: Run) -> None:
    if run.stop.is_set():
        raise Cancelled


def _all_saddles(z: Array, labels: Array, basins: int, run: Run) -> Array:
    """Return every pair of touching basins at least once, with the lowest saddle among them."""
    ny, nx = z.shape
    lowest = np.zeros(basins, SADDLE)  # towards basin 0, which may touch a great many
    lowest["level"] = np.inf
    for line in border(ny, nx):
        _note_exits(z.ravel(), labels, line, lowest)
    found = np.empty(4 * basins, SADDLE)
    recent = np.zeros(1 << max(10, int(4 * nx).bit_length()), np.int64)
    differs = np.zeros(nx, np.uint8)
    count = 0
    rows = max(1, 2**14 // nx)
    for start in range(0, ny, rows):
        _stop_if_asked(run)
        if len(found) < count + 4 * rows * nx:
            more = np.empty(2 * count + 4 * rows * nx, SADDLE)
            more[:count] = found[:count]
            found = more
        stop = min(start + rows, ny)
        count = _find_saddles(z, labels, start, stop, differs, recent, lowest, found, count)
    lowest["b"] = np.arange(basins)
    saddles = np.concatenate([lowest[np.isfinite(lowest["level"])], found[:count]])
    saddles["level"] += 0  # of −0 and 0, which are equal and sort apart, make one zero
    return saddles


def _by_level(level: Array) -> Array:
    """Return the order of rising levels; equal ones in the order they stand, on any machine.

    One integer of the level's bits over the place: numpy sorts such keys many times faster than
    it argsorts floats.
    """
    bits = level.view(np.int32)
    rising = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    keys = rising.astype(np.int64) << 32
    keys |= np.arange(len(level))
    keys.sort()
    keys &= 0xFFFFFFFF
    return keys


@kernel
def _label_pits(z, receivers, labels, stack, nx):  # type: ignore[no-untyped-def]
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
def _label_slopes(receivers, labels, start, stop):  # type: ignore[no-untyped-def]
    """Give each cell the label of where its water goes; every cell is walked over twice."""
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
def _note_exits(z, labels, line, lowest):  # type: ignore[no-untyped-def]
    """Note the edge cells on `line` by which a basin reaches the edge of the map."""
    for cell in line:
        if labels[cell] > 0:
            _note_exit(lowest, labels[cell], z[cell], OFF_THE_MAP, cell)


@kernel
def _find_saddles(z, labels, start, stop, differs, recent, lowest, found, count):  # type: ignore[no-untyped-def]
    """Note where basins touch in rows start…stop; return how many saddles there are now."""
    nx = z.shape[1]
    for row in range(start, stop):
        _compare(labels, row, z.shape[0], nx, differs)
        for col in range(nx):
            if differs[col] == 0:
                continue
            cell = row * nx + col
            for k in range(4, 8):
                if not differs[col] & (1 << k):
                    continue
                other = cell + D8_ROW[k] * nx + D8_COL[k]
                level = max(z[row, col], z[row + D8_ROW[k], col + D8_COL[k]])
                if labels[cell] == 0:
                    _note_exit(lowest, labels[other], level, cell, other)
                elif labels[other] == 0:
                    _note_exit(lowest, labels[cell], level, other, cell)
                else:
                    count = _note(found, count, recent, labels, level, cell, other)
    return count


@inlined
def _compare(labels, row, ny, nx, differs):  # type: ignore[no-untyped-def]
    """Set bit k where neighbour k is in another basin: the half that meets each pair once."""
    differs[:] = 0
    for k in range(4, 8):
        if row + D8_ROW[k] < ny:
            first, last = max(0, -D8_COL[k]), nx - max(0, D8_COL[k])
            start = (row + D8_ROW[k]) * nx + D8_COL[k]
            here, there = labels[row * nx + first : row * nx + last], labels[start + first :]
            bits = differs[first:last]
            for i in range(bits.size):
                bits[i] |= np.uint8(here[i] != there[i]) << k


@inlined
def _note_exit(lowest, basin, level, cell_a, cell_b):  # type: ignore[no-untyped-def]
    """Keep the lowest of a basin's saddles towards basin 0 or off the map."""
    if level < lowest[basin].level:
        lowest[basin].level = level
        lowest[basin].cell_a = cell_a
        lowest[basin].cell_b = cell_b


@inlined
def _note(found, count, recent, labels, level, cell, other):  # type: ignore[no-untyped-def]
    """Keep the lowest of a pair's saddles, as far as the pair is remembered.

    `recent` remembers pairs by a hash and forgets on collision: a pair that is noted twice costs
    a little later on and harms nothing, and there is no table to grow.
    """
    if labels[cell] > labels[other]:
        cell, other = other, cell
    a, b = labels[cell], labels[other]
    place = (np.int64(a) * 0x9E3779B1 + np.int64(b) * 0x85EBCA77) & (recent.size - 1)
    known = recent[place]
    if known >= count or found[known].a != a or found[known].b != b:
        known = count
        recent[place] = count
        found[known].level = np.inf
        found[known].a = a
        found[known].b = b
        count += 1
    if level < found[known].level:
        found[known].level = level
        found[known].cell_a = cell
        found[known].cell_b = other
    return count


@kernel
def _spill(saddles, order, leave, spill):  # type: ignore[no-untyped-def]
    """Join basins over ever higher saddles; what joins basin 0 spills at that level.

    Kruskal's spanning tree. Each part joined so far is a tree whose links (`leave`) point to its
    root; a part that joins is turned so that its root is where it joins. `ring` closes the basins
    of a part to a circle.
    """
    joined = np.arange(leave.size)
    ring = np.arange(leave.size)
    parts = leave.size
    size = np.ones(leave.size, np.int64)
    size[0] = leave.size + 1  # basin 0 is never the one that turns
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
