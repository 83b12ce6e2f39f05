"""A land to go about in on foot: walk.json and the blocks that it names, for the walk page."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import downcut
from downcut.export.blocks import block
from downcut.export.painting import TINT
from downcut.features import KINDS, SPECIES, Table
from downcut.grid import Grid
from downcut.layers import layer
from downcut.terrain import Terrain

MEANING = {TINT: "the land's own colours, without light"}
SIZE = {
    "great_tree": 13.0,
    "tree": 8.0,
    "far_tree": 9.0,
    "bush": 1.3,
    "flower": 0.8,
    "reed": 1.3,
    "stone": 0.7,
    "pebble": 0.14,
    "grass": 1.05,
}
"""How high a thing of scale 1 is [m]."""
LAYERS = ("elevation", "water_surface", "water_depth", "grass")
RIVER = ("x", "surface", "z", "width", "depth", "discharge", "line")
TABLES = ("plants", "stones", "blades")


@dataclass(frozen=True)
class Place:
    """Somewhere to stand, in metres east and north of the world's origin."""

    name: str
    kind: str
    x: float
    y: float
    heading: float
    """Where one looks [°], clockwise from north."""


@dataclass(frozen=True)
class Limits:
    """How far she goes; lengths in metres, `climb` in degrees."""

    radius: float | None = None
    """Of the circle about the middle; None for the whole grid."""
    clearance: float | None = None
    margin: float = 4.0
    wade: float = 0.45
    climb: float = 38.0


@dataclass(frozen=True)
class Walk:
    """What is written: a land of fine cells, what is known of it, and what lies round it."""

    land: Terrain
    """Layers `LAYERS`, the elevation at least; tables rivers, plants, stones, blades, or fewer."""
    colours: NDArray[np.uint8]
    """(ny, nx, 4): the land's own colours."""
    start: Place
    title: str = ""
    description: str = ""
    digest: str = ""
    sea_level: float | None = None
    limits: Limits = field(default_factory=Limits)
    viewpoints: Sequence[Place] = ()
    patch: Table | None = None
    """Blades on a square that repeats: x, z, scale, turn, tilt, tint, rank."""
    patch_edge: float = 0.0
    around: Terrain | None = None
    """The land round it, coarse."""
    around_colours: NDArray[np.uint8] | None = None
    bounds: tuple[float, float, float, float] | None = None
    """West, south, east, north of the whole land; None where it goes on without an edge."""
    sights: Sequence[Place] = ()
    """Places worth going to on all the land, near which a window can be asked for."""


def walk_files(walk: Walk, onward: str | None = None) -> dict[str, bytes]:
    """Return the files of a walk by their names, walk.json first.

    web/README.md tells what each holds. The same walk gives the same bytes.

    Parameters
    ----------
    walk : Walk
    onward : str, optional
        Where windows about other places are found, {x} and {y} in place of metres east and north.
    """
    land, files = walk.land, dict[str, bytes]()
    layers = {name: land[name] for name in LAYERS if name in land.layers} | {TINT: walk.colours}
    told = {
        "format": "downcut-walk",
        "version": 1,
        "title": walk.title,
        "description": walk.description,
        "grid": _grid(land.grid),
        "range": list(land.relief),
        "sea_level": walk.sea_level,
        "layers": _layers(layers, "layers", land.grid, files),
        "rivers": _rivers(land, files),
        "scatter": list(_scattered(land, files)),
        "grass_patch": _patch(walk, files),
        "around": _around(walk, files),
        "start": _place(walk.start, land.grid),
        "limits": _limits(walk.limits),
        "viewpoints": [_place(each, land.grid) for each in walk.viewpoints],
        "sights": [_place(each, land.grid) for each in walk.sights],
        "bounds": walk.bounds and list(walk.bounds),
        "place": dict(zip("xy", middle(land.grid), strict=True)),
        "onward": onward,
        "digest": walk.digest,
        "made_by": f"downcut {downcut.__version__}",
    }
    text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return {"walk.json": text.encode(), **files}


