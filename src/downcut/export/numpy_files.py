"""Numpy's own files: one layer as .npy, all of them as .npz."""

import json
import sys
import zipfile
from typing import Any, BinaryIO

import numpy as np

from downcut.export import sidecar
from downcut.export.origin import recipe_text
from downcut.export.raster import legend, plane
from downcut.terrain import Terrain


def write_npy(terrain: Terrain, file: BinaryIO, *, layer: str = "elevation") -> dict[str, Any]:
    """Write a layer, (ny, nx) or (ny, nx, bands), as numpy's .npy; elevation is float32 [m]."""
    values = plane(terrain, layer)
    header = np.lib.format.header_data_from_array_1_0(values)
    np.lib.format.write_array_header_1_0(file, header)
    file.write(values.data)  # numpy's own way of writing hides why a disk refused
    order = None if values.itemsize == 1 else sys.byteorder
    return sidecar.facts(terrain, layer, values, byte_order=order, **legend(layer))


def write_npz(terrain: Terrain, file: BinaryIO) -> dict[str, Any]:
    """Write all layers as numpy's .npz, without pickle.

    Beside the layers, "recipe.json" and "about.json" (what other rasters have in a side file) are
    texts as 0-d arrays: names with a dot, which no layer has. The same land gives the same bytes
    (no time of day inside).
    """
    first = (
        "elevation" if "elevation" in terrain.layers else next(iter(terrain.layers), "elevation")
    )
    names = list(terrain.layers)
    facts = sidecar.facts(terrain, first, terrain[first], byte_order=sys.byteorder, layers=names)
    texts = {
        "about.json": np.array(json.dumps(facts)),
        "recipe.json": np.array(recipe_text(terrain)),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in {**texts, **terrain.layers}.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # dated 1980
            with archive.open(entry, "w", force_zip64=True) as member:
                plain = np.asarray(array, order="C")
                np.lib.format.write_array(member, plain, allow_pickle=False)
    return facts
