"""A step run whole, or in windows with their halo: the bits are the same."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.grid import Grid
from downcut.recipe import Task
from downcut.run import Run
from downcut.step import Step

Layers = dict[str, NDArray[Any]]


def halo_of(step: Step, grid: Grid) -> int | None:
    """Return how many cells around a window decide a step; None if it must see the land whole.

    So must one that gives tables: they come in one piece.
    """
    return None if step.features else step.halo(grid)


def run_step(task: Task, layers: Layers, grid: Grid, run: Run, tile: int | None) -> Layers:
    """Run one step, in windows where it can be and `tile` asks for them; return its layers."""
    step = task.step
    arrays = {arg: layers.get(name) for arg, name in step.inputs().items()}
    halo = halo_of(step, grid) if tile else None
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
