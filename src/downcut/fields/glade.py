"""A glade: a stream that winds between low banks through a rolling meadow."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Field
from downcut.flow.stream import stream, stream_line
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Metres


class Glade(Field):
    """The stream first, then the land round it.

    With south z and east x in metres from the middle, the stream's centre line is
    x = 8 + 2.6·sin(0.045z) + 1.3·sin(0.11z + 1.3) and d the distance east or west of it:
    rolling · ss(3.2, 7.5, d) − depth · (1 − ss(0, 4.6, d)) + bank · exp(−(d − 5.6)² / 3).

    Gives `rivers`: the stream as a line, 120 m to the north and to the south of the middle.

    Examples
    --------
    >>> import downcut as dc
    >>> bed = dc.fields.Glade(rolling=0)(grid=dc.Grid(240, 240, cell_size=1)).min()
    >>> bool(-1.15 < bed < -1.1)
    True
    """

    op: Literal["fields.glade"] = "fields.glade"
    features: ClassVar[tuple[str, ...]] = ("rivers",)
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 60.0

    depth: Metres = Parameter(1.15, ge=0, le=100)
    """Depth of the stream's bed below the meadow."""
    bank: Metres = Parameter(0.28, ge=0, le=100)
    """Height of the low banks beside the stream."""
    rolling: Metres = Parameter(0.9, ge=0, le=100)
    """Height of the broad swells; the small ones are 0.35 / 0.9 of it."""

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Evaluate the height function at every cell's centre."""
        out = np.empty(grid.shape, np.float32)

        def rows(first: int, last: int) -> None:
            out[first:last] = self.height(grid.x[None, :], -grid.y[first:last, None])

        run.slices(rows, grid.ny, 64)
        run.features["rivers"] = stream(self.depth)
        return out

    def height(self, x: NDArray[np.float64], z: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the ground's height [m] at `x` metres east and `z` metres south of the middle."""
        d = np.abs(x - stream_line(z))
        small = np.sin(0.13 * x + 0.07 * z) + np.sin(0.05 * x - 0.11 * z + 1.7)
        swell = np.sin(0.021 * x + 0.017 * z + 0.5)
        meadow = self.rolling * (0.35 / 0.9 * small + swell) * _smoothstep(3.2, 7.5, d)
        bed = self.depth * (1 - _smoothstep(0, 4.6, d))
        height: NDArray[np.float64] = meadow - bed + self.bank * np.exp(-((d - 5.6) ** 2) / 3)
        return height


def _smoothstep(low: float, high: float, t: NDArray[np.float64]) -> NDArray[np.float64]:
    s = np.clip((t - low) / (high - low), 0, 1)
    result: NDArray[np.float64] = s * s * (3 - 2 * s)
    return result
