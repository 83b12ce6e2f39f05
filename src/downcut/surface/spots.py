"""Things that stand on the land: their chance, the ground below them, and their table."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.features import KINDS, Table
from downcut.grid import Grid
from downcut.surface.spacing import chances

Numbers = NDArray[np.float64]
UNITS = {"x": "m", "y": "m", "elevation": "m", "turn": "rad", "tilt": "rad"}
TURN = 2 * np.pi


def drawn(key: int, first: int, count: int, numbers: int) -> Numbers:
    """Return the chances of things number `first` to `first + count` − 1, (numbers, count).

    Each is at least 0 and below 1; a thing's do not depend on how many are asked for.
    """
    out = np.empty((numbers, count))
    chances(np.uint64(key), first, out)
    return out


def height_at(elevation: NDArray[np.float32], grid: Grid, x: Numbers, y: Numbers) -> Numbers:
    """Return the ground's height [m] at places: bilinear, level beyond the outermost centres."""
    top, left = grid.corner
    row, down = _between(-y / grid.cell_size, top, grid.ny)
    col, right = _between(x / grid.cell_size, left, grid.nx)
    below, beside = np.minimum(row + 1, grid.ny - 1), np.minimum(col + 1, grid.nx - 1)
    upper = elevation[row, col] * (1 - right) + elevation[row, beside] * right
    lower = elevation[below, col] * (1 - right) + elevation[below, beside] * right
    height: Numbers = upper * (1 - down) + lower * down
    return height


def _between(place: Numbers, corner: float, cells: int) -> tuple[NDArray[np.int64], Numbers]:
    """Return the centre before each place and how far beyond it lies, counted in the world.

    So that windows with another corner read the same bits.
    """
    place = place - (0.5 + corner % 1)
    whole = np.floor(place)
    cell = whole.astype(np.int64) - math.floor(corner)
    part = np.where((cell < 0) | (cell >= cells - 1), 0.0, place - whole)
    return np.clip(cell, 0, cells - 1), part


def cell_of(grid: Grid, x: Numbers, y: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return row and column of the cells that places lie in, off the grid or not."""
    (top, left), cell = grid.corner, grid.cell_size
    row = np.floor(-y / cell - top % 1).astype(np.int64) - math.floor(top)
    return row, np.floor(x / cell - left % 1).astype(np.int64) - math.floor(left)


def inside(grid: Grid, x: Numbers, y: Numbers) -> NDArray[np.bool_]:
    """Tell which places lie on the grid's cells; of two cells that share an edge, on one."""
    row, col = cell_of(grid, x, y)
    return (row >= 0) & (row < grid.ny) & (col >= 0) & (col < grid.nx)


def things(parts: Sequence[Mapping[str, Any]], elevation: NDArray[np.float32], grid: Grid) -> Table:
    """Return one table of several kinds of things, those on the grid's cells alone.

    Parameters
    ----------
    parts : sequence of mappings
        `kind`, one of `KINDS`, and arrays of one length: x, y [m], scale, turn [rad], tint and,
        where there are, species and tilt [rad].
    """
    names = ("x", "y", "scale", "turn", "tint", "species", *(["tilt"] if _tilted(parts) else []))
    columns: dict[str, Any] = {}
    for name in names:
        each = [np.asarray(part.get(name, np.zeros(len(part["x"])))) for part in parts]
        columns[name] = np.concatenate([*each, np.zeros(0)])
    kinds = [np.full(len(part["x"]), KINDS.index(part["kind"]), np.uint8) for part in parts]
    kind = np.concatenate([*kinds, np.zeros(0, np.uint8)])
    here = inside(grid, columns["x"], columns["y"])
    columns = {name: values[here] for name, values in columns.items()}
    height = height_at(elevation, grid, columns["x"], columns["y"])
    small = {name: columns[name].astype(np.float32) for name in ("scale", "turn", "tint")}
    small["species"] = columns["species"].astype(np.uint8)
    if "tilt" in columns:
        small["tilt"] = columns["tilt"].astype(np.float32)
    head = {"id": np.arange(1, here.sum() + 1), "kind": kind[here]}
    place = {"x": columns["x"], "y": columns["y"], "elevation": height}
    return Table({**head, **place, **small}, UNITS)


def _tilted(parts: Sequence[Mapping[str, Any]]) -> bool:
    return any("tilt" in part for part in parts)
