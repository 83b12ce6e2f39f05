"""Provinces: lands with sea all round, each grown whole, once, on a lattice of the world."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.fields.continents import Continents
from downcut.grid import Grid
from downcut.run import Run
from downcut.sampling import averaged, knots, resample
from downcut.windows import Layers, run_step
from downcut.world.cache import Arrays
from downcut.world.plan import Plan, coarsened
from downcut.world.rivers import Lines
from downcut.world.water import Shores, shores_of

MARGIN = 8
"""Cells of open sea round a province's land: its change is nothing there, and its spline too."""
Place = tuple[int, int]
"""Row and column of a province's square."""


@dataclass(frozen=True)
class Province:
    """A land grown on its lattice: 0 at its rim in every layer, so that provinces add up.

    Attributes
    ----------
    grid : Grid
        Cells of the world's lattice round the land.
    layers : mapping of name to (ny, nx) float32
        What windows take over; `elevation` is the height above the rim.
    lines : Lines
        Its rivers.
    shores : Shores
        Its lakes and its sea.
    """

    grid: Grid
    layers: Layers
    lines: Lines
    shores: Shores

    @cached_property
    def splines(self) -> dict[str, NDArray[np.float64]]:
        """The knots of every layer."""
        return {name: knots(values) for name, values in self.layers.items()}

    @cached_property
    def wet(self) -> NDArray[np.bool_]:
        """Which points of its rivers lie in a lake or in the sea."""
        size, (top, left) = self.grid.cell_size, self.grid.corner
        row = np.floor(-self.lines.points["y"] / size - top).astype(np.int64)
        col = np.floor(self.lines.points["x"] / size - left).astype(np.int64)
        wet: NDArray[np.bool_] = self.shores.lake[row, col] != 0
        return wet

    @property
    def nbytes(self) -> int:
        """Memory that it takes, its splines included."""
        size = sum(a.nbytes * 3 for a in self.layers.values())
        return size + self.lines.nbytes + self.shores.nbytes

    def add_to(self, out: NDArray[np.float32], name: str, grid: Grid) -> None:
        """Add a layer to an array on a grid, smoothly or as the mean of its finer cells."""
        if (part := overlap(self.grid, grid)) is None:
            return
        rows, cols = part
        there = grid.window(rows.start, cols.start, rows.stop - rows.start, cols.stop - cols.start)
        values = self.layers[name]
        if grid.cell_size > self.grid.cell_size * (1 + 1e-9):
            out[rows, cols] += averaged(values, self.grid, there)
        else:
            out[rows, cols] += resample(values, self.grid, there, spline=self.splines[name])

    def arrays(self) -> Arrays:
        """Return all there is to know of it, for the disk."""
        corner = np.array([*self.grid.corner, self.grid.cell_size])
        layers = {f"layer {name}": values for name, values in self.layers.items()}
        return {"grid": corner, **layers, **self.lines.arrays(), **self.shores.arrays()}

    @classmethod
    def read(cls, arrays: Arrays) -> "Province":
        """Return the province that these arrays tell of."""
        layers = {k[6:]: v for k, v in arrays.items() if k.startswith("layer ")}
        row, col, cell_size = map(float, arrays["grid"])
        ny, nx = layers["elevation"].shape
        grid = Grid(ny, nx, cell_size, row, col)
        return cls(grid, layers, Lines.read(arrays), Shores.read(arrays))


def overlap(inner: Grid, outer: Grid) -> tuple[slice, slice] | None:
    """Return the rows and columns of `outer` that touch `inner`, or None."""
    spans = []
    ratio = inner.cell_size / outer.cell_size
    for k in (0, 1):
        first, count = inner.corner[k] * ratio, inner.shape[k] * ratio
        low = max(math.floor(first - outer.corner[k]) - 1, 0)
        high = min(math.ceil(first + count - outer.corner[k]) + 1, outer.shape[k])
        if high <= low:
            return None
        spans.append(slice(low, high))
    return spans[0], spans[1]


class Grower:
    """Grows the provinces of a plan."""

    def __init__(self, plan: Plan, threads: int) -> None:
        self.plan, self.threads = plan, threads
        assert plan.continents is not None
        self.divide = plan.continents
        assert isinstance(self.divide.step, Continents)
        self.step: Continents = self.divide.step

    def outline(self, place: Place, together: int = 1) -> Grid | None:
        """Return the cells of the coarsest lattice round a province's land; None for open sea.

        Or round a block of provinces that are grown together, in cells so many times as large.
        """
        key, size = self.divide.key, self.plan.lattices[0] * together
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

    def grow(self, place: Place, outline: Grid, size: float, together: int = 1) -> Province:
        """Grow a province, or a block of them together, on the lattice of this cell [m]."""
        work = _Work(self, place, outline, together)
        grid = work.lattice(size)
        sizes = [(stage.feature_size or 0) * together for stage in self.plan.coarse]
        upto = 1 + max(i for i, of in enumerate(sizes) if of >= size)
        land = work.land(upto, grid)
        run = Run(self.threads, sea_level=self.plan.recipe.sea_level)
        lines = Lines.of(self.plan, land, grid, run)
        shores = shores_of(self.plan, land, grid, run)
        kept = {name: land[name] for name in self.plan.carried}
        kept["elevation"] = (land["elevation"] - np.float32(self.step.rim)) * (land["inland"] > 0)
        for name, values in kept.items():
            self._refuse_open(name, values)
        return Province(grid, kept, lines, shores)

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

    def land(self, upto: int, grid: Grid) -> Layers:
        """Return the layers that the first stages make on a lattice."""
        layers: Layers = {}
        for index, stage in enumerate(self.grower.plan.coarse[:upto]):
            size = stage.feature_size and stage.feature_size * self.together
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
        grower = self.grower
        run = Run(grower.threads, sea_level=grower.plan.recipe.sea_level)
        if task.path == grower.divide.path:
            ground = layers["elevation"]
            made = grower.step.sink(
                ground, self.place, grid=grid, key=task.key, run=run, together=self.together
            )
            return dict(zip(grower.step.writes, made, strict=True))
        lean = type(task)(coarsened(task.step, grid.cell_size), task.path, task.key)
        return run_step(lean, layers, grid, run, None)
