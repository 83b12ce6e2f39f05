"""The forms that a land has for who draws it: in memory one, in a store one on every level."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.export.tints import Scene, tints
from downcut.importing.stored import StoredLand
from downcut.shading import to_srgb
from downcut.terrain import Terrain


def halvings(terrain: Terrain) -> int:
    """Return how many coarser forms of a land there are."""
    return max(len(terrain.levels) - 1, 0) if isinstance(terrain, StoredLand) else 0


def forms(
    terrain: Terrain, stored: Callable[[StoredLand], Any], whole: Callable[[Terrain], Any]
) -> list[Any]:
    """Return what is drawn of a land: of a stored one each level, of one in memory the whole."""
    if isinstance(terrain, StoredLand):
        return [stored(level) for level in terrain.levels]
    return [whole(terrain)]


@dataclass(frozen=True)
class Painted:
    """A picture of a stored land's own colours, of which what is asked for is painted."""

    land: StoredLand
    scene: Scene

    def __getitem__(self, box: tuple[slice, slice]) -> NDArray[np.uint8]:
        """Paint some rows and columns; each cell looks at its neighbours."""
        rows, cols = box
        top, left = max(rows.start - 1, 0), max(cols.start - 1, 0)
        ny, nx = (
            min(part.stop + 1, count) - first
            for part, count, first in zip(box, self.land.grid.shape, (top, left), strict=True)
        )
        part = self.scene.part(self.land.window(top, left, ny, nx).read())
        inner = slice(rows.start - top, rows.stop - top), slice(cols.start - left, cols.stop - left)
        return to_srgb(tints(part, 0, ny))[inner]
