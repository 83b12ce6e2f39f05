"""The ground: where cells lie, how large they are, and who their neighbours are.

Axes: arrays are (ny, nx); row 0 is north, rows go south, columns go east; x is east, y is north,
both in metres. The origin of the world is the centre of the recipe's ground, so a land of another
size keeps its middle, and an odd number of cells lies on posts where an even one lies between.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError

# The D8 neighbours, row by row: (row, column) offset and distance in cells. Every loop over
# neighbours reads this table, so ties are broken alike everywhere: the first of the steepest wins.
D8_ROW = np.array([-1, -1, -1, 0, 0, 1, 1, 1], dtype=np.int64)
D8_COL = np.array([-1, 0, 1, -1, 1, -1, 0, 1], dtype=np.int64)
D8_DISTANCE = np.sqrt((D8_ROW**2 + D8_COL**2).astype(np.float64))

SMALLEST_CELL, LARGEST_CELL = 1e-4, 1e9
"""Edges of cells [m] whose areas and slopes float32 still tells apart."""
FARTHEST_CELL = 2**50
"""Cells farther than this from the world's origin cannot be told apart in float64."""


@dataclass(frozen=True)
class Grid:
    """A rectangle of square cells somewhere in the world.

    Parameters
    ----------
    ny, nx : int, ≥ 1
        Rows (southward) and columns (eastward).
    cell_size : float, 0.0001 to 10⁹
        Edge of a cell in metres.
    row, col : float, multiples of 0.5
        The north-west corner in cells from the world's origin; by default the rectangle is
        centred on it.

    Raises
    ------
    DowncutError
        For a size below 1, or a cell size or a corner out of reach.

    Examples
    --------
    >>> grid = Grid(2, 4, cell_size=10.0)
    >>> grid.x.tolist(), grid.y.tolist()
    ([-15.0, -5.0, 5.0, 15.0], [5.0, -5.0])
    >>> grid.window(1, 2, 1, 2).x.tolist()
    [5.0, 15.0]
    """

    ny: int
    nx: int
    cell_size: float = 1.0
    row: float | None = None
    col: float | None = None

    def __post_init__(self) -> None:
        for name in ("ny", "nx"):
            if getattr(self, name) < 1:
                raise DowncutError(f"{name} is {getattr(self, name)}: a grid needs at least 1 cell")
        if not SMALLEST_CELL <= self.cell_size <= LARGEST_CELL:
            raise DowncutError(
                f"cell_size is {self.cell_size}: it must be a length from {SMALLEST_CELL:g} to "
                f"{LARGEST_CELL:g} m"
            )
        for name, corner in (("row", -self.ny / 2), ("col", -self.nx / 2)):
            value = corner if getattr(self, name) is None else float(getattr(self, name))
            if not abs(value) <= FARTHEST_CELL or value * 2 != round(value * 2):
                raise DowncutError(
                    f"{name} is {value}: a corner lies on a half cell within ±2^50 cells"
                )
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, int]:
        """(ny, nx)."""
        return self.ny, self.nx

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.ny * self.nx

    @property
    def cell_area(self) -> float:
        """Area of a cell [m²]."""
        return self.cell_size**2

    @property
    def corner(self) -> tuple[float, float]:
        """(row, col) of the north-west corner, in cells from the world's origin."""
        assert self.row is not None
        assert self.col is not None
        return self.row, self.col

    @property
    def first_cell(self) -> tuple[int, int]:
        """(row, col) of the first cell in the world's numbering, for hashes and tiles."""
        row, col = self.corner
        return math.floor(row), math.floor(col)

    @cached_property
    def x(self) -> NDArray[np.float64]:
        """(nx,) metres east of the world's origin, at cell centres."""
        columns = np.arange(self.nx, dtype=np.float64)
        return (columns + (self.corner[1] + 0.5)) * self.cell_size

    @cached_property
    def y(self) -> NDArray[np.float64]:
        """(ny,) metres north of the world's origin, at cell centres."""
        rows = np.arange(self.ny, dtype=np.float64)
        return (rows + (self.corner[0] + 0.5)) * -self.cell_size

    def window(self, row: int, col: int, ny: int, nx: int) -> "Grid":
        """Return the rectangle that starts `row`, `col` cells from this one's corner."""
        top, left = self.corner
        return Grid(ny, nx, self.cell_size, top + row, left + col)


APRON = 1 / 16
"""Share of the ground that a lattice goes on beyond each side of it: edges hold the base level of
rivers, and would show as cliffs if they lay on the map."""
APRON_CELLS = 8
"""The least of it: the spline's ringing at such a cliff sinks to a quarter with every cell."""


def lattice(ground: Grid, feature_size: float) -> Grid:
    """Return the cells of the world's lattice of this size that cover the ground and its apron."""
    halves = (count * ground.cell_size / feature_size / 2 for count in ground.shape)
    rows, cols = (math.ceil(h + max(2 * h * APRON, APRON_CELLS) - 1e-9) for h in halves)
    return Grid(2 * rows, 2 * cols, feature_size)


def covered(there: Grid, ground: Grid) -> tuple[int, int, int, int]:
    """Return (first row, last + 1, first column, last + 1) of a lattice's cells on the ground."""
    spans: list[int] = []
    for cells, count in zip(there.shape, ground.shape, strict=True):
        half = round(count * ground.cell_size / there.cell_size / 2)
        spans += [max(cells // 2 - half, 0), min(cells // 2 + half, cells)]
    top, bottom, left, right = spans
    return top, bottom, left, right
