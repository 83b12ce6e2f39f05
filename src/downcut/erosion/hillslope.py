"""Hillslope creep: soil moves downhill the faster the steeper, and rounds the crests."""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import finite_kernel
from downcut.erosion.erosion import Erosion
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Years

SquareMetresPerYear = Annotated[float, Field(json_schema_extra={"unit": "m²/yr"})]

STRIPE = 64
"""Columns that are solved together, so that the loop over them vectorises."""


class Hillslope(Erosion):
    """Linear diffusion ∂z/∂t = diffusivity · ∇²z (Culling 1960), stable for any time step.

    Implicit, one direction after the other (backward Euler, locally one-dimensional), so no new
    peak or pit can arise however long the step. Nothing crosses the map's edge; with
    `hold_border` the outermost cells keep their height, and what they take or give is counted as
    carried out. 10 ns a cell and substep.

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

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Creep south-north and east-west in turn, then count what moved."""
        elevation, mask = (*arrays, None)[:2]
        loose = None if mask is None else np.clip(mask, 0, 1)
        rate = self.diffusivity * self.time_step / self.substeps / grid.cell_area
        z, lost = elevation.astype(np.float64), 0.0
        for number in range(self.substeps):
            for turned in (False, True):
                lines = np.ascontiguousarray(z.T) if turned else z
                ease = np.ascontiguousarray(loose.T) if turned and loose is not None else loose
                part = (2 * number + turned, 2 * self.substeps)
                lost += _solve(lines, ease, rate, self.hold_border, run, part)
                z = np.ascontiguousarray(lines.T) if turned else lines
        ground: Array = z.astype(np.float32)
        sums = np.zeros(3)
        _count(elevation, z, ground, run.core_of(grid.shape), sums)
        # what leaves the part that counts crosses its edge, which the kernels do not watch
        lost = lost if run.core is None else float(sums[0] - sums[1])
        run.ledger.carried_out += lost * grid.cell_area
        run.ledger.eroded += float(sums[0]) * grid.cell_area
        run.ledger.deposited += float(sums[1]) * grid.cell_area
        run.ledger.clamped += float(sums[2]) * grid.cell_area
        return ground


def _solve(
    z: Array, loose: Array | None, rate: float, held: bool, run: Run, part: tuple[int, int]
) -> float:
    """Solve along all columns in place; return what crossed the held ends [m]."""

    def work(first: int, last: int) -> float:
        lost = np.zeros(1)
        for start in range(first * STRIPE, min(last * STRIPE, z.shape[1]), STRIPE):
            stop = min(start + STRIPE, z.shape[1])
            _solve_stripe(z, loose, rate, held, start, stop, np.empty((2, STRIPE)), lost)
        return float(lost[0])

    stripes = -(-z.shape[1] // STRIPE)
    return sum(run.slices(work, stripes, max(1, 2**18 // (STRIPE * z.shape[0])), part))


@finite_kernel
def _solve_stripe(z, loose, rate, held, start, stop, face, lost):  # type: ignore[no-untyped-def]
    """Thomas' algorithm down columns start…stop together; `face` holds the rates above, below.

    It solves for the change, not the height: level ground stays what it is to the last bit.
    """
    ny, nx = z.shape
    width = stop - start
    ratio, change = np.empty((ny, width)), np.empty((ny, width))
    for i in range(ny):
        north, south = max(i - 1, 0), min(i + 1, ny - 1)
        for j in range(width):
            face[0, j] = rate if i > 0 else 0.0
            face[1, j] = rate if i < ny - 1 else 0.0
            if loose is not None:
                face[0, j] *= min(loose[north, start + j], loose[i, start + j])
                face[1, j] *= min(loose[i, start + j], loose[south, start + j])
        if held:
            _hold(face, i, ny, start, stop, nx)
        for j in range(width):
            c, up, down = start + j, face[0, j], face[1, j]
            above = ratio[i - 1, j] if i > 0 else 0.0
            before = change[i - 1, j] if i > 0 else 0.0
            scale = 1.0 / (1.0 + up + down - up * above)
            ratio[i, j] = down * scale
            pull = up * (z[north, c] - z[i, c]) + down * (z[south, c] - z[i, c])
            change[i, j] = (pull + up * before) * scale
    for i in range(ny - 2, -1, -1):
        for j in range(width):
            change[i, j] += ratio[i, j] * change[i + 1, j]
    z[:, start:stop] += change
    if held and ny > 2:
        _count_lost(z, loose, rate, max(start, 1), min(stop, nx - 1), lost)


@finite_kernel
def _count_lost(z, loose, rate, first, last, lost):  # type: ignore[no-untyped-def]
    """Add what crosses into the held cells at both ends of columns first…last."""
    ny = z.shape[0]
    for c in range(first, last):
        top, bottom = rate, rate
        if loose is not None:
            top *= min(loose[0, c], loose[1, c])
            bottom *= min(loose[ny - 1, c], loose[ny - 2, c])
        lost[0] += top * (z[1, c] - z[0, c]) + bottom * (z[ny - 2, c] - z[ny - 1, c])


@finite_kernel
def _hold(face, i, ny, start, stop, nx):  # type: ignore[no-untyped-def]
    """Let nothing change a cell on the map's edge."""
    if i == 0 or i == ny - 1:
        face[:] = 0.0
    if start == 0:
        face[:, 0] = 0.0
    if stop == nx:
        face[:, nx - 1 - start] = 0.0


@finite_kernel
def _count(old, exact, new, core, sums):  # type: ignore[no-untyped-def]
    """Sum what was lost, gained and rounded [m] in the part that counts."""
    for i in range(core[0], core[1]):
        for j in range(core[2], core[3]):
            change = exact[i, j] - np.float64(old[i, j])
            sums[0] -= min(change, 0.0)
            sums[1] += max(change, 0.0)
            sums[2] += np.float64(new[i, j]) - exact[i, j]
