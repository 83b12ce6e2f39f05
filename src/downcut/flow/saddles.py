"""Saddles: the lowest places where basins touch, and where water would pass from one to another."""

import numpy as np

from downcut._jit import inlined, kernel
from downcut.errors import Cancelled
from downcut.flow.descent import border
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run
from downcut.step import Array

# The lowest place where basins a < b touch: water passes between cell_a and cell_b there. Where
# b reaches the edge of the map itself, a is 0 and there is no cell_a: -1.
SADDLE = np.dtype(
    [("level", "f4"), ("a", "i4"), ("b", "i4"), ("cell_a", "i8"), ("cell_b", "i8")], align=True
)
OFF_THE_MAP = -1


def all_saddles(z: Array, labels: Array, basins: int, run: Run) -> Array:
    """Return every pair of touching basins at least once, with the lowest saddle between them.

    The first saddles are those towards basin 0, which may touch a great many: one for each basin
    in turn, at an infinite level where there is none.
    """
    ny, nx = z.shape
    saddles = np.empty(4 * basins, SADDLE)
    saddles["level"][:basins] = np.inf
    saddles["a"][:basins] = 0
    saddles["b"][:basins] = np.arange(basins)
    for line in border(ny, nx):
        _note_exits(z.ravel(), labels, line, saddles)
    recent = np.zeros(1 << max(10, int(2 * nx).bit_length()), np.int32)
    differs = np.zeros(nx, np.uint8)
    count = basins
    rows = max(1, 2**14 // nx)
    for start in range(0, ny, rows):
        stop_if_asked(run)
        if len(saddles) < count + 4 * rows * nx:
            more = np.empty(2 * count + 4 * rows * nx, SADDLE)
            more[:count] = saddles[:count]
            saddles = more
        stop = min(start + rows, ny)
        count = _find_saddles(z, labels, start, stop, differs, recent, saddles, count)
    saddles["level"][:count] += 0  # of −0 and 0, which are equal and sort apart, make one zero
    return saddles[:count]


def stop_if_asked(run: Run) -> None:
    """Raise Cancelled if someone has asked to stop."""
    if run.stop.is_set():
        raise Cancelled


@kernel
def _note_exits(z, labels, line, saddles):  # type: ignore[no-untyped-def]
    """Note the edge cells on `line` by which a basin reaches the edge of the map."""
    for cell in line:
        if labels[cell] > 0:
            _lower(saddles, labels[cell], z[cell], OFF_THE_MAP, cell)


@kernel
def _find_saddles(z, labels, start, stop, differs, recent, saddles, count):  # type: ignore[no-untyped-def]
    """Note where basins touch in rows start…stop; return how many saddles there are now."""
    nx = z.shape[1]
    for row in range(start, stop):
        _compare(labels, row, z.shape[0], nx, differs)
        for col in range(nx):
            if differs[col] == 0:
                continue
            cell = row * nx + col
            last, last_level = labels[cell], z[row, col]
            for k in range(4, 8):
                if not differs[col] & (1 << k):
                    continue
                other = cell + D8_ROW[k] * nx + D8_COL[k]
                level = max(z[row, col], z[row + D8_ROW[k], col + D8_COL[k]])
                if labels[other] == last and level >= last_level:
                    continue  # its neighbour there is a saddle as low
                last, last_level = labels[other], level
                count = note(saddles, count, recent, level, labels[cell], last, cell, other)
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
def note(saddles, count, recent, level, a, b, cell_a, cell_b):  # type: ignore[no-untyped-def]
    """Keep the lowest saddle of a pair, as far as the pair is remembered; return the count.

    `recent` remembers pairs by a hash and forgets on collision: a pair that is noted twice costs
    a little later on and harms nothing, and there is no table to grow.
    """
    if a > b:
        a, b, cell_a, cell_b = b, a, cell_b, cell_a
    if a == 0:
        _lower(saddles, b, level, cell_a, cell_b)
        return count
    place = (np.int64(a) * 0x9E3779B1 + np.int64(b) * 0x85EBCA77) & (recent.size - 1)
    known = recent[place]
    if saddles[known].a != a or saddles[known].b != b:
        known = count
        recent[place] = count
        saddles[known].level = np.inf
        saddles[known].a = a
        saddles[known].b = b
        count += 1
    _lower(saddles, known, level, cell_a, cell_b)
    return count


@inlined
def _lower(saddles, place, level, cell_a, cell_b):  # type: ignore[no-untyped-def]
    """Put a saddle in its place if it is lower than what stands there."""
    if level < saddles[place].level:
        saddles[place].level = level
        saddles[place].cell_a = cell_a
        saddles[place].cell_b = cell_b
