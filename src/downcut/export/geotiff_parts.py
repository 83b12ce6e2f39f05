"""GeoTIFF of a layer that is not in memory: written some rows at a time, and read back."""

import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from downcut.errors import DowncutError
from downcut.importing.stored_layer import STRIP, Array, StoredLayer

CACHE = 64 * 2**20
"""Bytes of blocks that GDAL may hold."""


def write_in_parts(
    values: StoredLayer,
    file: BinaryIO,
    profile: dict[str, Any],
    layout: dict[str, Any],
    label: Callable[[Any], None],
) -> None:
    """Write a layer as rasterio's `profile` and `layout` say; `label` is given the dataset.

    The work lies beside the file, on its disk. A cloud-optimized file is made of a plain one, as
    its overviews come before its cells.

    Raises
    ------
    DowncutError
        If what is read back is not what was written: the disk is full, most likely.
    """
    import rasterio
    from rasterio.shutil import copy

    beside = Path(file.name).parent
    with (
        tempfile.TemporaryDirectory(prefix=".downcut-", dir=beside) as folder,
        rasterio.Env(GDAL_CACHEMAX=CACHE, GDAL_TIFF_INTERNAL_MASK=True),
    ):
        made = Path(folder, "plain.tif")
        cloud = layout["driver"] == "COG"
        simple = {"driver": "GTiff", "tiled": True, "blockxsize": 512, "blockysize": 512,
                  "bigtiff": "IF_SAFER", "compress": "none"}  # fmt: skip
        written = _fill(values, made, {**profile, **(simple if cloud else layout)}, label)
        if cloud:
            plain, made = made, Path(folder, "cloud.tif")
            creation = {key: value for key, value in layout.items() if key != "driver"}
            copy(str(plain), str(made), driver="COG", **creation)
            plain.unlink()
        if written != _sum(_rows_of(made)):
            raise DowncutError(f"{file.name} was not written whole: free some space on its disk")
        with made.open("rb") as whole:
            shutil.copyfileobj(whole, file, 2**22)


def _fill(
    values: StoredLayer, path: Path, profile: dict[str, Any], label: Callable[[Any], None]
) -> int:
    """Write all strips, and return the sum of their bytes."""
    import rasterio

    with rasterio.open(str(path), "w", **profile) as dataset:
        label(dataset)

        def put() -> Iterator[Array]:
            top = 0
            for strip in values.strips():
                window = ((top, top + len(strip)), (0, strip.shape[1]))
                top += len(strip)
                bands = np.moveaxis(strip, -1, 0) if strip.ndim == 3 else strip[None]
                dataset.write(bands, window=window)
                yield bands

        return _sum(put())


def _rows_of(path: Path) -> Iterator[Array]:
    import rasterio

    with rasterio.open(str(path)) as dataset:
        for top in range(0, dataset.height, STRIP):
            yield dataset.read(window=((top, min(top + STRIP, dataset.height)), (0, dataset.width)))


def _sum(parts: Iterator[Array]) -> int:
    found = 0
    for part in parts:
        found = zlib.crc32(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data, found)
    return found
