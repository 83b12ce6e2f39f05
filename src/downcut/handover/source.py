"""From a file to the recipe of its land: the one that grew it, or one that takes its heights."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError, shown
from downcut.export import info
from downcut.fields.heightmap import Heightmap
from downcut.importing import kept, picture
from downcut.importing.reading import header, refuse_strange
from downcut.plain import compact
from downcut.recipe import Recipe

ADDS = {"cell_size", "limit_cells"}
"""What may be said of a file of ours without making its heights others."""


def recipe_of(path: str | os.PathLike[str], **reading: Any) -> Recipe:
    """Return the recipe of the land in a file.

    A file of ours whose samples are as they were written gives the recipe inside it, so that
    other sizes are grown again; any other gives its own grid and one step, `fields.heightmap`.

    Parameters
    ----------
    path : path
        A heightmap, a DEM, or a mesh or picture that downcut wrote.
    reading
        Parameters of `fields.heightmap` that say what the file does not; `cell_size` counts only
        where the file has none.

    Raises
    ------
    DowncutError
        For a file that cannot be read, or has cells without data and no `fill_voids`.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> file = tempfile.mkdtemp() + "/hill.npy"
    >>> np.save(file, [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]])
    >>> recipe = recipe_of(file, cell_size=10)
    >>> recipe.grid.ny, recipe.grid.nx, recipe.grid.cell_size, recipe.steps[0].op
    (2, 3, 10.0, 'fields.heightmap')
    """
    return Recipe.from_dict(source(path, **reading)[0])


def source(path: str | os.PathLike[str], **reading: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the recipe of the land in a file as plain data, and what a person should hear of it.

    Raises
    ------
    DowncutError
        As `recipe_of`.
    """
    place = Path(path)
    refuse_strange(place)
    if place.suffix.lower() in info.READERS or picture.painted(place):
        return _inside(place), ()
    step = step_for(place, {**reading, "cell_size": None})
    cell = reading.get("cell_size")
    if cell is not None and header(place, step.reading)[1] is None:
        step = step_for(place, reading)
    found = kept(place, **step.asked())
    if found.recipe and reading.keys() <= ADDS:
        return found.recipe, found.notes
    found.refuse_gaps(place)
    named = step.model_copy(update={"content": found.content})
    content = {
        "title": place.stem[:200],
        "grid": {"ny": found.grid.ny, "nx": found.grid.nx, "cell_size": found.cell_size},
        "sea_level": found.sea_level,
        "steps": [compact(named, named.model_dump(mode="json"))],
    }
    return content, found.notes


def _inside(place: Path) -> dict[str, Any]:
    recipe = info.describe(place).get("recipe")
    if not isinstance(recipe, dict):
        raise DowncutError(f"{place} was saved from a land without a recipe: give its heightmap")
    return recipe


def step_for(place: Path, reading: Mapping[str, Any]) -> Heightmap:
    """Return the step that reads a file, its parameters checked.

    Raises
    ------
    DowncutError
        For a parameter that there is not, or out of its bounds.
    """
    content = {"op": "fields.heightmap", "file": os.path.abspath(place)}  # noqa: PTH100 - no links resolved
    unknown = sorted(set(reading) - set(Heightmap.model_fields) | set(reading) & {*content})
    if unknown:
        raise DowncutError(
            f"{shown(unknown[0])} says nothing of a heightmap: see downcut schema fields.heightmap"
        )
    (step,) = Recipe.from_dict({"steps": [{**reading, **content}]}).steps
    assert isinstance(step, Heightmap)
    return step
