"""Accumulation: the sum, for each cell, over all cells that drain through it."""

import numpy as np

from downcut._jit import kernel
from downcut.errors import DowncutError
from downcut.flow.routing import DONE, check_acyclic, directions, donors
from downcut.step import Array

_BITS = 62
"""Sums stay below 2⁶², whatever the directions."""
_SMALLEST = -1074
"""The exponent of the smallest float64."""


def accumulate(receivers: Array, weights: Array | None = None) -> Array:
    """Sum weights along the flow: each cell's own and those of every cell upstream of it.

    Parameters
    ----------
    receivers : (ny, nx) array of int
        Flat index of each cell's receiver, as `routing.receivers` makes them, or another's.
    weights : (ny, nx) array, optional
        What each cell adds, such as its rain; by default 1, which counts cells.

    Returns
    -------
    (ny, nx) float64, in the unit of the weights
        Counts are exact. Weights are rounded to whole multiples of a power of two, about
        2⁻⁶² of what all cells together could weigh, and these are summed exactly: the result
        depends on no order, and outlets sum to the whole but for that rounding.

    Raises
    ------
    DowncutError
        If a receiver is not a neighbour, directions run in a circle, or the weights have another
        shape, NaN or infinity.

    Notes
    -----
    One walk down from each source, waiting where other water is still to come [zhou2019]_.

    Examples
    --------
    >>> import numpy as np
    >>> accumulate(np.array([[1, 2, 2, 2]])).tolist()
    [[1.0, 2.0, 4.0, 1.0]]
    """
    flat = directions(receivers)
    sums, unit = _whole(weights, receivers.shape)
    waiting = donors(flat, receivers.shape[1])
    check_acyclic(walk_sums(flat, waiting, sums), waiting, receivers.shape[1])
    del waiting
    totals = sums.astype(np.float64)
    if unit != 1:
        totals *= unit
    return totals.reshape(receivers.shape)


def _whole(weights: Array | None, shape: tuple[int, ...]) -> tuple[Array, float]:
    """Return the weights as whole multiples of a unit, and the unit: a power of two."""
    cells = int(np.prod(shape))
    if weights is None:
        return np.ones(cells, np.int64), 1.0
    if np.shape(weights) != shape:
        raise DowncutError(f"weights have shape {np.shape(weights)}, receivers {shape}")
    largest = float(np.abs(weights).max())  # NaN if any is
    if not np.isfinite(largest):
        raise DowncutError("weights hold NaN or infinity: every cell needs a finite weight")
    # frexp, ldexp: largest < 2**exponent exactly, so cells · largest / unit < 2**62
    exponent = int(np.frexp(largest)[1]) + int(cells).bit_length() - _BITS
    exponent = max(exponent, _SMALLEST)
    scaled = np.ldexp(np.asarray(weights, np.float64), -exponent)
    return np.rint(scaled).astype(np.int64).ravel(), float(np.ldexp(1.0, exponent))


@kernel
def walk_sums(receivers, waiting, sums):  # type: ignore[no-untyped-def]
    """Hand each sum on to the receiver once it is complete; return how many cells were."""
    reached = 0
    for source in range(receivers.size):
        cell = source
        while waiting[cell] == 0:
            waiting[cell] = DONE
            reached += 1
            if receivers[cell] != cell:
                sums[receivers[cell]] += sums[cell]
                cell = receivers[cell]
                waiting[cell] -= 1
    return reached
