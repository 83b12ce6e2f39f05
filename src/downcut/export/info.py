"""What a file says of itself: its land, its ranges, and the recipe it can be grown from again."""

import json
import os
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from downcut.errors import DowncutError, shown

LONGEST_TEXT = 16 * 2**20
"""Bytes of JSON that are read, at most: a recipe is a few thousand."""

FACTS = (
    "ny", "nx", "cell_size_m", "low_m", "high_m", "sea_level_m", "digest", "checksum", "version",
    "recipe",
)  # fmt: skip

KINDS: dict[str, type | tuple[type, ...]] = {
    "ny": int, "nx": int, "cell_size_m": (int, float), "low_m": (int, float),
    "high_m": (int, float), "sea_level_m": (int, float), "digest": str, "checksum": str,
    "version": str, "recipe": dict,
}  # fmt: skip
"""What each fact is, where a file knows it."""

FOREIGN = "was not made by downcut, or has lost what downcut wrote into it"


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a file of ours says of itself, without reading its cells.

    Parameters
    ----------
    path : path
        A heightmap or its side file, a GeoTIFF, a GLB, an .npy or .npz, or a recipe.

    Returns
    -------
    dict
        `kind` and `bytes`; where the file knows them `ny`, `nx`, `cell_size_m`, `low_m` and
        `high_m`, `digest`, `checksum`, `version`, `sea_level_m`, `layers` and `recipe`.

    Raises
    ------
    DowncutError
        In one sentence, for a file that is missing, broken, not ours, or too large to be true.
    """
    place = Path(path)
    reader = READERS.get(place.suffix.lower())
    if reader is None:
        raise DowncutError(f"{place}: downcut reads back {', '.join(READERS)}")
    try:
        if not place.is_file():
            raise DowncutError(f"{place} is not a file: give the name of one that downcut saved")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size or of a missing place: no cell is read
            found = reader(place)
    except DowncutError:
        raise
    except Exception as error:  # hostile bytes: their readers raise whatever they meet
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DowncutError(f"{place} cannot be read: {what}") from error
    _check_kinds(found, place)
    return {"kind": found.pop("kind"), "bytes": place.stat().st_size, **found}


def _check_kinds(found: dict[str, Any], place: Path) -> None:
    """Refuse facts that are not what their names say: nobody downstream asks again."""
    facts = {name: value for name, value in found.items() if value is not None}
    wrong = [n for n, kind in KINDS.items() if n in facts and not isinstance(facts[n], kind)]
    if wrong:
        raise DowncutError(f"{place} is damaged: its {wrong[0]} is {shown(facts[wrong[0]])}")
    steps = facts.get("recipe", {}).get("steps", [])
    if not (isinstance(steps, list) and all(isinstance(step, dict) for step in steps)):
        raise DowncutError(f"{place} is damaged: the steps of its recipe are {shown(steps)}")


def _facts(content: Any, place: Path) -> dict[str, Any]:
    """Return what `origin.about` wrote, under the names of `describe`."""
    if not isinstance(content, dict) or content.get("generator") != "downcut":
        raise DowncutError(f"{place} {FOREIGN}")
    return {name: content.get(name) for name in FACTS}


def _text(place: Path) -> str:
    if place.stat().st_size > LONGEST_TEXT:
        raise DowncutError(f"{place} is too long to be a recipe or a side file")
    return place.read_text(encoding="utf-8")


def _of_json(place: Path) -> dict[str, Any]:
    content = json.loads(_text(place))
    if isinstance(content, dict) and content.get("generator") == "downcut":
        kind = "heightmap" if content.get("layer") == "elevation" else "layer"
        return {"kind": f"side file of a {kind}", **_facts(content, place)}
    if not isinstance(content, dict) or not isinstance(content.get("steps"), list):
        raise DowncutError(f"{place} is no recipe (it has no list of steps) and no side file")
    ground = content.get("grid")
    ground = ground if isinstance(ground, dict) else {}
    return {
        "kind": "recipe",
        "ny": ground.get("ny"),
        "nx": ground.get("nx"),
        "cell_size_m": ground.get("cell_size"),
        "sea_level_m": content.get("sea_level"),
        "recipe": content,
    }


def _of_png(place: Path) -> dict[str, Any]:
    with Image.open(place, formats=["PNG"]) as picture:
        size, note, mode = picture.size, picture.info.get("downcut"), picture.mode
    if not isinstance(note, str):
        raise DowncutError(f"{place} {FOREIGN}")
    content = json.loads(note)
    facts = _facts(content, place)
    if content.get("kind") == "downcut picture":
        return {"kind": "picture", **facts}
    found = {"kind": "16-bit heightmap", **facts}
    if mode != "I;16" or size != (found["nx"], found["ny"]):
        raise DowncutError(
            f"{place} has been changed: it was a 16-bit picture of {found['nx']} × {found['ny']} "
            f"and is now {size[0]} × {size[1]} in mode {mode}"
        )
    return found


def _of_tiff(place: Path) -> dict[str, Any]:
    try:
        import rasterio.errors
    except ImportError:
        raise DowncutError("GeoTIFF needs rasterio: pip install 'downcut[gis]'") from None
    try:
        with rasterio.open(place, driver="GTiff") as dataset:
            note, shape = dataset.tags().get("DOWNCUT"), dataset.shape
    except rasterio.errors.RasterioError as error:
        raise DowncutError(f"{place} cannot be read: {error}") from error
    if note is None or len(note) > LONGEST_TEXT:
        raise DowncutError(f"{place} {FOREIGN}")
    content = json.loads(note)
    return {"kind": "GeoTIFF", **_facts(content, place), "ny": shape[0], "nx": shape[1]}


def _of_glb(place: Path) -> dict[str, Any]:
    with place.open("rb") as file:
        magic, version, total, length, kind = struct.unpack("<4sIII4s", file.read(20))
        if magic != b"glTF" or version != 2 or kind != b"JSON":
            raise DowncutError(f"{place} is no GLB of glTF 2.0")
        if length > min(LONGEST_TEXT, total) or total != place.stat().st_size:
            raise DowncutError(f"{place} is cut off, or its header is wrong")
        content = json.loads(file.read(length))
    found = _facts(content["asset"].get("extras"), place)
    return {"kind": "mesh (GLB)", **found}


def _of_npy(place: Path) -> dict[str, Any]:
    with place.open("rb") as file:
        shape, _, dtype = _npy_header(file)
    if len(shape) != 2 or dtype != np.float32:
        raise DowncutError(f"{place} is no elevation of ours: it is {dtype} of shape {shape}")
    return {"kind": "elevation (npy)", "ny": shape[0], "nx": shape[1]}


def _npy_header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    major, _ = np.lib.format.read_magic(file)
    read = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}
    if major not in read:
        raise DowncutError(f"numpy file of version {major}: downcut writes version 1 or 2")
    shape, fortran, dtype = read[major](file)
    return shape, fortran, dtype


def _of_npz(place: Path) -> dict[str, Any]:
    with zipfile.ZipFile(place) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        if "about.json.npy" not in sizes:
            raise DowncutError(f"{place} {FOREIGN}")
        if sizes["about.json.npy"] > LONGEST_TEXT:
            raise DowncutError(f"{place} says too much of itself to be ours")
        with archive.open("about.json.npy") as member:
            shape, _, dtype = _npy_header(member)
            if shape != () or dtype.kind != "U" or dtype.itemsize > LONGEST_TEXT:
                raise DowncutError(f"{place} {FOREIGN}")
            note = member.read(dtype.itemsize).decode(
                "utf-32-le" if dtype.str[0] == "<" else "utf-32-be"
            )
    content = json.loads(note.rstrip("\0"))
    layers = [name[:-4] for name in sizes if not name.endswith(".json.npy")]
    return {"kind": "layers (npz)", **_facts(content, place), "layers": layers}


READERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    ".png": _of_png,
    ".json": _of_json,
    ".tif": _of_tiff,
    ".tiff": _of_tiff,
    ".glb": _of_glb,
    ".npz": _of_npz,
    ".npy": _of_npy,
}
