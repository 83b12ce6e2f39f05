"""The stream of the glade: where it runs, how wide it is, and how far away it is."""

import numpy as np
from numpy.typing import NDArray

from downcut.features import Table
from downcut.flow.channels import WIDTH_EXPONENT, YEAR

Numbers = NDArray[np.float64]

HALF_WIDTH = 3.2
"""Where the water meets the bank, from the line [m]."""
FULL = 0.81
"""Share of the bed's depth below the meadow that is filled with water."""
HALF_LENGTH = 120.0
"""How far north and south of the middle the stream is known [m]."""
STEP = 1.0
"""Between the points of its line, southward [m]."""
CLOSE = 0.02
"""Between places of the line that a distance is measured to [m]."""
STEEPEST = 2.6 * 0.045 + 1.3 * 0.11
"""How far the line turns off the south at most: metres east for a metre south."""

UNITS = {
    "length": "m", "drop": "m", "slope": "m/m", "area": "m²", "discharge": "m³/yr", "width": "m",
    "depth": "m", "x": "m", "y": "m", "surface": "m", "bed": "m",
}  # fmt: skip


def stream_line(z: Numbers) -> Numbers:
    """Return how far east [m] of the middle the stream runs, `z` metres south of it."""
    line: Numbers = 8 + 2.6 * np.sin(0.045 * z) + 1.3 * np.sin(0.11 * z + 1.3)
    return line


def is_off_stream(x: Numbers, z: Numbers, distance: float) -> NDArray[np.bool_]:
    """Tell which places are at least so far [m] from the stream's line, as the crow flies.

    Parameters
    ----------
    x, z : (n,) float64
        Metres east and south of the middle.
    """
    east = np.abs(x - stream_line(z))
    off: NDArray[np.bool_] = east > distance * float(np.hypot(1, STEEPEST))
    for near in np.flatnonzero((east >= distance) & ~off):
        ahead = np.arange(-distance, distance + CLOSE, CLOSE)
        way = np.hypot(x[near] - stream_line(z[near] + ahead), ahead)
        off[near] = way.min() >= distance + CLOSE**2  # the line is looked at point by point
    return off


def stream(depth: float) -> Table:
    """Return the stream as a table of one river, as `hydrology.rivers` gives them.

    It flows south at one level, as wide as its bed is filled.

    Parameters
    ----------
    depth : float
        Of the bed below the meadow [m].
    """
    z = np.arange(-HALF_LENGTH, HALF_LENGTH + STEP / 2, STEP)
    x = stream_line(z)
    full = np.ones(z.size)
    width, deep = 2 * HALF_WIDTH, FULL * depth
    discharge = (width / 7.2) ** (1 / WIDTH_EXPONENT) * YEAR
    points = {"x": x, "y": -z, "surface": full * (deep - depth), "bed": full * -depth}
    points |= {"width": full * width, "depth": full * deep, "area": full * 0.0}
    points |= {"discharge": full * discharge, "order": np.ones(z.size, np.uint8)}
    length = float(np.hypot(np.diff(x), np.diff(z)).sum())
    ends = {name: values[-1:] for name, values in points.items() if name not in ("x", "y")}
    del ends["surface"], ends["bed"]
    one = {"id": 1, "joins": 0, "end": 2, "length": length, "drop": 0.0, "slope": 0.0}
    columns = {name: np.array([value]) for name, value in one.items()} | ends
    return Table(columns, UNITS, np.array([0, z.size]), points)
