"""The one executor: runs the steps of a recipe on the ground and on the lattices they ask for.

A stage with a `feature_size` runs on a lattice of that cell, fixed to the world, on the land that
the recipe up to it makes there; what it changes is carried to the output by a smooth spline. So
its forms are the same bits whatever the size of the output: the fields before it bring their own
detail, and a coarse preview shows what the large build will give. A lattice finer than the
output's cells is left out, but never the coarsest.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import Cancelled, DowncutError
from downcut.features import Table
from downcut.grid import Grid
from downcut.keeping import Kept, Note, Stand
from downcut.memory import check_memory
from downcut.plan import Leg, Plan, plan
from downcut.recipe import Recipe, Task
from downcut.run import Ledger, Run
from downcut.sampling import resample
from downcut.terrain import StepReport
from downcut.windows import run_step

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
    start: NDArray[np.float32] | None = None
    """The elevation that the step began with; None where it is the first to make one."""
    share: float = 0.0
    """Of the step, 0 to 1: how much of it is done."""


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
    kept: Kept | None = None
    """Where results are looked up and kept, so that only the steps after a changed one run."""
    watched: int = 0
    """The first step of the recipe's list that `on_field` must see: what follows runs anew."""


def execute(recipe: Recipe, order: Order) -> tuple[Layers, Features, tuple[StepReport, ...]]:
    """Run every step and return layers, features and a report of each (a Repeat's rounds summed).

    Raises
    ------
    DowncutError
        If it cannot fit in memory, or a step refuses what it is given.
    Cancelled
        If the order's `stop` is set.
    """
    _check_memory(recipe, order.kept)
    way = plan(recipe, order.files)
    work = _Work(recipe, order, way.work())
    stand = work.follow(way)
    features: Features = {}
    reports: dict[str, StepReport] = {}
    for name, note in stand.notes.items():
        features |= note.features
        for place, report in note.reports.items():
            _add(reports, f"steps.{work.index[name]}{place}", report)
    return dict(stand.layers), features, tuple(reports.values())


def lattice_changes(recipe: Recipe, order: Order) -> Iterator[tuple[Leg, Stand]]:
    """Yield each stage that runs on a lattice, and what it changes of the elevation there.

    For who carries the changes to a land that no memory holds: the legs are those of the plan, in
    order, and the change is the layer `elevation` of the stand.
    """
    way = plan(recipe, order.files)
    far = [leg for leg in way.legs if leg.source]
    costs: dict[str, float] = {}
    for leg in far:
        assert leg.source is not None
        steps = sum(task.step.work() for task in leg.stage.tasks)
        costs |= leg.source.work() | {leg.work_name: steps * leg.source.grid.cells}
    work = _Work(recipe, order, costs)
    for leg in far:
        assert leg.source is not None
        yield leg, work._change(leg, leg.source)


def _check_memory(recipe: Recipe, kept: Kept | None) -> None:
    """Refuse a recipe that cannot fit, even when nothing is kept."""
    try:
        check_memory(recipe)
    except DowncutError:
        if kept is None or not kept.nbytes:
            raise
        kept.forget()
        check_memory(recipe)


def _add(reports: dict[str, StepReport], path: str, report: StepReport) -> None:
    """Put a report beside those of the same step, or add it to them."""
    if before := reports.get(path):
        total = Ledger()
        total.add(before.ledger)
        total.add(report.ledger)
        report = StepReport(report.op, before.seconds + report.seconds, total)
    reports[path] = report


