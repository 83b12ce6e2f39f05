"""A province: a land with sea all round, grown whole on a lattice of the world."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.grid import Grid
from downcut.sampling import averaged, knots, resample
from downcut.windows import Layers
from downcut.world.cache import Arrays
from downcut.world.rivers import Lines
from downcut.world.water import Shores

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

    def raised(self, sea: float, rim: float, factor: float) -> "Province":
        """Return it with all heights above the sea multiplied: rivers and shores stay in place.

        `sea` and `rim` are heights [m].
        """
        points, lakes = self.lines.points, self.shores.lakes
        surface, bed, level = (
            raised(a, sea, factor) for a in (points["surface"], points["bed"], lakes["level"])
        )
        deeper = {name: lakes[name] * factor for name in ("volume", "max_depth")}
        elevation = raised(self.layers["elevation"], sea - rim, factor)
        return replace(
            self,
            layers=self.layers | {"elevation": elevation},
            lines=replace(self.lines, points=points | {"surface": surface, "bed": bed}),
            shores=replace(self.shores, lakes=lakes | {"level": level} | deeper),
        )

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


def raised(height: NDArray[Any], sea: float, factor: float) -> NDArray[Any]:
    """Return heights with what stands above the sea multiplied, in their dtype.

    Examples
    --------
    >>> raised(np.array([-20, 10, 60], np.float32), sea=10.0, factor=1.2).tolist()
    [-20.0, 10.0, 70.0]
    """
    above = (height - np.float64(sea)) * factor + sea
    return np.where(height > sea, above, height).astype(height.dtype)
