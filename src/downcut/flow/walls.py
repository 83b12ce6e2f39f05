"""Rows of the land between walls, so that no loop over neighbours has to ask where the map ends."""

import numpy as np

from downcut._jit import finite_kernel, inlined

FAR = np.float32(1e30)
"""Height of the wall round the map: nothing runs or slides up it."""
KEPT = 4
"""How many rows a ring holds: row i lies at i & 3."""


@finite_kernel
def fetch(z, i, ring):  # type: ignore[no-untyped-def]
    """Copy row i of the land into a (KEPT, nx + 2) ring; beyond the map all is wall."""
    row = ring[i & 3]
    if 0 <= i < len(z):
        row[0], row[-1] = FAR, FAR
        for j in range(len(row) - 2):
            row[j + 1] = z[i, j]
    else:
        row[:] = FAR


@inlined
def around(ring, i):  # type: ignore[no-untyped-def]
    """The rows above, at and below i."""
    return ring[(i - 1) & 3], ring[i & 3], ring[(i + 1) & 3]
