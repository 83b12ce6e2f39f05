"""Thermal erosion: what stands steeper than loose material can, slides."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import finite_kernel, inlined
from downcut.erosion.erosion import Erosion
from downcut.grid import D8_COL, D8_ROW, Grid
from downcut.run import Run
from downcut.step import Array, Count, Degrees, Share

CELLS_A_SLICE = 1 << 17
_LEAST = np.float32(1e-30)  # keeps nothing shared among nobody from being 0 / 0
_DIAGONAL = np.float32(math.sqrt(0.5))
_FAR = np.float32(1e30)  # height of the wall round the map: nothing slides up it


class Thermal(Erosion):
    """Lets slopes slide to the angle of repose.

    In a pass each cell gives half of `amount` of its worst excess (drop − tan(talus_angle) ·
    distance, over its 8 neighbours) to its over-steep neighbours, shared by their excess, or to
    the steepest alone. All cells move at once; nothing leaves the map. Mass is conserved, rounding
    counted as clamped; shared among all, the result keeps the symmetries of the ground. Halo of
    2 cells a pass; 4 ns a cell and pass.

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> tower = np.zeros((9, 9))
    >>> tower[4, 4] = 100
    >>> heap = dc.erosion.Thermal(talus_angle=33, passes=50)(tower, grid=dc.Grid(9, 9))
    >>> bool(np.isclose(heap.sum(), 100, rtol=1e-5)), bool(heap.max() < 10)
    (True, True)
    """

    op: Literal["erosion.thermal"] = "erosion.thermal"
    cites: ClassVar[tuple[str, ...]] = ("musgrave1989", "olsen2004")
    working_bytes: ClassVar[int] = 12

    talus_angle: Degrees = Field(33.0, ge=1, le=85)
    """The steepest slope that holds (angle of repose): 31 for dry sand, 40 for blocky scree."""
    amount: Share = 0.25
    """How much of half the excess slides in a pass; above 0.25 a deep pit can be overfilled."""
    passes: Count = Field(10, ge=1, le=1000)
    """How many times slopes slide."""
    sharing: Literal["all", "steepest"] = "all"
    """Whether all over-steep neighbours get a share or the steepest takes all."""

    def halo(self, grid: Grid) -> int | None:
        """A cell's pass looks at what its neighbours' neighbours are."""
        return 2 * self.passes

    def work(self) -> float:
        """Each pass costs the same."""
        return 4.0 * self.passes

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Slide `passes` times between two buffers with a wall round the map."""
        elevation, mask = (*arrays, None)[:2]
        old = np.pad(elevation, 1, constant_values=_FAR)
        new = old.copy()
        loose = None if mask is None else np.pad(np.clip(mask, 0, 1), 1)
        # float32 swallows the last bit in which libraries' tangents may differ
        talus = np.float32(math.tan(math.radians(self.talus_angle)) * grid.cell_size)
        law = (talus, np.float32(talus * math.sqrt(2)), np.float32(self.amount / 2))
        core = np.array(run.core_of(grid.shape), dtype=np.int64) + 1
        rows = max(1, CELLS_A_SLICE // grid.nx)
        steepest = self.sharing == "steepest"

        for number in range(self.passes):

            def work(a: int, b: int, old: Array = old, new: Array = new) -> Any:
                sums = np.zeros((3, grid.nx + 2))
                _slide(old, new, loose, a + 1, b + 1, law, steepest, core, sums)
                return sums.sum(axis=1)

            for sums in run.slices(work, grid.ny, rows, (number, self.passes)):
                run.ledger.eroded += float(sums[0]) * grid.cell_area
                run.ledger.deposited += float(sums[1]) * grid.cell_area
                run.ledger.clamped += float(sums[2]) * grid.cell_area
            old, new = new, old
        return np.ascontiguousarray(old[1:-1, 1:-1])


@inlined
def _excess(z, loose, i, j, k, m, talus):  # type: ignore[no-untyped-def]
    """How far the drop from (i, j) to (k, m) passes what holds, eased by the mask there."""
    e = z[i, j] - z[k, m] - talus
    e = e if e > np.float32(0) else np.float32(0)
    return e if loose is None else e * loose[k, m]


@finite_kernel
def _give(z, loose, i, law, lost, share):  # type: ignore[no-untyped-def]
    """For row i, what each cell gives, in all and per metre of a neighbour's excess.

    Neighbours are added in opposite pairs, so that the sum is the same when the map is turned.
    """
    side, corner, half = law
    for j in range(1, z.shape[1] - 1):
        n, s = _excess(z, loose, i, j, i - 1, j, side), _excess(z, loose, i, j, i + 1, j, side)
        w, e = _excess(z, loose, i, j, i, j - 1, side), _excess(z, loose, i, j, i, j + 1, side)
        nw = _excess(z, loose, i, j, i - 1, j - 1, corner)
        ne = _excess(z, loose, i, j, i - 1, j + 1, corner)
        sw = _excess(z, loose, i, j, i + 1, j - 1, corner)
        se = _excess(z, loose, i, j, i + 1, j + 1, corner)
        total = ((n + s) + (w + e)) + ((nw + se) + (ne + sw))
        given = half * max(max(max(n, s), max(w, e)), max(max(nw, se), max(ne, sw)))
        if loose is not None:
            given *= loose[i, j]
        lost[j] = given
        share[j] = given / max(total, _LEAST)


@finite_kernel
def _take(z, loose, i, law, up, here, down, gain):  # type: ignore[no-untyped-def]
    """For row i, what each cell gets of its neighbours' shares (rows above, here, below)."""
    side, corner, _ = law
    for j in range(1, z.shape[1] - 1):
        n, s = _excess(z, loose, i - 1, j, i, j, side), _excess(z, loose, i + 1, j, i, j, side)
        w, e = _excess(z, loose, i, j - 1, i, j, side), _excess(z, loose, i, j + 1, i, j, side)
        nw = up[j - 1] * _excess(z, loose, i - 1, j - 1, i, j, corner)
        ne = up[j + 1] * _excess(z, loose, i - 1, j + 1, i, j, corner)
        sw = down[j - 1] * _excess(z, loose, i + 1, j - 1, i, j, corner)
        se = down[j + 1] * _excess(z, loose, i + 1, j + 1, i, j, corner)
        sides = (up[j] * n + down[j] * s) + (here[j - 1] * w + here[j + 1] * e)
        gain[j] = sides + ((nw + se) + (ne + sw))


@finite_kernel
def _give_steepest(z, loose, i, law, steepest, lost, to):  # type: ignore[no-untyped-def]
    """For row i, what each cell gives and to which neighbour, by its place in the D8 table.

    One direction after the other on slices, so that the loop along the row vectorises.
    """
    side, corner, half = law
    inner = z.shape[1] - 2
    lost[:], steepest[:], to[:] = 0, 0, -1
    here, best, given, name = z[i, 1:-1], steepest[1:-1], lost[1:-1], to[1:-1]
    for d in range(8):
        straight = D8_ROW[d] == 0 or D8_COL[d] == 0
        talus, nearness = (side, np.float32(1)) if straight else (corner, _DIAGONAL)
        row, first, this = i + D8_ROW[d], 1 + D8_COL[d], np.float32(d)
        there = z[row, first : first + inner]
        for j in range(inner):
            e = here[j] - there[j] - talus
            if loose is not None:
                e *= loose[row, first + j]
            slope = (e + talus) * nearness
            better = (e > 0) & (slope > best[j])
            best[j] = slope if better else best[j]
            name[j] = this if better else name[j]
            given[j] = half * e if better else given[j]
    if loose is not None:
        for j in range(inner):
            given[j] *= loose[i, j + 1]


@finite_kernel
def _take_steepest(i, lost, to, gain):  # type: ignore[no-untyped-def]
    """For row i, what the neighbours that chose each cell give; rows are taken modulo 3."""
    gain[:] = 0
    inner = len(gain) - 2
    got = gain[1:-1]
    for d in range(8):
        row, first, back = (i + D8_ROW[d]) % 3, 1 + D8_COL[d], np.float32(7 - d)  # 7 − d looks back
        given, name = lost[row, first : first + inner], to[row, first : first + inner]
        for j in range(inner):
            got[j] += given[j] if name[j] == back else np.float32(0)


@finite_kernel
def _slide(old, new, loose, first, last, law, steepest, core, sums):  # type: ignore[no-untyped-def]
    """One pass over rows first…last; what a row gives is kept for the row above and below."""
    width = old.shape[1]
    lost, share = np.zeros((3, width), np.float32), np.zeros((3, width), np.float32)
    if steepest:
        share[:] = -1
    gain = np.zeros(width, np.float32)
    for i in range(first - 1, last + 1):
        inside = 1 <= i < old.shape[0] - 1
        if not inside:
            lost[i % 3], share[i % 3] = 0, (-1 if steepest else 0)
        elif steepest:
            _give_steepest(old, loose, i, law, gain, lost[i % 3], share[i % 3])
        else:
            _give(old, loose, i, law, lost[i % 3], share[i % 3])
        r = i - 1  # its neighbours' rows are known now
        if r < first:
            continue
        if steepest:
            _take_steepest(r, lost, share, gain)
        else:
            _take(old, loose, r, law, share[(r - 1) % 3], share[r % 3], share[i % 3], gain)
        _settle(old[r], new[r], lost[r % 3], gain)
        if core[0] <= r < core[1]:
            _count(old[r], new[r], lost[r % 3], gain, core[2], core[3], sums)


@finite_kernel
def _settle(old, new, lost, gain):  # type: ignore[no-untyped-def]
    for j in range(1, len(old) - 1):
        new[j] = old[j] + (gain[j] - lost[j])


@finite_kernel
def _count(old, new, lost, gain, left, right, sums):  # type: ignore[no-untyped-def]
    """Add up per column, in float64, what a row lost, gained and rounded."""
    for j in range(left, right):
        out, into = np.float64(lost[j]), np.float64(gain[j])
        sums[0, j] += out
        sums[1, j] += into
        sums[2, j] += (np.float64(new[j]) - np.float64(old[j])) - (into - out)
