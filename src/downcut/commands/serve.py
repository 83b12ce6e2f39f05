"""`downcut serve`: an endless world as map tiles, with a page to fly over it."""

from typing import Annotated

import typer

from downcut import request
from downcut.commands.app import app
from downcut.commands.options import Seed, Settings, Threads, changes, port_number, workers


@app.command()
def serve(
    world: Annotated[str, typer.Argument(metavar="[RECIPE]", help="A preset or a recipe.")] = (
        "endless"
    ),
    seed: Seed = None,
    settings: Settings = None,
    port: Annotated[str, typer.Option(metavar="N", help="0 for any that is free.")] = "8421",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Others than this machine can come in then.")
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print where the page is.")
    ] = False,
    threads: Threads = "0",
) -> None:
    """Serve an endless world as map tiles: Terrarium, Terrain-RGB, colours, and a page.

    \b
    downcut serve endless
    downcut serve endless --seed 7 --port 9000 --no-browser
    """
    _, content = request.source(world)
    recipe = request.recipe(content, seed, changes(None, None, settings))
    number = port_number(port)
    from downcut.server.serving import serve_world

    serve_world(recipe, host=host, port=number, threads=workers(threads), browser=not no_browser)
