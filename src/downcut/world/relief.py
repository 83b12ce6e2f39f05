"""How much too low a coarse lattice makes its land, found on one of the world's own provinces.

A lattice knows no valley shorter than its cells, and no land that stands on the slopes of such a
valley: the coarser it is, the lower its land. The shares of lowland and mountains stay the same,
so one factor on all heights above the sea mends it; being the same for all, it turns no slope
round, and rivers and lakes keep their ways.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from downcut.grid import Grid
from downcut.world.cache import Disk, Memory
from downcut.world.grower import Grower
from downcut.world.province import Place

NEAR = (1, 3)
"""How far from the origin a typical province is looked for, in squares: first near, then far."""
COARSEST = 4
"""Of cells so many times those of the coarsest lattice a province has few: beyond, the factor of
these is taken, for that of fewer is chance."""
MOST = 2.0
"""The factor is this at most, whatever the province says, and at least its inverse."""


class Relief:
    """The factor of each lattice, measured when it is first asked for.

    Parameters
    ----------
    grower : Grower
    disk : Disk
        Where factors are kept.
    outline : function of a place
        The outline of the province there, or None.
    finest : function of a place and its outline
        The height above the rim [m] on the finest lattice.
    """

    def __init__(
        self,
        grower: Grower,
        disk: Disk,
        outline: Callable[[Place], Grid | None],
        finest: Callable[[Place, Grid], NDArray[np.float32]],
    ) -> None:
        self._grower, self._disk, self._outline, self._finest = grower, disk, outline, finest
        self._known: Memory[float] = Memory(1000, lambda _: 1)

    def factor(self, size: float) -> float:
        """Return what heights above the sea on a lattice of this cell [m] are multiplied by."""
        plan = self._grower.plan
        size = min(size, COARSEST * plan.lattices[0])
        if size <= plan.lattice(0):
            return 1.0
        return self._known.get(size, lambda: self._found(size))

    def _found(self, size: float) -> float:
        name = f"relief {size:g}"
        if (arrays := self._disk.read(name)) is not None:
            return float(arrays["factor"])
        factor = self._measured(size)
        self._disk.write(name, {"factor": np.array(factor)})
        return factor

    def _measured(self, size: float) -> float:
        """Return how many times as much land stands above the sea on the finest lattice."""
        if (place := self._typical()) is None:
            return 1.0
        outline = self._outline(place)
        assert outline is not None
        rim, fine = np.float32(self._grower.step.rim), self._grower.plan.lattice(0)
        true = self._above(self._finest(place, outline) + rim) * fine**2
        coarse = self._above(self._grower.alone(place, size)) * size**2
        return min(max(true / coarse, 1 / MOST), MOST) if true > 0 and coarse > 0 else 1.0

    def _typical(self) -> Place | None:
        """Return the place near the origin whose land is neither large nor small."""
        for far in NEAR:
            places = [(r, c) for r in range(-far, far + 1) for c in range(-far, far + 1)]
            lands = sorted((o.cells, place) for place in places if (o := self._outline(place)))
            if lands:
                return lands[len(lands) // 2][1]
        return None

    def _above(self, elevation: NDArray[np.float32]) -> float:
        sea = self._grower.plan.recipe.sea_level or 0.0
        return float(np.maximum(elevation - np.float64(sea), 0).sum())
