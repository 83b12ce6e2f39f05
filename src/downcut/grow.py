"""From a recipe to a Terrain."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from downcut import presets
from downcut.errors import DowncutError
from downcut.execute import Moment, Order, Progress, execute
from downcut.export.picture import notebook_png
from downcut.keeping import Kept
from downcut.recipe import Recipe
from downcut.terrain import Terrain


def generate(
    recipe: Recipe | str | dict[str, Any],
    *,
    threads: int = 0,
    tile: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_field: Callable[[Moment], None] | None = None,
    stop: threading.Event | None = None,
    files: Mapping[str, Path] | None = None,
    kept: Kept | None = None,
    watched: int = 0,
) -> Terrain:
    """Grow the land of a recipe.

    Parameters
    ----------
    recipe : Recipe, name of a preset, or plain data
    threads : int, 0 to 1024
        0 for all; the bits do not depend on it.
    tile : int ≥ 16, optional
        Run local steps in windows of this many cells; the bits do not depend on it.
    on_progress : function of a Progress, optional
    on_field : function of a Moment, optional
        Shown the land on its way; the bits do not depend on it.
    stop : threading.Event, optional
        Set it from another thread to end the work with `Cancelled`.
    files : mapping of name to path, optional
        The only files that the recipe may read, by the names it calls them; any without it.
    kept : Kept, optional
        Where results are kept, so that growing a changed recipe runs only the steps after the
        change; the bits do not depend on it.
    watched : int, optional
        The first step of the recipe's list that `on_field` must see; those before it may be kept.

    Returns
    -------
    Terrain
        Its layers are read-only.

    Raises
    ------
    DowncutError
        For a bad recipe, or one that does not fit in memory.

    Examples
    --------
    >>> import downcut as dc
    >>> land = dc.generate(dc.preset("sine-hills", size=32))
    >>> land["elevation"].shape, land["elevation"].dtype.name
    ((32, 32), 'float32')
    """
    if isinstance(recipe, str):
        recipe = preset(recipe)
    elif isinstance(recipe, dict):
        recipe = Recipe.from_dict(recipe)
    if tile is not None and tile < 16:
        raise DowncutError(f"tile is {tile}: windows are at least 16 cells wide")
    order = Order(threads, tile, on_progress, on_field, stop or threading.Event(), files)
    order.kept, order.watched = kept, watched
    layers, features, reports = execute(recipe, order)
    return Terrain(recipe.grid.grid, layers, features, reports, recipe, notebook_png)


def preset(
    name: str,
    *,
    size: int | tuple[int, int] | None = None,
    cell_size: float | None = None,
    seed: int | str | None = None,
    settings: dict[str, Any] | None = None,
) -> Recipe:
    """Return a recipe that ships, at another size, cell size, seed or with other parameters.

    Raises
    ------
    DowncutError
        For an unknown name or a value out of its bounds.

    Examples
    --------
    >>> import downcut as dc
    >>> dc.preset("alpine", size=64, seed=7).grid.nx
    64
    """
    recipe = Recipe.from_dict(presets.load(name))
    return recipe.changed(size=size, cell_size=cell_size, seed=seed, settings=settings)
