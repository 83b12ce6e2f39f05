"""Square cells in metres, from cells that are neither: projected and resampled by GDAL."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.importing.asked import check_cell
from downcut.importing.gdal import is_there
from downcut.importing.heightmap import Raster

SQUARE = 0.01
"""How much wider than high cells may be [share], or a map's metre than a true one."""
WIDEST = 3.3e6
"""Metres that one flat map may span: at its ends, 15° of the Earth away, lengths err by 0.9 %."""
Places = tuple[NDArray[np.float64], NDArray[np.float64]]
FINE = 0.01
"""How far GDAL's quick way to project may be off [cells]."""

FRAME = (1.0, 1.0)
"""Where a file's corner lies, in cells, while it is only stretched; not at 0: GDAL would think that
it has no place."""


@dataclass(frozen=True)
class Plan:
    """The square cells that a raster is taken to."""

    ny: int
    nx: int
    cell: float
    """Edge of a cell [m]."""
    place: Any
    """rasterio's Affine of the new cells, and `crs` their coordinates; None: cells stay."""
    crs: Any
    note: str


def planned(raster: Raster, path: Path) -> Plan | None:
    """Return the square cells for a raster, by its header; None where its cells are unknown.

    Raises
    ------
    DowncutError
        For cells without a size, a part of the Earth too wide for a flat map, or without rasterio.
    """
    if raster.cell is None:
        return None
    width, height = (
        check_cell(_metres(raster) * edge, f"{path}: cell_size") for edge in raster.cell
    )
    if raster.place is not None and raster.crs is not None:
        flat = _flattened(raster, path)
        if flat:
            return flat
    if abs(height / width - 1) <= SQUARE:
        return Plan(raster.ny, raster.nx, (width + height) / 2, None, None, "")
    if not is_there():
        raise DowncutError(
            f"{path} has cells of {width:g} × {height:g} m, and making them square needs rasterio: "
            "pip install 'downcut[gis]'"
        )
    return _stretched(raster, width, height)


def _metres(raster: Raster) -> float:
    """Return how many metres a unit of the coordinates is; of degrees on the equator."""
    if raster.crs is None or raster.place is None:
        return 1.0
    if raster.crs.is_geographic:
        return math.radians(6_378_137.0)
    from rasterio.errors import CRSError

    try:
        return float(raster.crs.linear_units_factor[1])
    except CRSError:  # a system of its own, of an unknown unit
        return 1.0


def _stretched(raster: Raster, width: float, height: float) -> Plan:
    """Plan square cells on the same ground, as fine as the finer edge."""
    from rasterio.transform import Affine

    cell = min(width, height)
    nx = max(round(raster.nx * width / cell), 1)
    ny = max(round(raster.ny * height / cell), 1)
    # in a frame whose unit is a cell of the file: from new cells to old ones, middle on middle
    across, down = cell / width, cell / height
    west, north = (raster.nx - nx * across) / 2, (raster.ny - ny * down) / 2
    place = Affine(across, 0, FRAME[0] + west, 0, down, FRAME[1] + north)
    note = f"cells of {width:g} × {height:g} m were resampled to squares of {cell:g} m"
    return Plan(ny, nx, cell, place, None, note)


def _flattened(raster: Raster, path: Path) -> Plan | None:
    """Plan a map of true areas around the middle; None where the file's own map is true."""
    from rasterio.crs import CRS
    from rasterio.transform import Affine
    from rasterio.warp import transform

    globe = _globe(raster.crs)
    if globe is None:
        return None
    middle = _points(raster.place, [raster.nx / 2], [raster.ny / 2])
    (lon,), (lat,) = transform(raster.crs, globe, *middle)
    local = CRS.from_wkt(_equal_area(globe, lon, lat))

    def at(cols: Any, rows: Any) -> Places:
        xs, ys = transform(raster.crs, local, *_points(raster.place, cols, rows))
        return np.array(xs), np.array(ys)

    width, height = (check_cell(e, f"{path}: cell_size") for e in _edges(at, raster))
    if not raster.crs.is_geographic and _is_true(raster, width, height):
        return None
    west, east, south, north = _inner_box(at, raster)
    cell, span = min(width, height), max(raster.nx * width, raster.ny * height)
    if span > WIDEST or min(east - west, north - south) < cell:
        raise DowncutError(
            f"{path} spans {span / 1000:,.0f} km of a globe, too much for a flat map: cut a piece "
            f"out, as gdal_translate -srcwin 0 0 2048 2048 {path.name} piece.tif"
        )
    rows, cols = int((north - south) / cell + 1e-6), int((east - west) / cell + 1e-6)
    left, top = (west + east - cols * cell) / 2, (north + south + rows * cell) / 2
    new = Affine(cell, 0, left, 0, -cell, top)
    return Plan(rows, cols, cell, new, local, _said(raster, width, height, lon, lat))


