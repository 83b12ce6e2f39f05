"""Filling depressions to the level at which they spill."""

from downcut._jit import finite_kernel
from downcut.flow.basins import Basins
from downcut.flow.descent import ground
from downcut.run import Run
from downcut.step import Array


def fill(elevation: Array, run: Run | None = None) -> Array:
    """Raise every depression to the level at which its water would spill over.

    Parameters
    ----------
    elevation : (ny, nx) array of float32
        Ground [m]. Edge cells are outlets: water leaves the map there.
    run : Run, optional
        Threads (of the descent; the rest is sequential) and a way to stop.

    Returns
    -------
    (ny, nx) float32 [m]
        The lowest surface nowhere below the ground from which each cell has a way to the edge
        that never climbs: bit for bit what priority-flood gives [barnes2014]_.

    Raises
    ------
    DowncutError
        For an array that is not two-dimensional, is empty or holds NaN or infinity.

    Notes
    -----
    Each cell goes up to ``max(z, spill)`` of its basin, with the spill levels from a minimum
    spanning tree of the basins [cordonnier2019]_: linear in the cells, one short sort of saddles.

    Examples
    --------
    >>> import numpy as np
    >>> bowl = np.array([[5, 5, 5], [5, 1, 5], [5, 3, 5]], dtype=np.float32)
    >>> float(fill(bowl)[1, 1])
    3.0
    """
    z = ground(elevation)
    basins = Basins(z, run or Run())
    filled = z.copy()
    raise_to_spill(filled, basins)
    return filled


def raise_to_spill(z: Array, basins: Basins) -> None:
    """Raise `z`, the ground that the basins are of, to the level at which each of them spills."""
    _raise(z.ravel(), basins.labels, basins.spill)


@finite_kernel
def _raise(z, labels, spill):  # type: ignore[no-untyped-def]
    """max(z, spill level of the basin); basin 0 is nowhere raised."""
    for cell in range(z.size):
        if labels[cell] > 0 and spill[labels[cell]] > z[cell]:
            z[cell] = spill[labels[cell]]
