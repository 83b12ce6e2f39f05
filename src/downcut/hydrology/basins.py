"""Basins: the ground that drains to each outlet, and the divides between them."""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import kernel
from downcut.features import Table
from downcut.flow.basins import label_slopes
from downcut.flow.drained import Drained, drain
from downcut.grid import D8_COL, D8_ROW, Grid
from downcut.run import Run
from downcut.step import Array, SquareMetres, Step

SEA, EDGE = 1, 2
"""Where a basin's water leaves."""

UNITS = {"area": "m²", "highest": "m", "lowest": "m", "relief": "m", "x": "m", "y": "m"}


class Basins(Step):
    """Divide the land into basins: all ground whose water leaves by the same cell.

    Water leaves by cells on the map's edge, and on a coast by the last cell of land. A divide is
    the crest between two large basins: of two touching cells that drain into different ones, the
    higher.

    Reads elevation (ny, nx) [m]. Writes basin int32, the basin's id, 0 in the sea; divide uint8,
    1 on a crest. Gives `basins`, the largest first: id, area, highest, lowest and relief of its
    ground; outlet (flat index of the cell it leaves by) and its x, y; end, which is 1 at the sea
    and 2 on the edge.

    Guaranteed: areas of basins and the sea add up to the map's.

    Examples
    --------
    >>> run = Run()
    >>> basin, divide = Basins(divide_area=0)([[1, 2, 3, 1]], grid=Grid(1, 4), run=run)
    >>> basin.tolist(), divide.tolist(), run.features["basins"]["area"].tolist()
    ([[1, 1, 2, 2]], [[0, 0, 1, 0]], [2.0, 2.0])
    """

    op: Literal["hydrology.basins"] = "hydrology.basins"
    divide_area: SquareMetres = Field(1_000_000.0, ge=0, le=1e12)
    """How large the basins on both sides of a divide must be."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("basin", "divide")
    features: ClassVar[tuple[str, ...]] = ("basins",)
    cites: ClassVar[tuple[str, ...]] = ("ocallaghan1984", "cordonnier2019")
    nanoseconds: ClassVar[float] = 95.0
    working_bytes: ClassVar[int] = 28

    def halo(self, grid: Grid) -> int | None:
        """A basin may reach anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> tuple[Array, ...]:
        """Route the water, name where it leaves, and measure what drains there."""
        (elevation,) = arrays
        drained = drain(elevation, run)
        basin, outlets = _named(drained)
        cells = np.bincount(basin, minlength=outlets.size + 1)[1:]
        rank = np.lexsort((outlets, -cells))
        number = np.zeros(outlets.size + 1, np.int32)
        number[1 + rank] = np.arange(1, outlets.size + 1)
        basin, cells = number[basin], cells[rank]
        run.features["basins"] = _table(elevation, drained, basin, outlets[rank], cells, grid)
        divide = np.zeros(grid.shape, np.uint8)
        large = int(np.count_nonzero(cells * grid.cell_area >= self.divide_area))
        basin = basin.reshape(grid.shape)
        _divides(drained.level, basin, large, divide)
        return basin, divide


def _named(drained: Drained) -> tuple[Array, Array]:
    """Return (basins, outlets), both flat: the number of each cell's outlet, 0 in the sea."""
    flow = drained.receivers.ravel()
    basin = np.full(flow.size, -1, np.int32)
    ends = flow == np.arange(flow.size)
    if drained.sea is not None:
        sea = drained.sea.ravel()
        basin[sea] = 0
        ends = ~sea & (ends | sea[flow])
    outlets = np.flatnonzero(ends)
    basin[outlets] = np.arange(1, outlets.size + 1)
    label_slopes(flow, basin, 0, basin.size)
    return basin, outlets


def _table(
    elevation: Array, drained: Drained, basin: Array, outlets: Array, cells: Array, grid: Grid
) -> Table:
    """Return the basins in the order of their numbers."""
    lowest, highest = np.full(outlets.size + 1, np.inf), np.full(outlets.size + 1, -np.inf)
    _extremes(elevation.reshape(-1), basin, lowest, highest)
    row, col = np.divmod(outlets, grid.nx)
    columns = {
        "id": np.arange(1, outlets.size + 1),
        "area": cells * grid.cell_area,
        "highest": highest[1:],
        "lowest": lowest[1:],
        "relief": highest[1:] - lowest[1:],
        "outlet": outlets,
        "x": grid.x[col],
        "y": grid.y[row],
        "end": np.where(drained.receivers.ravel()[outlets] == outlets, EDGE, SEA).astype(np.uint8),
    }
    return Table(columns, UNITS)


@kernel
def _extremes(z, basin, lowest, highest):  # type: ignore[no-untyped-def]
    """Lowest and highest ground of each basin."""
    for cell in range(z.size):
        lowest[basin[cell]] = min(lowest[basin[cell]], np.float64(z[cell]))
        highest[basin[cell]] = max(highest[basin[cell]], np.float64(z[cell]))


@kernel
def _divides(level, basin, large, divide):  # type: ignore[no-untyped-def]
    """Mark the higher of two neighbours in different basins, both among the `large` first."""
    ny, nx = basin.shape
    for row in range(ny):
        for col in range(nx):
            for k in range(4, 8):
                r, c = row + D8_ROW[k], col + D8_COL[k]
                if r >= ny or c < 0 or c >= nx or basin[r, c] == basin[row, col]:
                    continue
                if 0 < basin[r, c] <= large and 0 < basin[row, col] <= large:
                    if level[r, c] > level[row, col]:
                        divide[r, c] = 1
                    else:
                        divide[row, col] = 1
