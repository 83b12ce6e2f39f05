"""Steepest descent: where water goes from each cell as long as there is lower or level ground."""

import numpy as np

from downcut._jit import finite_kernel, inlined, kernel
from downcut.errors import DowncutError
from downcut.flow.walls import KEPT, around, fetch
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW, Grid
from downcut.randomness import hash_along, hash_of_row
from downcut.run import Run
from downcut.step import Array, at_the_door

# In flats the four straight neighbours go first: then routes over them are as short as they can
# be, straight and diagonal runs, and do not zigzag.
_STRAIGHT_FIRST = np.argsort(D8_DISTANCE, kind="stable")
_CORNER = 1.0 / D8_DISTANCE[0]
_LOWEST = np.array([max((bits & -bits).bit_length() - 1, 0) for bits in range(256)])
_FLAT_ROW, _FLAT_COL = D8_ROW[_STRAIGHT_FIRST], D8_COL[_STRAIGHT_FIRST]


def ground(elevation: Array) -> Array:
    """Return (ny, nx) elevation as the kernels want it: finite float32, C order, writeable.

    Raises
    ------
    DowncutError
        For anything but two axes, an empty array, NaN or infinity.
    """
    if np.ndim(elevation) != 2:
        raise DowncutError(f"elevation has {np.ndim(elevation)} axes: give rows and columns")
    clean = at_the_door(elevation, "elevation", "elevation", Grid(*np.shape(elevation)))
    # Read-only arrays are another type to the compiler: one copy is cheaper than a second kernel.
    return clean if clean.flags.writeable else clean.copy()


def index_dtype(cells: int) -> type[np.signedinteger]:
    """Return the narrowest integers that number this many cells; half the memory of int64."""
    return np.int32 if cells < 2**31 else np.int64


