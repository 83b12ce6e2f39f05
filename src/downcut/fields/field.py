"""What every field is: values made from positions, blended into a layer."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, LayerName, Step, TargetName, refuse_unreal

Blend = Annotated[Literal["add", "max", "min", "multiply", "replace"], Parameter(title="joined by")]

_BLENDS: dict[str, Any] = {
    "add": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "multiply": np.multiply,
}
CELLS_A_SLICE = 1 << 15
"""So many cells' temporaries fit in a thread's cache."""


def in_rows(rows: Callable[[int, int, Grid], Array], grid: Grid, run: Run) -> Array:
    """Return what `rows(first, last, their grid)` gives, (ny, nx) float32, made some at a time.

    For values that depend on the place alone: their float64 temporaries stay small.
    """
    made = np.empty(grid.shape, np.float32)

    def work(first: int, last: int) -> None:
        made[first:last] = rows(first, last, grid.window(first, 0, last - first, grid.nx))

    run.slices(work, grid.ny, max(1, CELLS_A_SLICE // grid.nx))
    return made


class Field(Step):
    """A step that makes a layer from positions alone; every window equals the crop of a larger."""

    into: TargetName = "elevation"
    """The layer that the field is written into."""
    blend: Blend = "add"
    """How the field meets what the layer holds; the first field of a layer simply fills it."""
    mask: LayerName | None = None
    """A layer, 0 to 1, that says where the field acts; outside 0 to 1 it is clipped."""

    nanoseconds: ClassVar[float] = 5.0

    def inputs(self) -> dict[str, str]:
        """The layer it blends into as `base`, and the mask."""
        base = {} if self.blend == "replace" and self.mask is None else {"base": self.into}
        return base | ({"mask": self.mask} if self.mask else {})

    def optional(self) -> frozenset[str]:
        """A field may be the first of its layer."""
        return frozenset({"base"})

    def outputs(self) -> tuple[str, ...]:
        """The layer it is written into."""
        return (self.into,)

    def halo(self, grid: Grid) -> int | None:
        """A field looks at no neighbour."""
        return 0

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Return the field's own values, (ny, nx) float32, before the blend."""
        raise NotImplementedError

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Sample the field and blend it into its layer."""
        given = dict(zip(self.inputs(), arrays, strict=True))
        base, mask = given.get("base"), given.get("mask")
        value = self.sample(grid=grid, key=key, run=run)
        if base is None:
            return value if mask is None else value * np.clip(mask, 0, 1)
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            if self.blend != "replace":
                _BLENDS[self.blend](base, value, out=value)
            if mask is not None:
                value -= base
                value *= np.clip(mask, 0, 1)
                value += base
        refuse_unreal(value, f"{self.into}, once {self.op} is blended in,", self.into)
        return value
