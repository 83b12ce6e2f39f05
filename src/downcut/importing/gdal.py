"""Whatever GDAL reads, by rasterio: GeoTIFF, ESRI ASCII, HGT and the other DEMs of the world."""

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from downcut.errors import DowncutError
from downcut.importing import own
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Array, Raster
from downcut.importing.texts import refuse_broken_text

if TYPE_CHECKING:
    from rasterio.io import DatasetReader

UNIT_METRES = {
    "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "international foot": 0.3048,
    "us survey foot": 1200 / 3937, "ftus": 1200 / 3937, "us-ft": 1200 / 3937,
    "km": 1000.0, "cm": 0.01, "mm": 0.001, "dm": 0.1,
}  # fmt: skip
"""Units of height that are not metres."""
METRES = {"", "m", "metre", "meter", "metres", "meters"}
ELSEWHERE = {
    "DAAS", "DERIVED", "EEDA", "EEDAI", "ESRIC", "GTI", "HTTP", "MRF", "NGW", "OGCAPI", "PLMOSAIC",
    "STACIT", "STACTA", "VRT", "WCS", "WMS", "WMTS",
}  # fmt: skip
"""Formats that only point to other files or to the network: a file that came from somewhere must
not make this machine read either, and its bytes do not say what the land is."""
TEXTS = {"AAIGrid"}
"""Formats whose heights GDAL takes for 0 where a file of text ends too soon or holds words."""
HINTS = {".hgt": "; an HGT file is named after its place, as N46E008.hgt"}
SKEW = 0.01
"""How far cells may be from upright: cosine of the angle between their edges."""
MOST_BLOCK = 2**28
"""Bytes of a block of all bands, which GDAL reads at once, at most."""


def is_there() -> bool:
    """Tell whether rasterio is installed."""
    from importlib.util import find_spec

    return find_spec("rasterio") is not None


def raster(path: Path, asked: Asked) -> Raster:
    """Read the header of a file that GDAL knows; the first band holds the heights."""
    with opened(path) as dataset:
        dtype = np.dtype(dataset.dtypes[0])
        if dtype.kind not in "iuf":
            raise DowncutError(f"{path} holds {dataset.dtypes[0]}: give a raster of heights")
        block = math.prod(dataset.block_shapes[0]) * dtype.itemsize * dataset.count
        if block > MOST_BLOCK:
            raise DowncutError(f"{path} is read in blocks of {block:,} bytes: write it in tiles")
        found = Raster(
            dataset.driver, dataset.height, dataset.width, dtype, lambda: _samples(path),
            scale=dataset.scales[0], offset=dataset.offsets[0],
        )  # fmt: skip
        _place(found, dataset)
        _unit(found, dataset.units[0] or "")
        if dataset.count > 1:
            found.notes.append(f"the first of {dataset.count} bands was read")
        plain = found.place is None and (found.scale, found.offset) == (1.0, 0.0)
        found.levels = dtype.kind == "u" and plain and dtype.itemsize < 4
        note = dataset.tags().get("DOWNCUT")
    return own.told(found, (own.parsed(note, path) if note else None) or own.beside(path))


@contextmanager
def opened(path: Path) -> Iterator["DatasetReader"]:
    """Open a file by a driver that reads it, and nothing else."""
    try:
        import rasterio
        from rasterio.errors import RasterioError
        from rasterio.io import DatasetReader
    except ImportError:
        raise DowncutError(f"{path} needs rasterio: pip install 'downcut[gis]'") from None
    if path.suffix.lower() == ".vrt":
        raise DowncutError(
            f"{path} only points to other files: gather them in one, as "
            f"gdal_translate {path.name} {path.stem}.tif"
        )
    try:
        with warnings.catch_warnings(), rasterio.Env() as environment:
            warnings.simplefilter("ignore")  # that it has no coordinates is said in a note
            drivers = sorted(set(environment.drivers()) - ELSEWHERE)
            with DatasetReader(str(path.absolute()), driver=drivers) as dataset:
                yield dataset
    except RasterioError as error:
        hint = HINTS.get(path.suffix.lower(), "")
        raise DowncutError(f"{path} cannot be read as a raster: {error}{hint}") from error


def _samples(path: Path) -> Array:
    from rasterio.enums import MaskFlags

    with opened(path) as dataset:
        if dataset.driver in TEXTS:
            cells, whole = dataset.height * dataset.width, dataset.dtypes[0].startswith("int")
            refuse_broken_text(path, cells, nan=not whole)
        whole = MaskFlags.all_valid in dataset.mask_flag_enums[0]
        samples: Array = dataset.read(1, masked=not whole)
    return samples


def _place(found: Raster, dataset: "DatasetReader") -> None:
    """Note where the cells lie and how large they are, in the units of the coordinates."""
    found.crs, place = dataset.crs, dataset.transform
    if found.crs is None and place.is_identity:
        return
    found.cell = (math.hypot(place.a, place.d), math.hypot(place.b, place.e))
    if found.crs is None:
        found.notes.append("the file names no coordinate system: its unit is taken for metres")
    if abs(place.a * place.b + place.d * place.e) > SKEW * math.prod(found.cell):
        raise DowncutError(f"{dataset.name} has skewed cells: gdalwarp makes them upright")
    if place.a < 0 and not (place.b or place.d):
        raise DowncutError(f"{dataset.name}: cell_size is {place.a:g}: columns must go east")
    if place.determinant > 0:  # a mirror image as it stands: its rows go from south to north
        found.south_first = True
        ny, (a, b, west, d, e, south) = dataset.height, place[:6]
        place = type(place)(a, -b, west + ny * b, d, -e, south + ny * e)
    if place.b or place.d:
        turned = math.degrees(math.atan2(place.d, place.a))
        found.notes.append(f"rows are turned by {turned:.1f}° and stay so: up is not quite north")
    found.place = place


def _unit(found: Raster, unit: str) -> None:
    name = unit.strip().lower()
    if factor := UNIT_METRES.get(name):
        found.scale, found.offset = found.scale * factor, found.offset * factor
        found.notes.append(f"heights in {unit} were turned into metres")
    elif name not in METRES:
        found.notes.append(f"heights in {unit!r} are taken for metres")
