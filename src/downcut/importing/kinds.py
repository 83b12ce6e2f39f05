"""Which reader takes a file: by its first bytes, else by its suffix, else GDAL tries."""

from collections.abc import Callable
from pathlib import Path

from downcut.importing import exr, gdal, numpys, picture, raw
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Raster

Reader = Callable[[Path, Asked], Raster]


def _tiff(path: Path, asked: Asked) -> Raster:
    return gdal.raster(path, asked) if gdal.is_there() else picture.tiff(path, asked)


BY_MAGIC: dict[bytes, Reader] = {
    picture.SIGNATURE: picture.png,
    b"II*\0": _tiff,
    b"MM\0*": _tiff,
    b"v/1\x01": exr.exr,
    b"\x93NUMPY": numpys.npy,
}
BY_SUFFIX: dict[str, Reader] = {
    **dict.fromkeys(raw.BY_SUFFIX, raw.raw),
    ".png": picture.png,
    ".exr": exr.exr,
    ".npy": numpys.npy,
    ".npz": numpys.npz,
}


def reader(path: Path) -> Reader:
    """Return the reader of a file; samples without a header go by their suffix alone."""
    suffix = path.suffix.lower()
    if suffix in raw.BY_SUFFIX or suffix == ".npz":
        return BY_SUFFIX[suffix]
    with path.open("rb") as file:
        start = file.read(8)
    for magic, found in BY_MAGIC.items():
        if start.startswith(magic):
            return found
    return BY_SUFFIX.get(suffix, gdal.raster)
