"""What downcut wrote into its own files, and whether the samples are still those it wrote."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError, shown
from downcut.importing.heightmap import Array, Raster

LONGEST_TEXT = 16 * 2**20
"""Bytes of JSON that are read, at most: a recipe is a few thousand."""
NUMBER = (int, float)
LARGEST = 2.0**63
"""No fact is a number beyond it; nor NaN, which no comparison holds for."""
KINDS: dict[str, type | tuple[type, ...]] = {
    "ny": int, "nx": int, "cell_size_m": NUMBER, "low_m": NUMBER, "high_m": NUMBER,
    "sea_level_m": NUMBER, "digest": str, "checksum": str, "version": str, "recipe": dict,
    "offset": NUMBER, "scale": NUMBER, "dtype": str, "byte_order": str, "row_order": str,
    "samples": str, "layer": str, "kind": str, "corner_row": NUMBER, "corner_col": NUMBER,
    "written_with": dict,
}  # fmt: skip
"""What each fact is, where a file knows it."""


def parsed(text: str | bytes, path: Path) -> dict[str, Any] | None:
    """Return the facts in a note of ours; None for another's.

    Raises
    ------
    DowncutError
        If the note is ours but damaged: nobody downstream asks again.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.get("generator") != "downcut":
        return None
    return checked(content, path)


def checked(facts: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return facts that are what their names say, without those that are None.

    Raises
    ------
    DowncutError
        Naming the first that is not.
    """
    found = {name: value for name, value in facts.items() if value is not None}
    wrong = [n for n, kind in KINDS.items() if n in found and not _is(found[n], kind)]
    if wrong:
        raise DowncutError(f"{path} is damaged: its {wrong[0]} is {shown(found[wrong[0]])}")
    steps = found.get("recipe", {}).get("steps", [])
    if not (isinstance(steps, list) and all(isinstance(step, dict) for step in steps)):
        raise DowncutError(f"{path} is damaged: the steps of its recipe are {shown(steps)}")
    return found


def _is(value: Any, kind: type | tuple[type, ...]) -> bool:
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    return not isinstance(value, NUMBER) or -LARGEST <= value <= LARGEST


def sidecar(path: Path) -> Path:
    """Return where the side file of a file would be."""
    return path.with_name(path.name + ".json")


def beside(path: Path) -> dict[str, Any] | None:
    """Return what a side file of ours says; None where there is none, or another's.

    Raises
    ------
    DowncutError
        As `parsed`.
    """
    side = sidecar(path)
    if not side.is_file() or side.stat().st_size > LONGEST_TEXT:
        return None
    return parsed(side.read_bytes(), side)


def needed_beside(path: Path) -> dict[str, Any]:
    """Return what a side file says, ours or another's; nothing where there is none.

    Raises
    ------
    DowncutError
        If it is too long, no JSON object, or damaged: samples mean nothing without it.
    """
    side = sidecar(path)
    if not side.is_file():
        return {}
    if side.stat().st_size > LONGEST_TEXT:
        raise DowncutError(f"{side} is too long to be a side file")
    try:
        content = json.loads(side.read_bytes())
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise DowncutError(f"{side} is no side file: it holds no JSON object")
    return checked(content, side)


def told(raster: Raster, facts: dict[str, Any] | None) -> Raster:
    """Let what a file of ours says of its samples stand in its raster."""
    if not facts or facts.get("generator") != "downcut":
        return raster
    shape = (facts.get("ny"), facts.get("nx"))
    if shape != (raster.ny, raster.nx):
        raster.notes.append(
            f"downcut wrote it as {shape[0]} × {shape[1]} cells: it has been changed since, and "
            "what it says of itself is left aside"
        )
        return raster
    if "offset" in facts and "scale" in facts:
        raster.offset, raster.scale, raster.levels = facts["offset"], facts["scale"], False
    if (cell := facts.get("cell_size_m")) is not None:
        raster.cell, raster.place = (cell, cell), None
    raster.south_first = facts.get("row_order") == "south first"
    raster.sea_level, raster.facts = facts.get("sea_level_m"), facts
    return raster


def name_of(samples: Array) -> str:
    """Return a name of a file's samples, equal for equal ones: it tells whether someone drew in it.

    Examples
    --------
    >>> name_of(np.arange(4, dtype=">u2")) == name_of(np.arange(4, dtype="<u2"))
    True
    """
    plain = np.ascontiguousarray(samples, samples.dtype.newbyteorder("<"))
    return f"crc32:{zlib.crc32(plain.view(np.uint8).data):08x}"


def recipe_of(raster: Raster, samples: Array) -> dict[str, Any] | None:
    """Return the recipe of a file of ours, if its samples are still the land that it grew.

    Notes what stands against it.
    """
    facts = raster.facts or {}
    recipe = facts.get("recipe")
    if recipe is None or facts.get("layer", "elevation") != "elevation":
        return None
    north_first = samples[::-1] if raster.south_first else samples
    if facts.get("samples") == name_of(np.ma.getdata(north_first)):
        return dict(recipe)
    raster.notes.append(
        "its samples are not quite those that downcut wrote: they are taken as heights, and the "
        "recipe is left aside"
    )
    return None
