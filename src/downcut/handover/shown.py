"""A store as a land for a page: the heights of the finest level that a page can show."""

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.export.save import save
from downcut.handover.dressing import DRESSERS
from downcut.handover.source import source
from downcut.importing.stored import StoredLand, opened
from downcut.recipe import Recipe
from downcut.steps import Repeat
from downcut.terrain import Terrain

EDGE = 1024
"""Cells along the longer edge of the level that is shown, at most."""


def shown_level(path: Path) -> tuple[dict[str, Any], list[Path], str]:
    """Return a recipe that shows a store, the files that it reads, and a note for the person.

    A store of few cells is shown by its own recipe. Of a larger one the heights of a level are
    taken as they are, and water and surface are worked out on its cells by the recipe's own steps.

    Raises
    ------
    DowncutError
        For a store that is not whole, or a small one without a recipe.
    """
    land = opened(path, Recipe.from_dict)
    number = next(
        (n for n, each in enumerate(land.levels) if max(each.grid.shape) <= EDGE),
        len(land.levels) - 1,
    )
    if not number:
        if land.recipe is None:
            raise DowncutError(f"{path} was saved from a land without a recipe: save it as .tif")
        return land.recipe.model_dump(mode="json"), [], ""
    level = land.levels[number]
    cells = f"{level.grid.ny} × {level.grid.nx} cells of {level.grid.cell_size:.6g} m"
    what = f"level {number} of {path.name}: {cells}, of {land.grid.ny} × {land.grid.nx}"
    folder = tempfile.mkdtemp(prefix="downcut-level-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder, f"{path.stem}-level-{number}.npy")
    save(Terrain(level.grid, {"elevation": level.read()["elevation"]}), file)
    content, _ = source(file, cell_size=level.grid.cell_size)
    recipe = land.recipe
    content |= {
        "title": f"{recipe.title or path.stem}, level {number}: {cells}"[:200] if recipe else what,
        "description": f"What is shown is {what}. Lakes and rivers are those of these cells.",
        "sea_level": land.facts.get("sea_level_m"),
    }
    content["steps"] = [*content["steps"], *_lookers(land)]
    return content, [file], f"what is shown is {what}"


def _lookers(land: StoredLand) -> list[dict[str, Any]]:
    """Return the steps at the end of a recipe that only look at the land, and lack nothing."""
    found: list[Any] = []
    for step in reversed(land.recipe.steps if land.recipe else ()):
        if isinstance(step, Repeat) or not step.op.startswith(DRESSERS):
            break
        found.append(step)
    made, kept = {"elevation"}, []
    for step in reversed(found):
        needed = {name for arg, name in step.inputs().items() if arg not in step.optional()}
        if needed <= made:
            made |= {*step.outputs()}
            kept.append(step.model_dump(mode="json"))
    return kept
