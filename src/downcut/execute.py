"""The one executor: runs the steps of a recipe, whole or in windows with their halo."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from downcut.errors import Cancelled, DowncutError
from downcut.grid import Grid
from downcut.layers import layer
from downcut.recipe import Recipe, Task
from downcut.run import Ledger, Run
from downcut.step import Step
from downcut.terrain import StepReport

Layers = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Progress:
    """How far the work is: told often, cheap to ignore."""

    share: float
    """Of the whole recipe, 0 to 1, weighted by the steps' expected cost."""
    op: str
    """The step under way."""
    path: str
    """Where it stands in the recipe."""


@dataclass
class Order:
    """How a recipe is to be carried out; none of it changes a bit of the result."""

    threads: int = 0
    """0 for all."""
    tile: int | None = None
    """Edge of the windows that local steps run in [cells]; None for the whole map at once."""
    on_progress: Callable[[Progress], None] | None = None
    """Called in the working thread."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Set it from anywhere to end the work with Cancelled."""


def execute(recipe: Recipe, order: Order) -> tuple[Layers, tuple[StepReport, ...]]:
    """Run every step and return the layers and a report of each step (Repeat: of each summed).

    Raises
    ------
    DowncutError
        If it cannot fit in memory, or a step refuses what it is given.
    Cancelled
        If the order's `stop` is set.
    """
    check_memory(recipe)
    grid = recipe.grid.grid
    layers: Layers = {}
    reports: dict[str, StepReport] = {}
    total = sum(task.step.work() for task in recipe.tasks())
    done = 0.0
    for task in recipe.tasks():
        start, base, weight = time.perf_counter(), done, task.step.work()

        def tell(share: float, task: Task = task, base: float = base, w: float = weight) -> None:
            if order.on_progress:
                order.on_progress(Progress((base + share * w) / total, task.step.op, task.path))

        if order.stop.is_set():
            raise Cancelled
        tell(0.0)
        run = Run(threads=order.threads, on_progress=tell, stop=order.stop)
        layers.update(_run_step(task, layers, grid, run, order.tile))
        _report(reports, task, time.perf_counter() - start, run.ledger)
        done += weight
    return layers, tuple(reports.values())


def _report(reports: dict[str, StepReport], task: Task, seconds: float, ledger: Ledger) -> None:
    if before := reports.get(task.path):
        seconds += before.seconds
        ledger.add(before.ledger)
    reports[task.path] = StepReport(task.step.op, seconds, ledger)


def _run_step(task: Task, layers: Layers, grid: Grid, run: Run, tile: int | None) -> Layers:
    step = task.step
    arrays = {arg: layers.get(name) for arg, name in step.inputs().items()}
    halo = step.halo(grid) if tile else None
    if tile is None or halo is None or tile >= max(grid.shape):
        return _named(step, step.on(dict(arrays), grid=grid, key=task.key, run=run))
    outputs: Layers = {}
    windows = [(r, c) for r in range(0, grid.ny, tile) for c in range(0, grid.nx, tile)]
    whole = run.on_progress
    for number, (row, col) in enumerate(windows):
        if whole:
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
    """Give the arrays of a call their layers' names, each in its layer's dtype."""
    arrays = made if isinstance(made, tuple) else (made,)
    return dict(zip(step.outputs(), arrays, strict=True))


def memory_needed(recipe: Recipe) -> int:
    """Return the memory [bytes] that growing the recipe takes at its peak, about."""
    held: dict[str, int] = {}
    peak = 0
    for task in recipe.tasks(once=True):
        new = {
            name: np.dtype(layer(name).dtype).itemsize * layer(name).bands
            for name in task.step.outputs()
        }
        held |= new
        peak = max(peak, sum(held.values()) + sum(new.values()) + task.step.working_bytes)
    return peak * recipe.grid.ny * recipe.grid.nx


def check_memory(recipe: Recipe) -> None:
    """Refuse a recipe that cannot fit, before any work.

    Raises
    ------
    DowncutError
        Naming what it needs, what there is, and the size that would fit.
    """
    need, have = memory_needed(recipe), psutil.virtual_memory().available
    if need > have:
        ny, nx = recipe.grid.ny, recipe.grid.nx
        fits = max(1, int(0.9 * (have / need) ** 0.5 * min(ny, nx)))
        raise DowncutError(
            f"{ny} × {nx} cells need about {need / 1e9:,.1f} GB of memory and {have / 1e9:,.1f} GB "
            f"are free: ask for a smaller land, as --size {fits}"
        )
