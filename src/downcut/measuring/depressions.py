"""Closed depressions: what rivers would have cut through, and noise is full of."""

import numpy as np

from downcut._jit import finite_kernel
from downcut.grid import D8_COL, D8_ROW
from downcut.measuring.ground import Ground

DEEP = 0.005
"""Share of the relief below which a hollow is called shallow; half of that for channels."""


def in_depressions(ground: Ground) -> float:
    """Return the share of land that lies deeper than 0.5 % of the relief below its spill [%]."""
    deep = (ground.filled - ground.z > DEEP * ground.relief) & ground.land
    return 100.0 * int(np.count_nonzero(deep)) / ground.count


def channels_in_depressions(ground: Ground) -> float | None:
    """Return the share of channel cells deeper than 0.25 % of the relief below their spill [%].

    None where no channel forms.
    """
    channels = int(np.count_nonzero(ground.channel))
    if not channels:
        return None
    deep = (ground.filled - ground.z > DEEP / 2 * ground.relief) & ground.channel
    return 100.0 * int(np.count_nonzero(deep)) / channels


def pits(ground: Ground) -> float:
    """Return how many of 10⁴ cells inside the land are lower than all eight around them."""
    counts = np.zeros(2, np.int64)
    _count_pits(ground.z, ground.land, counts)
    return 1e4 * int(counts[0]) / max(int(counts[1]), 1)


@finite_kernel
def _count_pits(z, land, counts):  # type: ignore[no-untyped-def]
    """counts: pits, and cells with land all around."""
    for row in range(1, z.shape[0] - 1):
        for col in range(1, z.shape[1] - 1):
            lowest, whole = True, land[row, col]
            for k in range(8):
                lowest &= z[row, col] < z[row + D8_ROW[k], col + D8_COL[k]]
                whole &= land[row + D8_ROW[k], col + D8_COL[k]]
            counts[0] += whole and lowest
            counts[1] += whole
