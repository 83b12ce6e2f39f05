"""`downcut site`: a folder that shows a land in 3-D from any web server, or lets one walk in it."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from downcut import progress, request
from downcut.commands.app import app
from downcut.commands.export import With, export
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
)
from downcut.errors import DowncutError

PLACED = {"extent": "metres along the window's edge", "cell": "metres along a cell's edge"}
"""What `--with` takes for a walk."""


@app.command()
def site(
    source: Source,
    output: Outputs = None,
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    range_: Range = None,
    read: Read = None,
    walk: Annotated[bool, typer.Option("--walk", help="A page to walk about in.")] = False,
    place: Annotated[
        str | None,
        typer.Option(
            metavar="EAST,NORTH", help="Where a walk begins: metres from the land's middle."
        ),
    ] = None,
    with_: With = None,
    force: Force = False,
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a folder that shows the land in 3-D from any web server.

    \b
    downcut site alpine -o public/alpine
    downcut site glade --walk -o public/glade
    downcut site alpine --walk --place 4000,2700 --with extent=2000 --with cell=2
    """
    if walk:
        name, content = request.source(source, reading(range_, read, cell_size))
        recipe = request.recipe(content, seed, changes(size, cell_size, settings))
        shown = _Shown(name, workers(threads), force, as_json, quiet)
        shown.walk(recipe, output, _window(place, with_))
        return
    if place is not None:
        raise DowncutError(f"--place is {place!r}: it needs --walk")
    export(
        source,
        "site",
        output,
        size,
        cell_size,
        seed,
        settings,
        range_,
        read,
        with_=with_,
        force=force,
        threads=threads,
        as_json=as_json,
        quiet=quiet,
    )


def _window(place: str | None, with_: list[str] | None) -> dict[str, Any]:
    """Return which window of the land is asked for."""
    asked: dict[str, Any] = {}
    if (at := request.numbers(place, "--place", "4000,-1500")) is not None:
        asked["at"] = at
    for name, value in request.settings(with_ or [], "--with", "extent=2000").items():
        if name not in PLACED:
            raise DowncutError(f"a walk has no option {name!r}; there are {', '.join(PLACED)}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DowncutError(f"--with {name} is {value!r}: give {PLACED[name]}")
        asked["cell_size" if name == "cell" else name] = float(value)
    return asked


class _Shown:
    """A walk made from the command line, with its progress and its table."""

    def __init__(self, name: str, threads: int, force: bool, as_json: bool, quiet: bool) -> None:
        self.name, self.threads, self.force = name, threads, force
        self.as_json, self.quiet = as_json, quiet

    def walk(self, recipe: Any, output: list[Path] | None, window: dict[str, Any]) -> None:
        """Grow the land, make the window and write the folder."""
        from downcut import report
        from downcut._jit import is_cold
        from downcut.run import Run
        from downcut.walking.deliver import HOW, deliver, refuse
        from downcut.walking.window import Asked, suited, walk

        start, cold = time.perf_counter(), is_cold()
        places = output or [Path("out") / f"{self.name}-walk"]
        if len(places) > 1:
            raise DowncutError(f"--walk fills one folder: give one -o, not {len(places)}")
        recipe, asked = suited(recipe), Asked(**window)
        asked.check(recipe.grid.grid)
        check(recipe, [], self.force, self.threads)
        refuse(places[0], self.force)
        with progress.shown(quiet=self.quiet, cold=cold) as tell:
            land = grow_shown(recipe, self.threads, tell)
            tell("standing trees on it", 1.0)
            made = walk(land, asked, Run(threads=self.threads))
            tell("writing files", 1.0)
            files = deliver(made, places[0], self.force)
        said = report.summary(self.name, land, files, time.perf_counter() - start)
        said |= {"how": [HOW], "place": dict(zip("xy", (made.start.x, made.start.y), strict=True))}
        report.end(said, as_json=self.as_json, quiet=self.quiet, cold=cold)
