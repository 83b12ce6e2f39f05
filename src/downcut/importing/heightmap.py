"""What comes in: a file's heights in metres on square cells, and what was learnt on the way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.grid import Grid
from downcut.sampling import knots

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Heightmap:
    """Heights read from a file.

    Parameters
    ----------
    elevation : (ny, nx) float32
        Metres, row 0 in the north; NaN where there is no data.
    cell_size : float
        Edge of a cell [m].
    sea_level : float or None
        Height of the sea [m], where the file knows one.
    recipe : dict or None
        The recipe that the land can be grown from again, as plain data: of our own files whose
        samples are as they were written.
    notes : tuple of str
        Sentences about what was assumed or changed.
    crs : str or None
        The coordinate system as WKT, and `corner` the outer north-west corner in it (x, y).
    content : str
        The name of the file's bytes.
    knows_cell : bool
        Whether the cell size comes from the file or its reader, and was not assumed.
    """

    elevation: NDArray[np.float32]
    cell_size: float
    sea_level: float | None = None
    recipe: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    crs: str | None = None
    corner: tuple[float, float] | None = None
    content: str = ""
    knows_cell: bool = True

    @property
    def grid(self) -> Grid:
        """The cells, centred on the world's origin."""
        ny, nx = self.elevation.shape
        return Grid(ny, nx, self.cell_size)

    @cached_property
    def gaps(self) -> int:
        """How many cells have no data."""
        return int(np.count_nonzero(np.isnan(self.elevation)))

    def refuse_gaps(self, name: object) -> None:
        """Refuse heights that are not all there.

        Raises
        ------
        DowncutError
            With the count and the way out.
        """
        if self.gaps == self.elevation.size:
            raise DowncutError(f"{name} has no cell with data: give a file with heights in it")
        if self.gaps:
            raise DowncutError(
                f"{name} has {self.gaps:,} of {self.elevation.size:,} cells without data: fill "
                "them from those around by fill_voids=true"
            )

    @cached_property
    def spline(self) -> NDArray[np.float64]:
        """The coefficients of the spline through all heights, for `sampling.resample`."""
        return knots(self.elevation)


@dataclass
class Raster:
    """What a file's header says, and how its samples are got: no cell is read before `load`."""

    kind: str
    """In words, as "16-bit PNG"."""
    ny: int
    nx: int
    dtype: np.dtype[Any]
    load: Callable[[], Array]
    """Gives (ny, nx) samples; masked where the file says that there is no data."""
    scale: float = 1.0
    offset: float = 0.0
    """Metres are offset + scale × sample."""
    levels: bool = False
    """Whether samples are levels of a picture, whose metres nobody has told yet."""
    cell: tuple[float, float] | None = None
    """Width and height of a cell, in metres or in units of the coordinates; None if unknown."""
    place: Any = None
    """From (column, row) at corners to coordinates, as rasterio's Affine; None for nowhere."""
    crs: Any = None
    """rasterio's coordinate system of the place."""
    south_first: bool = False
    nodata: float | None = None
    sea_level: float | None = None
    facts: dict[str, Any] | None = None
    """What a file of ours says of itself."""
    notes: list[str] = field(default_factory=list)
