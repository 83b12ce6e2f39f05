"""The one executor: runs the steps of a recipe, whole or in windows, on the lattices they ask for.

A stage with a `feature_size` runs on a lattice of that cell, fixed to the world, on the land that
the recipe up to it makes there; what it changes is carried to the output by a smooth spline. So
its forms are the same bits whatever the size of the output: the fields before it bring their own
detail, and a coarse preview shows what the large build will give. A lattice finer than the
output's cells is left out, but never the coarsest.
"""

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import Cancelled
from downcut.features import Table
from downcut.grid import Grid, covered, lattice
from downcut.memory import check_memory
from downcut.recipe import Recipe, Stage, Task
from downcut.run import Ledger, Run
from downcut.sampling import resample
from downcut.step import Step
from downcut.terrain import StepReport

Layers = dict[str, NDArray[Any]]
Features = dict[str, Table]


@dataclass(frozen=True)
class Progress:
    """How far the work is: told often, cheap to ignore."""

    share: float
    """Of the whole recipe, 0 to 1, weighted by the steps' expected cost."""
    op: str
    """The step under way."""
    path: str
    """Where it stands in the recipe."""


@dataclass(frozen=True)
class Moment:
    """The land on its way, for who watches."""

    path: str
    """The step under way, where it stands in the recipe."""
    grid: Grid
    """Its cells: the land's own, or a lattice's with its apron."""
    elevation: NDArray[np.float32]
    """(ny, nx) [m], about to change: copy what you keep."""


@dataclass
class Order:
    """How a recipe is to be carried out; none of it changes a bit of the result."""

    threads: int = 0
    """0 for all."""
    tile: int | None = None
    """Edge of the windows that local steps run in [cells]; None for the whole map at once."""
    on_progress: Callable[[Progress], None] | None = None
    """Called in the working thread."""
    on_field: Callable[[Moment], None] | None = None
    """Called in the working thread with the land as it changes; the work waits for it."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Set it from anywhere to end the work with Cancelled."""
    files: Mapping[str, Path] | None = None
    """The files that steps may read, by the recipe's names for them; None for any path."""


def execute(recipe: Recipe, order: Order) -> tuple[Layers, Features, tuple[StepReport, ...]]:
    """Run every step and return layers, features and a report of each (a Repeat's rounds summed).

    Raises
    ------
    DowncutError
        If it cannot fit in memory, or a step refuses what it is given.
    Cancelled
        If the order's `stop` is set.
    """
    check_memory(recipe)
    work = _Work(recipe, order)
    layers = work.grow(len(work.stages), recipe.grid.grid)
    return layers, work.features, tuple(work.reports.values())


