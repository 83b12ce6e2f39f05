"""Rasters: the 16-bit heightmap with its side file, the GeoTIFF, and numpy's own files."""

import json
import sys
import warnings
import zipfile
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.errors import DowncutError
from downcut.export import sidecar
from downcut.export.origin import about, ground, png_note, recipe_text
from downcut.grid import Grid
from downcut.run import Run
from downcut.terrain import Terrain

LEVELS = 65535
"""The highest of a 16-bit heightmap's levels (65536 of them, from 0)."""

SLICE = 256

GEOTIFF = {
    "driver": "GTiff",
    "dtype": "float32",
    "count": 1,
    "tiled": True,
    "blockxsize": 256,
    "blockysize": 256,
    "compress": "deflate",  # zstd packs tighter, but not every reader has it
    "zlevel": 1,
    "predictor": 3,
    "bigtiff": "IF_SAFER",
    "num_threads": "ALL_CPUS",
}

LOCAL_CRS = (
    'LOCAL_CS["downcut ground, from the middle of the recipe\'s land",'
    'UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'
)
"""A made-up land lies nowhere on Earth: an engineering system in metres, and nothing more."""


def levels(elevation: NDArray[np.float32], low: float, high: float) -> NDArray[np.uint16]:
    """Return heights as the nearest of 65536 levels from `low` (0) to `high` (65535).

    low + level · (high − low) / 65535 is at most (high − low) / 131070 from the height. Where
    high = low every level is 0, which stands for `low`.
    """
    scaled = np.empty(elevation.shape, np.uint16)
    step = (high - low) / LEVELS or 1.0

    def work(start: int, stop: int) -> None:
        heights = elevation[start:stop].astype(np.float64)
        heights -= low
        heights /= step
        scaled[start:stop] = np.clip(np.rint(heights, out=heights), 0, LEVELS)

    Run().slices(work, len(elevation), SLICE)
    return scaled


def write_heightmap(terrain: Terrain, file: BinaryIO) -> dict[str, Any]:
    """Write elevation as a 16-bit greyscale PNG, north first, lowest 0 to highest 65535.

    Text chunks carry the recipe, its digest, the version and the metres of 0 and 65535, so that
    the heights come back within range / 131070 from the picture alone.
    """
    elevation = ground(terrain)
    low, high = terrain.relief
    facts = sidecar.facts(terrain, "elevation", np.uint16, span=(low, high))
    note = png_note(facts)
    note.add_itxt("downcut:recipe", recipe_text(terrain), zip=True)
    grey = levels(elevation, facts["metres_of_0"], facts["metres_of_65535"])
    Image.fromarray(grey).save(file, "PNG", pnginfo=note, compress_level=1)
    return facts


def write_geotiff(terrain: Terrain, file: BinaryIO) -> dict[str, Any]:
    """Write elevation as a float32 GeoTIFF: metres, local coordinates, cells as areas.

    Deflate with the float predictor, in tiles. Encoded in memory, since GDAL leaves a file of
    the right size and the wrong content when a disk fills up.

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
    elevation, facts = ground(terrain), sidecar.facts(terrain, "elevation", np.float32)
    profile = {
        **GEOTIFF,
        "height": terrain.grid.ny,
        "width": terrain.grid.nx,
        "crs": CRS.from_wkt(LOCAL_CRS),
        "transform": Affine(*_transform(terrain.grid)),
    }
    with MemoryFile() as memory, warnings.catch_warnings():
        # That the corner may be the origin is no mistake, and it is kept.
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with memory.open(**profile) as dataset:
            dataset.write(elevation, 1)
            _label(dataset, facts)
        file.write(memory.getbuffer())
    return facts


def _label(dataset: Any, facts: dict[str, Any]) -> None:
    """Say in a GeoTIFF what its band is and where it comes from."""
    dataset.set_band_description(1, "elevation")
    dataset.set_band_unit(1, "m")
    dataset.update_tags(
        AREA_OR_POINT="Area",
        TIFFTAG_SOFTWARE=f"downcut {facts['version']}",
        DOWNCUT=json.dumps(facts),
    )


def _transform(grid: Grid) -> tuple[float, float, float, float, float, float]:
    """Return a, b, c, d, e, f of x = a·col + b·row + c and y = d·col + e·row + f, at corners."""
    cell = grid.cell_size
    return cell, 0.0, float(grid.x[0]) - cell / 2, 0.0, -cell, float(grid.y[0]) + cell / 2


def write_npy(terrain: Terrain, file: BinaryIO) -> dict[str, Any]:
    """Write elevation [m], float32 (ny, nx), as numpy's .npy."""
    elevation = ground(terrain)
    header = np.lib.format.header_data_from_array_1_0(elevation)
    np.lib.format.write_array_header_1_0(file, header)
    file.write(elevation.data)  # numpy's own way of writing hides why a disk refused
    return sidecar.facts(terrain, "elevation", np.float32, byte_order=sys.byteorder)


def write_npz(terrain: Terrain, file: BinaryIO) -> None:
    """Write all layers as numpy's .npz, without pickle.

    Beside the layers, "recipe.json" and "about.json" are texts as 0-d arrays: names with a dot,
    which no layer has. The same land gives the same bytes (no time of day inside).
    """
    texts = {
        "about.json": np.array(json.dumps(about(terrain))),
        "recipe.json": np.array(recipe_text(terrain)),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in {**texts, **terrain.layers}.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # dated 1980
            with archive.open(entry, "w", force_zip64=True) as member:
                plain = np.asarray(array, order="C")
                np.lib.format.write_array(member, plain, allow_pickle=False)


def write_recipe(terrain: Terrain, file: BinaryIO) -> None:
    """Write the full recipe as JSON.

    Raises
    ------
    DowncutError
        For a land without a recipe.
    """
    if terrain.recipe is None:
        raise DowncutError("this land has no recipe to save: it was not grown from one")
    file.write(recipe_text(terrain).encode() + b"\n")
