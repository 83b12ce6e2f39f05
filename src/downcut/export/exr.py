"""OpenEXR: values as they are, in float32, for programs of pictures and games."""

import json
from typing import Any, BinaryIO

import numpy as np

from downcut.errors import DowncutError
from downcut.export import sidecar
from downcut.export.origin import recipe_text
from downcut.export.raster import Array, legend, one_of, plane
from downcut.shading import to_linear
from downcut.terrain import Terrain

BANDS = {3: "RGB", 4: "RGBA"}
WHOLE = 2**24
"""Up to here float32 tells whole numbers apart."""


def write_exr(
    terrain: Terrain,
    file: BinaryIO,
    *,
    layer: str = "elevation",
    channels: str = "Y",
    compression: str = "none",
) -> dict[str, Any]:
    """Write a layer as float32 OpenEXR, north first: elevation in metres, exactly.

    Parameters
    ----------
    terrain, file
    layer : str
        Layers of several bands become RGB or RGBA; colours are linear light, weights 0 to 1.
    channels : "Y" or "RGB"
        Of a layer of one band: one channel, or the same three times, as Terrain3D wants it.
    compression : "none" or "zip"
        Zip is lossless, takes about a third off and ten times as long.

    Returns
    -------
    dict
        The side file's content; the header's attributes carry it too, with the recipe.
    """
    try:
        import OpenEXR
    except ImportError:
        raise DowncutError("EXR needs OpenEXR: pip install 'downcut[exr]'") from None
    one_of("channels", channels, ("Y", "RGB"))
    one_of("compression", compression, ("none", "zip"))
    values = _floats(plane(terrain, layer), layer)
    names = BANDS[values.shape[2]] if values.ndim == 3 else channels
    facts = sidecar.facts(terrain, layer, values, channels=names, **legend(layer))
    header = {
        "compression": getattr(OpenEXR, {"none": "NO", "zip": "ZIP"}[compression] + "_COMPRESSION"),
        "type": OpenEXR.scanlineimage,
        "downcut": json.dumps(facts),
        "downcutRecipe": recipe_text(terrain),
        "downcutDigest": str(facts["digest"]),
        "downcutVersion": facts["version"],
    }
    planes = dict.fromkeys(names, values)
    if values.ndim == 3:
        planes = {name: values[..., band].copy() for band, name in enumerate(names)}
    OpenEXR.File(header, planes).write(file)
    return facts


def _floats(values: Array, layer: str) -> Array:
    """Return a layer as float32: 8-bit colours as light, 8-bit weights as shares."""
    if layer == "colour":
        return to_linear(values)
    if values.ndim == 3 and values.dtype == np.uint8:
        return values * np.float32(1 / 255)
    if values.dtype.kind in "iu" and max(-int(values.min()), int(values.max())) > WHOLE:
        raise DowncutError(
            f"{layer} has numbers beyond {WHOLE}, which EXR's float32 does not tell apart: save "
            "it as .tif, .npy or .zarr"
        )
    return values.astype(np.float32, copy=False)