def _edges(at: Callable[[Any, Any], Places], raster: Raster) -> tuple[float, float]:
    """Return the true width and height of the cell in the middle."""
    step = np.array([-0.5, 0.5, 0.0, 0.0])
    x, y = at(raster.nx / 2 + step, raster.ny / 2 + step[::-1])
    return math.hypot(x[1] - x[0], y[1] - y[0]), math.hypot(x[3] - x[2], y[3] - y[2])


def _inner_box(
    at: Callable[[Any, Any], Places], raster: Raster
) -> tuple[float, float, float, float]:
    """Return west, east, south and north of the rectangle inside the file's bent outline."""
    along, zero = np.linspace(0, 1, 33), np.zeros(33)
    down, across = along * raster.ny, along * raster.nx
    west, east = at(zero, down)[0].max(), at(zero + raster.nx, down)[0].min()
    south, north = at(across, zero + raster.ny)[1].max(), at(across, zero)[1].min()
    return west, east, south, north


def _said(raster: Raster, width: float, height: float, lon: float, lat: float) -> str:
    units = " (in degrees)" if raster.crs.is_geographic else ""
    return (
        f"cells of {width:.4g} × {height:.4g} m{units} were projected to squares of "
        f"{min(width, height):.4g} m, true to area, around {abs(lat):.2f}° {'NS'[lat < 0]} "
        f"{abs(lon):.2f}° {'EW'[lon < 0]}"
    )


def _is_true(raster: Raster, width: float, height: float) -> bool:
    """Tell whether the file's own map shows lengths as they are, about."""
    assert raster.cell is not None
    unit = _metres(raster)
    pairs = zip((width, height), raster.cell, strict=True)
    return all(abs(true / (edge * unit) - 1) <= SQUARE for true, edge in pairs)


def _points(place: Any, cols: Any, rows: Any) -> tuple[list[float], list[float]]:
    across, down = np.asarray(cols, np.float64), np.asarray(rows, np.float64)
    x = place.a * across + place.b * down + place.c
    y = place.d * across + place.e * down + place.f
    return x.tolist(), y.tolist()


def _globe(crs: Any) -> Any:
    """Return the geographic system below a coordinate system; None for one of its own."""
    from rasterio.crs import CRS

    text = crs.to_wkt(version="WKT1_GDAL")
    start = text.find("GEOGCS[")
    if start < 0:
        return None
    depth, end = 0, start
    for end in range(start, len(text)):
        depth += (text[end] == "[") - (text[end] == "]")
        if depth == 0 and text[end] == "]":
            break
    return CRS.from_wkt(text[start : end + 1])


def _equal_area(globe: Any, lon: float, lat: float) -> str:
    """Return the WKT of Lambert's azimuthal equal-area map around a place."""
    return (
        f'PROJCS["around the middle of the file",{globe.to_wkt(version="WKT1_GDAL")},'
        'PROJECTION["Lambert_Azimuthal_Equal_Area"],'
        f'PARAMETER["latitude_of_center",{lat!r}],PARAMETER["longitude_of_center",{lon!r}],'
        'PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]'
    )


def squared(elevation: NDArray[np.float32], raster: Raster, plan: Plan) -> NDArray[np.float32]:
    """Return the heights on the planned cells, by a cubic; gaps stay gaps."""
    if plan.place is None:
        return elevation
    from rasterio.crs import CRS
    from rasterio.transform import Affine
    from rasterio.warp import Resampling, reproject

    out = np.full((plan.ny, plan.nx), np.nan, np.float32)
    frame = CRS.from_epsg(3857)  # for cells that are only stretched any will do
    place, crs = (raster.place, raster.crs) if plan.crs else (Affine.translation(*FRAME), frame)
    reproject(
        elevation, out, src_nodata=np.nan, dst_nodata=np.nan, resampling=Resampling.cubic,
        src_transform=place, dst_transform=plan.place, src_crs=crs, dst_crs=plan.crs or frame,
        num_threads=0, tolerance=FINE,
    )  # fmt: skip
    return out
