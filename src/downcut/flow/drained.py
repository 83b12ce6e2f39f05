"""A drained land: the sea let in, depressions full, and the way that water takes from each cell."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from downcut._jit import finite_kernel, kernel
from downcut.flow.accumulate import accumulate
from downcut.flow.basins import Basins
from downcut.flow.depressions import raise_to_spill
from downcut.flow.descent import ground, index_dtype
from downcut.flow.routing import leave_depressions
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run
from downcut.step import Array

_NAME, _AREA = "drained", "drained area"


@dataclass(frozen=True)
class Drained:
    """Where water stands and where it goes.

    Attributes
    ----------
    level : (ny, nx) float32
        The ground with every depression full to its spill and the sea at its level [m]. It
        never rises along the receivers.
    receivers : (ny, nx) int
        Flat index of the cell that each cell drains into. Outlets are their own: cells of the
        sea, and cells on the map's edge.
    sea : (ny, nx) bool, or None where there is none
        What the sea covers.
    """

    level: Array
    receivers: Array
    sea: Array | None


def drain(elevation: Array, run: Run) -> Drained:
    """Let in the sea that the run names, fill depressions, and route the water.

    Parameters
    ----------
    elevation : (ny, nx) array of float32
        Ground [m].
    run : Run
        Its sea level, threads (of the descent; the rest is sequential), a way to stop, and what
        steps share: there the same ground is drained once, so copy what you write to.

    Examples
    --------
    >>> import numpy as np
    >>> coast = np.array([[9, 9, 9, 9, 9], [9, 1, 3, -2, -9], [9, 9, 9, 9, 9]], np.float32)
    >>> drained = drain(coast, Run(sea_level=0))
    >>> drained.level[1].tolist(), drained.receivers[1].tolist()
    ([9.0, 3.0, 3.0, 0.0, 0.0], [6, 7, 8, 8, 9])
    """
    if run.shared is not None:
        known = run.shared.get(_NAME)
        if known and known[0] is elevation and known[1] == run.sea_level:
            return cast(Drained, known[2])
        for name in (_NAME, _AREA):  # before the next is made: two would be twice the memory
            run.shared.pop(name, None)
    drained = _drain(elevation, run)
    if run.shared is not None:
        run.shared[_NAME] = (elevation, run.sea_level, drained)
    return drained


def drained_area(drained: Drained, cell_area: float, run: Run) -> Array:
    """Return the ground [m²] that drains through each cell, (ny, nx) float64; summed up once."""
    known = None if run.shared is None else run.shared.get(_AREA)
    if known and known[0] is drained:
        return cast(Array, known[1])
    area = accumulate(drained.receivers)
    area *= cell_area
    if run.shared is not None:
        run.shared[_AREA] = (drained, area)
    return area


def _drain(elevation: Array, run: Run) -> Drained:
    level, sea = let_in_sea(ground(elevation), run.sea_level)
    basins = Basins(level, run)
    leave_depressions(level, basins)  # needs the ground as it is: before it is filled
    raise_to_spill(level, basins)
    if sea is not None:
        _end_in_sea(basins.receivers, sea.ravel())
    return Drained(level, basins.receivers.reshape(level.shape), sea)


def let_in_sea(elevation: Array, level: float | None) -> tuple[Array, Array | None]:
    """Cover ground below the sea's level that it reaches from the map's edge over such ground.

    A hollow below sea level behind higher ground stays as it is.

    Returns
    -------
    (ny, nx) float32
        A copy of the ground, raised to the level under the sea [m].
    (ny, nx) bool, or None
        The sea; None where there is none.
    """
    z = elevation.copy()
    if level is None:
        return z, None
    sea = np.zeros(z.shape, np.bool_)
    queue = np.empty(z.size, index_dtype(z.size))
    if not _flood(z, sea, np.float32(level), queue):
        return z, None
    return z, sea


@kernel
def _flood(z, sea, level, queue):  # type: ignore[no-untyped-def]
    """Raise ground below `level` from the edge inward; return how many cells that is."""
    ny, nx = z.shape
    count = 0
    for row in range(ny):
        for col in range(0, nx, 1 if row in (0, ny - 1) else max(nx - 1, 1)):
            if z[row, col] < level:
                z[row, col] = level
                sea[row, col] = True
                queue[count] = row * nx + col
                count += 1
    first = 0
    while first < count:
        row, col = divmod(queue[first], nx)
        first += 1
        for k in range(8):
            r, c = row + D8_ROW[k], col + D8_COL[k]
            if 0 <= r < ny and 0 <= c < nx and z[r, c] < level:
                z[r, c] = level
                sea[r, c] = True
                queue[count] = r * nx + c
                count += 1
    return count


@finite_kernel
def _end_in_sea(receivers, sea):  # type: ignore[no-untyped-def]
    """Make every cell of the sea an outlet."""
    for cell in range(receivers.size):
        receivers[cell] = cell if sea[cell] else receivers[cell]
