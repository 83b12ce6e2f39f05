"""Tables beside the tiles: rivers and lakes, each column in a file of its own."""

import json
from typing import Any

import numpy as np

from downcut.features import Table
from downcut.scale.parts import Parts, put_json


def keep_table(parts: Parts, number: int, name: str, table: Table) -> None:
    """Put a table beside the tiles of a pass."""
    for key, values in table.columns.items():
        parts.keep(number, f"table.{name}.column.{key}", np.asarray(values))
    for key, values in table.points.items():
        parts.keep(number, f"table.{name}.point.{key}", np.asarray(values))
    if table.offsets is not None:
        parts.keep(number, f"table.{name}.offsets", table.offsets)
    about = {
        "columns": list(table.columns), "points": list(table.points), "units": dict(table.units),
        "lines": table.offsets is not None,
    }  # fmt: skip
    put_json(parts.of(number) / f"table.{name}.json", about)


def kept_tables(parts: Parts, number: int) -> dict[str, Table]:
    """Return the tables of a pass, by name."""
    names = [file.name[6:-5] for file in sorted(parts.of(number).glob("table.*.json"))]
    return {name: _table(parts, number, name) for name in names}


def _table(parts: Parts, number: int, name: str) -> Table:
    about: dict[str, Any] = json.loads((parts.of(number) / f"table.{name}.json").read_text())

    def columns(kind: str, keys: list[str]) -> dict[str, Any]:
        return {key: parts.kept(number, f"table.{name}.{kind}.{key}") for key in keys}

    offsets = parts.kept(number, f"table.{name}.offsets") if about["lines"] else None
    found = columns("column", about["columns"]), columns("point", about["points"])
    return Table(found[0], about["units"], offsets, found[1])
