"""The kernel of lakes in windows, apart from what knows of recipes: it is compiled."""

import numpy as np

from downcut._jit import kernel


@kernel
def fill(  # type: ignore[no-untyped-def]
    z, surface, lake, sea, river, lakes, levels, number, ratio, top, left, row, col
):
    """Cell by cell, from the four cells of the lattice around."""
    ny, nx = lakes.shape
    for r in range(z.shape[0]):
        v = (top + r + 0.5) * ratio - row - 0.5
        i = np.int64(np.floor(v))
        if i < 0 or i >= ny - 1:
            continue
        for c in range(z.shape[1]):
            u = (left + c + 0.5) * ratio - col - 0.5
            j = np.int64(np.floor(u))
            if j < 0 or j >= nx - 1:
                continue
            a, b, d, e = lakes[i, j], lakes[i, j + 1], lakes[i + 1, j], lakes[i + 1, j + 1]
            if a == -1 and b == -1 and d == -1 and e == -1:
                continue
            if a != -1 and b != -1 and d != -1 and e != -1:
                sea[r, c] = False
            most = max(max(a, b), max(d, e))
            if most <= 0:
                continue
            s, t = v - i, u - j
            share = (1 - s) * ((1 - t) * (a == most) + t * (b == most))
            share += s * ((1 - t) * (d == most) + t * (e == most))
            level = np.float32(levels[most])
            if share >= 0.5:
                if z[r, c] < level:
                    surface[r, c], lake[r, c] = level, number + most
            elif not river[r, c] and z[r, c] < level:
                z[r, c] = level
