"""The drained land in tiles: depressions full, and every cell's way to the sea or the edge."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.flow.descent import spread
from downcut.grid import D8_COL, D8_ROW
from downcut.scale.accumulating import sums_in
from downcut.scale.descending import WAY, descended
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import Pass, Work, place_of
from downcut.scale.pieces import edges_of, pieces_of
from downcut.scale.sea import SEA
from downcut.scale.touching import BASIN, OUTSIDE, basins_around, walled
from downcut.scale.ways import ENDS, code, followed, in_box, in_land, rim_of, slice_of

FLOW, LEVEL = "_flow", "_level"


@dataclass(frozen=True)
class Leave(Pass):
    """Levels and ways of a tile as they are in the end; what its rim hands on, and its lakes."""

    numbered: int = 0
    spilled: int = 0

    @property
    def title(self) -> str:
        """What is done."""
        return "routing"

    @property
    def writes(self) -> tuple[str, ...]:
        """Ways, as codes, and the level of the water."""
        return (FLOW, LEVEL)

    def memory(self, parts: Parts) -> int:
        """Heights, numbers, ways and sums."""
        return 70 * parts.tile**2

    def nanoseconds(self, parts: Parts) -> float:
        """Ways, levels, sums and lakes."""
        return 60.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Turn the ways out, fill, and count what gathers."""
        place, parts = place_of(unit), work.parts
        core, wide = parts.box(place), parts.nx
        flow = parts.read(self.reads[WAY], WAY, core)
        basin = parts.read(self.reads[BASIN], BASIN, core)
        self._turn(flow, place, core, work)
        self._cross_flats(flow, unit, core, work)
        sea = None
        if SEA in self.reads:
            sea = parts.read(self.reads[SEA], SEA, core) != 0
            flow[sea] = ENDS
        raised = self._level(basin, place, core, work)
        level = np.ascontiguousarray(raised[1:-1, 1:-1])
        parts.write(self.number, place, {FLOW: flow, LEVEL: level})
        rim = rim_of(flow.shape)
        last, to = followed(flow, rim, core, wide)
        amount = sums_in(flow, None, rim)[rim]
        columns = (in_land(rim, core, wide), in_land(last, core, wide), to, amount)
        parts.keep(self.number, f"rim.{unit}", np.stack(columns, axis=1))
        self._lakes(flow, raised, sea, unit, core, work)

    def _turn(self, flow: Array, place: tuple[int, int], core: Box, work: Work) -> None:
        """Reverse the ways from saddles down to pits, as far as they lie here."""
        parts, led = work.parts, self.number - 1
        own = slice_of(parts.kept(led, "starts"), place, parts)
        cells, targets = parts.kept(led, "entries")[own].T
        row, col = np.divmod(cells, parts.nx)
        down, right = np.divmod(targets, parts.nx)
        here = in_box(cells, core, parts.nx)
        _reverse(flow, here, down - row, right - col)

    def _cross_flats(self, flow: Array, unit: str, core: Box, work: Work) -> None:
        """Lead flat pits to the cell by which their way out leaves them."""
        parts = work.parts
        own, first, flat = parts.kept(self.reads[WAY], f"own.{unit}").T
        if not flat.any():
            return
        reads = {name: n for name, n in self.reads.items() if name in ("elevation", SEA)}
        window = descended(reads, place_of(unit), work)
        box, pits = window.box, np.unique(first[flat > 0])
        number = 1 + np.searchsorted(parts.kept(self.numbered, "pits"), pits)
        ends = in_box(parts.kept(self.number - 1, "pit")[number], box, parts.nx)
        receivers, queue = window.receivers, np.empty_like(window.receivers)
        _spread(window.z.ravel(), receivers, window.labels, queue, ends, box[3] - box[2])
        crossed = np.empty_like(flow)
        code(receivers, np.array(box), np.array(core), crossed)
        mine = own[flat > 0]
        end = np.isin(in_land(mine, core, parts.nx), in_land(ends, box, parts.nx))
        flow.ravel()[mine[~end]] = crossed.ravel()[mine[~end]]

    def _level(self, basin: Array, place: tuple[int, int], core: Box, work: Work) -> Array:
        """Return the level of the water on a tile and one cell around it, 0 off the map."""
        reads = {name: n for name, n in self.reads.items() if name in ("elevation", SEA)}
        z = walled(reads, place, work)
        padded = basins_around(basin, core, self.numbered, work.parts)
        spill = work.parts.kept(self.spilled, "spill")
        filled = (padded > 0) & (padded < OUTSIDE)
        z[filled] = np.maximum(z[filled], spill[padded[filled]])
        return z

    def _lakes(
        self, flow: Array, raised: Array, sea: Array | None, unit: str, core: Box, work: Work
    ) -> None:
        """Tell of pieces of lakes: cells, sum and greatest of depths, outlet, level."""
        parts, place = work.parts, place_of(unit)
        box = parts.box(place, 1)
        ground = np.zeros(raised.shape, np.float32)
        z = parts.read(self.reads["elevation"], "elevation", box)
        top, left = box[0] - core[0] + 1, box[2] - core[2] + 1
        ground[top : top + z.shape[0], left : left + z.shape[1]] = z
        wet = raised[1:-1, 1:-1] > ground[1:-1, 1:-1]
        if sea is not None:
            wet &= ~sea
        labels, count = pieces_of(wet)
        found = np.zeros((count, 5))
        found[:, 3] = -1
        _measure(labels, flow, raised, ground, core[0], core[2], parts.nx, found)
        parts.keep(self.number, f"lakes.{unit}", found)
        parts.keep(self.number, f"edge.{unit}", edges_of(labels))


@kernel
def _reverse(flow, cells, down, right):  # type: ignore[no-untyped-def]
    """Turn the way from each cell to its end here: the cell itself goes down and right."""
    ny, nx = flow.shape
    for n in range(cells.size):
        row, col = cells[n] // nx, cells[n] % nx
        turned = np.uint8(ENDS)
        for k in range(8):
            if D8_ROW[k] == down[n] and D8_COL[k] == right[n]:
                turned = np.uint8(k)
        while True:
            below = flow[row, col]
            flow[row, col] = turned
            if below == ENDS:
                break
            turned = np.uint8(7 - below)
            row, col = row + D8_ROW[below], col + D8_COL[below]
            if row < 0 or row >= ny or col < 0 or col >= nx:
                break


@kernel
def _spread(z, receivers, labels, queue, ends, nx):  # type: ignore[no-untyped-def]
    """Route each flat pit to one of its cells."""
    for n in range(ends.size):
        receivers[ends[n]] = -1  # its own way is known elsewhere: only not itself
        queue[0] = ends[n]
        spread(z, receivers, labels, queue, 1, nx)
        receivers[ends[n]] = ends[n]


@kernel
def _measure(labels, flow, level, ground, top, left, wide, found):  # type: ignore[no-untyped-def]
    """Sum up the pieces of lakes; `level` and `ground` have one cell more around."""
    for row in range(labels.shape[0]):
        for col in range(labels.shape[1]):
            piece = labels[row, col] - 1
            if piece < 0:
                continue
            depth = np.float64(level[row + 1, col + 1] - ground[row + 1, col + 1])
            found[piece, 0] += 1
            found[piece, 1] += depth
            found[piece, 2] = max(found[piece, 2], depth)
            found[piece, 4] = np.float64(level[row + 1, col + 1])
            r, c = row + D8_ROW[flow[row, col]], col + D8_COL[flow[row, col]]
            if level[r + 1, c + 1] <= ground[r + 1, c + 1]:
                found[piece, 3] = np.float64((r + top) * wide + c + left)
