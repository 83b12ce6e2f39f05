"""`downcut verify`: whether a file still holds the land that its recipe grows."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from downcut import progress
from downcut.commands.app import app
from downcut.commands.options import AsJson, Threads, workers
from downcut.stopping import beside


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A file of ours, or the folder of an export.")],
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Grow again the land that a file says it holds, and compare.

    The exit code is 0 where they agree, 1 where they differ, 2 where there is nothing to compare.

    \b
    downcut verify out/alpine/heightmap.png
    downcut verify MyGame/Terrain              (every file of an export)
    """
    count = workers(threads)
    from downcut._jit import is_cold
    from downcut.handover.verifying import verify as verified

    with progress.shown(quiet=quiet, cold=is_cold()) as tell:
        heard = progress.on_progress(tell)
        verdict = beside(lambda stop: verified(file, threads=count, on_progress=heard, stop=stop))
    if as_json:
        from downcut import report

        report.say(asdict(verdict), report.facts, as_json=True)
    else:
        print(verdict.sentence)
    if not verdict.agrees:
        raise typer.Exit(1)
