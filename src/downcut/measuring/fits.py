"""Straight lines through logarithms: how an exponent is read off data."""

from dataclasses import dataclass

import numpy as np

from downcut.step import Array

FEWEST_POINTS = 3
"""A line through two points fits always and says nothing."""


@dataclass(frozen=True)
class Line:
    """y = intercept + slope · x, by least squares, and the share of variance it explains."""

    slope: float
    intercept: float
    r2: float


def line(x: Array, y: Array) -> Line | None:
    """Fit a line; None for fewer than three points, or points that all share their x.

    Examples
    --------
    >>> import numpy as np
    >>> fitted = line(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    >>> round(fitted.slope, 9), round(fitted.intercept, 9), round(fitted.r2, 9)
    (2.0, 1.0, 1.0)
    """
    if len(x) < FEWEST_POINTS or np.ptp(x) == 0:
        return None
    dx, dy = x - x.mean(), y - y.mean()
    slope = float((dx * dy).sum() / (dx * dx).sum())
    spread = float((dy * dy).sum())
    r2 = 1.0 - float(((dy - slope * dx) ** 2).sum()) / spread if spread > 0 else 1.0
    return Line(slope, float(y.mean() - slope * x.mean()), r2)


def power_law(x: Array, y: Array) -> Line | None:
    """Fit y = c · x^slope in decimal logarithms to the points where both are positive."""
    good = (x > 0) & (y > 0)
    return line(np.log10(x[good]), np.log10(y[good]))


def log_bins(
    at: Array, values: Array, low: float, high: float, bins: int, fewest: int = 1
) -> tuple[Array, Array]:
    """Average `values` in bins of equal width in log(at) from `low` to `high`.

    Returns
    -------
    (k,) float64, (k,) float64
        Geometric mean of `at` and arithmetic mean of `values` in each bin that holds at least
        `fewest` of them; empty if `high` is not above `low`.
    """
    if high <= low:
        return np.empty(0), np.empty(0)
    edges = np.geomspace(low, high, bins + 1)
    inside = (at >= low) & (at <= high)
    at, values = at[inside].astype(np.float64), values[inside]
    place = np.clip(np.searchsorted(edges, at, side="right") - 1, 0, bins - 1)
    counts = np.bincount(place, minlength=bins)
    kept = counts >= max(fewest, 1)
    centres = np.bincount(place, np.log(at), bins)[kept] / counts[kept]
    means = np.bincount(place, values, bins)[kept] / counts[kept]
    return np.exp(centres), means