def descend(z: Array, run: Run, stray: float = 0.0, key: int = 0) -> tuple[Array, Array]:
    """Return (receivers, labels), both flat: D8 descent through flats, and where it may end.

    A receiver is the steepest lower neighbour or, in a flat that drains, the next cell of the
    shortest way out of it; a cell with neither is its own. Labels are 0 at outlets (edge cells
    that are their own receiver) and −1 elsewhere. With `stray`, each way down counts as up to so
    much steeper or gentler, by chance, before the steepest is chosen.
    """
    ny, nx = z.shape
    receivers = np.empty(z.size, index_dtype(z.size))

    rows = max(16, (2**15 if stray > 0 else 2**16) // nx)

    def some_rows(start: int, stop: int) -> None:
        steepest(z, receivers, start, stop, stray, np.uint64(key))

    run.slices(some_rows, ny, rows, part=(0, 8))  # an eighth of what follows
    labels = np.full(z.size, -1, receivers.dtype)
    for line in border(ny, nx):
        labels[line] = np.where(receivers[line] == line, 0, -1)
    drain_flats(z.ravel(), receivers, labels, np.empty_like(receivers), nx)
    return receivers, labels


def border(ny: int, nx: int) -> list[Array]:
    """Return the flat indices of the four edges of the map."""
    rows, cols = np.arange(ny) * nx, np.arange(nx)
    return [cols, (ny - 1) * nx + cols, rows, rows + nx - 1]


@finite_kernel
def steepest(z, receivers, start, stop, stray, key):  # type: ignore[no-untyped-def]
    """The neighbour of the largest drop/distance > 0, for rows start…stop; the first of equals.

    In float64, where a drop between float32 heights cannot overflow or vanish. With `stray`,
    each way counts as up to so much steeper or gentler by chance.
    """
    nx = z.shape[1]
    ring, slope, ways = np.empty((KEPT, nx + 2)), np.empty(nx), np.empty(nx, np.int64)
    share = (1.0 - stray) / (1.0 + stray) * (1.0 - 1e-9)
    for row in range(start - 2, stop):
        fetch(z, row + 1, ring)
        if row < start:
            continue
        line = receivers[row * nx : (row + 1) * nx]
        _plain_steepest(*around(ring, row), row * nx, slope, line)
        if stray > 0.0:
            _could_be_steepest(*around(ring, row), slope, share, ways)
            _draw(ring, row, ways, stray, key, line)


@finite_kernel
def _plain_steepest(up, here, down, first, slope, line):  # type: ignore[no-untyped-def]
    """For a row, the steepest slope down and where it leads: one vectorised loop, eight ways."""
    nx, one = len(line), np.int64(1)
    for j in range(nx):
        h, best = here[j + 1], (0.0, np.int64(0))
        best = _prefer(best, (h - up[j]) * _CORNER, -nx - 1)
        best = _prefer(best, h - up[j + 1], -nx)
        best = _prefer(best, (h - up[j + 2]) * _CORNER, -nx + 1)
        best = _prefer(best, h - here[j], -one)
        best = _prefer(best, h - here[j + 2], one)
        best = _prefer(best, (h - down[j]) * _CORNER, nx - 1)
        best = _prefer(best, h - down[j + 1], nx)
        best = _prefer(best, (h - down[j + 2]) * _CORNER, nx + 1)
        slope[j] = best[0]
        line[j] = first + j + best[1]


@inlined
def _prefer(best, slope, offset):  # type: ignore[no-untyped-def]
    """Return (slope, offset) of a neighbour if it is steeper than the best, else the best."""
    better = slope > best[0]
    return slope if better else best[0], np.int64(offset) if better else best[1]


@finite_kernel
def _could_be_steepest(up, here, down, slope, share, ways):  # type: ignore[no-untyped-def]
    """Set bit k of each cell of a row where neighbour k could be the steepest with luck."""
    for j in range(len(ways)):
        h, least = here[j + 1], slope[j] * share
        bits = np.int64((h - up[j]) * _CORNER > least)
        bits |= np.int64(h - up[j + 1] > least) << 1
        bits |= np.int64((h - up[j + 2]) * _CORNER > least) << 2
        bits |= np.int64(h - here[j] > least) << 3
        bits |= np.int64(h - here[j + 2] > least) << 4
        bits |= np.int64((h - down[j]) * _CORNER > least) << 5
        bits |= np.int64(h - down[j + 1] > least) << 6
        ways[j] = bits | np.int64((h - down[j + 2]) * _CORNER > least) << 7


@inlined
def _by_chance(ring, row, j, k, stray, half):  # type: ignore[no-untyped-def]
    """The slope down to neighbour k of a cell, up to `stray` steeper or gentler."""
    below = ring[(row + D8_ROW[k]) & 3, np.uint64(j + 1 + D8_COL[k])]
    chance = np.float64(hash_along(half[k], j) >> np.uint64(11)) * 2.0**-52 - 1.0
    return (ring[row & 3, j + 1] - below) / D8_DISTANCE[k] * (1.0 + stray * chance)


@finite_kernel
def _draw(ring, row, ways, stray, key, line):  # type: ignore[no-untyped-def]
    """Choose by chance among the ways that could be steepest: mostly one or two of eight.

    Two are always drawn, without a branch for a processor to guess wrong; where only one can
    win, the other loses. What takes the time are their hashes.
    """
    nx = len(line)
    half, offset = np.empty(8, np.uint64), D8_ROW * nx + D8_COL
    for k in range(8):
        half[k] = hash_of_row(key + np.uint64(k), row)
    for j in range(nx):
        bits = ways[j]
        k, bits = _LOWEST[bits], bits & (bits - 1)
        other, bits = _LOWEST[bits], bits & (bits - 1)
        slope = _by_chance(ring, row, j, k, stray, half)
        rival = _by_chance(ring, row, j, other, stray, half)
        k, slope = (other if rival > slope else k), max(rival, slope)
        while bits != 0:
            other, bits = _LOWEST[bits], bits & (bits - 1)
            rival = _by_chance(ring, row, j, other, stray, half)
            k, slope = (other if rival > slope else k), max(rival, slope)
        line[j] = row * nx + j + (offset[k] if slope > 0.0 else 0)


@kernel
def drain_flats(z, receivers, labels, queue, nx):  # type: ignore[no-untyped-def]
    """Route flats that have a way out: breadth first from the cells beside the way out."""
    count = 0
    for cell in range(z.size):
        if receivers[cell] != cell or labels[cell] == 0:
            continue
        for k in range(8):
            other = cell + _FLAT_ROW[k] * nx + _FLAT_COL[k]
            leaves = receivers[other] >= 0 and receivers[other] != other
            if z[other] == z[cell] and (leaves or labels[other] == 0):
                receivers[cell] = -1 - other  # negative: found now, not a way out for others yet
                queue[count] = cell
                count += 1
                break
    for i in range(count):
        receivers[queue[i]] = -1 - receivers[queue[i]]
    spread(z, receivers, labels, queue, count, nx)


@inlined
def spread(z, receivers, labels, queue, count, nx):  # type: ignore[no-untyped-def]
    """Route a flat to the `count` cells in the queue, ring by ring; its cells are interior."""
    first = 0
    while first < count:
        last = count
        for half in range(2):
            for i in range(first, last):
                cell = queue[i]
                for k in range(4 * half, 4 * half + 4):
                    other = cell + _FLAT_ROW[k] * nx + _FLAT_COL[k]
                    if receivers[other] != other:  # most are routed already: ask this first
                        continue
                    if z[other] == z[cell] and labels[other] == labels[cell]:
                        receivers[other] = cell
                        queue[count] = other
                        count += 1
        first = last
