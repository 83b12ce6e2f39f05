"""How rivers grow with the ground they drain: Hack's law and the spread of drainage areas."""

import math

import numpy as np

from downcut._jit import kernel
from downcut.measuring.fits import Line, log_bins, power_law
from downcut.measuring.ground import CHANNEL_CELLS, Ground
from downcut.step import Array

BINS = 14
"""Bins, or steps, of drainage area that a law is fitted to."""


def areas_of_interest(ground: Ground) -> tuple[float, float]:
    """Return the drainage areas [cells] that laws of channels are fitted between: 100 to n/20."""
    return float(CHANNEL_CELLS), ground.count / 20


def longest_paths(ground: Ground) -> Array:
    """Return (ny, nx) float64: the longest way water takes to each cell, in cells."""
    length = np.zeros(ground.z.size)
    _longest(ground.flow.ravel(), ground.cells, ground.z.shape[1], length)
    return length.reshape(ground.z.shape)


def hack(ground: Ground) -> Line | None:
    """Fit L ∝ A^h: longest upstream path over drainage area [hack1957]_ [rigon1996]_.

    L is averaged in 14 bins of equal width in log A from 100 cells to a twentieth of the land.
    """
    low, high = areas_of_interest(ground)
    area = ground.area.ravel()
    return power_law(*log_bins(area, longest_paths(ground).ravel(), low, high, BINS))


def area_law(ground: Ground) -> Line | None:
    """Fit P(area > a) ∝ a^−τ over 14 areas from 25 cells to a fortieth of the land.

    P is the share of land through which more than a drains [rodriguez1992]_.
    """
    if ground.count <= 40 * 25:
        return None
    areas = np.geomspace(25, ground.count / 40, BINS)
    drained = np.sort(ground.area[ground.land])
    above = drained.size - np.searchsorted(drained, areas, side="right")
    return power_law(areas, above / drained.size)


@kernel
def _longest(receivers, cells, nx, length):  # type: ignore[no-untyped-def]
    """length[receiver] = max over donors of length + 1 or √2."""
    for n in range(cells.size - 1, -1, -1):
        cell = cells[n]
        receiver = receivers[cell]
        if receiver != cell:
            straight = abs(receiver - cell) == 1 or abs(receiver - cell) == nx
            step = 1.0 if straight else math.sqrt(2.0)
            length[receiver] = max(length[receiver], length[cell] + step)
