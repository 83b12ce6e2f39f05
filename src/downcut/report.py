"""How the command line says what came out: one summary, as JSON or as a table."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from downcut.terrain import Terrain

Summary = dict[str, Any]


def summary(name: str, terrain: "Terrain", files: Iterable[Path], seconds: float) -> Summary:
    """Return everything that is said about a grown terrain, ready for JSON."""
    recipe, grid = terrain.recipe, terrain.grid
    low, high = terrain.relief
    return {
        "name": name,
        "title": recipe.title,
        "size": {"ny": grid.ny, "nx": grid.nx, "cell_size": grid.cell_size},
        "relief": {"lowest": low, "highest": high},
        "seed": str(recipe.seed),
        "steps": [
            {"op": each.op, "seconds": round(each.seconds, 4), "ledger": asdict(each.ledger)}
            for each in terrain.reports
        ],
        "ledger": asdict(terrain.ledger),
        "seconds": round(seconds, 4),
        "digest": recipe.digest,
        "checksum": terrain.checksum,
        "files": [{"path": str(path), "bytes": path.stat().st_size} for path in files],
    }


def say(content: Any, table: Callable[[Any], Table], *, as_json: bool) -> None:
    """Print plain data on stdout, as one JSON text or as a table.

    NaN is not JSON and fails here, not at the reader.
    """
    if as_json:
        print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        Console(highlight=False).print(table(content))


def end(said: Summary, *, as_json: bool, quiet: bool, cold: bool) -> None:
    """Say how a run ended; even a quiet one says enough to grow the land again."""
    if quiet and not as_json:
        print(f"{said['name']}: seed {said['seed']}, digest {said['digest']}")
    else:
        say(said, lambda content: ending(content, cold=cold), as_json=as_json)


def ending(said: Summary, *, cold: bool) -> Table:
    """Return the table that ends a run."""
    table = Table(box=box.SIMPLE_HEAD, show_header=False, title_justify="left")
    table.title = said["title"] or said["name"]
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    low, high = said["relief"]["lowest"], said["relief"]["highest"]
    size = said["size"]
    cells = f"{size['ny']} × {size['nx']} cells of {size['cell_size']:.6g} m"
    table.add_row("size", f"{cells} ({extent(**size)})")
    table.add_row("relief", f"{low:,.1f} to {high:,.1f} m")
    table.add_row("seed", Text(said["seed"]))
    _section(table, "time", times(said["steps"], said["seconds"], cold=cold))
    earth = [(name.replace("_", " "), volume(m3)) for name, m3 in said["ledger"].items()]
    _section(table, "earth moved", earth)
    table.add_row("digest", said["digest"])
    table.add_row("checksum", said["checksum"], end_section=True)
    _section(table, "files", [(each["path"], weight(each["bytes"])) for each in said["files"]])
    _section(table, "then", [(step, "") for step in said.get("how", ())])
    return table


BRIEF = 0.02
"""Share of the steps' time below which they are told together."""


def times(
    steps: Iterable[Mapping[str, Any]], seconds: float, *, cold: bool = False
) -> list[tuple[str, str]]:
    """Return where the time went: each kind of step once, the longest first, brief ones together.

    >>> took = [("fbm", 1), ("thermal", 2), ("fbm", 3), ("lakes", 0.1), ("rivers", 0.05)]
    >>> for line in times([{"op": op, "seconds": s} for op, s in took], 8):
    ...     print(*line)
    fbm, in 2 places 4.00 s
    thermal 2.00 s
    lakes, rivers 0.15 s
    files and the rest 1.85 s
    all 8.00 s
    """
    spent: dict[str, list[float]] = {}
    for step in steps:
        spent.setdefault(step["op"], []).append(step["seconds"])
    brief = BRIEF * sum(map(sum, spent.values()))
    together = [op for op, each in spent.items() if sum(each) < brief]
    rows = [
        (f"{op}, in {len(each)} places" if len(each) > 1 else op, sum(each))
        for op, each in spent.items()
        if op not in together
    ]
    rows.sort(key=lambda row: -row[1])
    if together:
        rows.append((", ".join(together), sum(sum(spent[op]) for op in together)))
    rest = seconds - sum(took for _, took in rows)
    compiling = ", compiling included" if cold else ""
    rows += [("files and the rest", max(rest, 0.0)), (f"all{compiling}", seconds)]
    return [(what, f"{took:.2f} s") for what, took in rows]


def _section(table: Table, label: str, rows: list[tuple[str, str]]) -> None:
    for index, (item, value) in enumerate(rows):
        table.add_row("" if index else label, Text(item), value, end_section=index == len(rows) - 1)


