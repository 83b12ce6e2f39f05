"""How prominent peaks are: by letting the sea sink and watching islands join."""

import numpy as np
from numpy.typing import NDArray

from downcut._jit import kernel
from downcut.grid import D8_COL, D8_ROW


def prominences(elevation: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the peaks of a land and how far one must go down from each to reach higher ground.

    Parameters
    ----------
    elevation : (ny, nx) float32 [m]

    Returns
    -------
    cells : (n,) int64
        Flat index of each peak, the highest first; of a flat top one cell.
    prominence : (n,) float64 [m]
        The highest peak's is its height above the lowest ground.
    """
    order = np.argsort(-elevation, axis=None, kind="stable")
    saddle = np.full(elevation.size, np.nan)
    top = np.full(elevation.size, -1, np.int64)
    _sink(elevation.reshape(-1), elevation.shape[1], order, top, saddle)
    cells = order[np.isfinite(saddle[order])]
    heights = elevation.reshape(-1)[cells].astype(np.float64)
    return cells, heights - saddle[cells]


@kernel
def _sink(z, nx, order, top, saddle):  # type: ignore[no-untyped-def]
    """Let cells rise from the sea, highest first: where two islands meet, the lower peak ends.

    `top` leads each cell to a cell of its island nearer to the highest; a peak leads to itself.
    """
    ny = z.size // nx
    for cell in order:
        row, col = cell // nx, cell % nx
        for k in range(8):
            r, c = row + D8_ROW[k], col + D8_COL[k]
            if r < 0 or c < 0 or r >= ny or c >= nx or top[r * nx + c] < 0:
                continue
            peak = r * nx + c
            while top[peak] != peak:
                top[peak] = top[top[peak]]
                peak = top[peak]
            if top[cell] < 0:
                top[cell] = peak
                continue
            mine = top[cell]
            while top[mine] != mine:
                top[mine] = top[top[mine]]
                mine = top[mine]
            if mine == peak:
                continue
            lower, higher = (mine, peak) if z[peak] > z[mine] else (peak, mine)
            saddle[lower] = z[cell]
            top[lower] = higher
        if top[cell] < 0:
            top[cell] = cell
    last = order[-1]
    peak = order[0]
    while top[peak] != peak:
        peak = top[peak]
    saddle[peak] = z[last]
