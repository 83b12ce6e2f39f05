"""A valley: a winding trough that falls one way, for a river to be older than its hills."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Field, in_rows
from downcut.grid import Grid
from downcut.randomness import derive
from downcut.run import Run
from downcut.shading import smoothstep
from downcut.step import Degrees, Metres, Number


class Valley(Field):
    """A trough `depth` deep and `width` wide that winds through the middle of the ground.

    Its line swings by `meander` to both sides of a straight course towards `direction`, in two
    waves of which the second is 2.3 times shorter and half as wide, with phases from the seed; the
    ground falls along the course by `fall`.

    Examples
    --------
    >>> import downcut as dc
    >>> trough = dc.fields.Valley(depth=50, fall=0)(grid=dc.Grid(64, 64, cell_size=100), seed=7)
    >>> bool(trough.min() < -45), bool(trough.max() == 0)
    (True, True)
    """

    op: Literal["fields.valley"] = "fields.valley"
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 20.0

    direction: Degrees = Parameter(180.0, ge=0, le=360)
    """Where it leads, clockwise from north: 180 runs from north to south."""
    depth: Metres = Parameter(100.0, ge=0, le=10_000)
    """How deep the trough is."""
    width: Metres = Parameter(1500.0, ge=0.01, le=1e7)
    """From rim to rim."""
    meander: Metres = Parameter(900.0, ge=0, le=1e7)
    """How far its line swings to both sides."""
    meander_wavelength: Metres = Parameter(6000.0, ge=0.01, le=1e8)
    """Length of a bend, there and back."""
    fall: Number = Parameter(0.005, ge=-1, le=1)
    """How steeply the whole ground falls along the course [m/m]."""

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Evaluate the trough at every cell's centre."""
        phases = [derive(key, "phase", n) % 2**20 / 2**20 * 2 * np.pi for n in (0, 1)]
        return in_rows(lambda first, last, rows: self._height(rows, *phases), grid, run)

    def _height(self, grid: Grid, first: float, second: float) -> NDArray[np.float64]:
        bearing = np.radians(self.direction)
        x, y = grid.x[None, :], grid.y[:, None]
        along = x * np.sin(bearing) + y * np.cos(bearing)
        across = x * np.cos(bearing) - y * np.sin(bearing)
        wave = 2 * np.pi / self.meander_wavelength * along
        line = self.meander * (np.sin(wave + first) + 0.5 * np.sin(2.3 * wave + second)) / 1.5
        inside = 1 - smoothstep(0, self.width / 2, np.abs(across - line))
        height: NDArray[np.float64] = -self.fall * along - self.depth * inside
        return height
