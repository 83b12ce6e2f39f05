"""Growing provinces: each whole, once, by the stages that its lattice can show."""

import math
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.fields.continents import Continents
from downcut.grid import Grid
from downcut.run import Run
from downcut.sampling import resample
from downcut.windows import Layers, run_step
from downcut.world.coarser import coarsened
from downcut.world.plan import Plan
from downcut.world.province import Place, Province
from downcut.world.rivers import Lines
from downcut.world.water import shores_of

MARGIN = 8
"""Cells of open sea round a province's land: its change is nothing there, and its spline too."""


class Grower:
    """Grows the provinces of a plan."""

    def __init__(self, plan: Plan, threads: int) -> None:
        self.plan, self.threads = plan, threads
        assert plan.continents is not None
        self.divide = plan.continents
        assert isinstance(self.divide.step, Continents)
        self.step: Continents = self.divide.step
        self.stop = threading.Event()
        """Set it, and whatever grows is given up with Cancelled."""

    def run(self) -> Run:
        """Return what a step is lent."""
        return Run(self.threads, sea_level=self.plan.recipe.sea_level, stop=self.stop)

    def outline(self, place: Place, together: int = 1, times: int = 0) -> Grid | None:
        """Return the cells of the coarsest lattice round a province's land; None for open sea.

        Or round a block of provinces that are grown together; in cells so many times as large, or
        `times`.
        """
        key, size = self.divide.key, self.plan.lattices[0] * (times or together)
        reach = math.ceil(self.step.reach / size) + 1
        spans = self.step.centres(place, key, together)
        (row, bottom), (col, right) = ((math.floor(n / size) for n in span) for span in spans)
        shape = bottom - row + 2 * reach, right - col + 2 * reach
        box = Grid(*shape, size, row - reach, col - reach)
        flat, run = np.zeros(box.shape, np.float32), Run(self.threads)
        _, inland = self.step.sink(flat, place, grid=box, key=key, run=run, together=together)
        rows, cols = np.flatnonzero(inland.any(axis=1)), np.flatnonzero(inland.any(axis=0))
        if not rows.size:
            return None
        top, left = int(rows[0]) - MARGIN, int(cols[0]) - MARGIN
        return box.window(top, left, int(rows[-1]) + MARGIN + 1 - top,
                          int(cols[-1]) + MARGIN + 1 - left)  # fmt: skip

    def grow(
        self, place: Place, outline: Grid, size: float, together: int = 1, factor: float = 1.0
    ) -> Province:
        """Grow a province, or a block of them together, on the lattice of this cell [m].

        Its heights above the sea are multiplied by `factor`.
        """
        work = _Work(self, place, outline, together, together)
        grid, land = work.lattice(size), work.grown(size)
        run = self.run()
        lines = Lines.of(self.plan, land, grid, run)
        shores = shores_of(self.plan, land, grid, run)
        kept = {name: land[name] for name in self.plan.carried}
        kept["elevation"] = (land["elevation"] - np.float32(self.step.rim)) * (land["inland"] > 0)
        for name, values in kept.items():
            self._refuse_open(name, values)
        province = Province(grid, kept, lines, shores)
        return (
            province
            if factor == 1
            else province.raised(run.sea_level or 0.0, self.step.rim, factor)
        )

    def alone(self, place: Place, size: float) -> NDArray[np.float32]:
        """Return the height [m] of one province on a lattice of this cell [m], however coarse."""
        times = max(round(size / self.plan.lattices[0]), 1)
        if (outline := self.outline(place, times=times)) is None:
            return np.zeros((0, 0), np.float32)
        land = _Work(self, place, outline, 1, times).grown(size)
        height: NDArray[np.float32] = land["elevation"]
        return height

    def _refuse_open(self, name: str, values: NDArray[Any]) -> None:
        rim = (values[0], values[-1], values[:, 0], values[:, -1])
        if any(edge.any() for edge in rim):
            raise DowncutError(
                f"the layer {name} is not 0 in the straits between provinces, and windows read it: "
                "give the step that makes it the mask 'inland', or make it after the last step "
                "with a feature_size"
            )


@dataclass
class _Work:
    """A province on its way."""

    grower: Grower
    place: Place
    outline: Grid
    together: int
    times: int
    """How much larger cells are than the recipe's lattices say."""

    def __post_init__(self) -> None:
        self.changes: dict[int, NDArray[np.float32]] = {}

    def lattice(self, size: float) -> Grid:
        """Return the cells of a lattice that cover the outline."""
        ratio = self.outline.cell_size / size
        row, col = (math.floor(edge * ratio) for edge in self.outline.corner)
        bottom, right = (
            math.ceil((edge + count) * ratio)
            for edge, count in zip(self.outline.corner, self.outline.shape, strict=True)
        )
        return Grid(bottom - row, right - col, size, row, col)

    def grown(self, size: float) -> Layers:
        """Return the layers that all stages make which a lattice of this cell [m] can show."""
        sizes = [(stage.feature_size or 0) * self.times for stage in self.grower.plan.coarse]
        upto = 1 + max(i for i, of in enumerate(sizes) if of >= size)
        return self.land(upto, self.lattice(size))

    def land(self, upto: int, grid: Grid) -> Layers:
        """Return the layers that the first stages make on a lattice."""
        layers: Layers = {}
        for index, stage in enumerate(self.grower.plan.coarse[:upto]):
            size = stage.feature_size and stage.feature_size * self.times
            if size is None or size == grid.cell_size:
                for task in stage.tasks:
                    layers |= self._run(task, layers, grid)
            elif size > grid.cell_size:
                change = resample(self._change(index, size), self.lattice(size), grid)
                layers["elevation"] = layers["elevation"] + change
        return layers

    def _change(self, index: int, size: float) -> NDArray[np.float32]:
        if index not in self.changes:
            grid = self.lattice(size)
            land = self.land(index, grid)
            before = land["elevation"]
            for task in self.grower.plan.coarse[index].tasks:
                land |= self._run(task, land, grid)
            self.changes[index] = land["elevation"] - before
        return self.changes[index]

    def _run(self, task: Any, layers: Layers, grid: Grid) -> Layers:
        grower, run = self.grower, self.grower.run()
        if task.path == grower.divide.path:
            ground = layers["elevation"]
            made = grower.step.sink(
                ground, self.place, grid=grid, key=task.key, run=run, together=self.together
            )
            return dict(zip(grower.step.writes, made, strict=True))
        lean = type(task)(coarsened(task.step, grid.cell_size), task.path, task.key)
        return run_step(lean, layers, grid, run, None)
