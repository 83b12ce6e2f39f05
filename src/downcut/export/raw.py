"""RAW: 16-bit samples and nothing else; all that a program must know is in the side file."""

from typing import Any, BinaryIO

import numpy as np

from downcut.errors import DowncutError
from downcut.export.raster import encode, one_of, plane, turned
from downcut.export.sidecar import NORTH
from downcut.terrain import Terrain

LITTLE, BIG = "little", "big"


def write_raw(
    terrain: Terrain,
    file: BinaryIO,
    *,
    layer: str = "elevation",
    byte_order: str = LITTLE,
    row_order: str = NORTH,
    low: float | None = None,
    high: float | None = None,
    law: str | None = None,
) -> dict[str, Any]:
    """Write a layer of one band as unsigned 16-bit samples without a header.

    Parameters
    ----------
    terrain, file
    layer : str
    low, high : float, optional
        What 0 and 65535 stand for, in the layer's unit, for files that must agree; by default its
        own lowest and highest.
    law : "linear" or "log", optional
        How the levels between are spaced; by default by powers of ten for what water gathers.
    byte_order : "little" or "big"
        Little for Unreal, Unity on Windows and Godot.
    row_order : "north first" or "south first"
        South first for Unity, unless it flips the file itself.

    Returns
    -------
    dict
        The side file's content, without which the samples mean nothing.
    """
    one_of("byte_order", byte_order, (LITTLE, BIG))
    values = plane(terrain, layer)
    if values.ndim != 2:
        raise DowncutError(f"{layer} has several bands and RAW one: save it as .png or .tif")
    samples = encode(values, layer, bits=16, low=low, high=high, law=law)
    kind = np.dtype("<u2" if byte_order == LITTLE else ">u2")
    rows = np.ascontiguousarray(turned(samples.array, row_order), dtype=kind)
    file.write(rows.data.cast("B") if rows.dtype.isnative else rows.view("u1").data)
    return samples.facts(terrain, layer, byte_order=byte_order, row_order=row_order)
