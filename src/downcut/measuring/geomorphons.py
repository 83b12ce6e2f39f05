"""Geomorphons: what form each place has, told by which ways the land rises and falls."""

import math
from dataclasses import dataclass

import numpy as np

from downcut._jit import finite_kernel
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW
from downcut.measuring.ground import Ground
from downcut.run import Run
from downcut.step import Array

RADIUS = 10
"""Cells that are looked over in each direction."""
FLATNESS = 1.0
"""Degrees below which a direction counts as level."""
MEDIAN_SLOPE = 0.3
"""What heights are scaled to first, so that gentle and steep land are looked at alike."""

FORMS = (
    "outside", "flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope",
    "valley", "pit",
)  # fmt: skip
"""What the numbers 0 to 10 stand for."""

# The lookup of Jasiewicz & Stepinski (2013, fig. 4): row: how many of the eight ways fall, column:
# how many rise.
_TABLE = np.array(
    [
        [1, 1, 1, 8, 8, 9, 9, 9, 10],
        [1, 1, 8, 8, 8, 9, 9, 9, 0],
        [1, 4, 6, 6, 7, 7, 9, 0, 0],
        [4, 4, 6, 6, 6, 7, 0, 0, 0],
        [4, 4, 5, 6, 6, 0, 0, 0, 0],
        [3, 3, 5, 5, 0, 0, 0, 0, 0],
        [3, 3, 3, 0, 0, 0, 0, 0, 0],
        [3, 3, 0, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    dtype=np.uint8,
)


@dataclass(frozen=True)
class Shares:
    """How much of the land has a form [%]."""

    ridge: float
    valley: float
    pit: float


def shares(ground: Ground) -> Shares | None:
    """Return the shares of ridges, valleys and pits, heights scaled to a median slope of 0.3.

    Cells whose view is cut by the map's edge do not count; a gap in the land ends a view.
    None if nothing is left.
    """
    median = float(np.median(ground.slopes))
    if median == 0:
        return None
    found = forms(ground.z, ground.land, ground.cell_size * median / MEDIAN_SLOPE, ground.run)
    counts = np.bincount(found.ravel(), minlength=len(FORMS)).astype(float)
    seen = counts[1:].sum()
    if seen == 0:
        return None
    percent = dict(zip(FORMS, 100.0 * counts / seen, strict=True))
    return Shares(percent["ridge"], percent["valley"], percent["pit"])


def forms(z: Array, land: Array, cell_size: float, run: Run) -> Array:
    """Return (ny, nx) uint8: the form of each cell, a number of `FORMS`.

    In each of 8 directions the steepest line of sight up (zenith) and down (nadir) within 10
    cells are compared: the land rises there if up is steeper by over 1°, and falls if down is
    [jasiewicz2013]_. The counts of rising and falling directions name the form. Numbers are 0
    within 10 cells of the map's edge and off the land.
    """
    found = np.zeros(z.shape, np.uint8)
    tolerance = math.tan(math.radians(FLATNESS))

    def some_rows(start: int, stop: int) -> None:
        _classify(z, land, cell_size, tolerance, RADIUS, _TABLE, start, stop, found)

    run.slices(some_rows, z.shape[0], max(1, 2**15 // z.shape[1]))
    return found


@finite_kernel
def _classify(z, land, cell_size, tolerance, radius, table, start, stop, found):  # type: ignore[no-untyped-def]
    """found = table[falling, rising] for rows start…stop."""
    ny, nx = z.shape
    for row in range(max(start, radius), min(stop, ny - radius)):
        for col in range(radius, nx - radius):
            if not land[row, col]:
                continue
            rising, falling = 0, 0
            for k in range(8):
                way = _view(z, land, row, col, k, radius, cell_size, tolerance)
                rising += way > 0
                falling += way < 0
            found[row, col] = table[falling, rising]


@finite_kernel
def _view(z, land, row, col, k, radius, cell_size, tolerance):  # type: ignore[no-untyped-def]
    """1 if the land rises in direction k, −1 if it falls, 0 if level.

    With up = tan α and down = tan β, |α + β| > t asks |up + down| > tan t · (1 − up · down).
    """
    up, down = -1e300, 1e300
    here = np.float64(z[row, col])
    for step in range(1, radius + 1):
        r, c = row + step * D8_ROW[k], col + step * D8_COL[k]
        if not land[r, c]:
            break
        rise = (np.float64(z[r, c]) - here) / (step * D8_DISTANCE[k] * cell_size)
        up, down = max(up, rise), min(down, rise)
    if up < down:
        return 0
    total = up + down
    if abs(total) <= tolerance * (1.0 - up * down):
        return 0
    return 1 if total > 0 else -1
