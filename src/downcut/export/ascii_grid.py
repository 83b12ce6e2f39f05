"""ESRI's ASCII grid: a header and a table of numbers, which anything reads."""

import math
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.export import sidecar
from downcut.export.raster import Array, legend, plane
from downcut.run import Run
from downcut.terrain import Terrain

SLICE, BLOCK = 64, 1024
"""Rows a thread takes at a time, and rows that are in memory as text."""
DEEPEST = 9
MOST = 9e18
"""What the digits of a number, without its point, may come to in 64 bits."""


def write_ascii(
    terrain: Terrain, file: BinaryIO, *, layer: str = "elevation", decimals: int | None = None
) -> dict[str, Any]:
    """Write a layer of one band as an ESRI ASCII grid, north first.

    Parameters
    ----------
    terrain, file
    layer : str
    decimals : int, 0 to 9, optional
        Digits after the point: 3 (millimetres) by default, none for whole numbers. Values are
        off by half of the last one at most.

    Returns
    -------
    dict
        The side file's content.
    """
    values = plane(terrain, layer)
    if values.ndim != 2:
        raise DowncutError(f"{layer} has several bands and .asc one: save it as .png or .tif")
    whole = values.dtype.kind in "iu"
    digits = (0 if whole else 3) if decimals is None else decimals
    if digits not in range(DEEPEST + 1):
        raise DowncutError(f"decimals is {decimals}: give 0 to {DEEPEST}")
    largest = max(-float(values.min()), float(values.max()), 1.0)
    if largest * 10**digits > MOST:
        raise DowncutError(f"{layer} goes to {largest:g}: give fewer decimals than {digits}")
    empty = _unlike(float(values.min()))
    file.write(_header(terrain, empty).encode())
    width = len(f"{largest:.{digits}f}") + 2  # a blank and a sign
    for first in range(0, len(values), BLOCK):
        file.writelines(_texts(values[first : first + BLOCK], digits, width))
    return sidecar.facts(
        terrain, layer, values, decimals=digits, nodata=empty, **legend(layer)
    )  # fmt: skip


def _unlike(lowest: float) -> int:
    """Return −9999, or the first of −99999 … that no value is: it says "no data" to readers."""
    empty = -9999
    while empty >= math.floor(lowest) - 1:
        empty = empty * 10 - 9
    return empty


def _header(terrain: Terrain, empty: int) -> str:
    grid = terrain.grid
    row, col = grid.corner
    return (
        f"ncols {grid.nx}\nnrows {grid.ny}\n"
        f"xllcorner {col * grid.cell_size!r}\nyllcorner {-(row + grid.ny) * grid.cell_size!r}\n"
        f"cellsize {grid.cell_size!r}\nNODATA_value {empty}\n"
    )


def _texts(values: Array, decimals: int, width: int) -> list[bytes]:
    """Return some rows as text, in slices."""
    return Run().slices(
        lambda start, stop: _text(values[start:stop], decimals, width), len(values), SLICE
    )


def _text(values: Array, decimals: int, width: int) -> bytes:
    """Return rows of numbers right-aligned in columns, a byte of all of them at a time."""
    scaled = np.rint(values.astype(np.float64) * 10.0**decimals).astype(np.int64)
    rest, minus = np.abs(scaled), scaled < 0
    text = np.full((*values.shape, width), ord(" "), np.uint8)
    for place in range(width - 1, 0, -1):
        after = width - 1 - place  # digits and point to the right of here
        if decimals and after == decimals:
            text[..., place] = ord(".")
            continue
        digit = _last_digit(rest)
        if after > decimals + (decimals > 0):  # no zeros in front, but the sign
            done = digit.any() or rest.any()
            digit = np.where((digit > 0) | (rest > 0), digit + 48, np.where(minus, 45, 32))
            minus &= digit != 45
            text[..., place] = digit
            if not done and not minus.any():
                break
        else:
            text[..., place] = digit + 48
    text[:, 0, 0] = ord("\n")
    return text.tobytes()[1:] + b"\n"


def _last_digit(rest: NDArray[np.int64]) -> NDArray[np.int64]:
    """Take the last decimal digit off every number, in place, and return it."""
    tenth = rest // 10
    digit: NDArray[np.int64] = rest - 10 * tenth
    rest[...] = tenth
    return digit
