"""PNG: the 16-bit heightmap, and every layer as the picture that programs take it as."""

import io
import json
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.origin import png_note, recipe_text
from downcut.export.raster import Array, Samples, encode, legend, one_of, plane
from downcut.terrain import Terrain

OPENGL, DIRECTX = "opengl", "directx"


def write_png(
    terrain: Terrain,
    file: BinaryIO,
    *,
    layer: str = "elevation",
    bits: int | None = None,
    low: float | None = None,
    high: float | None = None,
    law: str | None = None,
    convention: str = OPENGL,
) -> dict[str, Any]:
    """Write a layer as a PNG, north first; elevation as 16-bit grey, lowest 0 to highest 65535.

    Text chunks carry the recipe, its digest, the version and what the levels stand for, so that
    values come back within half a level (range / 131070 at 16 bits) from the picture alone.

    Parameters
    ----------
    terrain, file
    layer : str
        `normals` become a normal map, `splat` RGBA weights, `colour` an sRGB picture; other
        layers are grey.
    bits : 8 or 16, optional
        By default 16, and 8 for shares and normals; 16 of a normal map need rasterio.
    low, high : float, optional
        What black and white stand for, in the layer's unit, for pictures that must agree; by
        default its own lowest and highest.
    law : "linear" or "log", optional
        How the levels between are spaced; by default by powers of ten for what water gathers.
    convention : "opengl" or "directx"
        Whether green is up the picture (Unity, Blender, Godot) or down it (Unreal).

    Returns
    -------
    dict
        The side file's content.
    """
    one_of("convention", convention, (OPENGL, DIRECTX))
    values = plane(terrain, layer)
    if layer == "normals":
        samples = normal_map(values, bits or 8, convention)
    elif values.ndim == 3:
        samples = Samples(values, None, legend(layer))
    else:
        samples = encode(values, layer, bits=bits, low=low, high=high, law=law)
    facts = samples.facts(terrain, layer)
    if samples.array.ndim == 3 and samples.array.dtype == np.uint16:
        file.write(_deep_png(samples.array, facts))
        return facts
    note = png_note(facts)
    note.add_itxt("downcut:recipe", recipe_text(terrain), zip=True)
    if layer == "colour":
        note.add(b"sRGB", b"\0")  # perceptual
    Image.fromarray(samples.array).save(file, "PNG", pnginfo=note, compress_level=1)
    return facts


def normal_map(normals: Array, bits: int, convention: str) -> Samples:
    """Return unit normals (east, north, up) as a normal map: −1 is 0 and 1 the highest level.

    Red is east and blue is up; green is north, up the picture, by OpenGL's convention and south
    by DirectX's. Each component is within 1 / (2^bits − 1) of the normal's.
    """
    one_of("bits", bits, (8, 16))
    most = 2**bits - 1
    picture = np.empty(normals.shape, np.uint8 if bits == 8 else np.uint16)
    for band in range(3):
        part = normals[..., band] * np.float32(-1 if band == 1 and convention == DIRECTX else 1)
        picture[..., band] = (part + 1) * np.float32(most / 2) + np.float32(0.5)
    return Samples(picture, (-1.0, 1.0), {"convention": convention})


def _deep_png(picture: NDArray[np.uint16], facts: dict[str, Any]) -> memoryview:
    """Encode 16-bit RGB, which Pillow cannot."""
    try:
        from rasterio.io import MemoryFile
    except ImportError:
        raise DowncutError(
            "a normal map of 16 bits needs rasterio: pip install 'downcut[gis]', or give bits=8"
        ) from None
    import warnings

    ny, nx, bands = picture.shape
    shape = {"height": ny, "width": nx, "count": bands, "dtype": "uint16"}
    with MemoryFile() as memory, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a picture has no coordinates
        with memory.open(driver="PNG", **shape, zlevel=1, write_metadata_as_text=True) as dataset:
            dataset.write(np.moveaxis(picture, -1, 0))
            dataset.update_tags(downcut=json.dumps(facts))
        return io.BytesIO(memory.read()).getbuffer()
