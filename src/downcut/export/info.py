"""What a file says of itself: its land, its ranges, and the recipe it can be grown from again."""

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError, shown
from downcut.export import info_gis
from downcut.importing import Asked, own, picture
from downcut.importing.heightmap import Raster
from downcut.importing.reading import guarded, header, refuse_strange
from downcut.importing.square import Plan
from downcut.importing.store import is_store, refuse_incomplete

FACTS = (
    "ny", "nx", "cell_size_m", "low_m", "high_m", "sea_level_m", "digest", "checksum", "version",
    "corner_row", "corner_col", "written_with", "recipe",
)  # fmt: skip


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a file says of itself, without reading its cells.

    Parameters
    ----------
    path : path
        A heightmap or DEM of ours or another's, a mesh or a store of ours, a side file, or a
        recipe.

    Returns
    -------
    dict
        `kind` and `bytes`; where the file knows them `ny`, `nx`, `cell_size_m`, `low_m` and
        `high_m`, `digest`, `checksum`, `version`, `sea_level_m`, `layers`, `recipe` and `notes`.

    Raises
    ------
    DowncutError
        In one sentence, for a file that is missing, broken, or too large to be true.
    """
    place = Path(path)
    if is_store(place):
        return _of_store(place)
    refuse_strange(place)
    reader = READERS.get(place.suffix.lower(), _of_raster)
    found = own.checked(guarded(lambda: reader(place), place), place)
    return {"kind": found.pop("kind"), "bytes": place.stat().st_size, **found}


def _facts(content: Any, place: Path) -> dict[str, Any]:
    """Return what `origin.about` wrote, under the names of `describe`."""
    if not isinstance(content, dict) or content.get("generator") != "downcut":
        raise DowncutError(
            f"{place} was not made by downcut, or has lost what downcut wrote into it"
        )
    return {name: content.get(name) for name in FACTS}


def _of_store(place: Path) -> dict[str, Any]:
    """Return what a store says of itself, its levels among it, once no chunk is missing."""
    found = refuse_incomplete(place)
    levels = sorted(int(p.name) for p in place.iterdir() if p.name.isdecimal())
    more = {"layers": found.get("layers"), "levels": levels}
    return {"kind": "land (Zarr store)", "bytes": found["complete"]["bytes"],
            **own.checked(_facts(found, place), place), **more}  # fmt: skip


def _of_raster(place: Path) -> dict[str, Any]:
    note = picture.painted(place)
    if note:
        return {"kind": "picture", **_facts(note, place)}
    raster, plan = header(place, Asked())
    facts = _facts(raster.facts, place) if raster.facts else _of_another(raster, plan)
    more = {
        name: raster.facts[name] for name in ("layers",) if raster.facts and name in raster.facts
    }
    return {"kind": raster.kind, **facts, **more, "notes": raster.notes or None}


def _of_another(raster: Raster, plan: Plan | None) -> dict[str, Any]:
    """Return what a foreign header says; the cells are those that it will be read to."""
    if plan is None:
        return {"ny": raster.ny, "nx": raster.nx}
    raster.notes += [plan.note] * bool(plan.note)
    return {"ny": plan.ny, "nx": plan.nx, "cell_size_m": plan.cell}


def _of_json(place: Path) -> dict[str, Any]:
    if place.stat().st_size > own.LONGEST_TEXT:
        raise DowncutError(f"{place} is too long to be a recipe or a side file")
    content = json.loads(place.read_text(encoding="utf-8"))
    if isinstance(content, dict) and content.get("generator") == "downcut":
        kind = str(content.get("kind", "facts")).removeprefix("downcut ")
        return {"kind": f"side file of a {kind}", **_facts(content, place)}
    if not isinstance(content, dict) or not isinstance(content.get("steps"), list):
        raise DowncutError(f"{place} is no recipe (it has no list of steps) and no side file")
    ground = content.get("grid")
    if not isinstance(ground, dict | None):
        raise DowncutError(f"{place} is damaged: its grid is {shown(ground)}")
    return {
        "kind": "recipe",
        "ny": (ground or {}).get("ny"),
        "nx": (ground or {}).get("nx"),
        "cell_size_m": (ground or {}).get("cell_size"),
        "sea_level_m": content.get("sea_level"),
        "recipe": content,
    }


def _of_glb(place: Path) -> dict[str, Any]:
    with place.open("rb") as file:
        magic, version, total, length, kind = struct.unpack("<4sIII4s", file.read(20))
        if magic != b"glTF" or version != 2 or kind != b"JSON":
            raise DowncutError(f"{place} is no GLB of glTF 2.0")
        if length > min(own.LONGEST_TEXT, total) or total != place.stat().st_size:
            raise DowncutError(f"{place} is cut off, or its header is wrong")
        content = json.loads(file.read(length))
    return {"kind": "mesh (GLB)", **_facts(content["asset"].get("extras"), place)}


def _of_usd(place: Path) -> dict[str, Any]:
    try:
        from pxr import Sdf, Tf
    except ImportError:
        raise DowncutError("USD needs usd-core: pip install 'downcut[usd]'") from None
    try:  # the layer alone: nothing that it may refer to is opened
        layer = Sdf.Layer.OpenAsAnonymous(str(place.resolve()), metadataOnly=True)
    except Tf.ErrorException:
        layer = None
    if layer is None:
        raise DowncutError(f"{place} is no USD file, or a damaged one")
    told = dict(layer.customLayerData.get("downcut", {}))
    if len(str(told.get("recipe", ""))) > own.LONGEST_TEXT:
        raise DowncutError(f"{place} says more of itself than downcut writes")
    if "recipe" in told:
        told["recipe"] = json.loads(told["recipe"])
    return {"kind": "mesh (USD)", **_facts(told, place)}


def _of_side_file(place: Path) -> dict[str, Any]:
    beside = place.with_name(place.name + ".json")
    if not beside.is_file():
        raise DowncutError(f"{place} says nothing of itself, and {beside.name} is not beside it")
    kind = {".stl": "solid (STL)", ".obj": "mesh (OBJ)"}[place.suffix.lower()]
    return {**_of_json(beside), "kind": kind}


def _of_map(kind: str, told: Callable[[Path], Any], place: Path) -> dict[str, Any]:
    return {"kind": kind, **_facts(told(place), place)}


USD = dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), _of_usd)
READERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    ".json": _of_json,
    ".glb": _of_glb,
    ".obj": _of_side_file,
    ".stl": _of_side_file,
    ".geojson": lambda place: _of_map("vectors (GeoJSON)", info_gis.of_geojson, place),
    ".gpkg": lambda place: _of_map("vectors (GeoPackage)", info_gis.of_geopackage, place),
    ".pmtiles": lambda place: _of_map("map tiles (PMTiles)", info_gis.of_pmtiles, place),
    **USD,
}
"""By suffix; whatever else there is is a raster, or nothing we know."""
