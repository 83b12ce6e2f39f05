"""Hypsometry: how much of the land lies how high."""

import numpy as np

from downcut.measuring.ground import Ground
from downcut.step import Array


def integral(ground: Ground) -> float:
    """Return (mean − lowest) / relief, which is the area under the hypsometric curve.

    Young land that is hardly cut is near 0.6, worn land with a few hills left near 0.3
    [strahler1952]_ [pike1971]_.
    """
    heights = ground.z[ground.land].astype(np.float64)
    return float((heights.mean() - heights.min()) / (heights.max() - heights.min()))


def curve(ground: Ground, points: int = 101) -> tuple[Array, Array]:
    """Return (share of the land, relative height that this share lies above), both 0 to 1."""
    share = np.linspace(0.0, 1.0, points)
    heights = np.quantile(ground.z[ground.land].astype(np.float64), 1.0 - share)
    return share, (heights - heights[-1]) / (heights[0] - heights[-1])
