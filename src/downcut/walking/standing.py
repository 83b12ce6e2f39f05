"""Where one can stand on a land, and what one looks at from there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from downcut.export.walk import Limits, Place
from downcut.grid import Grid
from downcut.shading import gradient
from downcut.walking.viewpoints import Sight

NAMES = {"peak": "Summit", "fall": "Waterfall", "confluence": "Where two rivers meet",
         "lake": "Lake", "river": "River", "view": "View"}  # fmt: skip
DRY = 0.05
"""Water that one may stand in [m]."""
LOOK = 150.0
"""How far ahead the ground is looked at for the best view [m]."""


@dataclass(frozen=True)
class Ground:
    """A land as somebody on foot sees it.

    Attributes
    ----------
    elevation, depth : (ny, nx) float32 [m]
        The ground, and the water over it.
    grid : Grid
    limits : Limits
    """

    elevation: NDArray[np.float32]
    depth: NDArray[np.float32]
    grid: Grid
    limits: Limits

    def __post_init__(self) -> None:
        east, north = gradient(self.elevation, self.grid.cell_size)
        steep = math.tan(math.radians(0.8 * self.limits.climb))
        good = (self.depth <= DRY) & (east * east + north * north <= steep**2)
        edge = min(math.ceil(self.limits.margin / self.grid.cell_size), min(good.shape) // 4)
        inner = np.zeros_like(good)
        inner[edge : good.shape[0] - edge, edge : good.shape[1] - edge] = True
        object.__setattr__(self, "_cells", np.flatnonzero(good & inner))

    def nearest(self, x: float, y: float) -> tuple[float, float] | None:
        """Return the place nearest to x, y [m] where one can stand; None if there is none."""
        cells: NDArray[np.int64] = self._cells  # type: ignore[attr-defined]
        if not cells.size:
            return None
        row, col = np.divmod(cells, self.grid.nx)
        best = int(((self.grid.x[col] - x) ** 2 + (self.grid.y[row] - y) ** 2).argmin())
        return float(self.grid.x[col[best]]), float(self.grid.y[row[best]])

    def openest(self, x: float, y: float) -> float:
        """Return the direction [°] in which the ground lies lowest below the eye, near and far."""
        angles = np.radians(np.arange(0, 360, 15))
        away = np.linspace(LOOK / 6, LOOK, 6)
        east = x + away[None, :] * np.sin(angles)[:, None]
        north = y + away[None, :] * np.cos(angles)[:, None]
        (top, left), cell = self.grid.corner, self.grid.cell_size
        row = np.floor(-north / cell - top).astype(int)
        col = np.floor(east / cell - left).astype(int)
        off = (row < 0) | (col < 0) | (row >= self.grid.ny) | (col >= self.grid.nx)
        z = self.elevation[row.clip(0, self.grid.ny - 1), col.clip(0, self.grid.nx - 1)]
        rise = (z / away).mean(axis=1) + off.mean(axis=1)
        return float(np.degrees(angles[int(rise.argmin())]))


def stand(ground: Ground, sights: Sequence[Sight]) -> list[Place]:
    """Return for each sight a place to stand at, looking at it, or from a summit down."""
    found = []
    for sight in sights:
        place = ground.nearest(sight.x, sight.y)
        if place is not None:
            found.append(Place("", sight.kind, *place, facing(ground, place, sight)))
    return numbered(found)


def named(sights: Sequence[Sight]) -> list[Place]:
    """Return sights as places, where nobody knows yet on which side of them one can stand."""
    return numbered([Place("", sight.kind, sight.x, sight.y, 0.0) for sight in sights])


def numbered(places: Sequence[Place]) -> list[Place]:
    """Give places their names by their kinds, and numbers from the second of a kind."""
    counts: dict[str, int] = {}
    found = []
    for place in places:
        counts[place.kind] = number = counts.get(place.kind, 0) + 1
        name = NAMES[place.kind] if number == 1 else f"{NAMES[place.kind]} {number}"
        found.append(replace(place, name=name))
    return found


def facing(ground: Ground, place: tuple[float, float], sight: Sight) -> float:
    """Return the direction [°] from a place to a sight; where it is a summit, the best view."""
    east, north = sight.x - place[0], sight.y - place[1]
    if sight.kind in ("peak", "view") or math.hypot(east, north) < ground.grid.cell_size:
        return ground.openest(*place)
    return math.degrees(math.atan2(east, north)) % 360
