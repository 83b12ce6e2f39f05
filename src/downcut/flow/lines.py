"""Lines without the grid's corners: smoothing of paths that run from cell to cell."""

from downcut._jit import kernel
from downcut.step import Array


def smoothed(x: Array, y: Array, offsets: Array, times: int) -> tuple[Array, Array]:
    """Smooth the points of lines by (1, 2, 1) / 4, so many times; ends stay where they are.

    Parameters
    ----------
    x, y : (n,) float64
    offsets : (lines + 1,) int64
        Line i has the points offsets[i] to offsets[i + 1] − 1.
    times : int
        After n times the bends of fewer than about 2·√n cells are gone.

    Returns
    -------
    (n,) float64, twice
        As many points: none strays more than about √(n / 2) cells, and only where the path bends.

    Examples
    --------
    >>> import numpy as np
    >>> x, y = smoothed(np.array([0.0, 1, 2]), np.array([0.0, 1, 0]), np.array([0, 3]), 1)
    >>> y.tolist()
    [0.0, 0.5, 0.0]
    """
    x, y = x.copy(), y.copy()
    if times:
        _smooth(x, y, offsets, times)
    return x, y


@kernel
def _smooth(x, y, offsets, times):  # type: ignore[no-untyped-def]
    """Binomial passes along each line in place."""
    for line in range(offsets.size - 1):
        for _ in range(times):
            for values in (x, y):
                before = values[offsets[line]]
                for i in range(offsets[line] + 1, offsets[line + 1] - 1):
                    here = values[i]
                    values[i] = 0.25 * (before + 2.0 * here + values[i + 1])
                    before = here
