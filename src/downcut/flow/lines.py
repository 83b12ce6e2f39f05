"""Lines without the grid's corners: smoothing of paths that run from cell to cell."""

import numpy as np

from downcut._jit import kernel
from downcut.flow.rivers import Rivers
from downcut.step import Array


def smoothed(x: Array, y: Array, rivers: Rivers, times: int | Array) -> tuple[Array, Array]:
    """Smooth the points of rivers by (1, 2, 1) / 4, so many times; sources and mouths stay.

    Parameters
    ----------
    x, y : (n,) float64
        Where the rivers' cells lie, in any unit.
    rivers : Rivers
    times : int, or (n,) array of int
        For all points, or for each. After n times the bends of fewer than about 2·√n cells are
        gone.

    Returns
    -------
    (n,) float64, twice
        As many points: none strays more than about √(n / 2) cells, and only where the path bends.
        A river that joins another still ends on it.
    """
    x, y = x.copy(), y.copy()
    counts = np.broadcast_to(np.asarray(times, np.int32), x.shape).copy()
    if counts.size and counts.max() > 0:
        _smooth(x, y, rivers.offsets, rivers.meets, counts)
    return x, y


@kernel
def _smooth(x, y, offsets, meets, times):  # type: ignore[no-untyped-def]
    """Binomial passes along each line in place; the line it joins comes before it."""
    for line in range(offsets.size - 1):
        first, last = offsets[line], offsets[line + 1] - 1
        if meets[line] >= 0:
            x[last], y[last] = x[meets[line]], y[meets[line]]
        for number in range(times[first : last + 1].max()):
            for values in (x, y):
                before = values[first]
                for i in range(first + 1, last):
                    here = values[i]
                    if times[i] > number:
                        values[i] = 0.25 * (before + 2.0 * here + values[i + 1])
                    before = here
