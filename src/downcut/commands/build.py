"""`downcut build`: a land of any size, in tiles, into a Zarr store."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from downcut import progress, request
from downcut.commands.app import app
from downcut.commands.options import (
    AsJson,
    CellSize,
    Force,
    Quiet,
    Seed,
    Settings,
    Size,
    What,
    changes,
)
from downcut.errors import DowncutError
from downcut.stopping import Stopped, beside

if TYPE_CHECKING:
    from downcut.recipe import Recipe

Store = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="STORE", help="As land.zarr.")
]
Tile = Annotated[str, typer.Option(metavar="N", help="Edge of a tile in cells.")]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786.")
]
Workers = Annotated[
    str | None, typer.Option(metavar="N", help="Local processes; 0 for this one alone.")
]
Memory = Annotated[str | None, typer.Option(metavar="GB", help="What a worker may take.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what was cut short.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what it would take.")]


@app.command()
def build(
    recipe: What,
    output: Store = None,
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    tile: Tile = "1024",
    workers: Workers = None,
    scheduler: Scheduler = None,
    memory: Memory = None,
    resume: Resume = False,
    force: Force = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Grow a land of any size in tiles, into a Zarr store; the bits are those of generate.

    \b
    downcut build alpine --size 16384 -o alpine.zarr
    downcut build alpine --size 16384 -o alpine.zarr --resume
    downcut build alpine --size 65536 -o alpine.zarr --scheduler tcp://head:8786
    downcut build alpine --size 16384 --dry-run
    """
    name, content = request.source(recipe)
    wanted = request.recipe(content, seed, changes(size, cell_size, settings))
    target = output or Path("out") / f"{name}.zarr"
    gigabytes = request.number(memory, "--memory", float)
    asked: dict[str, Any] = {
        "tile": request.number(tile, "--tile", int),
        "workers": request.number(workers, "--workers", int),
        "memory": None if gigabytes is None else _bytes(gigabytes),
    }
    if dry_run:
        _say_estimate(wanted, target, asked, as_json=as_json)
        return
    asked |= {"scheduler": scheduler, "resume": resume, "force": force}
    _build(wanted, target, asked, as_json=as_json, quiet=quiet)


def _bytes(gigabytes: float) -> int:
    if not 0 < gigabytes < 1e6:
        raise DowncutError(f"--memory is {gigabytes}: give gigabytes above 0, as 2")
    return int(gigabytes * 1e9)


def _build(
    recipe: "Recipe", target: Path, asked: dict[str, Any], *, as_json: bool, quiet: bool
) -> None:
    from downcut import report
    from downcut._jit import is_cold
    from downcut.scale.building import build as made
    from downcut.scale.telling import ending, summary

    def told(address: str) -> None:
        if not quiet:
            print(f"note: Dask shows the work at {address}", file=sys.stderr)

    with progress.shown(quiet=quiet, cold=is_cold()) as tell:
        asked |= {"on_progress": progress.on_progress(tell), "on_dashboard": told}
        try:
            built = beside(lambda stop: made(recipe, target, stop=stop, **asked))
        except Stopped:
            print(f"note: go on with {target} by --resume", file=sys.stderr)
            raise
    said = summary(built)
    if quiet and not as_json:
        print(f"{target}: seed {recipe.seed}, digest {said['digest']}")
    else:
        report.say(said, ending, as_json=as_json)


def _say_estimate(recipe: "Recipe", target: Path, asked: dict[str, Any], *, as_json: bool) -> None:
    from downcut import report
    from downcut.scale.blueprint import Blueprint
    from downcut.scale.building import check_tile, count_of
    from downcut.scale.estimate import Estimate
    from downcut.scale.telling import estimated, forecast

    plan = Blueprint(recipe, check_tile(asked["tile"]))
    found = Estimate.of(plan, asked["memory"], count_of(asked["workers"]))
    report.say(forecast(found), estimated, as_json=as_json)
    found.refuse_too_large(target.absolute().parent)
