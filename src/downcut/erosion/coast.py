"""The coast: waves plane the shore to a beach and spread a shallow shelf before it."""

import math
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import inlined, kernel
from downcut.distance import distance
from downcut.erosion.erosion import Erosion
from downcut.flow.drained import let_in_sea
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Degrees, Metres, Share


class Coast(Erosion):
    """Shape a beach on the land and a shelf under the sea, along every shore.

    The profile aimed at rises from the shoreline at `beach_angle` and falls at `shelf_angle`. On
    land what stands above it is taken away, in the sea what lies below it is filled up: fully at
    the shore, fading to nothing at `width` from it, and where the ground is higher or deeper than
    `beach_height` and `shelf_depth`, so cliffs stay cliffs and the deep stays deep. The shoreline
    itself stays where it is. Without a sea nothing happens.

    Reads and writes elevation (ny, nx) float32 [m]. Taken and filled earth is counted as eroded
    and deposited, and the difference as carried out: the sea takes it, or (below 0) brings it.
    Guaranteed: land stays land, sea stays sea; farther than `width` from a shore nothing changes.

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> shore = np.linspace(-40, 40, 80)[None, :] * np.ones((3, 1))
    >>> out = dc.erosion.Coast(width=100)(shore, grid=dc.Grid(3, 80, 5.0), sea_level=0)
    >>> bool((out[1, 41:46] < shore[1, 41:46]).all()), bool((out[1, 34:39] > shore[1, 34:39]).all())
    (True, True)
    """

    op: Literal["erosion.coast"] = "erosion.coast"
    cites: ClassVar[tuple[str, ...]] = ("felzenszwalb2012", "komar1998")
    exact: ClassVar[bool] = False  # the tangents of the angles
    nanoseconds: ClassVar[float] = 60.0
    working_bytes: ClassVar[int] = 20

    width: Metres = Field(150.0, gt=0, le=100_000)
    """How far from the shore beach and shelf reach."""
    beach_angle: Degrees = Field(3.0, ge=0.1, le=30)
    """How steep the beach is: 1 fine sand, 5 coarse, 10 shingle."""
    shelf_angle: Degrees = Field(1.5, ge=0.1, le=30)
    """How steep the sea's floor is before it."""
    beach_height: Metres = Field(15.0, gt=0, le=1000)
    """Ground higher than this above the sea keeps its shape: cliffs."""
    shelf_depth: Metres = Field(40.0, gt=0, le=10_000)
    """Ground deeper than this under the sea keeps its shape."""
    amount: Share = 1.0
    """How far the shore goes towards its profile."""

    def halo(self, grid: Grid) -> int | None:
        """The sea may come from anywhere: the whole map decides."""
        return None

    def reach(self, grid: Grid) -> int:
        """Return how many cells around a window decide it where the sea is known."""
        return math.ceil((self.width + grid.cell_size) / grid.cell_size) + 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Find the shore, measure how far it is, and bend the profile."""
        elevation, mask = (*arrays, None)[:2]
        _, sea = let_in_sea(elevation, run.sea_level)
        if sea is None or sea.all():
            out: Array = elevation.copy()
            return out
        return self.bend(elevation, mask, self.inland(sea, grid, run), grid=grid, run=run)

    def inland(self, sea: Array, grid: Grid, run: Run) -> Array:
        """Return how far each cell lies from the shore, below 0 in the sea [m].

        Beyond `width` and a cell all is as far as that, so more around a window changes nothing.
        """
        far = self.width + grid.cell_size
        inland = distance(sea, grid.cell_size, far, replace(run, on_progress=None))
        offshore = distance(~sea, grid.cell_size, far, run)
        found: Array = inland - offshore  # one of them is 0
        return found

    def bend(
        self, elevation: Array, mask: Array | None, where: Array, *, grid: Grid, run: Run
    ) -> Array:
        """Return the ground moved towards its profile; `where` is what `inland` gives."""
        out: Array = elevation.copy()
        slopes = [math.tan(math.radians(a)) for a in (self.beach_angle, self.shelf_angle)]
        law = (float(run.sea_level or 0), self.width, grid.cell_size / 2, *slopes,
               self.beach_height, self.shelf_depth, self.amount)  # fmt: skip
        sums = np.zeros(3)
        _bend(out.ravel(), where.ravel(), None if mask is None else mask.ravel(), law, sums)
        run.ledger.note(
            grid.cell_area,
            eroded=sums[0],
            deposited=sums[1],
            carried_out=sums[0] - sums[1],
            clamped=sums[2],
        )
        return out


@inlined
def _fade(x):  # type: ignore[no-untyped-def]
    """1 at 0, 0 from 1 on, smooth at both ends."""
    t = min(max(x, 0.0), 1.0)
    return 1.0 - t * t * (3.0 - 2.0 * t)


@kernel
def _bend(z, where, mask, law, sums):  # type: ignore[no-untyped-def]
    """Move each cell towards the profile; sums: taken, filled, rounded [m]."""
    level, width, half, beach, shelf, highest, deepest, amount = law
    for cell in range(z.size):
        away = abs(where[cell]) - half  # from the shoreline, between the cells
        if away >= width:
            continue
        old = np.float64(z[cell])
        weight = amount * _fade(away / width)
        if where[cell] > 0:
            change = min(level + beach * away - old, 0.0) * weight * _fade((old - level) / highest)
        else:
            change = max(level - shelf * away - old, 0.0) * weight * _fade((level - old) / deepest)
        if mask is not None:
            change *= min(max(np.float64(mask[cell]), 0.0), 1.0)
        z[cell] = old + change
        sums[0] -= min(change, 0.0)
        sums[1] += max(change, 0.0)
        sums[2] += np.float64(z[cell]) - (old + change)
