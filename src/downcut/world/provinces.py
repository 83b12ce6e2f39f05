"""The provinces of a world: grown when a window first meets them, then kept."""

import threading
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from downcut.fields.continents import Continents
from downcut.grid import Grid
from downcut.world.cache import Disk, Memory
from downcut.world.grower import Grower
from downcut.world.plan import Plan
from downcut.world.province import Place, Province
from downcut.world.relief import Relief
from downcut.world.window import Grown

OUTLINES = 100_000
"""How many places are remembered with what land they have."""


class Provinces:
    """The provinces of a plan; none, where it does not divide the plane.

    Parameters
    ----------
    plan : Plan
    disk : Disk
    memory : int
        Bytes of provinces kept in memory at most, about.
    threads : int
    """

    def __init__(self, plan: Plan, disk: Disk, memory: int, threads: int) -> None:
        self._plan, self._disk = plan, disk
        self._grower = Grower(plan, threads) if plan.coarse else None
        self._kept: Memory[Province] = Memory(memory, lambda province: province.nbytes)
        self._outlines: Memory[Grid | None] = Memory(OUTLINES, lambda _: 1)
        self._tell: Callable[[float], None] | None = None
        self._relief = self._grower and Relief(self._grower, disk, self._near_one, self._finest)

    def watch(self, stop: threading.Event, tell: Callable[[float], None] | None) -> None:
        """Let `stop` give up, from now on, what grows; tell of each that begins its cell [m]."""
        self._tell = tell
        if self._grower:
            self._grower.stop = stop

    def near(self, grid: Grid, level: int, halo: int = 0) -> Iterator[Grown]:
        """Yield those with land on a grid and so many cells around it, in the order of places.

        Where cells are coarser than every lattice they are blocks of provinces, grown together; the
        place is then that of the north-western one.
        """
        if self._grower is None or self._plan.continents is None:
            return
        step, key = self._plan.continents.step, self._plan.continents.key
        assert isinstance(step, Continents)
        cell, together = grid.cell_size, self._plan.together(level)
        (top, left), (ny, nx) = grid.corner, grid.shape
        bounds = (
            (top - halo) * cell,
            (top + ny + halo) * cell,
            (left - halo) * cell,
            (left + nx + halo) * cell,
        )
        for place in step.provinces(bounds, key, together):
            outline = self._outline(self._grower, place, together)
            if outline is not None and _meet(outline, bounds):
                north_west = place[0] * together, place[1] * together
                yield Grown(north_west, self._province(self._grower, place, outline, level))

    def _outline(self, grower: Grower, place: Place, together: int) -> Grid | None:
        return self._outlines.get((place, together), lambda: grower.outline(place, together))

    def _near_one(self, place: Place) -> Grid | None:
        assert self._grower is not None
        return self._outline(self._grower, place, 1)

    def _finest(self, place: Place, outline: Grid) -> NDArray[np.float32]:
        """Return the height above the rim of a province as windows of level 0 take it over."""
        assert self._grower is not None
        height: NDArray[np.float32] = self._province(self._grower, place, outline, 0).layers[
            "elevation"
        ]
        return height

    def _province(self, grower: Grower, place: Place, outline: Grid, level: int) -> Province:
        size, together = self._plan.lattice(level), self._plan.together(level)
        name = f"province {size:g} {place[0]} {place[1]}"

        def make() -> Province:
            if (arrays := self._disk.read(name)) is not None:
                return Province.read(arrays)
            if self._tell:
                self._tell(size)
            factor = self._relief.factor(size) if self._relief else 1.0
            province = grower.grow(place, outline, size, together, factor)
            self._disk.write(name, province.arrays())
            return province

        return self._kept.get(name, make)


def _meet(outline: Grid, bounds: tuple[float, float, float, float]) -> bool:
    (top, left), (ny, nx), cell = outline.corner, outline.shape, outline.cell_size
    return not (
        (top + ny) * cell < bounds[0]
        or top * cell > bounds[1]
        or (left + nx) * cell < bounds[2]
        or left * cell > bounds[3]
    )
