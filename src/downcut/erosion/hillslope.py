"""Hillslope creep: soil moves downhill the faster the steeper, and rounds the crests."""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import finite_kernel, inlined
from downcut.erosion.erosion import Erosion, writeable
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Years

SquareMetresPerYear = Annotated[float, Field(json_schema_extra={"unit": "m²/yr"})]

STRIPE = 32
"""Lines that are solved together, so that the loop over them vectorises and stays in cache."""
CELLS_A_SLICE = 1 << 16


class Hillslope(Erosion):
    """Linear diffusion ∂z/∂t = diffusivity · ∇²z (Culling 1960), stable for any time step.

    Implicit, one direction after the other (backward Euler, locally one-dimensional), so no new
    peak or pit can arise however long the step. Nothing crosses the map's edge; with
    `hold_border` the outermost cells keep their height, and what they take or give is counted as
    carried out. 8 ns a cell and substep.

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> spike = np.zeros((33, 33))
    >>> spike[16, 16] = 100
    >>> round_hill = dc.erosion.Hillslope(time_step=1e9)(spike, grid=dc.Grid(33, 33))
    >>> bool(0 <= round_hill.min() and round_hill.max() < 1)
    True
    """

    op: Literal["erosion.hillslope"] = "erosion.hillslope"
    cites: ClassVar[tuple[str, ...]] = ("culling1960", "douglas1956")
    working_bytes: ClassVar[int] = 8

    diffusivity: SquareMetresPerYear = Field(0.02, ge=0, le=1000)
    """How readily soil creeps: 0.001 in a desert, 0.05 where it is wet and burrowed."""
    time_step: Years = Field(25_000.0, ge=0.001, le=1e9)
    """How long it creeps."""
    substeps: Count = Field(1, ge=1, le=1000)
    """Parts that the time is divided into; more are more accurate."""
    hold_border: bool = True
    """Keep the map's outermost cells as they are."""

    def halo(self, grid: Grid) -> int | None:
        """Implicit: every cell feels every other, however little."""
        return None

    def work(self) -> float:
        """Each substep costs the same."""
        return 10.0 * self.substeps

    def rate(self, grid: Grid) -> float:
        """Return what a substep moves between neighbours, a metre of difference [m]."""
        return self.diffusivity * self.time_step / self.substeps / grid.cell_area

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Creep south-north and east-west in turn, then count what moved."""
        elevation, loose = (writeable(a) for a in (*arrays, None)[:2])
        rate = self.rate(grid)
        z, lost = np.empty(grid.shape), 0.0
        rows = max(1, CELLS_A_SLICE // grid.nx)
        run.slices(lambda a, b: np.copyto(z[a:b], elevation[a:b]), grid.ny, rows)
        for number in range(2 * self.substeps):
            turned = number % 2 == 1
            part = (number, 2 * self.substeps)
            lost += creep(z, loose, rate, self.hold_border, turned, run, part)
        ground: Array = np.empty(grid.shape, np.float32)

        def work(first: int, last: int) -> Array:
            sums = np.zeros(3)
            settle(elevation, z, ground, run.core_of(grid.shape), first, last, sums)
            return sums

        sums = sum(run.slices(work, grid.ny, rows), np.zeros(3))
        # what leaves the part that counts crosses its edge, which the kernels do not watch
        lost = lost if run.core is None else float(sums[0] - sums[1])
        run.ledger.note(
            grid.cell_area, carried_out=lost, eroded=sums[0], deposited=sums[1], clamped=sums[2]
        )
        return ground


def creep(
    z: Array,
    loose: Array | None,
    rate: float,
    held: bool,
    turned: bool,
    run: Run,
    part: tuple[int, int],
) -> float:
    """Solve along all columns, or turned along all rows; return what crossed the held ends [m]."""
    length, count = z.shape[::-1] if turned else z.shape
    steady = np.empty((2, length))
    _factors(rate, held, steady)

    def work(first: int, last: int) -> float:
        lost, room = np.zeros(1), np.zeros((3, length, STRIPE))
        for start in range(first * STRIPE, min(last * STRIPE, count), STRIPE):
            stop = min(start + STRIPE, count)
            _creep_stripe(z, loose, (rate, held, turned), start, stop, steady, room, lost)
        return float(lost[0])

    stripes = -(-count // STRIPE)
    return sum(run.slices(work, stripes, max(1, CELLS_A_SLICE // (STRIPE * length)), part))


@finite_kernel
def _load(z, start, stop, turned, lines):  # type: ignore[no-untyped-def]
    """Copy columns start…stop, or rows, so that they run down side by side."""
    for i in range(lines.shape[0] if not turned else 0):
        for j in range(stop - start):
            lines[i, j] = z[i, start + j]
    for j in range(stop - start if turned else 0):
        for i in range(lines.shape[0]):
            lines[i, j] = z[start + j, i]


@finite_kernel
def _store(lines, start, stop, turned, z):  # type: ignore[no-untyped-def]
    for i in range(lines.shape[0] if not turned else 0):
        for j in range(stop - start):
            z[i, start + j] = lines[i, j]
    for j in range(stop - start if turned else 0):
        for i in range(lines.shape[0]):
            z[start + j, i] = lines[i, j]


@finite_kernel
def _creep_stripe(z, loose, law, start, stop, steady, room, lost):  # type: ignore[no-untyped-def]
    """Solve along lines start…stop together, in place; held lines, at the map's edge, stay."""
    rate, held, turned = law
    lines, change = room[0], room[1]
    count, length = z.shape[0] if turned else z.shape[1], len(lines)
    _load(z, start, stop, turned, lines)
    first = 1 if held and start == 0 else 0
    last = stop - start - (1 if held and stop == count else 0)
    if loose is None:
        _solve(lines, rate, held, steady, change, first, last)
    else:
        ease = room[2]
        _load(loose, start, stop, turned, ease)
        ease[:] = np.minimum(np.maximum(ease, 0.0), 1.0)
        _solve_eased(lines, ease, rate, held, change, first, last)
    if held and length > 2:
        for j in range(max(first, 1 - start), min(last, count - 1 - start)):
            top = rate if loose is None else rate * min(room[2, 0, j], room[2, 1, j])
            bottom = rate if loose is None else rate * min(room[2, -1, j], room[2, -2, j])
            crossed = top * (lines[1, j] - lines[0, j])
            lost[0] += crossed + bottom * (lines[length - 2, j] - lines[length - 1, j])
    _store(lines, start, stop, turned, z)


