"""Where a file comes from: the recipe, the names of recipe and layers, and the version."""

import json
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL.PngImagePlugin import PngInfo

import downcut
from downcut.errors import DowncutError
from downcut.step import at_the_door
from downcut.terrain import Terrain


def about(terrain: Terrain) -> dict[str, Any]:
    """Return what every export says of its land, as plain data.

    `digest` names the recipe and `checksum` the bytes of the layers; both are None, like the
    recipe, for a land without one (the checksum is always there).
    """
    recipe = terrain.recipe
    row, col = terrain.grid.corner
    low, high = terrain.relief if "elevation" in terrain.layers else (None, None)
    return {
        "generator": "downcut",
        "version": downcut.__version__,
        "digest": recipe.digest if recipe else None,
        "checksum": terrain.checksum,
        "ny": terrain.grid.ny,
        "nx": terrain.grid.nx,
        "cell_size_m": terrain.grid.cell_size,
        "low_m": low,
        "high_m": high,
        "corner_row": row,
        "corner_col": col,
        "sea_level_m": recipe.sea_level if recipe else None,
        "recipe": json.loads(recipe.to_json(full=True)) if recipe else None,
    }


def recipe_text(terrain: Terrain) -> str:
    """Return the full recipe as JSON text; "null" for a land without one."""
    return terrain.recipe.to_json(full=True) if terrain.recipe else "null"


def write_recipe(terrain: Terrain, file: BinaryIO) -> None:
    """Write the full recipe as JSON.

    Raises
    ------
    DowncutError
        For a land without a recipe.
    """
    if terrain.recipe is None:
        raise DowncutError("this land has no recipe to save: it was not grown from one")
    file.write(recipe_text(terrain).encode() + b"\n")


def png_note(facts: dict[str, Any]) -> PngInfo:
    """Return the text chunks of a PNG: all facts as JSON in "downcut", the plainest by name."""
    note = PngInfo()
    note.add_text("Software", f"downcut {facts['version']}")
    note.add_itxt("downcut", json.dumps(facts, ensure_ascii=False), zip=True)
    for key in ("digest", "version", "metres_of_0", "metres_of_65535"):
        if key in facts:
            note.add_text(f"downcut:{key}", str(facts[key]))
    return note


def ground(terrain: Terrain) -> NDArray[np.float32]:
    """Return the elevation [m] as (ny, nx) float32, C order.

    Raises
    ------
    DowncutError
        If there is none, or some of it is NaN or infinite.
    """
    return at_the_door(terrain["elevation"], "elevation", "elevation", terrain.grid)
