"""`downcut studio`: shape land in the browser."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from downcut import request
from downcut.commands.app import app
from downcut.commands.options import Seed, Settings, Size, Threads, changes, port_number, workers
from downcut.pages import page


@app.command()
def studio(
    land: Annotated[
        str | None,
        typer.Argument(metavar="[SOURCE]", help="A preset, a recipe, or a heightmap."),
    ] = None,
    size: Size = None,
    seed: Seed = None,
    settings: Settings = None,
    port: Annotated[str, typer.Option(metavar="N", help="0 for any that is free.")] = "8420",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Others than this machine can come in then.")
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the link that opens it.")
    ] = False,
    walk: Annotated[bool, typer.Option("--walk", help="Walk about in the land.")] = False,
    threads: Threads = "0",
) -> None:
    """Shape land in the browser and watch water carve it.

    \b
    downcut studio
    downcut studio alpine --seed 7
    downcut studio --walk glade
    downcut studio alpine.zarr           (the level of a store that a page can show)
    """
    if walk:
        page("walk")
        land = land or "glade"
    recipe, files = _begin_with(land, seed, changes(size, None, settings))
    number = port_number(port)
    from downcut.server.serving import serve

    serve(
        recipe,
        files,
        host=host,
        port=number,
        threads=workers(threads),
        browser=not no_browser,
        walk=walk,
    )


def _begin_with(
    land: str | None, seed: str | None, wanted: dict[str, Any]
) -> tuple[dict[str, Any] | None, list[Path]]:
    """Return the recipe to open and the files that it reads."""
    if land is None:
        return None, []
    if request.is_stored(land) and seed is None and not any(wanted.values()):
        return _of_store(Path(land))
    _, content = request.source(land)
    recipe = request.recipe(content, seed, wanted)
    plain = recipe.model_dump(mode="json")
    paths = [Path(step["file"]) for step in plain["steps"] if step.get("file")]
    return plain, paths


def _of_store(path: Path) -> tuple[dict[str, Any], list[Path]]:
    """Return the recipe that shows a store's level, and say which it is."""
    from downcut.handover.shown import shown_level

    plain, files, note = shown_level(path)
    if note:
        print(f"note: {note}", file=sys.stderr)
    return plain, files