@dataclass
class _Work:
    """A recipe under way: what is done, what has been found, and what it cost."""

    recipe: Recipe
    order: Order
    reports: dict[str, StepReport] = field(default_factory=dict)
    features: Features = field(default_factory=dict)
    changes: dict[int, NDArray[np.float32]] = field(default_factory=dict)
    """What each stage with a feature_size changed, on its lattice."""
    done: float = 0.0

    @cached_property
    def stages(self) -> list[Stage]:
        return self.recipe.stages()

    @cached_property
    def ground(self) -> Grid:
        return self.recipe.grid.grid

    @cached_property
    def total(self) -> float:
        """Expected cost of all there is to do, lattices included."""
        runs = [(len(self.stages), self.ground)]
        cost = 0.0
        for upto, grid in runs:
            for index in self._wanted(upto, grid):
                size = self.stages[index].feature_size
                there = grid if size is None else lattice(self.ground, size)
                cost += sum(t.step.work() for t in self.stages[index].tasks) * there.cells
                if there != grid and (index, there) not in runs:
                    runs.append((index, there))
        return cost

    def grow(self, upto: int, grid: Grid) -> Layers:
        """Return the layers that the first `upto` stages make on a grid."""
        layers: Layers = {}
        wanted = self._wanted(upto, grid)
        lattices = [index for index in wanted if self.stages[index].feature_size]
        for index in wanted:
            stage = self.stages[index]
            there = lattice(self.ground, stage.feature_size) if stage.feature_size else grid
            if there == grid:
                for task in stage.tasks:
                    layers |= self._run(task, layers, grid)
            else:
                self._carry(index, there, layers, grid)
            if upto == len(self.stages) and index == max(lattices, default=-1):
                self.changes.clear()  # nothing is left that would be grown on them
        return layers

    def _wanted(self, upto: int, grid: Grid) -> list[int]:
        """Return which stages a grid needs: none too fine for it, and on lattices none unused.

        The coarsest lattice always counts: however small the preview, it shows the land's forms.
        """
        coarsest = max((stage.feature_size or 0.0 for stage in self.stages), default=0.0)
        finest = min(grid.cell_size, coarsest or math.inf) * (1 - 1e-9)
        wanted = [i for i in range(upto) if (self.stages[i].feature_size or math.inf) >= finest]
        if upto == len(self.stages):
            return wanted
        needed = _reads(self.stages[upto].tasks) | {"elevation"}
        kept = []
        for index in reversed(wanted):
            tasks = self.stages[index].tasks
            if needed & {name for task in tasks for name in task.step.outputs()}:
                needed |= _reads(tasks)
                kept.append(index)
        return kept[::-1]

    def _carry(self, index: int, there: Grid, layers: Layers, grid: Grid) -> None:
        """Add to the elevation what a stage changes on its lattice."""
        if index not in self.changes:
            land = self.grow(index, there)
            before = land["elevation"]
            for task in self.stages[index].tasks:
                land |= self._run(task, land, there)
            self.changes[index] = land["elevation"] - before
        change = self.changes[index]
        carried = resample(change, there, grid, Run(threads=self.order.threads))
        carried += layers["elevation"]
        if grid == self.ground:
            moved = carried.sum(dtype=np.float64) - layers["elevation"].sum(dtype=np.float64)
            self._settle(index, float(moved) * grid.cell_area)
        layers["elevation"] = carried

    def _settle(self, index: int, moved: float) -> None:
        """Count as clamped what a stage's change [m³] gained or lost on its way to the output."""
        paths = {task.path for task in self.stages[index].tasks}
        counted = sum(self.reports[path].ledger.change for path in paths)
        self.reports[self.stages[index].tasks[-1].path].ledger.clamped += moved - counted

    def _run(self, task: Task, layers: Layers, grid: Grid) -> Layers:
        """Run one step, tell how far the whole is, and note what it cost and moved."""
        start, weight = time.perf_counter(), task.step.work() * grid.cells

        def tell(share: float) -> None:
            if self.order.on_progress:
                of_all = (self.done + share * weight) / self.total
                self.order.on_progress(Progress(of_all, task.step.op, task.path))

        if self.order.stop.is_set():
            raise Cancelled
        tell(0.0)
        order, sea = self.order, self.recipe.sea_level
        core = None if grid == self.ground else covered(grid, self.ground)
        look = self._look(task, grid)
        run = Run(order.threads, tell, order.stop, core, sea_level=sea, files=order.files)
        run.on_field = None if order.tile else look  # a window is not the land
        made = _run_step(task, layers, grid, run, order.tile)
        if look and "elevation" in made:
            look(made["elevation"])
        self.done += weight
        self._report(task, time.perf_counter() - start, run.ledger)
        if grid == self.ground:  # a lattice's lines are not this land's
            self.features |= run.features
        return made

    def _look(self, task: Task, grid: Grid) -> Callable[[NDArray[np.float32]], None] | None:
        """Return what shows the land on its way in a step, if anybody watches."""
        watcher = self.order.on_field
        return watcher and (lambda elevation: watcher(Moment(task.path, grid, elevation)))

    def _report(self, task: Task, seconds: float, ledger: Ledger) -> None:
        if before := self.reports.get(task.path):
            seconds += before.seconds
            ledger.add(before.ledger)
        self.reports[task.path] = StepReport(task.step.op, seconds, ledger)


def _reads(tasks: Iterable[Task]) -> set[str]:
    return {name for task in tasks for name in task.step.inputs().values()}


def _run_step(task: Task, layers: Layers, grid: Grid, run: Run, tile: int | None) -> Layers:
    step = task.step
    arrays = {arg: layers.get(name) for arg, name in step.inputs().items()}
    halo = step.halo(grid) if tile else None
    if tile is None or halo is None or tile >= max(grid.shape):
        return _named(step, step.on(arrays, grid=grid, key=task.key, run=run))
    outputs: Layers = {}
    windows = [(r, c) for r in range(0, grid.ny, tile) for c in range(0, grid.nx, tile)]
    whole = run.on_progress
    for number, (row, col) in enumerate(windows):
        if whole:
            run.told = 0.0
            run.on_progress = lambda share, n=number: whole((n + share) / len(windows))
        _run_window(task, arrays, outputs, grid, run, (row, col, tile, halo))
    run.on_progress = whole
    return outputs


def _run_window(
    task: Task,
    arrays: dict[str, NDArray[Any] | None],
    outputs: Layers,
    grid: Grid,
    run: Run,
    place: tuple[int, int, int, int],
) -> None:
    """Run one window with its halo and put its core into `outputs`."""
    row, col, tile, halo = place
    bottom, right = min(row + tile, grid.ny), min(col + tile, grid.nx)
    top, left = max(row - halo, 0), max(col - halo, 0)
    rows = slice(top, min(bottom + halo, grid.ny))
    cols = slice(left, min(right + halo, grid.nx))
    window = grid.window(top, left, rows.stop - top, cols.stop - left)
    run.core = (row - top, bottom - top, col - left, right - left)
    inputs = {arg: None if a is None else a[rows, cols] for arg, a in arrays.items()}
    made = _named(task.step, task.step.on(inputs, grid=window, key=task.key, run=run))
    core = (slice(run.core[0], run.core[1]), slice(run.core[2], run.core[3]))
    for name, array in made.items():
        if name not in outputs:
            outputs[name] = np.empty((*grid.shape, *array.shape[2:]), array.dtype)
        outputs[name][row:bottom, col:right] = array[core]


def _named(step: Step, made: Any) -> Layers:
    """Give the arrays of a call their layers' names."""
    arrays = made if isinstance(made, tuple) else (made,)
    return dict(zip(step.outputs(), arrays, strict=True))
