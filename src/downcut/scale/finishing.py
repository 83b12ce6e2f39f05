"""The end of a build: tables and the mark go into the store, and from then on it is whole."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import downcut
from downcut.features import Table
from downcut.importing.store import counted
from downcut.layers import layer as meaning_of
from downcut.scale.blueprint import Blueprint
from downcut.scale.parts import Parts
from downcut.scale.publish import Shards, Sums
from downcut.scale.store import STORE, levels, zarr_there
from downcut.scale.tables import kept_tables
from downcut.scale.working import Mark

FEATURES = "features"


def finish(plan: Blueprint, parts: Parts, marks: Mapping[int, list[Mark]]) -> dict[str, Any]:
    """Put tables and mark into the store, and return what it says of itself."""
    folder = parts.folder / STORE
    grid, recipe = plan.way.grid, plan.recipe
    row, col = grid.corner
    facts: dict[str, Any] = {
        "generator": "downcut", "kind": "downcut store", "version": downcut.__version__,
        "digest": recipe.digest, "checksum": _checksum(plan, marks),
        "ny": grid.ny, "nx": grid.nx, "cell_size_m": grid.cell_size, **_relief(plan, marks),
        "corner_row": row, "corner_col": col, "sea_level_m": recipe.sea_level,
        "recipe": json.loads(recipe.to_json(full=True)), "layers": sorted(plan.layers),
    }  # fmt: skip
    tables: dict[str, Table] = {}
    for each in plan.passes:
        tables |= kept_tables(parts, each.number)
    _put_tables(folder, tables)
    root = zarr_there().open_group(str(folder), mode="r+")
    root.attrs["multiscales"] = _multiscales(len(levels(grid.ny, grid.nx)))
    root.attrs["downcut"] = {**facts, "complete": counted(folder)}
    return facts


def _relief(plan: Blueprint, marks: Mapping[int, list[Mark]]) -> dict[str, Any]:
    """Return the lowest and the highest elevation, as the tiles noted them."""
    number = next(each.number for each in plan.passes if isinstance(each, Shards))
    spans = [m["notes"]["relief"] for m in marks[number] if "relief" in m["notes"]]
    if not spans:
        return {}
    lows, highs = zip(*spans, strict=True)
    return {"low_m": min(lows), "high_m": max(highs)}


def _checksum(plan: Blueprint, marks: Mapping[int, list[Mark]]) -> str:
    """Return what `terrain.checksum` would be, were the land in memory."""
    number = next(each.number for each in plan.passes if isinstance(each, Sums))
    names: dict[str, list[str]] = {}
    for mark in marks[number]:
        names.setdefault(mark["unit"].rsplit("-", 1)[0], []).extend(mark["notes"]["names"])
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(plan.layers):
        declared = meaning_of(name)
        shape = plan.way.grid.shape + ((declared.bands,) if declared.bands > 1 else ())
        kind = np.dtype(declared.dtype).newbyteorder("<").str
        digest.update(f"{name}|{kind}|{shape}\n".encode())
        digest.update(b"".join(map(bytes.fromhex, names[name])))
    return digest.hexdigest()


def _put_tables(folder: Path, tables: Mapping[str, Table]) -> None:
    """Write every column as an array: features/lakes/level, features/rivers/points/x."""
    root = zarr_there().open_group(str(folder), mode="r+")
    for name, table in tables.items():
        group = root.require_group(f"{FEATURES}/{name}")
        arrays = dict(table.columns)
        if table.offsets is not None:
            arrays["offsets"] = table.offsets
        for where, columns in ((group, arrays), (group.require_group("points"), table.points)):
            for key, values in columns.items():
                made = where.create_array(
                    key, shape=values.shape, dtype=values.dtype, chunks=(max(1, len(values)),),
                    dimension_names=("row" if where is group else "point",),
                )  # fmt: skip
                made[:] = values
                made.attrs["units"] = table.units.get(key, "1")
        group.attrs["columns"] = list(table.columns)
        group["points"].attrs["columns"] = list(table.points)


def _multiscales(count: int) -> dict[str, Any]:
    """Return how the levels hang together, by the convention for multiscales."""
    layout: list[dict[str, Any]] = [{"asset": "0"}]
    for number in range(1, count):
        step = {"scale": [2.0, 2.0], "translation": [0.0, 0.0]}
        layout.append({"asset": str(number), "derived_from": str(number - 1), "transform": step})
    return {"layout": layout, "resampling_method": "average"}
