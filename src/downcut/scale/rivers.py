"""Rivers in tiles: their cells are few, so all of them are traced together."""

import numpy as np

from downcut.features import Table
from downcut.flow.channels import Channels
from downcut.flow.descent import index_dtype
from downcut.flow.drained import Drained
from downcut.flow.rivers import trace
from downcut.grid import Grid
from downcut.hydrology.rivers import Rivers
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import place_of
from downcut.scale.touching import beyond
from downcut.scale.ways import ENDS, by_tile, in_box, in_land, slice_of


def channels_in(
    step: Rivers, name: str, number: int, unit: str, ground: tuple[Array, Array, Array | None],
    flow: Array, area: Array, parts: Parts,
) -> dict[str, Array]:  # fmt: skip
    """Return the layers of rivers of a tile but for their order, and keep their cells.

    `ground` is (heights, level of the water, where the sea is), `area` (ny, nx) [m²]. The cells
    of the sea that a river ends in are kept too.
    """
    z, level, sea = ground
    core = parts.box(place_of(unit))
    large = area >= step.channel_area
    channel = large if sea is None else large & ~sea
    cells = np.flatnonzero(large)
    ends = flow.ravel()[cells] == ENDS
    to = in_land(cells, core, parts.nx)
    to[~ends] = beyond(flow, cells[~ends], core, parts.nx)
    columns = (in_land(cells, core, parts.nx), to, channel.ravel()[cells])
    parts.keep(number, f"{name}.cells.{unit}", np.stack(columns, axis=1))
    values = (area.ravel()[cells], level.ravel()[cells], z.ravel()[cells])
    parts.keep(number, f"{name}.values.{unit}", np.stack(values, axis=1).astype(np.float64))
    discharge = np.where(channel, area * step.runoff, 0).astype(np.float32)
    return {"channel": channel.astype(np.uint8), "discharge": discharge}


def traced(step: Rivers, name: str, told: int, number: int, parts: Parts, grid: Grid) -> Table:
    """Trace the rivers, keep the order of each cell for its tile, and return their table."""
    tiles = [f"{r}.{c}" for r, c in parts.places]
    cells = np.concatenate([parts.kept(told, f"{name}.cells.{unit}") for unit in tiles])
    values = np.concatenate([parts.kept(told, f"{name}.values.{unit}") for unit in tiles])
    rows = np.argsort(cells[:, 0])
    place, to, channel = (np.ascontiguousarray(column) for column in cells[rows].T)
    area, level, elevation = (np.ascontiguousarray(column) for column in values[rows].T)
    receivers = np.searchsorted(place, to).astype(index_dtype(place.size))
    drained = Drained(level.astype(np.float32)[None], receivers[None], None)
    channels = Channels(drained, area, area * step.runoff, channel.astype(np.uint8))
    lines = trace(channels)
    order, starts = by_tile(place, parts)
    parts.keep(number, f"{name}.starts", starts)
    parts.keep(number, f"{name}.place", place[order])
    parts.keep(number, f"{name}.order", lines.order[order])
    return step.table(channels, lines, elevation.astype(np.float32), grid, place)


def order_in(name: str, traced_by: int, unit: str, parts: Parts) -> Array:
    """Return Strahler's orders of a tile."""
    place = place_of(unit)
    core: Box = parts.box(place)
    out = np.zeros((core[1] - core[0], core[3] - core[2]), np.uint8)
    own = slice_of(parts.kept(traced_by, f"{name}.starts"), place, parts)
    cells = in_box(parts.kept(traced_by, f"{name}.place")[own], core, parts.nx)
    out.ravel()[cells] = parts.kept(traced_by, f"{name}.order")[own]
    return out
