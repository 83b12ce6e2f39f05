"""Reading a DEM: any raster that GDAL reads, on square cells in metres, gaps left out."""

import math
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil

from downcut.errors import DowncutError
from downcut.export.info import describe
from downcut.grid import Grid
from downcut.measuring.land import measure
from downcut.measuring.report import Report
from downcut.run import Run
from downcut.step import Array

if TYPE_CHECKING:
    from rasterio.io import DatasetReader

SQUARE = 0.01
"""How much wider than high cells may be [share] and still be called square."""
WORKING_BYTES = 120
"""Memory that measuring takes, a cell."""
UNIT_METRES = {
    "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "international foot": 0.3048,
    "us survey foot": 1200 / 3937, "ftus": 1200 / 3937, "us-ft": 1200 / 3937,
    "km": 1000.0, "cm": 0.01, "mm": 0.001, "dm": 0.1,
}  # fmt: skip
"""Units of height that are not metres; one that is not known is taken for metres."""


@dataclass(frozen=True)
class Dem:
    """A measured piece of the Earth."""

    elevation: Array
    """(ny, nx) float32 [m], NaN where there is no data."""
    grid: Grid
    notes: tuple[str, ...]


def measure_file(
    path: str | Path, *, sea_level: float | None = None, run: Run | None = None
) -> Report:
    """Measure a DEM, in any format that GDAL reads (first band).

    Cells without data are left out, like the sea, and the report says how many: water leaves the
    land there. Coordinates in degrees are refused, since their cells are not square: resampling
    smooths the finest detail, which is measured here, so it is left to whoever knows the place.

    Parameters
    ----------
    path : path of a file
    sea_level, run
        As for `measure`.

    Raises
    ------
    DowncutError
        If rasterio is missing, or the file is no raster of heights on square cells in metres.
    """
    dem = read_dem(Path(path))
    report = measure(dem.elevation, dem.grid, sea_level=sea_level, name=Path(path).stem, run=run)
    return Report(**{**vars(report), "notes": (*dem.notes, *report.notes)})


def read_dem(path: Path) -> Dem:
    """Read the first band of a raster file as elevation in metres.

    Raises
    ------
    DowncutError
        As `measure_file`; decided from the header, before any height is read.
    """
    try:
        import rasterio
        from rasterio.errors import RasterioError
    except ImportError:
        raise DowncutError("reading a DEM needs rasterio: pip install 'downcut[gis]'") from None
    if not path.exists():
        raise DowncutError(f"{path} is not there: give the path of a DEM")
    if not (path.is_file() or path.is_dir()):
        raise DowncutError(f"{path} is a device or a pipe: give the path of a DEM")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has no coordinates is said in a note
            with rasterio.open(path) as dataset:
                return _read(dataset, path)
    except RasterioError as error:
        raise DowncutError(f"{path} cannot be read as a raster: {error}") from error


def _read(dataset: "DatasetReader", path: Path) -> Dem:
    if np.dtype(dataset.dtypes[0]).kind not in "iuf":
        raise DowncutError(f"{path} holds {dataset.dtypes[0]}: give a raster of heights")
    cells, free = dataset.width * dataset.height, psutil.virtual_memory().available
    if cells * WORKING_BYTES > free:
        raise DowncutError(
            f"{path} has {dataset.height} × {dataset.width} cells; measuring them takes about "
            f"{cells * WORKING_BYTES / 1e9:,.1f} GB of memory and {free / 1e9:,.1f} GB are free: "
            f"cut a piece out, as gdal_translate -srcwin 0 0 4096 4096 {path.name} piece.tif"
        )
    heights = dataset.read(1, out_dtype="float32", masked=True)
    if facts := _of_ours(dataset, path):
        low, high = np.float32(facts["low_m"]), np.float32(facts["high_m"])
        elevation = np.ma.filled(heights, np.nan) * ((high - low) / np.float32(65535)) + low
        return Dem(elevation, Grid(dataset.height, dataset.width, facts["cell_size_m"]), ())
    size, notes = _cell_size(dataset, path)
    scale, offset = dataset.scales[0], dataset.offsets[0]
    unit = UNIT_METRES.get((dataset.units[0] or "m").strip().lower(), 1.0)
    elevation = np.ma.filled(heights.astype(np.float32), np.nan)
    elevation = (elevation * np.float32(scale) + np.float32(offset)) * np.float32(unit)
    elevation[~np.isfinite(elevation)] = np.nan
    if unit != 1.0:
        notes.append(f"heights in {dataset.units[0]} were turned into metres")
    return Dem(elevation, Grid(dataset.height, dataset.width, size), tuple(notes))


def _of_ours(dataset: "DatasetReader", path: Path) -> dict[str, Any]:
    """Return what a heightmap that we wrote says of itself; nothing of any other file."""
    if dataset.driver != "PNG" or dataset.dtypes[0] != "uint16":
        return {}
    try:
        facts = describe(path)
    except DowncutError:
        return {}
    return facts if facts["kind"] == "16-bit heightmap" else {}


def _cell_size(dataset: "DatasetReader", path: Path) -> tuple[float, list[str]]:
    """Return the edge of a cell [m] and what a reader should know about it."""
    crs, place = dataset.crs, dataset.transform
    if crs and crs.is_geographic:
        raise DowncutError(_project(dataset, path))
    width, height = math.hypot(place.a, place.d), math.hypot(place.b, place.e)
    if not 0 < width < math.inf or abs(height / width - 1) > SQUARE:
        raise DowncutError(
            f"{path} has cells of {width:g} × {height:g}: make them square, as "
            f"gdalwarp -tr {min(width, height):g} {min(width, height):g} -r cubic "
            f"{path.name} square.tif"
        )
    notes = [] if crs else ["the file names no coordinate system: its unit is taken for metres"]
    unit = _metres_of(crs)
    if unit != 1.0:
        notes.append("coordinates were turned into metres")
    return (width + height) / 2 * unit, notes


def _metres_of(crs: Any) -> float:
    """Return how many metres a unit of the coordinates is."""
    from rasterio.errors import CRSError

    try:
        return float(crs.linear_units_factor[1]) if crs else 1.0
    except CRSError:  # a system of its own, of an unknown unit
        return 1.0


def _project(dataset: "DatasetReader", path: Path) -> str:
    """Say why degrees will not do, and the command that projects this very file."""
    west, south, east, north = dataset.bounds
    zone = int(((west + east) / 2 + 180) // 6) % 60 + 1
    code = (32600 if south + north >= 0 else 32700) + zone
    return (
        f"{path} is in degrees, whose cells are not square and hold no lengths: project it first, "
        f"as gdalwarp -t_srs EPSG:{code} -r cubic {path.name} metres.tif"
    )
