"""`downcut export`: hand a land to a program, or turn it into another format."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

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
    from downcut.handover.exporting import Job, Shipment
    from downcut.handover.planning import Order
    from downcut.recipe import Recipe
    from downcut.terrain import Terrain

    Shown = tuple[Terrain, list[Path], Shipment | None]

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
    downcut export alpine.zarr --for map            (what build made, part by part)
    """
    options = request.settings(with_ or [], "--with", "layers=none")
    start, said = time.perf_counter(), reading(range_, read, cell_size)
    if request.is_stored(source) and not (said or size or seed or settings):
        asked = _Asked(program, output, request.tiles(tiles), at, options, force)
        shown = _of_store(Path(source), asked, quiet=quiet)
        _end(Path(source).stem, *shown, start, as_json=as_json, quiet=quiet)
        return
    name, content = request.source(source, said)
    count, wanted = workers(threads), changes(size, cell_size, settings)
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
    from downcut._jit import is_cold

    with progress.shown(quiet=quiet, cold=is_cold()) as tell:
        terrain = grow_shown(recipe, count, tell)
        tell("writing files", 1.0)
        shipped = job.deliver(terrain) if job else None
        files = shipped.files if shipped else write_all(terrain, places, force, options)
    _end(name, terrain, files, shipped, start, as_json=as_json, quiet=quiet)


@dataclass(frozen=True)
class _Asked:
    """What is asked for of a store."""

    program: str | None
    output: list[Path] | None
    tiles: tuple[int, int]
    at: str | None
    options: dict[str, Any]
    force: bool


def _of_store(path: Path, asked: _Asked, *, quiet: bool) -> "Shown":
    """Write a store's own samples, part by part: nothing is grown."""
    from downcut.export.save import check_targets
    from downcut.handover.planning import Order
    from downcut.handover.storing import prepare_stored
    from downcut.importing.stored import opened
    from downcut.recipe import Recipe

    with progress.shown(quiet=quiet, cold=False) as tell:
        tell("writing files", 0.0)
        if asked.program is None:
            places = asked.output or _no_place()
            check_targets(places, asked.force, asked.options)
            land = opened(path, Recipe.from_dict)
            return land, write_all(land, places, asked.force, asked.options), None
        order = Order(tiles=asked.tiles, place=asked.at, options=asked.options)
        place = asked.output or [Path("out") / f"{path.stem}-{asked.program}"]
        job, land = prepare_stored(
            path, asked.program, place[0], order, name=path.stem, force=asked.force
        )
        for note in job.notes:
            print(f"note: {note}", file=sys.stderr)
        shipped = job.deliver(land)
        return land, shipped.files, shipped


def _end(
    name: str,
    terrain: "Terrain",
    files: list[Path],
    shipped: "Shipment | None",
    start: float,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    from downcut import report
    from downcut._jit import is_cold

    said = report.summary(name, terrain, files, time.perf_counter() - start)
    said |= shipped.told() if shipped else {}
    report.end(said, as_json=as_json, quiet=quiet, cold=is_cold())


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
