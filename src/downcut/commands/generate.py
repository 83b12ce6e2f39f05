"""`downcut generate`: grow a land and write it to files."""

import time
from pathlib import Path
from typing import Annotated

import typer

from downcut import progress, request
from downcut.commands.app import app
from downcut.commands.many import many, prepared
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
    Threads,
    What,
    changes,
    check,
    grow_shown,
    reading,
    workers,
    write_all,
)

Seeds = Annotated[
    str | None, typer.Option(metavar="FROM:END", help="Many lands: as 0:1000, or 3,5,8.")
]
Form = Annotated[str, typer.Option("--format", metavar="SUFFIX", help="Of --seeds' files.")]


@app.command()
def generate(
    recipe: What,
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    range_: Range = None,
    read: Read = None,
    seeds: Seeds = None,
    form: Form = "npz",
    output: Outputs = None,
    force: Force = False,
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Grow a land and write it to files.

    \b
    downcut generate alpine --size 1024 -o out/alpine
    downcut generate alpine --seed random -o land.tif -o land.glb
    downcut generate mine.json --set steps.1.rounds=8     (into out/mine/)
    downcut generate alpine --size 256 --seeds 0:1000 -o lands/
    downcut generate heights.r16 --cell-size 10 --range 0,800
    """
    start = time.perf_counter()
    name, content = request.source(recipe, reading(range_, read, cell_size))
    count = workers(threads)
    wanted = request.recipe(content, seed, changes(size, cell_size, settings))
    if seeds is not None:
        batch = prepared(name, wanted, seeds, output, form, force)
        many(name, batch, workers=count, as_json=as_json, quiet=quiet)
        return
    places = output or [Path("out") / name]
    check(wanted, places, force, count)
    from downcut._jit import is_cold

    cold = is_cold()
    with progress.shown(quiet=quiet, cold=cold) as tell:
        terrain = grow_shown(wanted, count, tell)
        tell("writing files", 1.0)
        files = write_all(terrain, places, force)
    from downcut import report

    said = report.summary(name, terrain, files, time.perf_counter() - start)
    report.end(said, as_json=as_json, quiet=quiet, cold=cold)