def presets(recipes: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the table of the recipes that ship."""
    table = Table("preset", "what it shows", "cells", "extent", box=box.SIMPLE_HEAD)
    table.columns[2].no_wrap = table.columns[3].no_wrap = True
    for name, recipe in recipes.items():
        title, description = recipe.get("title", ""), recipe.get("description", "")
        ground = recipe.get("grid", {})
        cells = f"{ground.get('ny', 512)} × {ground.get('nx', 512)}"
        shows = Text(description or title)
        table.add_row(Text(name, "bold"), shows, cells, extent(**ground))
    return table


def facts(content: Mapping[str, Any]) -> Table:
    """Return what a file says about itself; of its recipe, the seed and the steps' names."""
    table = Table(box=box.SIMPLE_HEAD, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    recipe = content.get("recipe") or {}
    told = {
        **{name: value for name, value in content.items() if name != "recipe"},
        "seed": recipe.get("seed"),
        "steps": ", ".join(str(step.get("op")) for step in recipe.get("steps", ())),
    }
    for name, value in told.items():
        words = ", ".join(map(str, value)) if isinstance(value, list) else value
        if words not in (None, ""):
            table.add_row(
                name.removesuffix("_m").replace("_", " "), Text(_printable(_with_unit(name, words)))
            )
    table.caption = "--json has the whole recipe" if recipe else None
    return table


def _printable(words: str) -> str:
    """Return a file's own words without what would steer the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in words)


def _with_unit(name: str, value: Any) -> str:
    return f"{value:,.6g} m" if name.endswith("_m") else str(value)


def parameters(op: str, schema: Mapping[str, Any]) -> Table:
    """Return the parameters of a step, from its JSON Schema."""
    if link := schema.get("$ref"):  # a step that may hold itself, as repeat
        schema = schema["$defs"][link.rpartition("/")[2]]
    table = Table("parameter", "default", "unit", "range", "what it does", box=box.SIMPLE_HEAD)
    table.title = f"{op}: {schema.get('description', '').splitlines()[0]}"
    for name, declared in schema["properties"].items():
        if name in ("op", "algorithm"):
            continue
        unit = declared.get("unit", "")
        table.add_row(
            Text(name, "bold"),
            Text(_plain(declared["default"]) if "default" in declared else "needed"),
            "" if unit == "1" else unit,
            Text(allowed(declared)),
            Text(declared.get("description", "")),
        )
    return table


def _plain(value: Any) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def allowed(declared: Mapping[str, Any]) -> str:
    """Return the values that a property's JSON Schema allows, in few words."""
    merged = dict(declared)
    for option in declared.get("anyOf", ()):
        merged |= {} if option.get("type") == "null" else option
    if choices := merged.get("enum"):
        return ", ".join(map(str, choices))
    low, high = merged.get("minimum"), merged.get("maximum")
    above, below = merged.get("exclusiveMinimum"), merged.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    start = f"≥ {low:g}" if low is not None else f"> {above:g}" if above is not None else ""
    end = f"≤ {high:g}" if high is not None else f"< {below:g}" if below is not None else ""
    return ", ".join(filter(None, (start, end))) or str(merged.get("type", ""))


def extent(ny: int = 512, nx: int = 512, cell_size: float = 30.0) -> str:
    """Return how far a ground reaches; the defaults are a recipe's.

    >>> extent(512, 1024, 20.0), extent(10, 20, 2.5)
    ('10.2 × 20.5 km', '25 × 50 m')
    """
    unit, metres = ("km", 1000.0) if min(ny, nx) * cell_size >= 1000 else ("m", 1.0)
    height, width = (f"{count * cell_size / metres:.3g}" for count in (ny, nx))
    return f"{height} × {width} {unit}"


def volume(cubic_metres: float) -> str:
    """Return a volume of earth in a unit that suits it.

    >>> volume(0.0), volume(-1234.4), volume(2.5e7), volume(3.21e10)
    ('0 m³', '-1,234 m³', '25.0 million m³', '32.10 km³')
    """
    size = abs(cubic_metres)
    if size < 1e6:
        return f"{cubic_metres:,.0f} m³" if size >= 0.5 else "0 m³"
    if size < 1e8:
        return f"{cubic_metres / 1e6:,.1f} million m³"
    return f"{cubic_metres / 1e9:,.2f} km³"


def weight(count: int) -> str:
    """Return a file's size in a unit that suits it.

    >>> weight(312), weight(45_600), weight(7_800_000)
    ('312 B', '45.6 kB', '7.8 MB')
    """
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.1f} {unit}"
    return f"{count} B"
