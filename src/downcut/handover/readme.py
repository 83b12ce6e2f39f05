"""README.txt of an export: what to type where, in plain words."""

import textwrap
from typing import TYPE_CHECKING, Any

import downcut
from downcut.export.targets.target import Handed
from downcut.terrain import Terrain

if TYPE_CHECKING:
    from downcut.handover.exporting import Job

WIDTH = 96


def readme(job: "Job", terrain: Terrain, handed: Handed) -> str:
    """Return the text: the land, the steps in the program, the numbers, the files."""
    recipe = terrain.recipe
    title = f"{recipe.title or job.plan.name}, for {job.target.program}"
    parts = [
        f"{title}\n{'=' * len(title)}",
        _land(job, terrain),
        "What to do\n" + "\n".join(_item(f"{n}.", line) for n, line in enumerate(handed.how, 1)),
        "Numbers\n" + _columns({n.replace("_", " "): _plain(v) for n, v in handed.numbers.items()}),
        "Files\n" + _columns(handed.files),
        *([f"Notes\n{_items(job.notes)}"] if job.notes else []),
        "export.json has all of this for programs, and the recipe. `downcut verify export.json` "
        "grows the\nland again and compares.\n"
        f"downcut {downcut.__version__}, digest {recipe.digest}",
    ]
    return "\n\n".join(parts) + "\n"


def _land(job: "Job", terrain: Terrain) -> str:
    grid = terrain.grid
    low, high = terrain.relief
    spans = [(n - job.target.posts) * grid.cell_size for n in (grid.nx, grid.ny)]
    what = "posts, the outermost on the edges" if job.target.posts else "middles of cells"
    rows, cols = job.plan.tiles
    sea = terrain.recipe.sea_level
    lines = {
        "size": f"{grid.nx} × {grid.ny} samples ({what}), {grid.cell_size:.10g} m apart",
        "extent": f"{spans[0]:,.10g} m west to east, {spans[1]:,.10g} m north to south",
        "heights": f"{low:,.2f} to {high:,.2f} m",
        "sea": "none" if sea is None else f"{sea:.10g} m",
    }
    if job.plan.tiled:
        edges = "neighbours hold the same edge" if job.plan.overlap else "neighbours abut"
        lines["tiles"] = f"{cols} west to east × {rows} north to south; {edges}"
    return "The land\n" + _columns(lines)


def _columns(lines: dict[str, str]) -> str:
    wide = max(map(len, lines), default=0) + 2
    return "\n".join(
        textwrap.fill(
            value or " ",
            WIDTH,
            initial_indent=f"  {name:<{wide}}",
            subsequent_indent=" " * (wide + 2),
        )
        for name, value in lines.items()
    )


def _items(lines: tuple[str, ...]) -> str:
    return "\n".join(_item("-", line) for line in lines)


def _item(mark: str, line: str) -> str:
    return textwrap.fill(
        line, WIDTH, initial_indent=f"  {mark} ", subsequent_indent=" " * (len(mark) + 3)
    )


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_plain(each)}" for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_plain, value))
    return str(value)
