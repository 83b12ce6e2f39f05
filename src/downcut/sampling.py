"""Reading a layer between its cells: smooth resampling from a coarse grid to a finer one."""

import numpy as np
from numpy.typing import NDArray

from downcut._jit import finite_kernel
from downcut.grid import Grid
from downcut.run import Run

ROWS = 64
BEYOND = 0.1
"""Share of the range of the values around by which the spline may pass them."""


def resample(
    values: NDArray[np.float32], source: Grid, target: Grid, run: Run | None = None
) -> NDArray[np.float32]:
    """Interpolate with the cubic spline through all values: smooth to the second derivative.

    Parameters
    ----------
    values : (source.ny, source.nx) float32
    source, target : Grid
        Where values are and where they are wanted; beyond the outermost centres the spline's
        end values go on.

    Returns
    -------
    (target.ny, target.nx) float32, in the unit of the values
        Equal to the values where the centres of both grids coincide, to rounding; nowhere beyond
        the 16 values around by more than a tenth of their range, so that the spline does not ring
        at a cliff.

    Examples
    --------
    >>> coarse, fine = Grid(4, 4, 2.0), Grid(8, 8, 1.0)
    >>> plane = (coarse.x[None, :] - coarse.y[:, None]).astype(np.float32)
    >>> error = resample(plane, coarse, fine) - (fine.x - fine.y[:, None])
    >>> bool(abs(error[2:-2, 2:-2]).max() < 0.2)
    True
    """
    run = run or Run()
    knots = values.astype(np.float64)
    _prefilter(knots)
    turned = np.ascontiguousarray(knots.T)
    _prefilter(turned)
    rows = _taps(source.y * -1, target.y * -1, source.cell_size)
    cols = _taps(source.x, target.x, source.cell_size)
    across = np.empty((3, source.ny, target.nx))
    _across(np.ascontiguousarray(turned.T), values, *cols, across)
    out = np.empty(target.shape, np.float32)
    run.slices(lambda a, b: _down(across, *rows, out, a, b), target.ny, ROWS)
    return out


def _taps(
    source: NDArray[np.float64], target: NDArray[np.float64], step: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return (n, 4) indices of the knots that each target position needs, and their weights."""
    place = np.clip((target - source[0]) / step, 0, len(source) - 1)
    cell = np.minimum(np.floor(place), max(len(source) - 2, 0)).astype(np.int64)
    t = place - cell
    weights = np.stack(
        [(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3], axis=1
    )
    index = np.clip(cell[:, None] + np.arange(-1, 3), 0, len(source) - 1)
    return index, weights / 6


@finite_kernel
def _prefilter(z):  # type: ignore[no-untyped-def]
    """Turn values into B-spline coefficients down every column, ends repeated (Thomas)."""
    n = z.shape[0]
    if n == 1:
        return
    ratio = np.empty(n)
    ratio[0] = 1.0 / 5.0  # (4 + 1)·c₀ + c₁ = 6·z₀: the end knot stands for the one beyond
    for j in range(z.shape[1]):
        z[0, j] *= 6.0 / 5.0
    for i in range(1, n):
        middle = 5.0 if i == n - 1 else 4.0
        scale = 1.0 / (middle - ratio[i - 1])
        ratio[i] = scale
        for j in range(z.shape[1]):
            z[i, j] = (6.0 * z[i, j] - z[i - 1, j]) * scale
    for i in range(n - 2, -1, -1):
        for j in range(z.shape[1]):
            z[i, j] -= ratio[i] * z[i + 1, j]


@finite_kernel
def _across(z, values, index, weight, out):  # type: ignore[no-untyped-def]
    """Along rows: the spline, and the lowest and highest of the values it lies between."""
    for i in range(z.shape[0]):
        for j in range(out.shape[2]):
            total, low, high = 0.0, np.float64(np.inf), np.float64(-np.inf)
            for k in range(4):
                total += weight[j, k] * z[i, index[j, k]]
                value = np.float64(values[i, index[j, k]])
                low, high = min(low, value), max(high, value)
            out[0, i, j], out[1, i, j], out[2, i, j] = total, low, high


@finite_kernel
def _down(z, index, weight, out, first, last):  # type: ignore[no-untyped-def]
    """Down columns likewise, kept near the values around."""
    for i in range(first, last):
        a, b, c, d = index[i]
        wa, wb, wc, wd = weight[i]
        for j in range(out.shape[1]):
            smooth = wa * z[0, a, j] + wb * z[0, b, j] + wc * z[0, c, j] + wd * z[0, d, j]
            low = min(min(z[1, a, j], z[1, b, j]), min(z[1, c, j], z[1, d, j]))
            high = max(max(z[2, a, j], z[2, b, j]), max(z[2, c, j], z[2, d, j]))
            beyond = BEYOND * (high - low)
            out[i, j] = min(max(smooth, low - beyond), high + beyond)
