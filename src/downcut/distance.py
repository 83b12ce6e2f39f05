"""Distance: how far each cell is from the nearest of some cells, exactly."""

import numpy as np
from numpy.typing import NDArray

from downcut._jit import kernel
from downcut.run import Run

CELLS_A_SLICE = 1 << 17


def distance(
    targets: NDArray[np.bool_], cell_size: float, farthest: float, run: Run
) -> NDArray[np.float32]:
    """Return the distance between the centre of each cell and of the nearest target.

    Parameters
    ----------
    targets : (ny, nx) bool
    cell_size : float [m]
    farthest : float [m]
        What is farther, or has no target at all, gets this.
    run : Run
        Threads, and a way to stop.

    Returns
    -------
    (ny, nx) float32 [m]
        The root of a whole number of square cells, which is exact: two passes, first along
        columns, then along rows with the lower envelope of parabolas, in integers
        [meijster2000]_, [felzenszwalb2012]_. Linear in the cells.

    Examples
    --------
    >>> distance(np.array([[True, False, False]]), 10.0, 15.0, Run()).tolist()
    [[0.0, 10.0, 15.0]]
    """
    ny, nx = targets.shape
    along = np.empty((ny, nx), np.int32)
    _columns(targets, along)
    out = np.empty((ny, nx), np.float32)

    def some_rows(start: int, stop: int) -> None:
        _rows(along, start, stop, cell_size, farthest, out)

    run.slices(some_rows, ny, max(1, CELLS_A_SLICE // nx))
    return out


@kernel
def _columns(targets, along):  # type: ignore[no-untyped-def]
    """Cells to the nearest target in the same column, at most ny + nx."""
    ny, nx = targets.shape
    none = np.int32(ny + nx)
    for c in range(nx):
        along[0, c] = 0 if targets[0, c] else none
    for r in range(1, ny):
        for c in range(nx):
            along[r, c] = 0 if targets[r, c] else min(along[r - 1, c] + 1, none)
    for r in range(ny - 2, -1, -1):
        for c in range(nx):
            along[r, c] = min(along[r, c], along[r + 1, c] + 1)


@kernel
def _rows(along, start, stop, cell_size, farthest, out):  # type: ignore[no-untyped-def]
    """min over i of (c − i)² + along[i]², by the parabolas that are lowest somewhere."""
    nx = along.shape[1]
    lowest = np.empty(nx, np.int64)  # the column of each such parabola
    begins = np.empty(nx, np.int64)  # and the column from which it is the lowest
    for r in range(start, stop):
        count = 0
        for u in range(nx):
            height = np.int64(along[r, u]) ** 2
            begin = 0
            while count > 0:
                i, g = lowest[count - 1], np.int64(along[r, lowest[count - 1]]) ** 2
                x = begins[count - 1]
                if (x - i) ** 2 + g <= (x - u) ** 2 + height:
                    begin = 1 + (u * u - i * i + height - g) // (2 * (u - i))
                    break
                count -= 1
            if begin < nx:
                lowest[count], begins[count] = u, begin
                count += 1
        k = 0
        for c in range(nx):
            while k + 1 < count and begins[k + 1] <= c:
                k += 1
            square = (c - lowest[k]) ** 2 + np.int64(along[r, lowest[k]]) ** 2
            out[r, c] = min(np.sqrt(np.float64(square)) * cell_size, farthest)
            if square >= (along.shape[0] + nx) ** 2:
                out[r, c] = farthest
