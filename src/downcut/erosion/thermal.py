"""Thermal erosion: what stands steeper than loose material can, slides."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut.erosion.erosion import Erosion, writeable
from downcut.erosion.sliding import slide
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Degrees, Share

CELLS_A_SLICE = 1 << 16
LEAST_ROWS = 64
"""Each slice slides three rows of its neighbours' as well."""
MANY = 16
"""From so many passes on, the land is shown after each."""


class Thermal(Erosion):
    """Lets slopes slide to the angle of repose.

    In a pass each cell gives half of `amount` of its worst excess (drop − tan(talus_angle) ·
    distance, over its 8 neighbours) to its over-steep neighbours, shared by their excess, or to
    the steepest alone. All cells move at once; nothing leaves the map. Mass is conserved, rounding
    counted as clamped; shared among all, the result keeps the symmetries of the ground. Halo of
    2 cells a pass; 3 ns a cell and pass.

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
    current_algorithm: ClassVar[int] = 2
    working_bytes: ClassVar[int] = 4

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
        """Slide `passes` times, from one buffer to another."""
        elevation, loose = (writeable(a) for a in (*arrays, None)[:2])
        old: Array = elevation
        new: Array = np.empty_like(old)
        # float32 swallows the last bit in which libraries' tangents may differ
        talus = np.float32(math.tan(math.radians(self.talus_angle)) * grid.cell_size)
        law = (talus, np.float32(talus * math.sqrt(2)), np.float32(self.amount / 2))
        core = np.array(run.core_of(grid.shape), dtype=np.int64)
        rows = max(LEAST_ROWS, CELLS_A_SLICE // grid.nx)
        steepest = None if self.sharing == "all" else True

        for number in range(self.passes):

            def work(a: int, b: int, old: Array = old, new: Array = new) -> Any:
                sums = np.zeros((3, grid.nx + 2))
                slide(old, new, loose, a, b, law, steepest, core, sums)
                return sums.sum(axis=1)

            for sums in run.slices(work, grid.ny, rows, (number, self.passes)):
                run.ledger.note(grid.cell_area, eroded=sums[0], deposited=sums[1], clamped=sums[2])
            if old is elevation and number + 1 < self.passes:
                old = np.empty_like(new)
            old, new = new, old
            if self.passes >= MANY:
                run.show(old)
        return old
