"""Water as a painter sees it: how much of a cell it covers, and how deep it is."""

import math

import numpy as np
from numpy.typing import NDArray

from downcut.export.tints import Scene
from downcut.shading import Plane, smoothstep

RIVER_SHARE = 0.003
"""Of the map's ground: what must drain through a cell for it to be drawn as a river, where no
layer says which cells are."""

WIDEST = 0.006
"""Width of a river that drains the whole map, as a share of the map's longer edge."""


def rivers(scene: Scene) -> Plane | None:
    """Return how much of each cell a river covers, (ny, nx) float32 0 to 1, or None.

    A river is a row of discs on its cells, wider with the square root of the ground it drains,
    as rivers are; thin ones are faint rather than jagged.
    """
    channel, area = scene.layers.get("channel"), scene.layers.get("drainage_area")
    map_area = scene.map_area
    if channel is not None:
        cells = np.flatnonzero(channel)
    elif area is not None:
        cells = np.flatnonzero(area >= RIVER_SHARE * map_area)
    else:
        return None
    ny, nx = scene.grid.shape
    cover = np.zeros(scene.grid.cells, np.float32)
    if cells.size:
        drained = np.full(cells.size, 0.01 * map_area) if area is None else area.reshape(-1)[cells]
        share = np.clip(drained / map_area, 1e-9, 1).astype(np.float32)
        radius = np.float32(0.45) + np.float32(0.5 * WIDEST * scene.map_edge) * np.sqrt(share)
        ink = 0.4 + 0.6 * smoothstep(-0.3, 0.7, np.log10(share / np.float32(RIVER_SHARE)))
        _stamp(cover, (ny, nx), cells, radius, ink)
    return cover.reshape(ny, nx)


def _stamp(
    cover: Plane,
    shape: tuple[int, int],
    cells: NDArray[np.int64],
    radius: Plane,
    ink: Plane,
) -> None:
    """Lay a disc with a soft rim on every cell of a list; the darkest ink wins."""
    ny, nx = shape
    row, col = np.divmod(cells, nx)
    reach = int(np.ceil(radius.max() + 0.5))
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            weight = np.clip(radius + np.float32(0.5 - math.hypot(down, right)), 0, 1) * ink
            r, c = row + down, col + right
            inside = (weight > 0) & (r >= 0) & (r < ny) & (c >= 0) & (c < nx)
            target = r[inside] * nx + c[inside]
            np.maximum.at(cover, target, weight[inside])


def standing(scene: Scene, start: int, stop: int, slope: Plane) -> tuple[Plane, Plane] | None:
    """Return (cover, depth [m]) of lakes and sea in some rows, or None where all is dry.

    The cover fades over about a cell at the shore, by how far the ground rises there.
    """
    level = water_level(scene, start, stop)
    if level is None:
        return None
    depth = np.maximum(level - scene.elevation[start:stop], 0)
    rise = np.float32(scene.grid.cell_size) * np.maximum(slope, np.float32(1e-4))
    return np.minimum(depth / rise, 1), depth


def water_level(scene: Scene, start: int, stop: int) -> Plane | None:
    """Return the height [m] of the water's surface in some rows, the ground's where it is dry."""
    surface = scene.rows("water_surface", start, stop)
    if surface is None and scene.sea_level is None:
        return None
    level = scene.elevation[start:stop]
    if surface is not None:
        level = np.maximum(level, surface.astype(np.float32))
    if scene.sea_level is not None:
        level = np.maximum(level, np.float32(scene.sea_level))
    return level
