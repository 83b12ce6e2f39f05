"""A folder for any web server that shows the land in 3-D, without Python behind it."""

import json
from pathlib import Path
from typing import Any

import downcut
from downcut.export.blocks import block, quantised_step, seen
from downcut.export.files import Delivery
from downcut.export.painting import TINT
from downcut.export.targets.target import Handed, Plan, Target, between
from downcut.layers import layer
from downcut.pages import page
from downcut.terrain import Terrain

SMALL = 100_000
MEANING = {TINT: "the land's own colours, without light; alpha is how much of a cell is river"}


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write a block a layer, land.json which names them, and the page."""
    shown = page("site")  # refused before the work, if it is not there
    facts = {"size": max(terrain.grid.shape), "cell_size": terrain.grid.cell_size}
    made = seen(terrain)
    for name in plan.layers:
        if name not in made and name != "water_surface":  # that is left out where all is dry
            made[name] = block(name, terrain[name], **facts)
    files = {"index.html": "the page: needs a web server, see above", "land.json": "what it shows"}
    for name, data in made.items():
        path = f"layers/{name}.bin"
        files[path] = f"a block: {MEANING.get(name, layer(name).meaning)}"
        _put(delivery, folder / path, data)
    for item in shown.iterdir():
        _put(delivery, folder / item.name, item.read_bytes())
        files.setdefault(item.name, "part of the page")
    files["downcut-land.js"] = "an ES module: loadLand and landMesh, for a three.js page of yours"
    about = _about(terrain, plan, list(made))
    text = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
    _put(delivery, folder / "land.json", text.encode())
    numbers = {"lowest_m": about["range"][0], "highest_m": about["range"][1]}
    numbers |= {"height_step_m": quantised_step(made["elevation"]), "format": about["format"]}
    return Handed(numbers, HOW, files)


def _put(delivery: Delivery, path: Path, data: bytes) -> None:
    with delivery.file(path, len(data)) as file:
        file.write(data)


def _about(terrain: Terrain, plan: Plan, names: list[str]) -> dict[str, Any]:
    """Return what land.json says; docs/export/site.md tells what each key means."""
    recipe, grid = terrain.recipe, terrain.grid
    layers = {
        name: {
            "file": f"layers/{name}.bin",
            "unit": layer(name).unit,
            "meaning": MEANING.get(name, layer(name).meaning),
            "colours": layer(name).colours,
        }
        for name in names
    }
    return {
        "format": "downcut-land",
        "version": 1,
        "title": (recipe.title if recipe else "") or plan.name,
        "description": recipe.description if recipe else "",
        "grid": {"ny": grid.ny, "nx": grid.nx, "cell_size": grid.cell_size},
        "range": list(terrain.relief),
        "sea_level": recipe.sea_level if recipe else None,
        "layers": layers,
        "digest": recipe.digest if recipe else terrain.checksum,
        "made_by": f"downcut {downcut.__version__}",
    }


HOW = [
    "To look at it: python -m http.server in this folder, then http://localhost:8000/ in a "
    "browser. Any static server will do; a browser shows no land from a file:// address.",
    "In a three.js page of yours: import { loadLand, landMesh } from './downcut-land.js'; "
    "const land = await loadLand('land.json'); scene.add(landMesh(THREE, land)).",
    "A vertex is the middle of a cell, in metres: x east, y up, z south, the land's middle at 0.",
]

TARGET = Target(
    name="site",
    program="a web page of its own (3-D, any static server)",
    write=write,
    sizes=between(2, 4096),
    most_tiles=1,
    layers=("drainage_area", "channel", "water_surface"),
)
