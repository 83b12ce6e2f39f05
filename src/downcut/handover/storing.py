"""A land in a store handed to a program: the store's own samples, part by part, none resampled."""

import importlib.util
import os
from pathlib import Path

from downcut.errors import DowncutError
from downcut.export import targets
from downcut.export.placement import Placement
from downcut.export.targets.target import Plan, Target
from downcut.handover.exporting import Job, check_folder
from downcut.handover.planning import Order, check_tiles, stem
from downcut.importing.stored import StoredLand, opened
from downcut.recipe import Recipe

ENOUGH = 0.9
"""Share of the edge that the most of tiles would cover, from which on fewer, larger ones do."""
MOST_CELLS = 2048**2
"""Of the level that a target gets which needs its land in memory."""


def prepare_stored(
    path: Path,
    target: str,
    folder: str | os.PathLike[str],
    order: Order,
    *,
    name: str = "land",
    force: bool = False,
) -> tuple[Job, StoredLand]:
    """Plan an export of a store's own samples; return it with the land to deliver.

    What a program takes no tiles of is cut off all round, so that the middle stays; a program that
    needs its land in memory gets the finest level of no more than 2048² cells.

    Raises
    ------
    DowncutError
        For a store that is not whole or has no recipe, and as `prepare`.
    """
    found = targets.by_name(target)
    for package, extra in found.needs:
        if importlib.util.find_spec(package) is None:
            raise DowncutError(f"{target} needs {package}: pip install 'downcut[{extra}]'")
    land = opened(path, Recipe.from_dict)
    if land.recipe is None:
        raise DowncutError(f"{path} was saved from a land without a recipe: open it from Python")
    check_folder(Path(folder), force)
    notes: list[str] = []
    if not found.stored_edge:
        land = _level(land, notes)
    options = dict(order.options or {})
    layers = _layers(found, options.pop("layers", None), land, notes)
    tiles = order.tiles if order.tiles != (1, 1) else tiles_for(found, land.grid.shape)
    check_tiles(found, tiles)
    place = None if order.place is None else Placement.of(order.place)
    plan = Plan(stem(name), tiles, int(found.shared_edges), layers, found.chosen(options), place)
    part = _cut(found, plan, land, notes)
    return Job(found, land.recipe, plan, Path(folder), force, tuple(notes)), part


def _level(land: StoredLand, notes: list[str]) -> StoredLand:
    fitting = (n for n, each in enumerate(land.levels) if each.grid.cells <= MOST_CELLS)
    number = next(fitting, len(land.levels) - 1)
    level = land.levels[number]
    if number:
        notes.append(
            f"level {number} of the store, cells of {level.grid.cell_size:g} m: the program takes "
            "a land in one piece, in memory"
        )
    return level.read()


def _layers(
    target: Target, words: str | None, land: StoredLand, notes: list[str]
) -> tuple[str, ...]:
    """Return the layers to write; those that the store has not are named."""
    wanted = target.chosen_layers(words) if target.layers else ()
    missing = [name for name in wanted if name not in land.layers]
    if missing:
        notes.append(
            f"the store has no {', '.join(missing)}: left out; put the steps that make them into "
            "the recipe, and build it again"
        )
    return tuple(name for name in wanted if name in land.layers)


def tiles_for(target: Target, shape: tuple[int, int]) -> tuple[int, int]:
    """Return rows and columns of as few tiles as hold nearly all that any tiles would."""
    if target.stored_edge >= max(shape) or not target.stored_edge:
        return 1, 1
    over, found = int(target.shared_edges), []
    for count in range(1, target.most_tiles + 1):
        edge = _legal(target, (max(shape) - over) // count + over)
        if edge is not None and edge <= target.stored_edge:
            rows, cols = (max((n - over) // (edge - over), 1) for n in shape)
            if max(rows, cols) <= target.most_tiles:
                found.append((max(rows, cols) * (edge - over), (rows, cols)))
    if not found:
        raise DowncutError(f"{target.program} takes no tiles that this land would hold")
    best = max(covered for covered, _ in found)
    return next(tiles for covered, tiles in found if covered >= ENOUGH * best)


def _legal(target: Target, most: int) -> int | None:
    """Return the largest number of samples that a target takes and is no more than `most`."""
    asked = most
    while asked > 0 and (edge := target.sizes.nearest(asked)) > most:
        asked -= max((edge - most) // 2, 1)
    return edge if asked > 0 and edge <= most else None


def _cut(target: Target, plan: Plan, land: StoredLand, notes: list[str]) -> StoredLand:
    """Return the middle of the land, of as many samples as the plan's tiles hold."""
    over = plan.overlap
    edges = [
        _legal(target, (n - over) // k + over)
        for n, k in zip(land.grid.shape, plan.tiles, strict=True)
    ]
    if target.sizes.square:
        edges = [min(e for e in edges if e is not None)] * 2 if None not in edges else edges
    if None in edges:
        raise DowncutError(
            f"{target.program} takes tiles of {target.sizes.words} samples, and "
            f"{plan.tiles[0]}x{plan.tiles[1]} of {land.grid.ny} × {land.grid.nx} are smaller: ask "
            "for fewer tiles"
        )
    ny, nx = ((e or 0) * k - over * (k - 1) for e, k in zip(edges, plan.tiles, strict=True))
    if (ny, nx) == land.grid.shape:
        return land
    row, col = (land.grid.ny - ny) // 2, (land.grid.nx - nx) // 2
    notes.append(
        f"the middle {ny} × {nx} of {land.grid.ny} × {land.grid.nx} samples, as "
        f"{target.program} takes them; none is resampled"
    )
    return land.window(row, col, ny, nx)
