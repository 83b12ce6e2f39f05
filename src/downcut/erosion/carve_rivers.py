"""Carving: rivers get the bed that their discharge would keep open."""

from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import inlined, kernel
from downcut.erosion.erosion import Erosion
from downcut.flow.channels import Channels, ChannelStep
from downcut.flow.depressions import fill
from downcut.flow.drained import let_in_sea
from downcut.flow.lines import smoothed
from downcut.flow.rivers import EDGE, Rivers, trace
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Number

WIDE, WELL_WIDE = 1.0, 3.0
"""Half widths [cells] from which a bed has a cross-section, and from which that is all it has."""
FLAT = 0.75
"""Half width [cells] of the level strip along the middle of a bed: it holds one cell everywhere,
so that water finds a way down it between the samples of a curved bed."""
FAR = np.float32(1e30)


class CarveRivers(Erosion, ChannelStep):
    """Carve the beds of rivers into the ground, with banks that lead up to it.

    Rivers, their discharge, width and depth are those of `hydrology.rivers`. The bed lies its
    depth below the ground that the river runs over (below a lake's level, so a lake falls by the
    depth of the river that leaves it); over its first ten widths a river sets in, and one without
    a fall cuts nothing. Where it is
    wider than two cells its bed is a parabola about a smooth line along its way, and a bank of
    `bank_width` river widths on either side eases the ground down to the water; where it is
    narrower, its cells are lowered to the bed.

    Reads and writes elevation (ny, nx) float32 [m]. What is cut leaves the map: it is counted as
    eroded and carried out. Guaranteed: nothing rises; ground outside the banks keeps its bits;
    without a mask no bed climbs: water stands nowhere that it did not stand before.

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> valley = np.abs(np.arange(-8, 9))[:, None] + np.linspace(5, 0, 40)[None, :]
    >>> step = dc.erosion.CarveRivers(channel_area=1e5, runoff=1)
    >>> cut = valley - step(valley, grid=dc.Grid(17, 40, cell_size=50.0))
    >>> bool((cut[8, 10:] > 0.02).all()), bool(cut[:6].max() < 1e-6)
    (True, True)
    """

    op: Literal["erosion.carve_rivers"] = "erosion.carve_rivers"
    bank_width: Number = Field(1.0, ge=0, le=10)
    """How wide the bank is on either side, in widths of the river."""
    smoothing: Count = Field(4, ge=0, le=100)
    """How much the line of a narrow river is smoothed; wider ones are smoothed by their width."""

    cites: ClassVar[tuple[str, ...]] = ("leopold1953", "moody2002")
    exact: ClassVar[bool] = False  # powers
    nanoseconds: ClassVar[float] = 200.0
    working_bytes: ClassVar[int] = 60

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Trace the rivers, lower the ground to their beds, and count the earth."""
        given = dict(zip(self.inputs(), arrays, strict=True))
        elevation: Array = given["elevation"]
        channels = self.channels(elevation, given.get("rain"), grid, run)
        lines = trace(channels)
        bed = elevation.copy()
        self._carve(bed, channels, lines, grid)
        _open(bed, elevation, channels, run)
        mask = given.get("mask")
        out, sums = elevation.copy(), np.zeros(2)
        _lower(out.ravel(), bed.ravel(), None if mask is None else mask.ravel(), sums)
        run.ledger.note(grid.cell_area, eroded=sums[0], carried_out=sums[0], clamped=sums[1])
        return out

    def _carve(self, z: Array, channels: Channels, lines: Rivers, grid: Grid) -> None:
        """Lower `z` to the beds and banks of all rivers."""
        cells, last = lines.cells, lines.offsets[1:] - 1
        level = channels.drained.level.ravel()[cells].astype(np.float64)
        own = np.arange(cells.size)
        own[last[lines.end != EDGE]] -= 1
        discharge = channels.discharge[cells][own]
        half = self.width(discharge) / 2 / grid.cell_size
        depth = self.depth(discharge) * _growth(lines, half)
        joins = lines.meets >= 0
        depth[last[joins]] = np.maximum(depth[last[joins]], depth[lines.meets[joins]])
        runs = level[lines.offsets[:-1]] > level[last]  # a river without a fall cuts nothing
        depth *= np.repeat(runs, np.diff(lines.offsets))
        bed = level - depth
        narrow = (half < WELL_WIDE) & (own == np.arange(cells.size))
        np.minimum.at(z.reshape(-1), cells[narrow], bed[narrow].astype(np.float32))
        if cells.size and half.max() >= WIDE:
            row, col = np.divmod(cells, grid.nx)
            turns = np.clip(np.ceil(half * half), self.smoothing, 1000)
            x, y = smoothed(col.astype(np.float64), row.astype(np.float64), lines, turns)
            line = np.stack([x, y, bed, level, half], axis=1)
            near = np.full(z.size, FAR, np.float32)
            place, list_ = np.empty(z.size, np.float32), np.empty(z.size, cells.dtype)
            _shape(z, line, lines.offsets, self.bank_width, near, place, list_)


def _growth(lines: Rivers, half: Array) -> Array:
    """Return how much of its depth a river has: less near its source, where it sets in."""
    first, length = lines.offsets[:-1], np.diff(lines.offsets)
    steps = np.arange(half.size) - np.repeat(first, length) + 1
    grown: Array = np.minimum(steps / np.repeat(np.maximum(20 * half[first], 6), length), 1)
    return grown


def _open(z: Array, elevation: Array, channels: Channels, run: Run) -> None:
    """Raise what was carved and would hold water where none stood: beds never climb.

    Only carved cells can be under water now: what the ground beside them drains to has not risen.
    """
    ground, sea = let_in_sea(z, run.sea_level)
    level = fill(ground, replace(run, on_progress=None))
    was_dry = channels.drained.level == elevation
    if sea is not None:
        was_dry &= ~sea
    np.copyto(z, np.minimum(level, elevation), where=was_dry)


@kernel
def _shape(z, line, offsets, bank, near, place, touched):  # type: ignore[no-untyped-def]
    """Lower the ground to the cross-section of each river, at the nearest point of its line."""
    nx = z.shape[1]
    for river in range(offsets.size - 1):
        start = offsets[river]
        i, count = start, 0
        while i < offsets[river + 1] - 1:
            # a smooth line of a wide river is as good in steps of a quarter of its half width
            j = min(i + max(1, np.int64(line[i, 4] / 4)), offsets[river + 1] - 1)
            if line[j, 4] >= WIDE:
                count = _note_near(line, i, j, start, z.shape, bank, near, place, touched, count)
            i = j
        for n in range(count):
            cell = touched[n]
            i = start + np.int64(place[cell])
            t = place[cell] - (i - start)
            i_next = min(i + 1, offsets[river + 1] - 1)
            new = _section(line, i, i_next, t, near[cell], z[cell // nx, cell % nx], bank)
            near[cell] = FAR
            z[cell // nx, cell % nx] = min(np.float64(z[cell // nx, cell % nx]), new)


@inlined
def _note_near(line, i, j, start, shape, bank, near, place, touched, count):  # type: ignore[no-untyped-def]
    """Note for the cells round the segment from i to j how near it is; return how many so far."""
    ny, nx = shape
    x, y = line[i, 0], line[i, 1]
    dx, dy = line[j, 0] - x, line[j, 1] - y
    square = max(dx * dx + dy * dy, 1e-12)
    reach = max(line[i, 4], line[j, 4]) * (1.0 + 2.0 * bank)
    top, bottom = int(min(y, y + dy) - reach), int(max(y, y + dy) + reach) + 1
    left, right = int(min(x, x + dx) - reach), int(max(x, x + dx) + reach) + 1
    for r in range(max(top, 0), min(bottom, ny - 1) + 1):
        for c in range(max(left, 0), min(right, nx - 1) + 1):
            t = min(max(((c - x) * dx + (r - y) * dy) / square, 0.0), 1.0)
            away = np.hypot(c - x - t * dx, r - y - t * dy)
            cell = r * nx + c
            if away <= reach and away < near[cell]:
                if near[cell] == FAR:
                    touched[count] = cell
                    count += 1
                near[cell] = away
                place[cell] = i - start + t * (j - i)
    return count


@inlined
def _section(line, i, i_next, t, away, z, bank):  # type: ignore[no-untyped-def]
    """Height of the ground at a distance from the middle of the river: bed, then bank."""
    bed = line[i, 2] + t * (line[i_next, 2] - line[i, 2])
    level = line[i, 3] + t * (line[i_next, 3] - line[i, 3])
    half = line[i, 4] + t * (line[i_next, 4] - line[i, 4])
    if away <= half:
        side = max(away - FLAT, 0.0) / max(half - FLAT, 1e-3)
        return bed + (level - bed) * side * side
    if bank == 0.0 or z <= level:
        return np.float64(z)
    out = min((away - half) / (2.0 * bank * half), 1.0)
    return level + (z - level) * out * out * (3.0 - 2.0 * out)


@kernel
def _lower(z, bed, mask, sums):  # type: ignore[no-untyped-def]
    """Lower each cell to its bed, or as far towards it as the mask says; sums: cut, rounded."""
    for cell in range(z.size):
        old = np.float64(z[cell])
        cut = old - np.float64(bed[cell])
        if cut > 0.0:
            if mask is not None:
                cut *= min(max(np.float64(mask[cell]), 0.0), 1.0)
            z[cell] = old - cut
            sums[0] += cut
            sums[1] += np.float64(z[cell]) - (old - cut)
