"""Measuring what is in a file: any heightmap or DEM, gaps left out."""

from pathlib import Path
from typing import Any

import psutil

from downcut.errors import DowncutError
from downcut.importing import Asked, read
from downcut.importing.reading import header
from downcut.measuring.land import measure
from downcut.measuring.report import Report
from downcut.run import Run

WORKING_BYTES = 120
"""Memory that measuring takes, a cell."""


def measure_file(
    path: str | Path, *, sea_level: float | None = None, run: Run | None = None, **options: Any
) -> Report:
    """Measure a DEM or heightmap, in any format that `fields.heightmap` takes.

    Cells without data are left out, like the sea, and the report says how many: water leaves the
    land there. Cells that are not square, or in degrees, are resampled, which smooths the finest
    detail; the report says so.

    Parameters
    ----------
    path : path of a file
    sea_level : float, optional
        As for `measure`; what the file says by default.
    run
        As for `measure`.
    options
        What the file does not say: see `importing.Asked`.

    Raises
    ------
    DowncutError
        If the file cannot be read as heights, or measuring it takes more memory than there is.
    """
    place = Path(path)
    _refuse_too_large(place, Asked(**options))
    found = read(place, **options)
    level = found.sea_level if sea_level is None else sea_level
    report = measure(found.elevation, found.grid, sea_level=level, name=place.stem, run=run)
    return Report(**{**vars(report), "notes": (*found.notes, *report.notes)})


def _refuse_too_large(place: Path, asked: Asked) -> None:
    raster, plan = header(place, asked)
    ny, nx = (plan.ny, plan.nx) if plan else (raster.ny, raster.nx)
    need, free = ny * nx * WORKING_BYTES, psutil.virtual_memory().available
    if need > free:
        raise DowncutError(
            f"{place} has {ny} × {nx} cells; measuring them takes about {need / 1e9:,.1f} GB of "
            f"memory and {free / 1e9:,.1f} GB are free: cut a piece out, as "
            f"gdal_translate -srcwin 0 0 4096 4096 {place.name} piece.tif"
        )
