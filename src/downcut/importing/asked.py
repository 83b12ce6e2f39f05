"""What a person may say about a file that the file does not say itself."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from downcut.errors import DowncutError, shown
from downcut.grid import LARGEST_CELL, SMALLEST_CELL

LIMIT_CELLS = 2**28
"""Cells that a file may have unless more are asked for: 16384 × 16384."""
DTYPES = ("uint8", "uint16", "int16", "uint32", "int32", "float16", "float32", "float64")


@dataclass(frozen=True)
class Asked:
    """How a file is to be read; what is None the file says, or a note tells what was assumed.

    Parameters
    ----------
    shape : (rows, columns), optional
        For samples without a header; one of them may be None.
    dtype : name of a dtype, optional
        Of a sample without a header, as "uint16".
    byte_order : "little" or "big", optional
        Of a sample without a header.
    south_first : bool
        Whether the first row is the southernmost.
    cell_size : float, optional
        Edge of a cell [m].
    height_range : (low, high), optional
        Metres of the lowest and the highest level: of 0 and 65535 for 16-bit samples, of 0 and 1
        for numbers with a point; one of them may be None.
    nodata : float, optional
        The sample that stands for no data.
    fill_voids : bool
        Whether cells without data are filled from those around.
    limit_cells : int
        Cells beyond which a file is refused, before any is read.

    Raises
    ------
    DowncutError
        Naming what is out of its bounds.
    """

    shape: tuple[int | None, int | None] = (None, None)
    dtype: str | None = None
    byte_order: str | None = None
    south_first: bool = False
    cell_size: float | None = None
    height_range: tuple[float | None, float | None] = (None, None)
    nodata: float | None = None
    fill_voids: bool = False
    limit_cells: int = LIMIT_CELLS

    def __post_init__(self) -> None:
        if self.cell_size is not None:
            check_cell(self.cell_size, "cell_size")
        if self.dtype not in (None, *DTYPES):
            raise DowncutError(f"dtype is {shown(self.dtype)}: give one of {', '.join(DTYPES)}")
        if self.byte_order not in (None, "little", "big"):
            raise DowncutError(f"byte_order is {shown(self.byte_order)}: give little or big")
        if not _two(self.shape, lambda n: n == int(n) > 0):
            raise DowncutError(f"shape is {shown(self.shape)}: give rows and columns, each ≥ 1")
        if not _two(self.height_range, math.isfinite):
            raise DowncutError(
                f"height_range is {shown(self.height_range)}: give the metres of the lowest and of "
                "the highest level"
            )

    @property
    def says_samples(self) -> bool:
        """Whether it changes what a file's samples mean."""
        plain = Asked(
            cell_size=self.cell_size, fill_voids=self.fill_voids, limit_cells=self.limit_cells
        )
        return self != plain


def _two(values: Sequence[float | None], good: Callable[[float], bool]) -> bool:
    return len(values) == 2 and all(value is None or good(value) for value in values)


def check_cell(size: float, name: str) -> float:
    """Return the edge of a cell [m] if it is one.

    Raises
    ------
    DowncutError
        Naming the value: 0, negative, NaN, infinite or out of reach.
    """
    if not SMALLEST_CELL <= size <= LARGEST_CELL:
        raise DowncutError(
            f"{name} is {size:g}: it must be a length from {SMALLEST_CELL:g} to "
            f"{LARGEST_CELL:g} m; cell_size says another"
        )
    return float(size)
