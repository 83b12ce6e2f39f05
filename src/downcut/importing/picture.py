"""Pictures of heights, by Pillow: PNG of 8 or 16 bits; and plain TIFF where GDAL is missing."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError
from downcut.importing import own
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Array, Raster

MODES = {(8, 0): 1, (8, 4): 2, (8, 2): 3, (8, 6): 4, (16, 0): 1}
"""(bits, PNG's colour type) that are read, and how many channels they have."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEFLATE = 1032
"""How many times smaller deflate makes data, at most."""


def png(path: Path, asked: Asked) -> Raster:
    """Read the header of a PNG: its metres stand in our text chunks or in its side file."""
    with path.open("rb") as file:
        start = file.read(29)
    if len(start) < 29 or start[12:16] != b"IHDR":
        raise DowncutError(f"{path} is cut off, or its header is wrong")
    nx, ny, bits, colours = struct.unpack(">IIBB", start[16:26])
    if (bits, colours) not in MODES:
        raise DowncutError(
            f"{path} has {bits} bits a channel in colour type {colours}: save it as grey of 16 bits"
        )
    if ny * nx * MODES[bits, colours] * bits // 8 > DEFLATE * path.stat().st_size:
        raise DowncutError(f"{path} is cut off, or its header is wrong: it cannot hold {ny} × {nx}")
    raster = Raster(
        f"{bits}-bit PNG", ny, nx, np.dtype(f"u{bits // 8}"), lambda: _pixels(path), levels=True
    )
    if painted(path):
        raise DowncutError(f"{path} is a picture of a land, not its heights")
    if bits == 8:
        raster.notes.append("8-bit samples: 256 levels, so that gentle slopes come in steps")
    return own.told(raster, _note(path) or own.beside(path))


def _open(path: Path, kind: str) -> Any:
    """Open with one plugin, past Pillow's own limit on pixels: ours has been asked already."""
    from PIL import PngImagePlugin, TiffImagePlugin

    plugins = {"PNG": PngImagePlugin.PngImageFile, "TIFF": TiffImagePlugin.TiffImageFile}
    return plugins[kind](str(path))


def painted(path: Path) -> dict[str, Any] | None:
    """Return what a picture of ours that is not heights says of its land; None for other files."""
    with path.open("rb") as file:
        if file.read(8) != SIGNATURE:
            return None
    try:
        facts = _note(path)
    except (OSError, ValueError, SyntaxError) as error:  # SyntaxError: Pillow's of a broken chunk
        if isinstance(error, DowncutError):
            raise
        raise DowncutError(f"{path} is a broken PNG: {error}") from error
    return facts if facts and facts.get("kind") == "downcut picture" else None


def _note(path: Path) -> dict[str, Any] | None:
    with _open(path, "PNG") as picture:
        note = picture.info.get("downcut")
    return own.parsed(note, path) if isinstance(note, str) else None


def _pixels(path: Path, kind: str = "PNG") -> Array:
    with _open(path, kind) as picture:
        pixels = np.asarray(picture)
    if pixels.ndim == 2:
        return pixels
    grey: Array = pixels[:, :, 0]
    if pixels.shape[2] >= 3 and not (
        (grey == pixels[:, :, 1]).all() and (grey == pixels[:, :, 2]).all()
    ):
        raise DowncutError(f"{path} is a colour picture: give one in grey")
    return grey


def tiff(path: Path, asked: Asked) -> Raster:
    """Read the header of a plain TIFF, without GDAL: no place on Earth, one band."""
    with _open(path, "TIFF") as picture:
        (nx, ny), mode, tags = picture.size, picture.mode, dict(picture.tag_v2)
    kinds = {"L": "u1", "I;16": "u2", "I;16B": "u2", "I;16S": "i2", "I": "i4", "F": "f4"}
    if 34735 in tags:
        raise DowncutError(
            f"{path} names a place on Earth, which needs rasterio: pip install 'downcut[gis]'"
        )
    if mode not in kinds:
        raise DowncutError(f"{path} is a TIFF in mode {mode}: give one band of heights")
    dtype = np.dtype(kinds[mode])
    raster = Raster("TIFF", ny, nx, dtype, lambda: _pixels(path, "TIFF"), levels=dtype.kind == "u")
    if 33550 in tags:
        raster.cell = tuple(map(float, tags[33550][:2]))  # type: ignore[assignment]
    if 42113 in tags:
        raster.nodata = float(tags[42113])
    note = next((text for text in _items(tags.get(42112, "")) if "generator" in text), None)
    return own.told(raster, (own.parsed(note, path) if note else None) or own.beside(path))


def _items(metadata: str) -> list[str]:
    """Return the texts of GDAL's XML of metadata; nothing of what cannot be parsed."""
    from xml.etree import ElementTree

    if "<!" in metadata:  # entities that grow without end
        return []
    try:
        return [item.text or "" for item in ElementTree.fromstring(metadata).iter("Item")]
    except ElementTree.ParseError:
        return []
