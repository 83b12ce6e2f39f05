"""GeoTIFF: layers as they are, in metres, for programs of maps; plain or cloud-optimized."""

import json
import warnings
from typing import Any, BinaryIO

import numpy as np

from downcut.errors import DowncutError
from downcut.export import sidecar
from downcut.export.geotiff_parts import write_in_parts
from downcut.export.placement import Place, Placement
from downcut.export.raster import Array, legend, one_of, plane
from downcut.grid import Grid
from downcut.importing.stored import StoredLand
from downcut.importing.stored_layer import StoredLayer
from downcut.layers import layer as meaning_of
from downcut.terrain import Terrain

LOCAL_CRS = (
    'LOCAL_CS["downcut ground, from the middle of the recipe\'s land",'
    'UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'
)
"""A made-up land lies nowhere on Earth: an engineering system in metres, and nothing more."""

COMPRESSIONS = ("deflate", "zstd", "none")


def write_geotiff(
    terrain: Terrain,
    file: BinaryIO,
    *,
    layer: str = "elevation",
    cloud_optimized: bool = False,
    compression: str = "deflate",
    at: Place | None = None,
) -> dict[str, Any]:
    """Write a layer as a GeoTIFF: its values exactly, coordinates in metres, cells as areas.

    In tiles, with the float predictor. Encoded in memory, since GDAL leaves a file of the right
    size and the wrong content when a disk fills up; of a store, some rows at a time and read back.

    Parameters
    ----------
    terrain, file
    layer : str
    cloud_optimized : bool
        Lay the file out for reading parts of it over a network, with overviews: means of
        2 × 2 cells, or for numbers of things one of them.
    compression : "deflate", "zstd" or "none"
        Zstd packs tighter, but not every reader has it.
    at : "longitude,latitude", pair or Placement, optional
        Where the land's middle lies on the Earth; by default nowhere, in local coordinates.

    Returns
    -------
    dict
        The side file's content; the tag DOWNCUT carries it too.

    Raises
    ------
    DowncutError
        If rasterio is not installed.
    """
    try:
        from rasterio.crs import CRS
        from rasterio.errors import NotGeoreferencedWarning
        from rasterio.io import MemoryFile
        from rasterio.transform import Affine
    except ImportError:
        raise DowncutError("GeoTIFF needs rasterio: pip install 'downcut[gis]'") from None
    one_of("compression", compression, COMPRESSIONS)
    values = terrain[layer] if isinstance(terrain, StoredLand) else plane(terrain, layer)
    crs, placed = place_of(at)
    facts = sidecar.facts(terrain, layer, values, **legend(layer), **placed)
    profile = {
        "height": terrain.grid.ny,
        "width": terrain.grid.nx,
        "count": facts["bands"],
        "dtype": values.dtype.name,
        "crs": CRS.from_wkt(crs),
        "transform": Affine(*transform(terrain.grid)),
    }
    layout = (_cloud if cloud_optimized else _plain)(values, compression)
    with warnings.catch_warnings():
        # That the corner may be the origin is no mistake, and it is kept.
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        if isinstance(values, StoredLayer):
            write_in_parts(values, file, profile, layout, lambda made: _label(made, layer, facts))
            return facts
        with MemoryFile() as memory:
            with memory.open(**profile, **layout) as dataset:
                dataset.write(np.moveaxis(values, -1, 0) if values.ndim == 3 else values[None])
                _label(dataset, layer, facts)
            file.write(memory.getbuffer())
    return facts


def write_cog(
    terrain: Terrain,
    file: BinaryIO,
    *,
    layer: str = "elevation",
    compression: str = "deflate",
    at: Place | None = None,
) -> dict[str, Any]:
    """Write a layer as a cloud-optimized GeoTIFF; see `write_geotiff`."""
    return write_geotiff(
        terrain, file, layer=layer, cloud_optimized=True, compression=compression, at=at
    )


def _plain(values: Array | StoredLayer, compression: str) -> dict[str, Any]:
    """Return how a plain GeoTIFF is laid out."""
    packed = {"zlevel": 1} if compression == "deflate" else {"zstd_level": 1}
    predictor = {"predictor": 3 if values.dtype.kind == "f" else 2}
    return {
        "driver": "GTiff",
        "tiled": True,
        "blockxsize": 256,
        "blockysize": 256,
        "compress": compression,
        **({} if compression == "none" else packed | predictor),
        "bigtiff": "IF_SAFER",
        "num_threads": "ALL_CPUS",
        **({"photometric": "MINISBLACK", "alpha": "NO"} if values.ndim == 3 else {}),
    }


def _cloud(values: Array | StoredLayer, compression: str) -> dict[str, Any]:
    """Return how a cloud-optimized GeoTIFF is laid out."""
    numbers = values.dtype.kind in "iu" and values.ndim == 2
    return {
        "driver": "COG",
        "compress": compression,
        **({} if compression == "none" else {"level": 1, "predictor": "YES"}),
        "overview_resampling": "NEAREST" if numbers else "AVERAGE",
        "bigtiff": "IF_SAFER",
        "num_threads": "ALL_CPUS",
    }


def _label(dataset: Any, layer: str, facts: dict[str, Any]) -> None:
    """Say in a GeoTIFF what its bands are and where it comes from."""
    names = facts.get("bands_are", [])
    for band in range(1, dataset.count + 1):
        dataset.set_band_description(band, names[band - 1] if names else layer)
        if unit := meaning_of(layer).unit:
            dataset.set_band_unit(band, unit)
    dataset.update_tags(
        AREA_OR_POINT="Area",
        TIFFTAG_SOFTWARE=f"downcut {facts['version']}",
        DOWNCUT=json.dumps(facts),
    )


def place_of(at: Place | None) -> tuple[str, dict[str, Any]]:
    """Return the coordinates' system as WKT, and where on the Earth the land's middle lies."""
    if at is None:
        return LOCAL_CRS, {}
    found = Placement.of(at)
    return found.wkt, {"longitude": found.longitude, "latitude": found.latitude}


def transform(grid: Grid) -> tuple[float, float, float, float, float, float]:
    """Return a, b, c, d, e, f of x = a·col + b·row + c and y = d·col + e·row + f, at corners."""
    cell = grid.cell_size
    return cell, 0.0, float(grid.x[0]) - cell / 2, 0.0, -cell, float(grid.y[0]) + cell / 2
