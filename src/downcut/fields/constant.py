"""A constant: the same value everywhere."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Field
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Number


class Constant(Field):
    """One value everywhere: a plain to begin with, or by `blend` a floor, a lid, a factor.

    Examples
    --------
    >>> import downcut as dc
    >>> dc.fields.Constant(value=3, blend="max")([[1, 5]], grid=dc.Grid(1, 2)).tolist()
    [[3.0, 5.0]]
    """

    op: Literal["fields.constant"] = "fields.constant"
    value: Number = Parameter(0.0, ge=-1e5, le=1e5)
    """The value, in the unit of the layer."""

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Return the value at every cell."""
        return np.full(grid.shape, self.value, np.float32)