@dataclass
class _Work:
    """A recipe under way: what has been found, and how far it is."""

    recipe: Recipe
    order: Order
    costs: dict[str, float]
    """What is expected of all that is not done yet [ns], by name."""
    changes: dict[str, Stand] = field(default_factory=dict)
    """What stages changed on their lattices, as the layer `elevation`."""
    shared: dict[str, Any] = field(default_factory=dict)
    """What steps found out of a land and others may use again; as for `Run`."""
    index: dict[str, int] = field(default_factory=dict)
    """Which of the recipe's stages a note is about."""
    total: float = 0.0
    done: float = 0.0

    def __post_init__(self) -> None:
        self.total = sum(self.costs.values())

    def follow(self, way: Plan) -> Stand:
        """Return the land at the end of a plan."""
        self._number(way)
        stand, first = self._known(way)
        layers, notes = dict(stand.layers), dict(stand.notes)
        last = max((leg.index for leg in way.legs if leg.source), default=-1)
        for leg in way.legs[first:]:
            if leg.source is None:
                made, notes[leg.name] = self._stage(leg, layers, way)
            else:
                made, found = self._carried(leg, leg.source, layers, way)
                notes |= found
                if way.core is None and leg.index == last:
                    self.changes.clear()  # nothing is left that would be grown on them
            layers |= made
            self._keep(leg.name, Stand(dict(layers), dict(notes)))
        return Stand(layers, notes)

    def _number(self, way: Plan) -> None:
        for leg in way.legs:
            self.index[leg.name] = self.index[leg.work_name] = leg.index
            if leg.source is not None:
                self._number(leg.source)

    def _known(self, way: Plan) -> tuple[Stand, int]:
        """Return the last land on the way that is kept, and the number of the leg after it."""
        for number in reversed(range(len(way.legs))):
            if stand := self._find(way.legs[number].name, way.legs[number].index):
                return stand, number + 1
        return Stand({}, {}), 0

    def _find(self, name: str, index: int) -> Stand | None:
        order = self.order
        if order.kept is None or (order.on_field and index >= order.watched):
            return None
        stand = order.kept.find(name)
        for done in stand.notes if stand else ():
            self.total -= self.costs.pop(done, 0.0)
        return stand

    def _keep(self, name: str, stand: Stand) -> None:
        if self.order.kept is not None:
            self.order.kept.keep(name, stand)

    def _carried(
        self, leg: Leg, source: Plan, layers: Layers, way: Plan
    ) -> tuple[Layers, dict[str, Note]]:
        """Add to the elevation what a stage changes on its lattice."""
        change = self._change(leg, source)
        run = Run(threads=self.order.threads)
        elevation = resample(change.layers["elevation"], source.grid, way.grid, run)
        elevation += layers["elevation"]
        notes = dict(change.notes)
        if way.core is None:
            before = layers["elevation"].sum(dtype=np.float64)
            moved = float(elevation.sum(dtype=np.float64) - before) * way.grid.cell_area
            notes[leg.name] = _settled(leg, change.notes[leg.work_name], moved)
        return {"elevation": elevation}, notes

    def _change(self, leg: Leg, source: Plan) -> Stand:
        """Return what a stage changes of the elevation on its lattice."""
        name = leg.work_name
        if name not in self.changes:
            if (change := self._find(f"change {name}", leg.index)) is None:
                land = self.follow(source)
                made, note = self._stage(leg, dict(land.layers), source)
                notes = {**land.notes, name: note}
                now = made.get("elevation", land.layers["elevation"])
                moved = now - land.layers["elevation"]
                change = Stand({"elevation": moved}, notes)
                self._keep(name, Stand({**land.layers, **made}, notes))
                self._keep(f"change {name}", change)
            self.changes[name] = change
        return self.changes[name]

    def _stage(self, leg: Leg, layers: Layers, way: Plan) -> tuple[Layers, Note]:
        """Run a stage's steps and return the layers that it made."""
        made: Layers = {}
        reports: dict[str, StepReport] = {}
        features: Features = {}
        for task in leg.stage.tasks:
            start = time.perf_counter()
            more, run = self._run(task, layers | made, way)
            made |= more
            spent = time.perf_counter() - start
            _add(reports, leg.place(task), StepReport(task.step.op, spent, run.ledger))
            features |= run.features if way.core is None else {}  # a lattice's are not this land's
        self.costs.pop(leg.work_name, None)
        return made, Note(reports, features)

    def _run(self, task: Task, layers: Layers, way: Plan) -> tuple[Layers, Run]:
        """Run one step, tell how far the whole is, and show the land."""
        weight = task.step.work() * way.grid.cells

        def tell(share: float) -> None:
            if self.order.on_progress:
                of_all = min(1.0, (self.done + share * weight) / max(self.total, weight))
                self.order.on_progress(Progress(of_all, task.step.op, task.path))

        if self.order.stop.is_set():
            raise Cancelled
        tell(0.0)
        order, sea = self.order, self.recipe.sea_level
        run = Run(order.threads, tell, order.stop, way.core, sea_level=sea, files=order.files)
        look = self._look(task, way.grid, layers.get("elevation"), run)
        run.on_field = None if order.tile else look  # a window is not the land
        run.shared = self.shared
        made = run_step(task, layers, way.grid, run, order.tile)
        run.told = 1.0
        if look and "elevation" in made:
            look(made["elevation"])
        self.done += weight
        return made, run

    def _look(
        self, task: Task, grid: Grid, start: NDArray[np.float32] | None, run: Run
    ) -> Callable[[NDArray[np.float32]], None] | None:
        """Return what shows the land on its way in a step, if anybody watches."""
        watcher = self.order.on_field
        return watcher and (
            lambda elevation: watcher(Moment(task.path, grid, elevation, start, run.told))
        )


def _settled(leg: Leg, note: Note, moved: float) -> Note:
    """Count as clamped what a stage's change [m³] gained or lost on its way to the output."""
    place, last = list(note.reports.items())[-1]
    counted = sum(report.ledger.change for report in note.reports.values())
    return Note({place: StepReport(last.op, 0.0, Ledger(clamped=moved - counted))})
