"""A square of grass that repeats without a seam, spread so that any first part of it is even."""

import numpy as np

from downcut.features import Table
from downcut.surface.spots import TURN, Numbers, drawn

EDGE = 16.0
"""Of the square [m]."""
COUNT = 1024
"""Blades on it: 4 on a square metre."""
TRIES = 24
"""Places that each blade chooses among."""
KEY = 0x67726173_73  # the same square for every land


def patch() -> Table:
    """Return the blades: x, z within the square, scale, turn, tilt [rad], tint and rank.

    Each blade in turn takes, of some places by chance, the one farthest from all before it, over
    the edges of the square too (Mitchell's best candidate). Its rank is its turn, so that
    thinning by rank leaves the blades evenly spread.
    """
    chance = drawn(KEY, 0, COUNT * TRIES, 2).reshape(2, COUNT, TRIES) * EDGE
    blades = np.empty((2, COUNT))
    for turn in range(COUNT):
        tries = chance[:, turn]
        best = int(_nearest(tries, blades[:, :turn]).argmax())
        blades[:, turn] = tries[:, best]
    turn, tilt, scale, tint = drawn(KEY + 1, 0, COUNT, 4)
    return Table(
        {
            "x": blades[0],
            "z": blades[1],
            "scale": 0.5 + 0.8 * scale,
            "turn": TURN * turn,
            "tilt": 0.5 * (tilt - 0.5),
            "tint": tint,
            "rank": (np.arange(COUNT) + 0.5) / COUNT,
        },
        {"x": "m", "z": "m", "turn": "rad", "tilt": "rad"},
    )


def _nearest(tries: Numbers, blades: Numbers) -> Numbers:
    """Return the squared distance from each try to the nearest blade, across edges."""
    away = np.abs(tries[:, :, None] - blades[:, None, :])
    away = np.minimum(away, EDGE - away)
    nearest: Numbers = (away**2).sum(axis=0).min(axis=1, initial=np.inf)
    return nearest
