"""Slopes: how river slopes fall with the ground drained, and how steep the land is overall."""

import math
from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.measuring.fits import Line, log_bins, power_law
from downcut.measuring.ground import Ground
from downcut.measuring.rivers import BINS, areas_of_interest
from downcut.step import Array

REACH = 5
"""Cells a channel is followed to find its slope: single cells of a DEM are too coarse."""


@dataclass(frozen=True)
class SlopeArea:
    """Mean slope of channel reaches in bins of drainage area, and the law fitted to them."""

    area: Array
    """(k,) [cells], the geometric mean of each bin."""
    slope: Array
    """(k,) [m/m]."""
    fit: Line | None
    """log10 slope over log10 area: θ is its slope with the sign turned."""


def slope_area(ground: Ground) -> SlopeArea:
    """Fit S ∝ A^−θ to the channels [flint1974]_.

    From each channel cell the water is followed for 5 cells on the filled surface; the drop over
    the way is the slope of that reach, and the geometric mean over those cells its area (that of
    its upper end alone would give what a confluence drains to the brook above it, and θ a tenth
    too low). Reaches that the end of the land cuts short do not count. Slopes are averaged in the
    bins that Hack's law uses.
    """
    slope = np.full(ground.z.size, np.nan)
    area = np.zeros(ground.z.size)
    logs = np.log(np.maximum(ground.area.ravel(), 1.0))
    channel, z = ground.channel.ravel(), ground.filled.ravel()
    _reaches(z, ground.flow.ravel(), channel, logs, ground.z.shape[1], REACH, slope, area)
    whole = np.isfinite(slope)
    low, high = areas_of_interest(ground)
    slopes = slope[whole] / ground.cell_size
    area, mean = log_bins(np.exp(area[whole]), slopes, low, high, BINS)
    return SlopeArea(area, mean, power_law(area, mean))


def variation(ground: Ground) -> float:
    """Return the spread of |∇z| over its mean: even slopes give 0, cliffs over plains much."""
    return float(ground.slopes.std() / ground.slopes.mean())


def steepness(ground: Ground, share: float) -> float:
    """Return the slope [°] that this share of the land stays below."""
    return math.degrees(math.atan(float(np.quantile(ground.slopes, share))))


@kernel
def _reaches(z, receivers, channel, logs, nx, steps, slope, area):  # type: ignore[no-untyped-def]
    """slope[cell] = (z[cell] − z[end]) / way in cells; NaN where it is cut short.

    area[cell] = mean log area of the cells that the water leaves on the way.
    """
    for start in range(z.size):
        if not channel[start]:
            continue
        cell, way, gone = start, 0.0, 0
        while gone < steps:
            receiver = receivers[cell]
            if receiver == cell or not channel[receiver]:
                break
            straight = abs(receiver - cell) == 1 or abs(receiver - cell) == nx
            way += 1.0 if straight else math.sqrt(2.0)
            area[start] += logs[cell] / steps
            cell = receiver
            gone += 1
        if gone == steps:
            slope[start] = (np.float64(z[start]) - np.float64(z[cell])) / way
