"""What a target makes of a recipe: its size, its cells, its tiles, before anything is grown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from downcut.errors import DowncutError
from downcut.export.placement import Place, Placement
from downcut.export.targets.target import Plan, Target
from downcut.handover.dressing import dressed
from downcut.recipe import Recipe

MOST_TILES = 1024
"""Of one land: a folder of more is no use to anyone's file dialogue."""


@dataclass(frozen=True)
class Order:
    """What was asked for; None where the target may choose."""

    size: int | tuple[int, int] | None = None
    """Samples of the whole land, or (rows, columns) of them."""
    cell_size: float | None = None
    """Metres from one sample to the next."""
    tiles: tuple[int, int] = (1, 1)
    """Rows and columns of tiles."""
    place: Place | None = None
    """Longitude, latitude [°] of the land's middle: a pair, or a text as "8.5,46.5"."""
    options: Mapping[str, Any] | None = None


def planned(
    recipe: Recipe, target: Target, order: Order, name: str
) -> tuple[Recipe, Plan, list[str]]:
    """Return the recipe at a size that the target takes, the plan, and notes for the person.

    The land keeps its ground: other samples of the same recipe are grown, no picture is resampled.

    Raises
    ------
    DowncutError
        For tiles that the target has not, and options that it does not know.
    """
    check_tiles(target, order.tiles)
    options = dict(order.options or {})
    layers = target.chosen_layers(options.pop("layers", None)) if target.layers else ()
    recipe = dressed(recipe, layers)
    plan = Plan(
        name=stem(name),
        tiles=order.tiles,
        overlap=int(target.shared_edges),
        layers=layers,
        options=target.chosen(options),
        place=None if order.place is None else Placement.of(order.place),
    )
    wanted = _shape(order.size) or (recipe.grid.ny, recipe.grid.nx)
    legal = legal_shape(target, plan, wanted)
    notes = _notes(target, plan, wanted, legal) if order.size or target.sizes.square else []
    if legal == (recipe.grid.ny, recipe.grid.nx) and order.cell_size is None:
        return recipe, plan, notes  # its samples are as good as any others
    cell = order.cell_size or _cell(recipe, legal, target.posts)
    if order.cell_size is None:
        notes += cut(recipe, legal, target.posts, cell)
    return recipe.changed(size=legal, cell_size=cell), plan, notes


def legal_shape(target: Target, plan: Plan, wanted: tuple[int, int]) -> tuple[int, int]:
    """Return the samples of the whole land, of which each tile's number is legal."""
    over = plan.overlap
    if target.sizes.square:
        per_tile = min((n - over) / k for n, k in zip(wanted, plan.tiles, strict=True))
        tile = target.sizes.nearest(round(per_tile) + over)
        return plan.tiles[0] * (tile - over) + over, plan.tiles[1] * (tile - over) + over
    ny, nx = (
        k * (target.sizes.nearest(round((n - over) / k) + over) - over) + over
        for n, k in zip(wanted, plan.tiles, strict=True)
    )
    return ny, nx


def _cell(recipe: Recipe, legal: tuple[int, int], posts: bool) -> float:
    """Return the cell with which these samples span the ground's shorter edge, or are within it."""
    edge = recipe.grid.cell_size
    return min(
        cells * edge / max(count - posts, 1)
        for cells, count in zip((recipe.grid.ny, recipe.grid.nx), legal, strict=True)
    )


def cut(recipe: Recipe, legal: tuple[int, int], posts: bool, cell: float) -> list[str]:
    """Return a note where the land keeps only the middle of its longer edge."""
    before = [n * recipe.grid.cell_size for n in (recipe.grid.ny, recipe.grid.nx)]
    after = [(n - posts) * cell for n in legal]
    if all(new > old * 0.999 for new, old in zip(after, before, strict=True)):
        return []
    return [
        f"the middle {after[1]:,.6g} × {after[0]:,.6g} m of the land's {before[1]:,.6g} × "
        f"{before[0]:,.6g} m: --size NYxNX or --tiles RxC can keep its shape"
    ]


def _shape(size: int | tuple[int, int] | None) -> tuple[int, int] | None:
    return (size, size) if isinstance(size, int) else size


def _notes(
    target: Target, plan: Plan, wanted: tuple[int, int], legal: tuple[int, int]
) -> list[str]:
    if wanted == legal:
        return []
    square = "square, " if target.sizes.square else ""
    of_what = f"tiles, here {plan.tiles[0]} × {plan.tiles[1]}," if plan.tiled else "lands"
    return [
        f"grown at {legal[0]} × {legal[1]} samples, the nearest to {wanted[0]} × {wanted[1]} that "
        f"{target.program} takes ({of_what} are {square}{target.sizes.words} a side)"
    ]


def check_tiles(target: Target, tiles: tuple[int, int]) -> None:
    """Refuse tiles that a target has not.

    Raises
    ------
    DowncutError
    """
    most = target.most_tiles
    if not all(1 <= count <= most for count in tiles) or tiles[0] * tiles[1] > MOST_TILES:
        raise DowncutError(
            f"tiles is {tiles[0]}x{tiles[1]}: {target.name} takes "
            + ("one piece" if most == 1 else f"1 to {most} along an edge, {MOST_TILES} in all")
        )


def stem(name: str) -> str:
    """Return a name of letters, digits and dashes, without 1009x1009, which engines misread."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60] or "land"
    return re.sub(r"(\d)[xX](?=\d)", r"\1-by-", plain)
