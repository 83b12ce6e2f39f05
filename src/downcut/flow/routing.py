"""Routing: the cell that each cell drains into, and the order of cells along the flow."""

import numpy as np

from downcut._jit import kernel
from downcut.errors import DowncutError
from downcut.flow.basins import Basins
from downcut.flow.descent import ground, spread
from downcut.run import Run
from downcut.step import Array


def receivers(
    elevation: Array, run: Run | None = None, *, stray: float = 0.0, key: int = 0
) -> Array:
    """Find for each cell the neighbour that it drains into, out of depressions and flats too.

    Parameters
    ----------
    elevation : (ny, nx) array of float32
        Ground [m].
    run : Run, optional
        Threads (of the descent; the rest is sequential) and a way to stop.
    stray : float, 0 to 1
        Each way down counts as up to so much steeper or gentler, by a hash of `key` and the
        place, before the steepest is chosen: water then does not keep to the grid's directions
        [fairfield1991]_.

    Returns
    -------
    (ny, nx) int32, or int64 from 2³¹ cells on
        Flat index ``row * nx + col`` of the receiver. From every cell the receivers lead to an
        outlet, which is an edge cell and its own receiver; there are no cycles.

    Raises
    ------
    DowncutError
        For an array that is not two-dimensional, is empty or holds NaN or infinity.

    Notes
    -----
    D8 takes the steepest descent, the first of equals in the order of `grid.D8_ROW`. A flat
    drains by the fewest cells to its way out. A depression drains from its lowest saddle: the way
    from there down to the pit is reversed, as if a gorge had been cut along it
    [cordonnier2019]_. Edge cells with a lower neighbour drain inward, unless a depression leaves
    the map there.

    Examples
    --------
    >>> import numpy as np
    >>> receivers(np.array([[3, 2, 1, 4]], dtype=np.float32)).tolist()
    [[1, 2, 2, 2]]
    """
    z = ground(elevation)
    basins = Basins(z, run or Run(), stray, key)
    leave_depressions(z, basins)
    return basins.receivers.reshape(z.shape)


def leave_depressions(z: Array, basins: Basins) -> None:
    """Lead the receivers of every basin out over its saddle; `z` is the ground they are of."""
    _carve(
        z.ravel(),
        basins.receivers,
        basins.labels,
        basins.saddles,
        basins.leave,
        np.empty_like(basins.receivers),
        z.shape[1],
    )


def order(receivers: Array) -> Array:
    """Sort cells from downstream to upstream: every cell comes after its receiver.

    Parameters
    ----------
    receivers : (ny, nx) array of int
        Flat index of each cell's receiver, a neighbour or the cell itself; ours or another's.

    Returns
    -------
    (ny * nx,) of the same dtype
        Flat indices. Its reverse visits every cell after all that drains into it.

    Raises
    ------
    DowncutError
        If a receiver is not a neighbour, or if directions run in a circle: it names a cell there.

    Notes
    -----
    Walks down from each source until it meets a cell that still waits for other water
    [zhou2019]_: linear, no queue, deterministic.

    Examples
    --------
    >>> import numpy as np
    >>> order(np.array([[1, 2, 2, 2]])).tolist()
    [2, 3, 1, 0]
    """
    flat = directions(receivers)
    waiting = donors(flat, receivers.shape[1])
    sorted_cells = np.empty_like(flat)
    check_acyclic(_walk(flat, waiting, sorted_cells), waiting, receivers.shape[1])
    return sorted_cells


def directions(receivers: Array) -> Array:
    """Return receivers as the kernels want them: flat, of an index dtype, writeable.

    Raises
    ------
    DowncutError
        For anything but a filled (ny, nx) array of whole numbers.
    """
    if np.ndim(receivers) != 2 or receivers.size == 0 or receivers.dtype.kind not in "iu":
        raise DowncutError(
            f"receivers are {receivers.dtype} of shape {np.shape(receivers)}: give the index of "
            "a cell for each of (ny, nx) cells"
        )
    wide = np.int32 if receivers.dtype == np.int32 else np.int64
    return np.require(receivers, wide, ["C", "W"]).ravel()


def donors(flat: Array, nx: int) -> Array:
    """Return (n,) uint8: how many other cells drain into each cell.

    Raises
    ------
    DowncutError
        If a receiver is neither a neighbour nor the cell itself.
    """
    counts = np.zeros(flat.size, np.uint8)
    stray = _count_donors(flat, counts, nx)
    if stray >= 0:
        raise DowncutError(
            f"cell {divmod(stray, nx)} drains to cell {int(flat[stray])}, which is not a neighbour"
        )
    return counts


def check_acyclic(reached: int, waiting: Array, nx: int) -> None:
    """Refuse directions that a walk from all sources did not cover: the rest runs in circles.

    Raises
    ------
    DowncutError
        Naming a cell of a cycle.
    """
    if reached < waiting.size:
        place = divmod(int(np.argmax(waiting != DONE)), nx)
        raise DowncutError(
            f"the directions run in a circle through cell {place}: no water would ever leave it"
        )


DONE = 255
"""What the donor count of a cell becomes once it has been visited."""


@kernel
def _carve(z, receivers, labels, saddles, leave, queue, nx):  # type: ignore[no-untyped-def]
    """Reverse the way from each basin's saddle down to its pit; a flat pit drains to that way."""
    for basin in range(1, leave.size):
        saddle = saddles[leave[basin]]
        cell, target = saddle.cell_a, saddle.cell_b
        if saddle.b == basin:
            cell, target = target, cell
        if target < 0:  # off the map: this edge cell is an outlet
            target = cell
        below = receivers[cell]
        receivers[cell] = target
        while below != cell:
            target, cell = cell, below
            below = receivers[cell]
            receivers[cell] = target
        queue[0] = cell
        spread(z, receivers, labels, queue, 1, nx)


@kernel
def _count_donors(receivers, counts, nx):  # type: ignore[no-untyped-def]
    """Count donors; return the first cell whose receiver is no neighbour, or -1."""
    for start in range(0, receivers.size, nx):
        for col in range(nx):
            receiver = receivers[start + col]
            other = receiver - start  # its column, once the row is known
            other += nx if other < 0 else 0
            other -= nx if other >= nx else 0
            if not (0 <= receiver < receivers.size and 0 <= other < nx and abs(other - col) <= 1):
                return start + col
            if receiver != start + col:
                counts[receiver] += 1
    return -1


@kernel
def _walk(receivers, waiting, sorted_cells):  # type: ignore[no-untyped-def]
    """Fill `sorted_cells` from its end, upstream cells first; return how many were reached."""
    left = receivers.size
    for source in range(receivers.size):
        cell = source
        while waiting[cell] == 0:
            waiting[cell] = DONE
            left -= 1
            sorted_cells[left] = cell
            if receivers[cell] != cell:
                cell = receivers[cell]
                waiting[cell] -= 1
    return receivers.size - left
