"""Crossed sine waves: smooth hills to watch water on."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Field, in_rows
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Count, Metres, Number


class Sines(Field):
    """Σ aₖ · sin(x·fₖ) · cos(y·fₖ + k), then (v + level) · amplitude, clamped to a range.

    Positions count from the ground's north-west corner `start` away from its middle, south and
    east, as a picture is drawn. Smooth everywhere, with no chance in it.

    Examples
    --------
    >>> import downcut as dc
    >>> hills = dc.fields.Sines()(grid=dc.Grid(96, 96, cell_size=1))
    >>> bool(hills.min() >= 0 and hills.max() <= 1.2)
    True
    """

    op: Literal["fields.sines"] = "fields.sines"
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 10.0

    wavelength: Metres = Parameter(157.07963267948966, ge=0.01, le=1e8)
    """Length of the longest wave, 2π / frequency: 157.08 m is a frequency of 0.04 a metre."""
    octaves: Count = Parameter(4, ge=1, le=16)
    """How many waves are summed; each is turned by one radian more."""
    lacunarity: Number = Parameter(2.1, ge=1, le=8)
    """How much shorter each wave is than the one before."""
    gain: Number = Parameter(0.55, ge=0, le=1)
    """How high each wave is beside the one before."""
    level: Number = Parameter(2.0, ge=-100, le=100)
    """Added to the sum of waves before it is scaled."""
    amplitude: Metres = Parameter(0.25, ge=-1e5, le=1e5)
    """Height of the longest wave."""
    lowest: Metres = Parameter(0.0, ge=-1e5, le=1e5)
    """The ground is never below this."""
    highest: Metres = Parameter(1.2, ge=-1e5, le=1e5)
    """The ground is never above this."""
    start: Metres = Parameter(48.0, ge=-1e9, le=1e9)
    """How far north and west of the ground's middle the waves begin."""

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Sum the waves at every cell's centre."""
        return in_rows(lambda first, last, rows: self._height(rows), grid, run)

    def _height(self, grid: Grid) -> NDArray[np.float64]:
        half = grid.cell_size / 2  # the source draws cell (0, 0) at 0
        x, y = grid.x + self.start - half, self.start - grid.y - half
        total = np.zeros(grid.shape)
        frequency, height = 2 * np.pi / self.wavelength, 1.0
        for k in range(self.octaves):
            total += height * np.cos(y * frequency + k)[:, None] * np.sin(x * frequency)[None, :]
            frequency, height = frequency * self.lacunarity, height * self.gain
        scaled = (total + self.level) * self.amplitude
        return np.clip(scaled, self.lowest, self.highest)
