"""`downcut export`: hand a land to a program, or turn it into another format."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from downcut import progress, request
from downcut.commands.app import app
from downcut.commands.options import (
    AsJson,
    CellSize,
    Force,
    Outputs,
    Quiet,
    Range,
    Read,
    Seed,
    Settings,
    Size,
    Source,
    Threads,
    changes,
    check,
    grow_shown,
    reading,
    workers,
    write_all,
)
from downcut.errors import DowncutError

if TYPE_CHECKING:
    from downcut.handover.exporting import Job
    from downcut.handover.planning import Order
    from downcut.recipe import Recipe

Program = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="PROGRAM",
        help="unreal, unity, godot, blender, web, site, gis, map, print, usd or mujoco.",
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="NAME=VALUE", help="A choice of the program or the format."),
]
Tiles = Annotated[str | None, typer.Option(metavar="RxC", help="Tiles, as 4x4: rows x columns.")]
At = Annotated[
    str | None, typer.Option("--at", metavar="LON,LAT", help="Where on the Earth its middle lies.")
]


@app.command()
def export(
    source: Source,
    program: Program = None,
    output: Outputs = None,
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    range_: Range = None,
    read: Read = None,
    tiles: Tiles = None,
    at: At = None,
    with_: With = None,
    force: Force = False,
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Hand a land to a program, or turn it into another format.

    \b
    downcut export alpine --for unreal -o MyGame/Terrain
    downcut export alpine --for unity --size 2049 --tiles 4x4
    downcut export land.tif -o land.exr
    """
    name, content = request.source(source, reading(range_, read, cell_size))
    start, count, wanted = time.perf_counter(), workers(threads), changes(size, cell_size, settings)
    options = request.settings(with_ or [], "--with", "layers=none")
    ground = {key: wanted.pop(key) for key in ("size", "cell_size")} if program is not None else {}
    recipe = request.recipe(content, seed, wanted)
    if program is None:
        _refuse_without_program(tiles=tiles, at=at)
        places = output or _no_place()
        check(recipe, places, force, count, options)
        job = None
    else:
        from downcut.handover.planning import Order

        if size is None and getattr(recipe.steps[0], "cell_size", None) == ground["cell_size"]:
            ground["cell_size"] = None  # it said what the heightmap did not: the extent stays
        order = Order(**ground, tiles=request.tiles(tiles), place=at, options=options)
        job = _prepared(recipe, program, output, order, name, force)
        recipe, places = job.recipe, [job.folder]
    from downcut import report
    from downcut._jit import is_cold

    cold = is_cold()
    with progress.shown(quiet=quiet, cold=cold) as tell:
        terrain = grow_shown(recipe, count, tell)
        tell("writing files", 1.0)
        shipped = job.deliver(terrain) if job else None
        files = shipped.files if shipped else write_all(terrain, places, force, options)
    said = report.summary(name, terrain, files, time.perf_counter() - start)
    said |= shipped.told() if shipped else {}
    report.end(said, as_json=as_json, quiet=quiet, cold=cold)


def _prepared(
    recipe: "Recipe",
    program: str,
    output: list[Path] | None,
    order: "Order",
    name: str,
    force: bool,
) -> "Job":
    """Plan the export and say on stderr what the person should know of it."""
    from downcut.handover.exporting import prepare

    places = output or [Path("out") / f"{name}-{program}"]
    if len(places) > 1:
        raise DowncutError(f"--for {program} fills one folder: give one -o, not {len(places)}")
    job = prepare(recipe, program, places[0], order, name=name, force=force)
    for note in job.notes:
        print(f"note: {note}", file=sys.stderr)
    return job


def _no_place() -> NoReturn:
    raise DowncutError("give -o FILE, whose suffix says the format, or --for PROGRAM")


def _refuse_without_program(**given: str | None) -> None:
    for option, value in given.items():
        if value is not None:
            raise DowncutError(f"--{option} is {value!r}: it needs --for PROGRAM")
