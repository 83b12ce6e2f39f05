"""The kernel of river beds in windows, apart from what knows of recipes: it is compiled."""

import numpy as np

from downcut._jit import inlined, kernel

LEAST_HALF = 0.75
"""Half width [cells] of a river in a window at least: its cells then touch side by side."""
FAR = np.float32(1e30)


@kernel
def lay(line, offsets, chosen, wet, top, left, z, owner, along, place):  # type: ignore[no-untyped-def]
    """River by river, the larger later: ease its banks, and note which cells are its own.

    Of two that share a cell the one that drains more there has it.
    """
    near, before, share, touched = place
    ny, nx = owner.shape
    for river in range(offsets.size - 1):
        count = 0
        for i in range(offsets[river], offsets[river + 1] - 1):
            if chosen[i]:
                count = _near_cells(line, i, top, left, near, before, share, touched, count)
        for n in range(count):
            r, c = touched[n] // nx, touched[n] % nx
            i, t = before[r, c], np.float64(share[r, c])
            half = max(_between(line, i, t, 2), LEAST_HALF)
            if near[r, c] <= half:
                other = owner[r, c]
                if other < 0 or _between(line, i, t, 5) >= _between(line, other, along[r, c], 5):
                    owner[r, c], along[r, c] = i, t
            elif z is not None:
                bank, bed = _between(line, i, t, 3), _between(line, i, t, 4)
                out = min((near[r, c] - half) / max(bank, 1e-9), 1.0)
                new = bed + (z[r, c] - bed) * out * out * (3.0 - 2.0 * out)
                z[r, c] = min(new, z[r, c]) if wet[i] else new
            near[r, c] = FAR
    if z is not None:
        for r in range(ny):
            for c in range(nx):
                i = owner[r, c]
                if i >= 0:
                    bed = _between(line, i, along[r, c], 4)
                    z[r, c] = min(bed, z[r, c]) if wet[i] else bed


@inlined
def _between(line, i, t, k):  # type: ignore[no-untyped-def]
    """Value k at the share t of the way from point i to the next."""
    return line[i, k] + np.float64(t) * (line[i + 1, k] - line[i, k])


@inlined
def _near_cells(line, i, top, left, near, before, share, touched, count):  # type: ignore[no-untyped-def]
    """Note the cells that a segment comes nearest to so far; return how many are noted.

    Places count from the world's origin, so every window finds the same distances.
    """
    ny, nx = near.shape
    y, x = line[i, 0], line[i, 1]
    dy, dx = line[i + 1, 0] - y, line[i + 1, 1] - x
    square = max(dx * dx + dy * dy, 1e-12)
    reach = max(line[i, 2], line[i + 1, 2])
    reach = max(reach, LEAST_HALF) + max(line[i, 3], line[i + 1, 3])
    first_row = max(int(np.floor(min(y, y + dy) - reach - top)), 0)
    last_row = min(int(np.ceil(max(y, y + dy) + reach - top)), ny)
    first_col = max(int(np.floor(min(x, x + dx) - reach - left)), 0)
    last_col = min(int(np.ceil(max(x, x + dx) + reach - left)), nx)
    for r in range(first_row, last_row):
        v = (top + r + 0.5) - y
        for c in range(first_col, last_col):
            u = (left + c + 0.5) - x
            t = min(max((u * dx + v * dy) / square, 0.0), 1.0)
            away = np.float32(np.sqrt((u - t * dx) ** 2 + (v - t * dy) ** 2))
            if away <= reach and away < near[r, c]:
                if near[r, c] == FAR:
                    touched[count] = r * nx + c
                    count += 1
                near[r, c], before[r, c], share[r, c] = away, i, t
    return count
