"""`downcut measure`: figures of a land beside those of real landscapes."""

from pathlib import Path
from typing import Annotated

import typer

from downcut import presets as shipped
from downcut import progress, request
from downcut.commands.app import app
from downcut.commands.options import (
    AsJson,
    CellSize,
    Force,
    Range,
    Read,
    Seed,
    Settings,
    Size,
    Threads,
    changes,
    check,
    grow_shown,
    reading,
    workers,
)
from downcut.errors import DowncutError
from downcut.stopping import beside

Picture = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE.png", help="Draw the curves too.")
]


@app.command()
def measure(
    land: Annotated[
        str, typer.Argument(metavar="LAND", help="A preset, a recipe file, - , or a heightmap.")
    ],
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    range_: Range = None,
    read: Read = None,
    output: Picture = None,
    force: Force = False,
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Measure a land by figures of real landscapes.

    \b
    downcut measure alpine --size 512 --seed 3
    downcut measure dem.tif -o figure.png          (any DEM or heightmap)
    """
    wanted, said = changes(size, cell_size, settings), reading(range_, read, cell_size)
    count = workers(threads)
    from downcut._jit import is_cold
    from downcut.measuring import command

    recipe = None
    if land in shipped.names() or command.is_recipe(land):
        recipe = request.recipe(request.source(land, said)[1], seed, wanted)
        check(recipe, [], force, count)
    elif not Path(land).exists():
        request.source(land)  # says what there is instead
    elif seed is not None or size or settings:
        raise DowncutError(f"{land} is a heightmap: --size, --seed and --set belong to recipes")
    if output:
        command.check_picture(output, force=force)
    with progress.shown(quiet=quiet, cold=is_cold()) as tell:
        ground = grow_shown(recipe, count, tell) if recipe else Path(land)
        tell("measuring", 1.0 if recipe else 0.0)
        found = beside(lambda stop: command.measured(ground, count, stop, said))
        if output:
            command.deliver(found, output, force=force)
    from downcut import report
    from downcut.measuring.table import table

    report.say(found.to_dict(), table, as_json=as_json)
