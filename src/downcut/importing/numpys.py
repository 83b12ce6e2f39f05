"""NumPy's own files, never by pickle: one array (.npy), or many in an archive (.npz)."""

import math
import zipfile
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from downcut.errors import DowncutError
from downcut.importing import own
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Array, Raster

Header = tuple[tuple[int, ...], bool, np.dtype[Any]]
ABOUT = "about.json.npy"
ELEVATION = "elevation.npy"
MOST_MEMBERS = 1000


def npy(path: Path, asked: Asked) -> Raster:
    """Read the header of an .npy; numbers are metres, unless a range is asked for."""
    with path.open("rb") as file:
        shape, fortran, dtype = header(file)
        start = file.tell()
    ny, nx = _flat(shape, dtype, path)
    if path.stat().st_size - start < ny * nx * dtype.itemsize:
        raise DowncutError(
            f"{path} is cut off: {ny} × {nx} of {dtype.name} need "
            f"{ny * nx * dtype.itemsize:,} bytes and {path.stat().st_size - start:,} are there"
        )

    def load() -> Array:
        samples = np.fromfile(path, dtype, ny * nx, offset=start)
        return samples.reshape((ny, nx), order="F" if fortran else "C")

    return own.told(Raster(f"array of {dtype.name}", ny, nx, dtype, load), own.beside(path))


def header(file: BinaryIO) -> Header:
    """Read the header of an array: shape, Fortran order, dtype.

    Raises
    ------
    DowncutError
        For a version that numpy does not write.
    """
    version = np.lib.format.read_magic(file)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0
    }  # fmt: skip
    if version not in readers:
        raise DowncutError(f"a numpy file of version {version}: there are versions 1.0 and 2.0")
    found: Header = readers[version](file)
    return found


def _flat(shape: tuple[int, ...], dtype: np.dtype[Any], path: Path) -> tuple[int, int]:
    """Return (ny, nx) of an array of heights, which may have axes of length 1 beside them."""
    if dtype.kind not in "biuf":
        raise DowncutError(f"{path} holds {dtype}, not heights: save real numbers")
    axes = shape if len(shape) <= 2 else tuple(n for n in shape if n != 1)
    if len(axes) != 2 or min(axes) < 1:
        raise DowncutError(
            f"{path} holds an array of shape {shape}: give rows and columns, (ny, nx)"
        )
    return axes[0], axes[1]


def npz(path: Path, asked: Asked) -> Raster:
    """Read the headers in an .npz: the array "elevation", or the only one there is."""
    with zipfile.ZipFile(path) as archive:
        sizes = members(archive, path)
        facts = about(archive, sizes, path)
        arrays = [name for name in sizes if name.endswith(".npy") and "." not in name[:-4]]
        if ELEVATION not in arrays and len(arrays) != 1:
            raise DowncutError(
                f"{path} holds {', '.join(arrays[:9]) or 'no array'}: name one of them elevation"
            )
        name = ELEVATION if ELEVATION in arrays else arrays[0]
        with archive.open(name) as member:
            shape, fortran, dtype = header(member)  # type: ignore[arg-type]
    ny, nx = _flat(shape, dtype, path)
    if sizes[name] < ny * nx * dtype.itemsize:
        raise DowncutError(f"{path} is damaged: {name} is too short for {ny} × {nx} {dtype.name}")
    if facts:
        facts["layers"] = [member[:-4] for member in arrays]
    load = partial(_member, path, name, (ny, nx), dtype, fortran)
    return own.told(Raster("layers (npz)", ny, nx, dtype, load), facts or own.beside(path))


def _member(
    path: Path, name: str, shape: tuple[int, int], dtype: np.dtype[Any], fortran: bool
) -> Array:
    """Read no more of an archive's member than its header said, whatever it would swell to."""
    size = math.prod(shape) * dtype.itemsize
    with zipfile.ZipFile(path) as archive, archive.open(name) as member:
        header(member)  # type: ignore[arg-type]
        data = member.read(size)
    if len(data) != size:
        raise DowncutError(f"{path} is cut off")
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")


def members(archive: zipfile.ZipFile, path: Path) -> dict[str, int]:
    """Return the names and sizes in an archive.

    Raises
    ------
    DowncutError
        If there are too many.
    """
    found = archive.infolist()
    if len(found) > MOST_MEMBERS:
        raise DowncutError(f"{path} holds {len(found):,} arrays: {MOST_MEMBERS} are the most")
    return {entry.filename: entry.file_size for entry in found}


def about(archive: zipfile.ZipFile, sizes: dict[str, int], path: Path) -> dict[str, Any] | None:
    """Return what an archive of ours says of itself; None for another's.

    Raises
    ------
    DowncutError
        If it says too much to be true.
    """
    if ABOUT not in sizes:
        return None
    if sizes[ABOUT] > own.LONGEST_TEXT:
        raise DowncutError(f"{path} says too much of itself to be ours")
    with archive.open(ABOUT) as member:
        shape, _, dtype = header(member)  # type: ignore[arg-type]
        if math.prod(shape) != 1 or dtype.kind != "U" or dtype.itemsize > own.LONGEST_TEXT:
            return None
        data = member.read(dtype.itemsize)
    text = data.decode("utf-32-le" if dtype.str[0] == "<" else "utf-32-be")
    return own.parsed(text.rstrip("\0"), path)
