"""Room that things need round them: which of some places are too near to those of larger things."""

import numpy as np
from numpy.typing import NDArray

from downcut._jit import inlined, kernel

ROOM = {"tree": 0.9, "bush": 0.75, "stone": 0.8, "reed": 0.2, "flower": 0.15, "pebble": 0.1}
"""Radius that a thing fills [m]: no other kind stands nearer than both of theirs."""


def crowded(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    larger: tuple[NDArray[np.float64], NDArray[np.float64]],
    distance: float,
) -> NDArray[np.bool_]:
    """Tell which places x, y [m] are nearer than `distance` [m] to one of the larger things'.

    Cost n log m for n places and m larger things.
    """
    strip = np.floor(larger[1] / distance).astype(np.int64)
    order = np.lexsort((larger[0], strip))
    east, north = (np.ascontiguousarray(each[order]) for each in larger)
    out = np.zeros(x.size, np.bool_)
    each = np.ascontiguousarray(x), np.ascontiguousarray(y)
    _crowded(*each, np.ascontiguousarray(strip[order]), east, north, distance, out)
    return out


@kernel
def _crowded(x, y, strip, east, north, distance, out):  # type: ignore[no-untyped-def]
    """Look at the strips of places round each, from west to east."""
    for n in range(x.size):
        middle = np.int64(np.floor(y[n] / distance))
        for row in range(middle - 1, middle + 2):
            k = _first(strip, east, row, x[n] - distance)
            while k < strip.size and strip[k] == row and east[k] <= x[n] + distance:
                dx, dy = east[k] - x[n], north[k] - y[n]
                if dx * dx + dy * dy < distance * distance:
                    out[n] = True
                k += 1


@inlined
def _first(strip, east, row, x):  # type: ignore[no-untyped-def]
    """Return the first place of a strip that does not lie west of x, or of those after it."""
    low, high = 0, strip.size
    while low < high:
        half = (low + high) // 2
        if strip[half] < row or (strip[half] == row and east[half] < x):
            low = half + 1
        else:
            high = half
    return low
