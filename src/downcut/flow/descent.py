"""Steepest descent: where water goes from each cell as long as there is lower or level ground."""

import numpy as np

from downcut._jit import finite_kernel, inlined, kernel
from downcut.errors import DowncutError
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW, Grid
from downcut.randomness import hash64
from downcut.run import Run
from downcut.step import Array, at_the_door

# In flats the four straight neighbours go first: then routes over them are as short as they can
# be, straight and diagonal runs, and do not zigzag.
_STRAIGHT_FIRST = np.argsort(D8_DISTANCE, kind="stable")
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

    def some_rows(start: int, stop: int) -> None:
        _steepest(z, receivers, np.empty(nx), start, stop, stray, np.uint64(key))

    run.slices(some_rows, ny, max(1, 2**18 // nx), part=(0, 8))  # an eighth of what follows
    labels = np.full(z.size, -1, receivers.dtype)
    for line in border(ny, nx):
        labels[line] = np.where(receivers[line] == line, 0, -1)
    _drain_flats(z.ravel(), receivers, labels, np.empty_like(receivers), nx)
    return receivers, labels


def border(ny: int, nx: int) -> list[Array]:
    """Return the flat indices of the four edges of the map."""
    rows, cols = np.arange(ny) * nx, np.arange(nx)
    return [cols, (ny - 1) * nx + cols, rows, rows + nx - 1]


@finite_kernel
def _steepest(z, receivers, steepest, start, stop, stray, key):  # type: ignore[no-untyped-def]
    """The neighbour of the largest drop/distance > 0, for rows start…stop; the first of equals.

    A row at a time, one direction after the other: each pass is a plain loop that the compiler
    vectorises, and what it reads stays in the nearest cache.
    """
    ny, nx = z.shape
    for row in range(start, stop):
        line = receivers[row * nx : (row + 1) * nx]
        for col in range(nx):
            steepest[col] = 0.0
            line[col] = row * nx + col
        for k in range(8):
            other = row + D8_ROW[k]
            if other < 0 or other >= ny:
                continue
            first, last = max(0, -D8_COL[k]), nx - max(0, D8_COL[k])
            here, there = z[row, first:last], z[other, first + D8_COL[k] : last + D8_COL[k]]
            best, target = steepest[first:last], line[first:last]
            start_there = other * nx + first + D8_COL[k]
            if stray > 0.0:
                for i in range(here.size):
                    bits = hash64(key + np.uint64(k), row, first + i) >> np.uint64(11)
                    chance = np.float64(bits) * 2.0**-52 - 1.0
                    slope = (np.float64(here[i]) - np.float64(there[i])) / D8_DISTANCE[k]
                    slope *= 1.0 + stray * chance
                    if slope > best[i]:
                        best[i], target[i] = slope, start_there + i
                continue
            for i in range(here.size):
                # float64: a drop between float32 heights cannot overflow or vanish
                slope = (np.float64(here[i]) - np.float64(there[i])) * (1.0 / D8_DISTANCE[k])
                better = slope > best[i]
                best[i] = slope if better else best[i]
                target[i] = start_there + i if better else target[i]


@kernel
def _drain_flats(z, receivers, labels, queue, nx):  # type: ignore[no-untyped-def]
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
