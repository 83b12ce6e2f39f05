"""OpenEXR: heights in metres as half or float, in the one channel, Y or R."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError
from downcut.importing import own
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Array, Raster


def exr(path: Path, asked: Asked) -> Raster:
    """Read the header of an EXR; the samples are metres."""
    with _open(path, header_only=True) as file:
        head = dict(file.header())  # closing empties it
    low, high = head["dataWindow"]
    nx, ny = (int(b) - int(a) + 1 for a, b in zip(low, high, strict=True))
    channels = {channel.name: channel for channel in head["channels"]}
    name = _heights(list(channels), path)
    if any(c.xSampling != 1 or c.ySampling != 1 for c in channels.values()):
        raise DowncutError(f"{path} has channels of fewer samples: give whole ones")
    raster = Raster("EXR", ny, nx, np.dtype(np.float32), lambda: _samples(path, name, (ny, nx)))
    note = head.get("downcut")
    facts = own.parsed(note, path) if isinstance(note, str) else None
    return own.told(raster, facts or own.beside(path))


def _open(path: Path, **options: Any) -> Any:
    try:
        import OpenEXR
    except ImportError:
        raise DowncutError(f"{path} needs OpenEXR: pip install 'downcut[exr]'") from None
    return OpenEXR.File(str(path), separate_channels=True, **options)


def _heights(names: list[str], path: Path) -> str:
    """Return the channel that holds heights."""
    for name in ("Y", "R", "Z", "height", *names[: len(names) == 1]):
        if name in names:
            return name
    raise DowncutError(f"{path} has the channels {', '.join(names[:9])}: name one of them Y")


def _samples(path: Path, name: str, shape: tuple[int, int]) -> Array:
    with _open(path) as file:
        pixels: Array = file.channels()[name].pixels
    if pixels.shape != shape or not math.prod(shape):
        raise DowncutError(f"{path} is damaged: its samples do not fill its window")
    return pixels