@inlined
def _faces(i, length, rate, held):  # type: ignore[no-untyped-def]
    """The rates above and below cell i of a line: none beyond its ends, none at held ones."""
    stays = held and (i == 0 or i == length - 1)
    return (
        0.0 if i == 0 or stays else rate,
        0.0 if i == length - 1 or stays else rate,
    )


@finite_kernel
def _factors(rate, held, steady):  # type: ignore[no-untyped-def]
    """Thomas' factors, which without a mask all lines share: the ratio and the scale of a cell."""
    length = steady.shape[1]
    for i in range(length):
        up, down = _faces(i, length, rate, held)
        above = steady[0, i - 1] if i > 0 else 0.0
        steady[1, i] = 1.0 / (1.0 + up + down - up * above)
        steady[0, i] = down * steady[1, i]


@finite_kernel
def _solve(z, rate, held, steady, change, first, last):  # type: ignore[no-untyped-def]
    """Thomas' algorithm down lines first…last.

    It solves for the change, not the height: level ground stays what it is to the last bit.
    """
    length = len(z)
    for i in range(length):
        up, down = _faces(i, length, rate, held)
        north, here, south = z[max(i - 1, 0)], z[i], z[min(i + 1, length - 1)]
        before, now, scale = change[max(i - 1, 0)], change[i], steady[1, i]
        for j in range(z.shape[1]):
            pull = up * (north[j] - here[j]) + down * (south[j] - here[j])
            now[j] = (pull + up * (before[j] if i > 0 else 0.0)) * scale
    _climb(change, steady[0], z, first, last)


@finite_kernel
def _climb(change, ratio, z, first, last):  # type: ignore[no-untyped-def]
    """From the last cells of the lines up: what of each one's change waits for the next's."""
    length = len(z)
    for i in range(length - 1, -1, -1):
        here, after = change[i], change[min(i + 1, length - 1)]
        if i < length - 1:
            for j in range(len(here)):
                here[j] += ratio[i] * after[j]
        for j in range(first, last):
            z[i, j] += here[j]


@finite_kernel
def _solve_eased(z, ease, rate, held, change, first, last):  # type: ignore[no-untyped-def]
    """Likewise where a mask makes each face its own."""
    length, width = len(z), last
    ratio = np.empty_like(change)
    for i in range(length):
        above, below = _faces(i, length, rate, held)
        north, south = max(i - 1, 0), min(i + 1, length - 1)
        for j in range(width):
            up = above * min(ease[north, j], ease[i, j])
            down = below * min(ease[i, j], ease[south, j])
            scale = 1.0 / (1.0 + up + down - up * (ratio[north, j] if i > 0 else 0.0))
            ratio[i, j] = down * scale
            pull = up * (z[north, j] - z[i, j]) + down * (z[south, j] - z[i, j])
            change[i, j] = (pull + up * (change[north, j] if i > 0 else 0.0)) * scale
    for i in range(length - 1, -1, -1):
        for j in range(first, last):
            if i < length - 1:
                change[i, j] += ratio[i, j] * change[i + 1, j]
            z[i, j] += change[i, j]


@finite_kernel
def settle(old, exact, new, core, first, last, sums):  # type: ignore[no-untyped-def]
    """Round rows first…last; sum what was lost, gained and rounded [m] in the part that counts."""
    for i in range(first, last):
        for j in range(new.shape[1]):
            new[i, j] = exact[i, j]
        for j in range(core[2], core[3] if core[0] <= i < core[1] else core[2]):
            change = exact[i, j] - np.float64(old[i, j])
            sums[0] -= min(change, 0.0)
            sums[1] += max(change, 0.0)
            sums[2] += np.float64(new[i, j]) - exact[i, j]
