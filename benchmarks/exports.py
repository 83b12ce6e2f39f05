"""Exports beside the plain library call that writes the same samples with the same settings."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import downcut as dc
from downcut.export.geotiff import LOCAL_CRS, transform
from downcut.export.raster import levels
from downcut.export.save import save
from downcut.terrain import Terrain

Row = dict[str, Any]
Plain = Callable[[Terrain, Path], None]


def rows(terrain: Terrain, rounds: int = 3) -> list[Row]:
    """Time `save` of each format and its plain call in turn; the fastest of `rounds` counts.

    Each row: format, ours_s, plain_s, their ratio and that of processor times, megabytes and
    megabytes_s of ours. Both flush their file to the disk; ours makes its side file and checksum
    too, each time anew.
    """
    with tempfile.TemporaryDirectory() as folder:
        return [_row(terrain, name, Path(folder), rounds) for name in PLAIN]


def _row(terrain: Terrain, name: str, folder: Path, rounds: int) -> Row:
    ours, theirs = [], []
    for number in range(rounds):
        fresh = Terrain(terrain.grid, terrain.layers, recipe=terrain.recipe)
        place = folder / f"{number}{name}"
        ours.append(_seconds(save, fresh, place))
        theirs.append(_seconds(_lasting, PLAIN[name], terrain, folder / f"plain{number}{name}"))
    wall, processor = (
        [min(times[kind] for times in side) for side in (ours, theirs)] for kind in (0, 1)
    )
    size = sum(p.stat().st_size for p in (place, *place.rglob("*")) if p.is_file()) / 1e6
    return {
        "format": name,
        "ours_s": wall[0],
        "plain_s": wall[1],
        "ratio": wall[0] / wall[1],
        "processor_ratio": processor[0] / processor[1],
        "megabytes": size,
        "megabytes_s": size / wall[0],
    }


def _seconds(work: Callable[..., Any], *arguments: Any) -> tuple[float, float]:
    """Return wall and processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    work(*arguments)
    return time.perf_counter() - wall, time.process_time() - processor


def _lasting(plain: Plain, terrain: Terrain, path: Path) -> None:
    """Make a file by its library, and flush it to the disk as ours is."""
    plain(terrain, path)
    for file in (path, *path.rglob("*")):
        if file.is_file():
            with file.open("rb+") as opened:
                os.fsync(opened.fileno())


def _png(terrain: Terrain, path: Path) -> None:
    from PIL import Image

    heights = terrain["elevation"]
    low, high = float(heights.min()), float(heights.max())
    grey = np.rint((heights - np.float32(low)) * np.float32(65535 / (high - low)))
    Image.fromarray(grey.astype(np.uint16)).save(path, "PNG", compress_level=1)


def _tif(terrain: Terrain, path: Path, **settings: Any) -> None:
    import rasterio

    ny, nx = terrain.grid.shape
    shared = {"count": 1, "dtype": "float32", "height": ny, "width": nx, "crs": LOCAL_CRS}
    place = rasterio.Affine(*transform(terrain.grid))
    with rasterio.open(path, "w", **shared, transform=place, **settings) as dataset:
        dataset.write(terrain["elevation"], 1)


def _geotiff(terrain: Terrain, path: Path) -> None:
    _tif(
        terrain, path, driver="GTiff", tiled=True, blockxsize=256, blockysize=256,
        compress="deflate", zlevel=1, predictor=3, num_threads="ALL_CPUS",
    )  # fmt: skip


def _cog(terrain: Terrain, path: Path) -> None:
    _tif(
        terrain, path, driver="COG", compress="deflate", level=1, predictor="YES",
        overview_resampling="AVERAGE", num_threads="ALL_CPUS",
    )  # fmt: skip


def _raw(terrain: Terrain, path: Path) -> None:
    heights = terrain["elevation"]
    levels(heights, float(heights.min()), float(heights.max())).tofile(path)


def _npy(terrain: Terrain, path: Path) -> None:
    np.save(path, terrain["elevation"])


def _exr(terrain: Terrain, path: Path) -> None:
    import OpenEXR

    header = {"compression": OpenEXR.NO_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {"Y": terrain["elevation"]}).write(str(path))


def _zarr(terrain: Terrain, path: Path) -> None:
    import zarr
    from zarr.codecs import BloscCodec

    heights = terrain["elevation"]
    packed = BloscCodec(cname="zstd", clevel=1, shuffle="shuffle")
    group = zarr.create_group(str(path), zarr_format=3)
    group.create_array("elevation", data=heights, chunks=(512, 512), compressors=packed)


def _asc(terrain: Terrain, path: Path) -> None:
    np.savetxt(path, terrain["elevation"], fmt="%.3f")


PLAIN: dict[str, Plain] = {
    ".png": _png,
    ".tif": _geotiff,
    ".cog.tif": _cog,
    ".raw": _raw,
    ".npy": _npy,
    ".exr": _exr,
    ".zarr": _zarr,
    ".asc": _asc,
}
"""The plain call of each format's library."""


def land(cells: int) -> Terrain:
    """Return a land of cells × cells, of noise in all widths: what packers have to deal with."""
    steps = [{"op": "fields.fbm", "wavelength": cells * 8, "octaves": 12, "amplitude": 1500}]
    ground = {"ny": cells, "nx": cells, "cell_size": 16}
    return dc.generate(dc.Recipe.from_dict({"grid": ground, "steps": steps}))
