"""Island mask: full height in the middle, the rim's at the edge."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Blend, Field, in_rows
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Metres, Number


class Island(Field):
    """A pyramid 1 − max(|x|, |y|) / radius, clipped at 0, between `rim` and `top`.

    Multiplied into a field it makes an island of it; added, with a rim below zero, it pushes the
    coast under the sea. `squareness` 1 is the source's square continent, 0 a round one.

    Examples
    --------
    >>> import downcut as dc
    >>> mask = dc.fields.Island(radius=200, blend="replace")(grid=dc.Grid(3, 3, cell_size=100))
    >>> mask.tolist()[1]
    [0.5, 1.0, 0.5]
    """

    op: Literal["fields.island"] = "fields.island"
    blend: Blend = "multiply"
    """How the mask meets what the layer holds; the first field of a layer simply fills it."""
    radius: Metres = Parameter(5000.0, ge=0.01, le=1e8)
    """From the middle to where the mask reaches the rim's value."""
    centre_east: Metres = Parameter(0.0, ge=-1e9, le=1e9)
    """The middle of the island, east of the middle of the ground."""
    centre_north: Metres = Parameter(0.0, ge=-1e9, le=1e9)
    """The middle of the island, north of the middle of the ground."""
    top: Number = Parameter(1.0, ge=-1e5, le=1e5)
    """Value in the middle; in the layer's unit when it is added."""
    rim: Number = Parameter(0.0, ge=-1e5, le=1e5)
    """Value at the edge and beyond."""
    squareness: Number = Parameter(1.0, ge=0, le=1)
    """1 for a square outline, 0 for a round one."""
    steepness: Number = Parameter(1.0, ge=1, le=16)
    """1 for even flanks; more keeps the height inland and drops it near the edge."""

    cites: ClassVar[tuple[str, ...]] = ()

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Evaluate the mask at every cell's centre."""
        return in_rows(lambda first, last, rows: self._height(rows), grid, run)

    def _height(self, grid: Grid) -> NDArray[np.float64]:
        x = np.abs(grid.x - self.centre_east)[None, :] / self.radius
        y = np.abs(grid.y - self.centre_north)[:, None] / self.radius
        distance = self.squareness * np.maximum(x, y)
        distance += (1 - self.squareness) * np.sqrt(x * x + y * y)
        inside = np.clip(1 - distance, 0, 1)
        if self.steepness > 1:  # rational, not a power: the same bits on every processor
            inside = inside * self.steepness / (1 + (self.steepness - 1) * inside)
        height: NDArray[np.float64] = self.rim + (self.top - self.rim) * inside
        return height
