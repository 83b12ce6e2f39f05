"""Places worth going to, found from the terrain: peaks, falls, confluences, lakes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from downcut.features import Table
from downcut.grid import Grid
from downcut.walking.prominence import prominences

Heights = NDArray[np.float32]

MOST = {"peak": 3, "fall": 2, "confluence": 2, "lake": 2}
"""How many of a kind are told."""
LEAST_PROMINENCE = 0.04
"""Of a peak that is told, as a share of the land's relief."""
FALL = 12.0
"""Length of a river over which a fall is measured [m]."""
STEEP = 0.15
"""Drop over that length, at least, for a fall [m/m]."""
APART = 60.0
"""Two of a kind are no nearer to each other [m]."""
MEETS = 3.0
"""How far the end of a river may lie from the one that it joins [m]."""
SMALLEST_LAKE = 150.0
"""[m²]"""


@dataclass(frozen=True)
class Sight:
    """Something worth seeing, in metres east and north, and how much of it there is.

    `size` is a peak's prominence [m], a fall's drop [m], the discharge of the smaller river at a
    confluence [m³/yr], a lake's area [m²]; the largest of a kind come first.
    """

    kind: str
    x: float
    y: float
    size: float


def sights(
    elevation: Heights, grid: Grid, rivers: Table | None, lake: NDArray[np.int32], margin: float
) -> list[Sight]:
    """Return what is worth seeing, no nearer to the grid's edges than `margin` [m].

    Parameters
    ----------
    elevation : (ny, nx) float32 [m]
    grid : Grid
    rivers : Table or None
        Lines with points x, y, surface [m], discharge [m³/yr], downstream.
    lake : (ny, nx) int32
        Number of the lake, 0 for none.
    """
    found = peaks(elevation, grid)
    if rivers is not None:
        found += [*falls(rivers), *confluences(rivers)]
    return foremost([*found, *lakes(lake, grid)], grid, margin)


def foremost(found: Sequence[Sight], grid: Grid, margin: float) -> list[Sight]:
    """Return the largest of each kind, of those no nearer to a grid's edges than `margin` [m]."""
    west, east = grid.x[0] + margin, grid.x[-1] - margin
    south, north = grid.y[-1] + margin, grid.y[0] - margin
    inside = [s for s in found if west <= s.x <= east and south <= s.y <= north]
    return [each for kind in MOST for each in _largest(inside, kind)]


def peaks(elevation: Heights, grid: Grid) -> list[Sight]:
    """Return the peaks by prominence: how far one must go down to reach higher ground.

    The highest peak's is its height above the lowest ground.
    """
    cells, prominence = prominences(np.ascontiguousarray(elevation, np.float32))
    relief = float(elevation.max()) - float(elevation.min())
    good = (prominence > 0) & (prominence >= LEAST_PROMINENCE * relief)
    row, col = np.divmod(cells[good], grid.nx)
    return [
        Sight("peak", float(grid.x[c]), float(grid.y[r]), float(p))
        for r, c, p in zip(row, col, prominence[good], strict=True)
    ]


def falls(rivers: Table) -> list[Sight]:
    """Return where rivers drop the most over `FALL` metres of their way, at the upper end."""
    found = []
    for line in (rivers.line(row) for row in range(len(rivers))):
        away = _along(line["x"], line["y"])
        if away[-1] < FALL:
            continue
        below = np.interp(np.minimum(away + FALL, away[-1]), away, line["surface"])
        drop = np.where(away + FALL <= away[-1], line["surface"] - below, 0)
        for i in np.flatnonzero(drop >= STEEP * FALL):
            found.append(Sight("fall", float(line["x"][i]), float(line["y"][i]), float(drop[i])))
    return found


def confluences(rivers: Table) -> list[Sight]:
    """Return where a river ends on another, with the discharge that it brings."""
    found = []
    lines = [rivers.line(row) for row in range(len(rivers))]
    for number, line in enumerate(lines):
        x, y = float(line["x"][-1]), float(line["y"][-1])
        for other, along in enumerate(lines):
            if other == number or along["discharge"][-1] < line["discharge"][-1]:
                continue
            way = np.hypot(along["x"] - x, along["y"] - y)
            step = np.hypot(np.diff(along["x"]), np.diff(along["y"])).max(initial=0.0)
            if way.min() <= MEETS + step / 2:
                found.append(Sight("confluence", x, y, float(line["discharge"][-1])))
                break
    return found


def lakes(lake: NDArray[np.int32], grid: Grid) -> list[Sight]:
    """Return the middle of each lake that is not too small."""
    cells = np.flatnonzero(lake)
    numbers, which, counts = np.unique(
        lake.reshape(-1)[cells], return_inverse=True, return_counts=True
    )
    row, col = np.divmod(cells, grid.nx)
    x = np.bincount(which, grid.x[col], numbers.size) / np.maximum(counts, 1)
    y = np.bincount(which, grid.y[row], numbers.size) / np.maximum(counts, 1)
    area = counts * grid.cell_area
    good = np.flatnonzero(area >= SMALLEST_LAKE)
    return [Sight("lake", float(x[i]), float(y[i]), float(area[i])) for i in good]


def _largest(found: Sequence[Sight], kind: str) -> list[Sight]:
    """Return the largest of a kind that are not next to a larger one."""
    kept: list[Sight] = []
    for each in sorted((s for s in found if s.kind == kind), key=lambda s: -s.size):
        if len(kept) == MOST[kind]:
            break
        if all(np.hypot(each.x - s.x, each.y - s.y) >= APART for s in kept):
            kept.append(each)
    return kept


def _along(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    away: NDArray[np.float64] = np.append(0, np.cumsum(np.hypot(np.diff(x), np.diff(y))))
    return away
