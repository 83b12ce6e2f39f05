"""Cells without data, filled from those around."""

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError

NEAR = 64
"""How far is looked first [cells]; holes that are larger are filled again, four times as far."""


def filled(elevation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the heights with every gap (NaN) filled, by inverse distance (GDAL's fillnodata).

    Raises
    ------
    DowncutError
        If there is nothing but gaps, or rasterio is missing.
    """
    known = np.isfinite(elevation)
    if known.all():
        return elevation
    if not known.any():
        raise DowncutError("no cell has data: there is nothing to fill the rest from")
    try:
        from rasterio.fill import fillnodata
    except ImportError:
        raise DowncutError("filling voids needs rasterio: pip install 'downcut[gis]'") from None
    found, near = elevation, NEAR
    while not known.all():
        found = fillnodata(found, known.astype(np.uint8), max_search_distance=near)
        known, near = np.isfinite(found), near * 4
    return found
