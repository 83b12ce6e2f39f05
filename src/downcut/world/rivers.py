"""Rivers of a province as lines, and their beds in a window: by the distance to the line alone."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.erosion.carve_rivers import CarveRivers
from downcut.features import Table
from downcut.flow.channels import ChannelStep
from downcut.flow.rivers import SEA
from downcut.grid import Grid
from downcut.hydrology.rivers import UNITS, Rivers
from downcut.run import Run
from downcut.windows import Layers, run_step
from downcut.world.laying import FAR, LEAST_HALF, lay
from downcut.world.plan import Plan

BETWEEN = 4
"""Points of a line for one cell of the lattice."""
LARGEST_AREA = 1e12
"""What a river's channel area may be at most [m²]: cells of the coarsest levels are larger."""
SMOOTHED = 3
"""How often the lines are smoothed at least: bends of fewer than four cells are the lattice's."""
POINTS = ("x", "y", "surface", "bed", "width", "depth", "area", "discharge", "order")
ENDS = ("joins", "end", "length", "order", "area", "discharge", "width", "depth")


@dataclass(frozen=True)
class Lines:
    """The rivers of a province, the smallest first, so that where two meet the larger has its way.

    Attributes
    ----------
    offsets : (n + 1,) int64
        River i is made of the points offsets[i] to offsets[i + 1] − 1, from source to mouth.
    points : mapping of name to (offsets[n],) float64
        x, y [m], surface, bed, width, depth [m], area [m²], discharge [m³/yr], order.
    rivers : mapping of name to (n,) array
        id in the province, and what is known of each river at its end.
    """

    offsets: NDArray[np.int64]
    points: dict[str, NDArray[np.float64]]
    rivers: dict[str, NDArray[Any]]

    @property
    def nbytes(self) -> int:
        """Memory that the points take."""
        return sum(array.nbytes for array in self.points.values())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return them for the disk."""
        points = {f"point {name}": values for name, values in self.points.items()}
        rivers = {f"river {name}": values for name, values in self.rivers.items()}
        return {"rivers": self.offsets, **points, **rivers}

    @classmethod
    def read(cls, arrays: dict[str, NDArray[Any]]) -> "Lines":
        """Return the lines that these arrays tell of."""
        points = {name[6:]: a for name, a in arrays.items() if name.startswith("point ")}
        rivers = {name[6:]: a for name, a in arrays.items() if name.startswith("river ")}
        return cls(arrays["rivers"], points, rivers)

    @classmethod
    def of(cls, plan: Plan, land: Layers, grid: Grid, run: Run) -> "Lines":
        """Trace the rivers of a land on its lattice, as the recipe's steps about rivers ask."""
        task = plan.water(Rivers) or plan.water(CarveRivers)
        if task is None:
            return cls(np.zeros(1, np.int64), {n: np.zeros(0) for n in POINTS},
                       {n: np.zeros(0) for n in ("id", *ENDS)})  # fmt: skip
        asked = {name: getattr(task.step, name) for name in ChannelStep.model_fields
                 if name not in ("op", "algorithm")}  # fmt: skip
        least = max(plan.traced_area(grid.cell_size), 4 * grid.cell_area)
        asked["channel_area"] = min(least, LARGEST_AREA)
        step = Rivers(**asked, smoothing=max(getattr(task.step, "smoothing", 0), SMOOTHED))
        run_step(type(task)(step, task.path, task.key), land, grid, run, None)
        return cls.along(run.features["rivers"], grid.cell_size)

    @classmethod
    def along(cls, rivers: Table, cell_size: float) -> "Lines":
        """Return the lines of a table, from points a cell [m] apart: finer, on smooth curves."""
        return _finer(rivers, cell_size)

    def chosen(self, grid: Grid, reach: float, least_area: float) -> NDArray[np.bool_]:
        """Return for each point whether the segment from it comes near a grid: within reach [m]."""
        x, y = self.points["x"], self.points["y"]
        near = np.zeros(x.size, np.bool_)
        if x.size < 2:
            return near
        for place, centres in ((x, grid.x), (-y, -grid.y)):
            low, high = centres[0] - reach, centres[-1] + reach
            inside = np.minimum(place[:-1], place[1:]) <= high
            inside &= np.maximum(place[:-1], place[1:]) >= low
            near[:-1] = inside if place is x else near[:-1] & inside
        near &= self.points["area"] >= least_area
        near[self.offsets[1:] - 1] = False
        return near

    def table(self, grid: Grid, least_area: float, province: tuple[int, int]) -> Table:
        """Return the parts of rivers that lie in a window, with one point beyond on either side."""
        near = self.chosen(grid, grid.cell_size / 2, least_area)
        change = np.flatnonzero(np.diff(np.concatenate([[0], near.view(np.int8), [0]])))
        first, last = change[::2], change[1::2]  # from the first segment's start to the last's end
        index = [np.arange(a, b + 1) for a, b in zip(first, last, strict=True)]
        river = np.searchsorted(self.offsets, first, side="right") - 1
        columns = {"id": np.arange(1, first.size + 1), "river": self.rivers["id"][river]}
        columns |= {name: self.rivers[name][river] for name in ENDS}
        for name, number in zip(("province_row", "province_col"), province, strict=True):
            columns[name] = np.full(first.size, number)
        points = {n: a[np.concatenate(index)] if index else a[:0] for n, a in self.points.items()}
        offsets = np.concatenate([[0], np.cumsum(last - first + 1)]).astype(np.int64)
        return Table(columns, UNITS, offsets, points)


