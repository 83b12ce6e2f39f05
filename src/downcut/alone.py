"""Windows of a land made alone: all of it that nothing far away decides, without the rest.

Fields, local erosion and what stages on lattices change are decided near a window, or on lattices
that are the land's however large it is. Creep is felt by every cell, but a difference of heights
shrinks by a share with each cell, so beyond some of them float64 does not hold it any more. Lakes,
rivers and the sea depend on the whole land: they, and what is made of them, are left out.
"""

import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.erosion.hillslope import Hillslope
from downcut.execute import Order, lattice_changes
from downcut.grid import Grid
from downcut.plan import Leg, plan
from downcut.recipe import Recipe, Task
from downcut.run import Run
from downcut.sampling import resample
from downcut.windows import Layers, halo_of, run_step

Box = tuple[int, int, int, int]
"""(first row, last + 1, first column, last + 1) of the land's cells."""
Deed = tuple[Leg, Task | None, int]
"""What is done on the ground: a task, or None for a change that is carried; and how far it sees."""
FORGOTTEN = 2.0**-64
"""The share of a height that no sum in float64 feels."""


class Alone:
    """Makes windows of a recipe's land alone; what its lattices hold is found once, here.

    Parameters
    ----------
    recipe : Recipe
    threads : int
        0 for all.
    stop : threading.Event, optional
        Set it from another thread to end the work with `Cancelled`.

    Attributes
    ----------
    layers : frozenset of str
        What a window has: the layers that need no more of the land than some surroundings.

    Examples
    --------
    >>> import downcut as dc
    >>> recipe = dc.preset("rolling", size=96)
    >>> corner = Alone(recipe).window((80, 96, 80, 96))
    >>> bool((corner["elevation"] == dc.generate(recipe)["elevation"][80:, 80:]).all())
    True
    """

    def __init__(
        self, recipe: Recipe, *, threads: int = 0, stop: threading.Event | None = None
    ) -> None:
        self.recipe = recipe
        self.order = Order(threads, stop=stop or threading.Event())
        self.way = plan(recipe)
        self.deeds: list[Deed] = []
        made: set[str] = set()
        far: set[str] = set()
        for leg, task in self._all():
            reads, writes = _layers_of(task)
            reach = 0 if task is None else reach_of(task, self.way.grid)
            if reach is None or far & reads:
                far |= writes
            else:
                self.deeds.append((leg, task, reach))
                made |= writes
                far -= writes
        self.layers = frozenset(made - far)
        changes = lattice_changes(recipe, self.order)
        self.changes = {leg.index: stand.layers["elevation"] for leg, stand in changes}

    def window(self, box: Box) -> dict[str, NDArray[Any]]:
        """Return the layers of a window, grown on it and as much around it as decides it."""
        around = np.cumsum([reach for _, _, reach in reversed(self.deeds)])[::-1]
        layers: Layers = {}
        place = self._around(box, int(around[0]) if len(around) else 0)
        for (leg, task, reach), wanted in zip(self.deeds, around, strict=True):
            inner = self._around(box, int(wanted))
            layers, place = {n: _cut(v, place, inner) for n, v in layers.items()}, inner
            grid = self.way.grid.window(
                place[0], place[2], place[1] - place[0], place[3] - place[2]
            )
            core = self._around(box, int(wanted) - reach)
            layers |= self._done(leg, task, layers, grid, _within(core, place))
        return {name: _cut(layers[name], place, box) for name in sorted(self.layers)}

    def _all(self) -> Iterator[tuple[Leg, Task | None]]:
        for leg in self.way.legs:
            if leg.source is not None:
                yield leg, None
            else:
                yield from ((leg, task) for task in leg.stage.tasks)

    def _around(self, box: Box, reach: int) -> Box:
        ny, nx = self.way.grid.shape
        top, bottom, left, right = box
        return (
            max(top - reach, 0), min(bottom + reach, ny),
            max(left - reach, 0), min(right + reach, nx),
        )  # fmt: skip

    def _done(self, leg: Leg, task: Task | None, layers: Layers, grid: Grid, core: Box) -> Layers:
        run = Run(self.order.threads, stop=self.order.stop, sea_level=self.recipe.sea_level)
        if task is not None:
            run.core = core
            return run_step(task, layers, grid, run, None)
        assert leg.source is not None
        carried = resample(self.changes[leg.index], leg.source.grid, grid, run)
        carried += layers["elevation"]
        return {"elevation": carried}


def reach_of(task: Task, grid: Grid) -> int | None:
    """Return how many cells around a window decide what a task does there; None for all."""
    if isinstance(task.step, Hillslope):
        rate = task.step.rate(grid)
        share = (1 + 2 * rate - math.sqrt(1 + 4 * rate)) / (2 * rate)  # left of it a cell on
        return task.step.substeps * math.ceil(math.log(FORGOTTEN) / math.log(share))
    return halo_of(task.step, grid)


def _layers_of(task: Task | None) -> tuple[set[str], set[str]]:
    if task is None:
        return {"elevation"}, {"elevation"}
    return {*task.step.inputs().values()}, {*task.step.outputs()}


def _within(inner: Box, box: Box) -> Box:
    return inner[0] - box[0], inner[1] - box[0], inner[2] - box[2], inner[3] - box[2]


def _cut(values: NDArray[Any], box: Box, inner: Box) -> NDArray[Any]:
    """Return the part of an array on `box` that lies in `inner`."""
    top, bottom, left, right = _within(inner, box)
    return values[top:bottom, left:right]