def middle(grid: Grid) -> tuple[float, float]:
    """Return where a grid's middle lies: metres east and north of the world's origin."""
    row, col = grid.corner
    return (col + grid.nx / 2) * grid.cell_size, 0.0 - (row + grid.ny / 2) * grid.cell_size


def _grid(grid: Grid) -> dict[str, Any]:
    return {"ny": grid.ny, "nx": grid.nx, "cell_size": grid.cell_size}


def _layers(
    layers: Mapping[str, NDArray[Any]], folder: str, grid: Grid, files: dict[str, bytes]
) -> dict[str, Any]:
    told = {}
    for name, array in layers.items():
        file = f"{folder}/{name}.bin"
        files[file] = block(name, array, cell_size=grid.cell_size)
        known = layer(name)
        meaning = MEANING.get(name, known.meaning)
        about = {"file": file, "unit": known.unit, "meaning": meaning, "colours": known.colours}
        told[name] = about
    return told


def _rows(file: str, columns: Mapping[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
    """Write a table as a block, row by row; return what is told of it."""
    rows = np.stack([np.asarray(values, np.float32) for values in columns.values()], axis=1)
    name = file.rsplit("/", 1)[-1].removesuffix(".bin")
    files[file] = block(name, rows)
    return {"file": file, "count": len(rows), "columns": list(columns)}


def _rivers(land: Terrain, files: dict[str, bytes]) -> dict[str, Any] | None:
    rivers = land.features.get("rivers")
    if rivers is None or rivers.offsets is None or not len(rivers):
        return None
    east, north = middle(land.grid)
    points = rivers.points
    line = np.repeat(np.arange(len(rivers)), np.diff(rivers.offsets))
    own = {"x": points["x"] - east, "z": north - points["y"], "line": line}
    columns = {name: own[name] if name in own else points[name] for name in RIVER}
    return {**_rows("rivers.bin", columns, files), "lines": len(rivers)}


def _scattered(land: Terrain, files: dict[str, bytes]) -> Iterator[dict[str, Any]]:
    """Write the things of each kind; tell of each where it is and how high."""
    east, north = middle(land.grid)
    for table in (land.features[name] for name in TABLES if name in land.features):
        for number in np.unique(table["kind"]):
            kind, mine = KINDS[number], table["kind"] == number
            columns = {"x": table["x"][mine] - east, "z": north - table["y"][mine]}
            more = ["scale", "turn", "tint", "species", *(["tilt"] if kind == "grass" else [])]
            columns |= {name: table[name][mine] for name in more}
            told = _rows(f"scatter/{kind}.bin", columns, files)
            yield {"kind": kind, **told, "size": SIZE[kind], "species": SPECIES.get(kind, [])}


def _patch(walk: Walk, files: dict[str, bytes]) -> dict[str, Any] | None:
    if walk.patch is None:
        return None
    told = _rows("scatter/patch.bin", walk.patch.columns, files)
    return {**told, "edge": walk.patch_edge, "size": SIZE["grass"]}


def _around(walk: Walk, files: dict[str, bytes]) -> dict[str, Any] | None:
    if walk.around is None or walk.around_colours is None:
        return None
    there = walk.around
    (x, y), (east, north) = middle(there.grid), middle(walk.land.grid)
    names = ("elevation", "water_surface")
    layers = {name: there[name] for name in names if name in there.layers}
    told = _layers(layers | {TINT: walk.around_colours}, "around", there.grid, files)
    return {"grid": _grid(there.grid), "x": x - east, "z": north - y, "layers": told}


def _place(place: Place, grid: Grid) -> dict[str, Any]:
    east, north = middle(grid)
    where = {"x": round(place.x - east, 3), "z": round(north - place.y, 3)}
    return {"name": place.name, "kind": place.kind, **where, "heading": round(place.heading, 1)}


def _limits(limits: Limits) -> dict[str, Any]:
    circle = None if limits.radius is None else {"x": 0.0, "z": 0.0, "radius": limits.radius}
    return {
        "circle": circle,
        "clearance": limits.clearance,
        "margin": limits.margin,
        "wade": limits.wade,
        "climb": limits.climb,
    }
