"""Reading a layer on another grid: smoothly between its cells, or as the mean of many."""

import math

import numpy as np
from numpy.typing import NDArray

from downcut._jit import finite_kernel
from downcut.grid import Grid
from downcut.run import Run

ROWS = 64
BEYOND = 0.1
"""Share of the range of the values around by which the spline may pass them."""


def knots(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the coefficients of the cubic spline through all values, (ny, nx), for `resample`."""
    found = values.astype(np.float64)
    _prefilter(found)
    turned = np.ascontiguousarray(found.T)
    _prefilter(turned)
    return np.ascontiguousarray(turned.T)


def resample(
    values: NDArray[np.float32],
    source: Grid,
    target: Grid,
    run: Run | None = None,
    spline: NDArray[np.float64] | None = None,
) -> NDArray[np.float32]:
    """Interpolate with the cubic spline through all values: smooth to the second derivative.

    Parameters
    ----------
    values : (source.ny, source.nx) float32
    source, target : Grid
        Where values are and where they are wanted; beyond the outermost centres the spline's
        end values go on.
    spline : (source.ny, source.nx) float64, optional
        `knots(values)`, for who resamples the same values often.

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
    spline = knots(values) if spline is None else spline
    rows, down = _taps(source.y * -1, target.y * -1, source.cell_size)
    cols = _taps(source.x, target.x, source.cell_size)
    top, bottom = rows.min(), rows.max() + 1
    across = np.empty((3, bottom - top, target.nx))
    _across(spline[top:bottom], values[top:bottom], *cols, across)
    out = np.empty(target.shape, np.float32)
    run.slices(lambda a, b: _down(across, rows - top, down, out, a, b), target.ny, ROWS)
    return out


def averaged(
    values: NDArray[np.float32], source: Grid, target: Grid, run: Run | None = None
) -> NDArray[np.float32]:
    """Return the mean over each cell of a coarser grid of the plane patches through all values.

    Parameters
    ----------
    values : (source.ny, source.nx) float32
    source, target : Grid
        Where values are and where they are wanted; beyond the outermost centres the end values
        go on.

    Returns
    -------
    (target.ny, target.nx) float32, in the unit of the values
        A plane stays that plane, and the part of a larger result is the result of the part.

    Examples
    --------
    >>> fine, coarse = Grid(9, 9, 1.0), Grid(2, 2, 3.0)
    >>> plane = (fine.x[None, :] - 2 * fine.y[:, None]).astype(np.float32)
    >>> averaged(plane, fine, coarse).tolist()
    [[-4.5, -1.5], [1.5, 4.5]]
    """
    run = run or Run()
    rows = _shares(-source.y, -target.y, source.cell_size, target.cell_size)
    cols = _shares(source.x, target.x, source.cell_size, target.cell_size)
    out = np.empty(target.shape, np.float32)
    run.slices(lambda a, b: _mean(values, *rows, *cols, out, a, b), target.ny, ROWS // 4)
    return out


def _shares(
    source: NDArray[np.float64], target: NDArray[np.float64], step: float, wide: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return (n, k) indices of the values under each target cell, and their shares of it.

    A value's share is the integral over the cell of the tent that rises to 1 at the value and
    falls to 0 at its neighbours.
    """
    ratio = wide / step
    left = (target - source[0]) / step - ratio / 2
    taps = np.floor(left)[:, None] + np.arange(math.ceil(ratio) + 2)
    behind = np.clip(np.stack([left, left + ratio])[:, :, None] - taps, -1, 1)
    area = np.where(behind < 0, (behind + 1) ** 2, 2 - (1 - behind) ** 2) / 2
    index = np.clip(taps, 0, len(source) - 1).astype(np.int64)
    return index, (area[1] - area[0]) / ratio


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


@finite_kernel
def _mean(z, row, row_share, col, col_share, out, first, last):  # type: ignore[no-untyped-def]
    """Sum row by row of the source, then along the columns: the order depends on no window."""
    line = np.empty(z.shape[1])
    low, high = col.min(), col.max() + 1
    for i in range(first, last):
        line[low:high] = 0.0
        for k in range(row.shape[1]):
            share = row_share[i, k]
            for j in range(low, high):
                line[j] += share * z[row[i, k], j]
        for j in range(out.shape[1]):
            total = 0.0
            for k in range(col.shape[1]):
                total += col_share[j, k] * line[col[j, k]]
            out[i, j] = total
