"""The state of a group of droplets that roll side by side: which row of which array is what.

An array is flat; row `ROW` has a number for each lane, at `ROW + lane`. Constant distances show
the compiler that rows do not overlap, so that loops over lanes become vectors.
"""

import numpy as np

LANES = 32
"""Droplets that roll side by side; a power of two. Another number gives another land."""
VECTOR = 8
"""A group that is not full rolls in a multiple of so many lanes."""
ZERO, ONE = np.float32(0), np.float32(1)
NO_LIMIT = np.float32(3e38)


def _rows(first: int, count: int) -> range:
    return range(first * LANES, (first + count) * LANES, LANES)


# In `f`, float32: the place within its cell, the direction (or velocity), speed², load [m].
FI, FJ, DI, DJ, SPEED2, LOAD = _rows(0, 6)
# The next place within its cell; the height of the cell, and the ground's above it [m].
NEXT_FI, NEXT_FJ, BASE, HEIGHT = _rows(6, 4)
# A lane goes (1) until its droplet stands still or leaves; it is here (1) until it leaves.
GOES, HERE, SHARE = _rows(10, 3)
# What the droplet gives the ground [m], in all and to each of four cells; the limits there.
AMOUNT, GIVE_A, GIVE_B, GIVE_C, GIVE_D, LOW, HIGH = _rows(13, 7)
# Heights of the four cells round a place, as last fetched.
A, B, C, D = _rows(20, 4)
FLOATS = 24 * LANES
# In `q`, int32: the cell by row, column and number; the next one; whether the droplet counts.
ROW, COL, AT, NEXT_ROW, NEXT_COL, NEXT_AT, COUNTS = _rows(0, 7)
WHOLES = 7 * LANES
# In `books`, float64 [m]: what it carries, has dug and dropped, and gave in this step.
CARRIED, DUG, DROPPED, CHANGE = _rows(0, 4)
BOOKS = 4 * LANES
