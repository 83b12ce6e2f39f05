"""The Zarr store of a build: arrays laid out for tiles, so that no two tasks share a file.

Level 0 has the land's own cells; each coarser level halves the one before. A shard is a tile of
its level, and holds smaller chunks that readers take one by one.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError
from downcut.export.geotiff import LOCAL_CRS, transform
from downcut.export.raster import legend
from downcut.grid import Grid
from downcut.layers import hole_of
from downcut.layers import layer as meaning_of
from downcut.scale.parts import Array, Parts

CHUNK = 512
"""Edge of a chunk within a shard [cells], about."""
COARSEST = 256
"""Levels go on until the land is no wider [cells]."""
STORE = "store"
STRIPE = 64
"""Rows that are made at a time."""


def levels(ny: int, nx: int) -> list[tuple[int, int]]:
    """Return the rows and columns of every level.

    >>> levels(700, 300)
    [(700, 300), (350, 150), (175, 75)]
    """
    found = [(ny, nx)]
    while max(found[-1]) > COARSEST:
        found.append(((found[-1][0] + 1) // 2, (found[-1][1] + 1) // 2))
    return found


def zarr_there() -> Any:
    """Return the library.

    Raises
    ------
    DowncutError
        If it is not installed.
    """
    try:
        import zarr
    except ImportError:
        raise DowncutError("building in tiles needs zarr: pip install 'downcut[scale]'") from None
    return zarr


def lay_out(parts: Parts, layers: list[tuple[str, np.dtype[Any], int]], grid: Grid) -> None:
    """Make the store with arrays of every layer on every level, empty."""
    root = zarr_there().create_group(str(parts.folder / STORE), overwrite=True, zarr_format=3)
    for number, (ny, nx) in enumerate(levels(parts.ny, parts.nx)):
        cell = grid.cell_size * 2**number
        place = (cell, 0.0, transform(grid)[2], 0.0, -cell, transform(grid)[5])
        group = root.create_group(str(number), attributes={
            "cell_size": cell, "spatial:dimensions": ["y", "x"], "spatial:transform": list(place),
            "spatial:shape": [ny, nx], "spatial:registration": "pixel", "proj:wkt2": LOCAL_CRS,
        })  # fmt: skip
        for name, dtype, bands in layers:
            _array(group, name, dtype, (ny, nx, bands), parts.tile)
        axes = {"y": place[5] - cell * (np.arange(ny) + 0.5)}
        axes["x"] = place[2] + cell * (np.arange(nx) + 0.5)
        for axis, values in axes.items():
            made = group.create_array(
                axis, data=values, chunks=values.shape, dimension_names=(axis,), compressors=None
            )
            made.attrs.update({"units": "m", "standard_name": f"projection_{axis}_coordinate"})


def _array(
    group: Any, name: str, dtype: np.dtype[Any], shape: tuple[int, int, int], tile: int
) -> None:
    from zarr.codecs import BloscCodec

    declared = meaning_of(name)
    bands = shape[2:] if shape[2] > 1 else ()
    chunk = max(n for n in range(1, min(tile, CHUNK) + 1) if tile % n == 0)
    group.create_array(
        name,
        shape=shape[:2] + bands,
        dtype=dtype,
        chunks=(chunk, chunk, *bands),
        shards=(tile, tile, *bands),
        compressors=BloscCodec(cname="zstd", clevel=1, shuffle="shuffle"),
        dimension_names=("y", "x", "band")[: 2 + len(bands)],
        fill_value=hole_of(dtype),
        attributes={
            "long_name": declared.meaning, "units": declared.unit or "1", **legend(name)
        },
        config={"write_empty_chunks": True},
    )  # fmt: skip


def array_of(folder: Path, level: int, name: str) -> Any:
    """Return an array of the store under work, opened once by each process."""
    place = folder / STORE / str(level) / name
    about = (place / "zarr.json").stat()
    return _opened(str(place), about.st_ino, about.st_mtime_ns)


@lru_cache(64)
def _opened(place: str, *_: int) -> Any:
    """Open an array; the file's number and time tell it from one that lay there before."""
    return zarr_there().open_array(place, mode="r+", config={"write_empty_chunks": True})


def halved(values: Array) -> Array:
    """Return an array of half as many rows and columns.

    Measured values become the mean of four; numbers, marks and bytes of one band the largest, so
    that rivers and small lakes stay; normals the mean of four, of length 1 again by readers.

    >>> halved(np.arange(9, dtype=np.float32).reshape(3, 3)).tolist()
    [[2.0, 3.5], [6.5, 8.0]]
    """
    ny, nx = values.shape[:2]
    if ny % 2 or nx % 2:
        more = ((0, ny % 2), (0, nx % 2), *[(0, 0)] * (values.ndim - 2))
        values = np.pad(values, more, mode="edge")
    marks = values.dtype.kind in "iu" and values.ndim == 2
    join, kind = (np.maximum, values.dtype) if marks else (np.add, np.float64)
    out = np.empty((values.shape[0] // 2, values.shape[1] // 2, *values.shape[2:]), values.dtype)
    for top in range(0, len(out), STRIPE):  # what is between stays in a core's cache
        part = values[2 * top : 2 * (top + STRIPE)]
        rows = join(part[::2], part[1::2], dtype=kind)
        four = join(rows[:, ::2], rows[:, 1::2])
        if not marks:
            four *= 0.25
        if not marks and values.dtype.kind in "iu":
            np.rint(four, out=four)
        out[top : top + STRIPE] = four
    return out
