"""Drainage: how much ground drains through each cell."""

from typing import Any, ClassVar, Literal

from downcut.flow.drained import drain, drained_area
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Step


class Drainage(Step):
    """Measure how much ground drains through each cell.

    Water takes the steepest descent to one neighbour (D8, O'Callaghan & Mark 1984); depressions
    fill and spill over their lowest saddle, so all of it reaches the sea or the edge of the map.
    Every cell of the sea is an outlet; what leaves at all outlets is the area of the whole map.

    Parameters of the call: elevation, (ny, nx) [m]. Returns drainage_area, (ny, nx) float64 [m²].

    Examples
    --------
    >>> Drainage()([[3, 2, 1, 4]], grid=Grid(1, 4, cell_size=10.0)).tolist()
    [[100.0, 200.0, 400.0, 100.0]]
    """

    op: Literal["hydrology.drainage"] = "hydrology.drainage"

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("drainage_area",)
    cites: ClassVar[tuple[str, ...]] = (
        "ocallaghan1984",
        "cordonnier2019",
        "zhou2019",
    )
    nanoseconds: ClassVar[float] = 100.0
    working_bytes: ClassVar[int] = 16

    def halo(self, grid: Grid) -> int | None:
        """Water may come from anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Route, count the cells upstream, and give their area."""
        (elevation,) = arrays
        return drained_area(drain(elevation, run), grid.cell_area, run)
