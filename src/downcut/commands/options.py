"""Options that several commands share, and what each of them does before and while growing."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from downcut import progress, request
from downcut.errors import DowncutError
from downcut.stopping import Stopped, beside

if TYPE_CHECKING:
    from downcut.recipe import Recipe
    from downcut.terrain import Terrain

Source = Annotated[
    str,
    typer.Argument(metavar="SOURCE", help="A preset, a recipe, a saved land, a heightmap, or - ."),
]
What = Annotated[
    str, typer.Argument(metavar="RECIPE", help="A preset, a recipe file, a heightmap, or - .")
]
Range = Annotated[
    str | None,
    typer.Option(
        "--range", metavar="LOW,HIGH", help="Metres of a heightmap's lowest and highest level."
    ),
]
Read = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="NAME=VALUE",
        help="How a heightmap is read, as fill_voids=true: see downcut schema heightmap.",
    ),
]
Size = Annotated[
    str | None, typer.Option(metavar="N|NYxNX", help="Cells; alone, it keeps the extent.")
]
CellSize = Annotated[str | None, typer.Option(metavar="M", help="Edge of a cell in metres.")]
Seed = Annotated[
    str | None, typer.Option(metavar="S", help="A number from 0 to 2^64-1, a word, or random.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PLACE=VALUE", help="A parameter, as steps.1.rounds=8."),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="The suffix says the format; a folder gets all."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over files that exist.")]
Threads = Annotated[str, typer.Option(metavar="N", help="0 for all; the land is the same.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no table.")]


def changes(size: str | None, cell_size: str | None, settings: list[str] | None) -> dict[str, Any]:
    """Return what --size, --cell-size and --set ask for, as `Recipe.changed` takes it."""
    return {
        "size": request.size(size),
        "cell_size": request.number(cell_size, "--cell-size", float),
        "settings": request.settings(settings or []),
    }


def reading(range_: str | None, read: list[str] | None, cell_size: str | None) -> dict[str, Any]:
    """Return what --range, --read and --cell-size say about a heightmap."""
    said = request.settings(read or [], "--read", "fill_voids=true")
    if span := request.numbers(range_, "--range", "-50,1200"):
        said |= {"low": span[0], "high": span[1]}
    if (cell := request.number(cell_size, "--cell-size", float)) is not None:
        said.setdefault("cell_size", cell)
    return said


def workers(threads: str) -> int:
    """Return what --threads asks for."""
    return request.number(threads, "--threads", int) or 0


def port_number(port: str) -> int:
    """Return what --port asks for."""
    number = request.number(port, "--port", int) or 0
    if not 0 <= number <= 65535:
        raise DowncutError(f"--port is {number}: give 1 to 65535, or 0 for any that is free")
    return number


def check(
    recipe: "Recipe",
    places: list[Path],
    force: bool,
    threads: int,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Refuse before the work what would fail after it."""
    from downcut.export.save import check_targets
    from downcut.memory import check_memory
    from downcut.run import Run

    Run(threads=threads)
    check_memory(recipe)
    check_targets(places, force, options or {})


def grow_shown(recipe: "Recipe", threads: int, tell: progress.Tell) -> "Terrain":
    """Grow the land beside this thread, which hears Ctrl-C, and tell how far it is."""
    from downcut.grow import generate

    heard = progress.on_progress(tell)
    return beside(lambda stop: generate(recipe, threads=threads, on_progress=heard, stop=stop))


def write_all(
    terrain: "Terrain", places: list[Path], force: bool, options: Mapping[str, Any] | None = None
) -> list[Path]:
    """Save to every place; this thread does it, so that Ctrl-C unwinds and cleans up."""
    from downcut.export.save import save

    files: list[Path] = []
    try:
        for place in places:
            files += save(terrain, place, force=force, **(options or {}))
    except Stopped as stopped:
        stopped.written = files
        raise
    return files
