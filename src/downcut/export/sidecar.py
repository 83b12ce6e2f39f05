"""The side file of a raster, FILE.json: what its samples are, where they lie, whence they come.

One schema for every format. A writer returns these facts, embeds them where its format can hold
them, and `save` writes the same facts beside the file.
"""

import json
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.export.origin import about
from downcut.importing.own import name_of
from downcut.importing.stored_layer import StoredLayer
from downcut.layers import layer as meaning_of
from downcut.terrain import Terrain

NORTH, SOUTH = "north first", "south first"


def facts(
    terrain: Terrain,
    layer: str,
    samples: NDArray[Any] | StoredLayer,
    *,
    byte_order: str | None = None,
    row_order: str = NORTH,
    span: tuple[float, float] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return what a raster cannot say itself, as plain data.

    A value in `unit` is offset + scale × sample; where samples are 16-bit levels of metres, the
    metres of the lowest and the highest level stand there too.

    Parameters
    ----------
    terrain : Terrain
    layer : str
        Which layer the samples are of.
    samples : (ny, nx) or (ny, nx, bands) array
        As they are in the file.
    byte_order : "little" or "big", optional
        Of the file; None where its format settles it.
    row_order : "north first" or "south first"
    span : (low, high), optional
        What the lowest and the highest level of whole-number samples stand for; without, a sample
        is the value itself.
    more
        What only this kind of file has to say, such as a legend.
    """
    found, kind = about(terrain), samples.dtype
    declared = meaning_of(layer)
    cell, row, col = terrain.grid.cell_size, found["corner_row"], found["corner_col"]
    low, high = span or (0.0, 1.0)
    levels = np.iinfo(kind).max if span else 1
    about_samples = {
        "kind": "downcut heightmap" if layer == "elevation" else "downcut layer",
        "layer": layer,
        "meaning": declared.meaning,
        "unit": declared.unit,
        "bands": samples.shape[2] if samples.ndim == 3 else 1,
        "dtype": kind.name,
        "byte_order": byte_order,
        "row_order": row_order,
        "offset": low,
        "scale": (high - low) / levels,
        "samples": samples.name() if isinstance(samples, StoredLayer) else name_of(samples),
    }
    if kind == np.uint16 and span and declared.unit == "m":
        about_samples |= {"metres_of_0": low, "metres_of_65535": high}
    place = {"west_m": col * cell, "north_m": -row * cell}  # the outer corner of the first cell
    return {**about_samples, **more, **place, **found}


def beside(path: Path) -> Path:
    """Return the name of a file's side file."""
    return path.with_name(path.name + ".json")


def write(content: dict[str, Any], file: BinaryIO) -> None:
    """Write facts as JSON."""
    file.write(json.dumps(content, indent=2, ensure_ascii=False).encode() + b"\n")
