"""Lakes: every depression that stays full of water, how much it holds and where it spills."""

from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import kernel
from downcut.features import Table
from downcut.flow.descent import ground
from downcut.flow.drained import Drained, drain
from downcut.grid import D8_COL, D8_ROW, Grid
from downcut.run import Run
from downcut.step import Array, Metres, SquareMetres, Step

LAKE, SEA, EDGE = 0, 1, 2
"""Where a lake's overflow ends."""

UNITS = {"level": "m", "area": "m²", "volume": "m³", "max_depth": "m", "x": "m", "y": "m"}
_SEA = -1


class Lakes(Step):
    """Let the sea in from the edge of the map, and fill depressions to lakes.

    The sea covers ground below its level that it can reach from the edge of the map over such
    ground; a hollow below sea level behind higher ground stays dry, or holds a lake. Every other
    depression fills until it spills. A lake, which is all water that touches (corners count), is
    kept or left out as a whole: for its greatest depth and for its area.

    Reads elevation (ny, nx) [m]. Writes water_surface float32 [m], the level of the water and the
    ground's own elevation where it is dry; water_depth float32 [m], 0 where it is dry; lake
    int32, the id of the lake, 0 elsewhere. Gives `lakes`, the largest first: id, level, area,
    volume, max_depth; outlet (flat index of the cell over which it spills) and its x, y; joins,
    the id of the lake that the overflow reaches next, 0 for none; end, which is 0 in a lake, 1 in
    the sea, 2 on the map's edge.

    Guaranteed: a lake is level, its outlet lies at its level and touches it, and the volumes are
    sums in float64 of the depths that the layer shows.

    Examples
    --------
    >>> run, bowl = Run(), [[5, 5, 5], [5, 1, 5], [5, 3, 5]]
    >>> surface, depth, lake = Lakes(min_area=1)(bowl, grid=Grid(3, 3), run=run)
    >>> surface[1].tolist(), run.features["lakes"]["volume"].tolist()
    ([5.0, 3.0, 5.0], [2.0])
    """

    op: Literal["hydrology.lakes"] = "hydrology.lakes"
    min_depth: Metres = Field(1.0, ge=0, le=10_000)
    """How deep a lake must be at its deepest place to be kept."""
    min_area: SquareMetres = Field(10_000.0, ge=0, le=1e12)
    """How large a lake must be to be kept."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("water_surface", "water_depth", "lake")
    features: ClassVar[tuple[str, ...]] = ("lakes",)
    cites: ClassVar[tuple[str, ...]] = ("barnes2014", "cordonnier2019")
    nanoseconds: ClassVar[float] = 95.0
    working_bytes: ClassVar[int] = 16

    def halo(self, grid: Grid) -> int | None:
        """A lake's outlet may be anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> tuple[Array, ...]:
        """Let the sea in, fill what lies above it, and drop the lakes that are too small."""
        z = ground(arrays[0])
        drained = drain(z, run)
        if run.shared is not None:  # others want the level as it is, before small lakes are let go
            drained = replace(drained, level=drained.level.copy())
        lake = np.zeros(grid.shape, np.int32)
        if drained.sea is not None:
            lake[drained.sea] = _SEA
        found = self._find(z, drained, lake, grid)
        rank = np.lexsort((found["outlet"], -found["cells"]))
        number = np.zeros(len(rank) + 2, np.int32)  # the last is the sea's
        number[1 + rank] = np.arange(1, len(rank) + 1)
        lake = number[lake]
        run.features["lakes"] = _table(found[rank], drained, lake, grid)
        return drained.level, drained.level - z, lake

    def _find(self, z: Array, drained: Drained, lake: Array, grid: Grid) -> Array:
        """Number the lakes that are kept, take the water off the others."""
        queue = np.empty(z.size, drained.receivers.dtype)
        found = np.empty(1024, LAKES)
        min_cells = self.min_area / grid.cell_area
        flat = (z.ravel(), drained.level.ravel(), drained.receivers.ravel(), lake.ravel())
        start, count = 0, 0
        while start < z.size:
            limits = (self.min_depth, min_cells, grid.nx)
            start, count = _fill_lakes(*flat, queue, limits, found, start, count)
            found = np.concatenate([found, np.empty_like(found)]) if start < z.size else found
        return found[:count]


LAKES = np.dtype(
    [("outlet", "i8"), ("cells", "i8"), ("depths", "f8"), ("max_depth", "f8"), ("level", "f8")]
)


def _table(found: Array, drained: Drained, lake: Array, grid: Grid) -> Table:
    """Return the lakes, in the order of their numbers, with where each one's overflow goes."""
    joins, end = np.zeros(len(found), np.int32), np.zeros(len(found), np.uint8)
    sea = np.zeros(grid.shape, np.bool_) if drained.sea is None else drained.sea
    outlet = found["outlet"].copy()
    _follow(outlet, drained.receivers.ravel(), lake.ravel(), sea.ravel(), joins, end)
    return table(found, joins, end, grid)


def table(found: Array, joins: Array, end: Array, grid: Grid) -> Table:
    """Return the table of lakes, (n,) `LAKES`; `joins` and `end` tell of their overflows."""
    outlet = found["outlet"].copy()
    row, col = np.divmod(outlet, grid.nx)
    columns = {
        "id": np.arange(1, len(found) + 1),
        "level": found["level"].copy(),
        "area": found["cells"] * grid.cell_area,
        "volume": found["depths"] * grid.cell_area,
        "max_depth": found["max_depth"].copy(),
        "outlet": outlet,
        "x": grid.x[col],
        "y": grid.y[row],
        "joins": joins,
        "end": end,
    }
    return Table(columns, UNITS)


@kernel
def _fill_lakes(z, level, receivers, lake, queue, limits, found, start, kept):  # type: ignore[no-untyped-def]
    """Number lakes from cell `start` on until `found` is full; return where, and how many.

    Wet cells are never on the edge, wet neighbours always share their level, and water leaves a
    lake by one cell alone: the saddle that joins it to the way out.
    """
    min_depth, min_cells, nx = limits
    for first in range(start, z.size):
        if level[first] <= z[first] or lake[first] != 0:
            continue
        if kept == found.size:
            return first, kept
        lake[first] = kept + 1
        queue[0] = first
        done, count, deepest, depths, outlet = 0, 1, 0.0, 0.0, -1
        while done < count:
            cell = queue[done]
            done += 1
            depth = np.float64(level[cell] - z[cell])
            deepest = max(deepest, depth)
            depths += depth
            below = receivers[cell]
            if level[below] <= z[below]:
                outlet = below
            for k in range(8):
                other = cell + D8_ROW[k] * nx + D8_COL[k]
                if level[other] > z[other] and lake[other] == 0:
                    lake[other] = kept + 1
                    queue[count] = other
                    count += 1
        if deepest < min_depth or count < min_cells:
            for i in range(count):
                level[queue[i]] = z[queue[i]]
                lake[queue[i]] = 0
            continue
        found[kept].outlet, found[kept].cells = outlet, count
        found[kept].depths, found[kept].max_depth = depths, deepest
        found[kept].level = level[first]
        kept += 1
    return z.size, kept


@kernel
def _follow(outlet, receivers, lake, sea, joins, end):  # type: ignore[no-untyped-def]
    """Follow each overflow to the next lake, the sea or the edge of the map."""
    for i in range(outlet.size):
        cell = outlet[i]
        while lake[cell] == 0 and not sea[cell] and receivers[cell] != cell:
            cell = receivers[cell]
        joins[i] = lake[cell]
        end[i] = LAKE if lake[cell] > 0 else SEA if sea[cell] else EDGE