def _finer(table: Table, cell_size: float) -> Lines:
    """Put points between those of lines, on smooth curves, and lead mouths on into the sea."""
    order = np.argsort(table["area"], kind="stable")
    first, points = _led_on(table, order, cell_size)
    count = np.diff(first)
    fine = (count - 1) * BETWEEN + 1
    offsets = np.concatenate([[0], np.cumsum(fine)]).astype(np.int64)
    river = np.repeat(np.arange(order.size), fine)
    place = (np.arange(offsets[-1]) - offsets[river]) / BETWEEN
    low, high = first[river], first[river] + count[river] - 1
    i = low + np.minimum(place.astype(np.int64), np.maximum(count[river] - 2, 0))
    t = place - (i - low)
    after = np.minimum(i + 1, high)
    lines = {name: values[i] + t * (values[after] - values[i]) for name, values in points.items()}
    lines["order"] = points["order"][i]
    for name in ("x", "y"):
        at = (np.maximum(i - 1, low), i, after, np.minimum(i + 2, high))
        a, b, c, d = (points[name][k] for k in at)
        bend = t * ((c - a) + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
        lines[name] = b + 0.5 * bend
    return Lines(offsets, lines, {name: table[name][order] for name in ("id", *ENDS)})


def _led_on(
    table: Table, order: NDArray[np.int64], cell_size: float
) -> tuple[NDArray[np.int64], dict[str, NDArray[np.float64]]]:
    """Return the lines in this order, those into the sea longer by a point, and their offsets."""
    assert table.offsets is not None
    start, count = table.offsets[:-1][order], np.diff(table.offsets)[order]
    more = ((table["end"][order] == SEA) & (count > 1)).astype(np.int64)
    first = np.concatenate([[0], np.cumsum(count + more)]).astype(np.int64)
    index = np.arange(first[-1]) - np.repeat(first[:-1] - start, count + more)
    last = np.flatnonzero(more)
    ends = first[last + 1] - 1  # the points that are new, and have their neighbour's values
    index[ends] -= 1
    points = {name: np.asarray(table.points[name], np.float64)[index] for name in POINTS}
    steps = {name: points[name][ends - 1] - points[name][ends - 2] for name in ("x", "y")}
    scale = 1.5 * cell_size / np.maximum(np.hypot(steps["x"], steps["y"]), 1e-9)
    for name, step in steps.items():
        points[name][ends] += step * scale
    return first, points


@dataclass(frozen=True)
class Beds:
    """Where rivers run in a window.

    Attributes
    ----------
    owner : (ny, nx) int32
        The point of the lines before each cell, −1 off the rivers.
    along : (ny, nx) float32
        How far the cell is from it to the next, 0 to 1.
    """

    owner: NDArray[np.int32]
    along: NDArray[np.float32]

    def read(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what is known of the lines' points, at each cell with a river (`owner` ≥ 0)."""
        cells = self.owner >= 0
        i, t = self.owner[cells], self.along[cells]
        at: NDArray[np.float64] = values[i] + t * (values[i + 1] - values[i])
        return at


def beds(
    lines: Lines,
    grid: Grid,
    least_area: float,
    elevation: NDArray[np.float32] | None = None,
    banks: tuple[float, float] = (0.0, 0.0),
    wet: NDArray[np.bool_] | None = None,
) -> Beds:
    """Find the cells of rivers and, given the elevation, lower or raise it to beds and banks.

    `banks` is how wide a bank is: in widths of the river, and in metres at least. Within the
    river the ground is its bed, and eases over the bank to what it was; where `wet` says that a
    point of the lines lies in a lake or in the sea, nothing rises. A cell is decided by the
    lines alone.
    """
    owner, along = np.full(grid.shape, -1, np.int32), np.zeros(grid.shape, np.float32)
    cell = grid.cell_size
    half = lines.points["width"] / (2 * cell)
    bank = np.maximum(banks[0] * 2 * half, banks[1] / cell)
    if elevation is None:
        bank[:] = 0.0
    reach = np.maximum(half, LEAST_HALF) + bank
    widest = float(reach.max(initial=0.0)) + 1
    chosen = lines.chosen(grid, widest * cell, least_area)
    if chosen.any():
        line = np.stack([-lines.points["y"] / cell, lines.points["x"] / cell, half, bank,
                         lines.points["bed"], lines.points["area"]], axis=1)  # fmt: skip
        dry = np.zeros(half.size, np.bool_) if wet is None else wet
        near = np.full(grid.shape, FAR, np.float32)
        touched = np.empty(grid.cells, np.int64)
        place = (near, np.empty(grid.shape, np.int32), np.empty(grid.shape, np.float32), touched)
        lay(line, lines.offsets, chosen, dry, *grid.corner, elevation, owner, along, place)
    return Beds(owner, along)
