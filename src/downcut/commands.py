"""The commands: `downcut generate alpine --size 1024 -o out/alpine`.

No terrain logic and no heavy import at the top: `--help` answers before numba could wake up.
"""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from downcut import __version__, progress, request
from downcut import presets as shipped
from downcut.errors import DowncutError
from downcut.stopping import Stopped, beside

if TYPE_CHECKING:
    from downcut.recipe import Recipe
    from downcut.step import Record
    from downcut.terrain import Terrain

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,  # plain help: a third of the time
    pretty_exceptions_enable=False,
    help="Grow terrain from a recipe: noise, uplift, rivers that cut, slopes that slide.",
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"downcut {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")
    ] = False,
) -> None:
    """Grow terrain from a recipe: noise, uplift, rivers that cut, slopes that slide."""


What = Annotated[str, typer.Argument(metavar="RECIPE", help="A preset, a recipe file, or - .")]
Size = Annotated[
    str | None, typer.Option(metavar="N|NYxNX", help="Cells; alone, it keeps the extent.")
]
CellSize = Annotated[str | None, typer.Option(metavar="M", help="Edge of a cell in metres.")]
Seed = Annotated[
    str | None, typer.Option(metavar="S", help="A number from 0 to 2^64-1, a word, or random.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PLACE=VALUE", help="A parameter, as steps.1.rounds=8."),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="The suffix says the format; a folder gets all."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over files that exist.")]
Threads = Annotated[str, typer.Option(metavar="N", help="0 for all; the land is the same.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no table.")]


@app.command()
def generate(
    recipe: What,
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
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
    """
    start = time.perf_counter()
    name, content = request.source(recipe)
    places = output or [Path("out") / name]
    changes = {
        "size": request.size(size),
        "cell_size": request.number(cell_size, "--cell-size", float),
        "settings": request.settings(settings or []),
    }
    workers = request.number(threads, "--threads", int) or 0
    wanted = request.recipe(content, seed, changes)
    _check(wanted, places, force, workers)
    from downcut._jit import is_cold

    cold = is_cold()
    with progress.shown(quiet=quiet, cold=cold) as tell:
        terrain = _grow(wanted, workers, tell)
        tell("writing files", 1.0)
        files = _write(terrain, places, force)
    from downcut import report

    said = report.summary(name, terrain, files, time.perf_counter() - start)
    report.end(said, as_json=as_json, quiet=quiet, cold=cold)


def _check(recipe: "Recipe", places: list[Path], force: bool, threads: int) -> None:
    """Refuse before the work what would fail after it."""
    from downcut.export.save import check_targets
    from downcut.memory import check_memory
    from downcut.run import Run

    Run(threads=threads)
    check_memory(recipe)
    check_targets(places, force=force)


def _grow(recipe: "Recipe", threads: int, tell: progress.Tell) -> "Terrain":
    from downcut.grow import generate as grow

    heard = progress.on_progress(tell)
    return beside(lambda stop: grow(recipe, threads=threads, on_progress=heard, stop=stop))


def _write(terrain: "Terrain", places: list[Path], force: bool) -> list[Path]:
    """Save to every place; this thread does it, so that Ctrl-C unwinds and cleans up."""
    from downcut.export.save import save

    files: list[Path] = []
    try:
        for place in places:
            files += save(terrain, place, force=force)
    except Stopped as stopped:
        stopped.written = files
        raise
    return files


@app.command()
def presets(as_json: AsJson = False) -> None:
    """List the recipes that ship."""
    from downcut import report

    recipes = {name: shipped.load(name) for name in shipped.names()}
    report.say(recipes, report.presets, as_json=as_json)


@app.command()
def schema(
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="A step, as erosion.droplets.")
    ] = None,
) -> None:
    """Print the JSON Schema of recipes, or explain one step.

    \b
    downcut schema erosion.droplets     (or droplets; docs/steps.md lists all)
    downcut schema > recipe.schema.json
    """
    from downcut import report
    from downcut.recipe import Recipe
    from downcut.steps import STEPS, Repeat, op_of

    if step is None:
        print(json.dumps(Recipe.model_json_schema(), indent=2, ensure_ascii=False))
        return
    by_op: dict[str, type[Record]] = {**{op_of(each): each for each in STEPS}, "repeat": Repeat}
    short = [op for op in by_op if op.endswith(f".{step}")]
    op = short[0] if len(short) == 1 else step
    if op not in by_op:
        raise DowncutError(f"no step is called {step!r}{request.near(step, list(by_op))}")
    report.say(by_op[op].model_json_schema(), lambda it: report.parameters(op, it), as_json=False)


@app.command()
def info(file: Annotated[Path, typer.Argument()], as_json: AsJson = False) -> None:
    """Say what a file written by downcut holds."""
    from downcut import report
    from downcut.export.info import describe

    report.say(describe(file), report.facts, as_json=as_json)


Picture = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE.png", help="Draw the curves too.")
]


@app.command()
def measure(
    land: Annotated[
        str, typer.Argument(metavar="LAND", help="A preset, a recipe file, - , or a DEM.")
    ],
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    output: Picture = None,
    force: Force = False,
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Measure a land by figures of real landscapes.

    \b
    downcut measure alpine --size 512 --seed 3
    downcut measure dem.tif -o figure.png          (any DEM that GDAL reads)
    """
    changes = {
        "size": request.size(size),
        "cell_size": request.number(cell_size, "--cell-size", float),
        "settings": request.settings(settings or []),
    }
    workers = request.number(threads, "--threads", int) or 0
    from downcut._jit import is_cold
    from downcut.measuring import command

    recipe = None
    if land in shipped.names() or command.is_recipe(land):
        recipe = request.recipe(request.source(land)[1], seed, changes)
        _check(recipe, [], force, workers)
    elif not Path(land).exists():
        request.source(land)  # says what there is instead
    elif seed is not None or any(changes.values()):
        raise DowncutError(f"{land} is a DEM: --size, --seed and --set belong to recipes")
    if output:
        command.check_picture(output, force=force)
    with progress.shown(quiet=quiet, cold=is_cold()) as tell:
        ground = _grow(recipe, workers, tell) if recipe else Path(land)
        tell("measuring", 1.0 if recipe else 0.0)
        found = beside(lambda stop: command.measured(ground, workers, stop))
        if output:
            command.deliver(found, output, force=force)
    from downcut import report
    from downcut.measuring.table import table

    report.say(found.to_dict(), table, as_json=as_json)
