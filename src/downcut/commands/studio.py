"""`downcut studio`: shape land in the browser."""

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
    _, content = request.source(land)
    recipe = request.recipe(content, seed, wanted)
    plain = recipe.model_dump(mode="json")
    paths = [Path(step["file"]) for step in plain["steps"] if step.get("file")]
    return plain, paths
