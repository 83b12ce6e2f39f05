"""Tables of a window, put together from those of its provinces."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from downcut.features import Table
from downcut.hydrology.lakes import UNITS
from downcut.world.water import COLUMNS, Shores


def joined(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables with lines as one, numbered anew."""
    columns = {n: np.concatenate([t[n] for t in tables]) for n in tables[0].columns}
    columns["id"] = np.arange(1, columns["id"].size + 1)
    points = {n: np.concatenate([t.points[n] for t in tables]) for n in tables[0].points}
    lengths = [np.diff(t.offsets) for t in tables if t.offsets is not None]
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    return Table(columns, tables[0].units, offsets, points)


def lakes_in(lake: NDArray[np.int32], provinces: Sequence[tuple[int, Shores]]) -> Table:
    """Return the lakes that a window shows; `lake` is the number that the layer has for each.

    Their areas, volumes and places are those of the whole lake, on the province's lattice.
    """
    there = np.unique(lake)
    rows = []
    for number, shores in provinces:
        ids = shores.lakes["id"].astype(np.int64) + number
        shown = np.isin(ids, there)
        found = {name: shores.lakes[name][shown] for name in COLUMNS}
        rows.append(found | {"lake": ids[shown]})
    columns = {n: np.concatenate([row[n] for row in rows]) for n in (*COLUMNS, "lake")}
    columns["id"] = np.arange(1, columns["id"].size + 1)
    return Table(columns, {name: unit for name, unit in UNITS.items() if name in columns})
