"""The land as a mesh: where vertices lie, how they face, what colour they have, what joins them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.export.picture import bare_colours
from downcut.export.tints import Scene
from downcut.export.water import rivers
from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import gradient
from downcut.terrain import Terrain

SLICE = 128

INDEX16_LIMIT = 65535
"""Vertices that 16-bit indices can name: the last value means a restart."""


@dataclass(frozen=True)
class Anchor:
    """The point of the world [m] that vertices are relative to, so that they stay exact far out.

    East and north it is the middle of the land, up a whole metre at or below the lowest ground.
    """

    east: float
    north: float
    up: float

    @classmethod
    def of(cls, grid: Grid, elevation: NDArray[np.float32]) -> "Anchor":
        """Return the place of a land's own vertices."""
        east, north = (float((line[0] + line[-1]) / 2) + 0.0 for line in (grid.x, grid.y))
        return cls(east, north, float(np.floor(elevation.min())))

    @property
    def facts(self) -> dict[str, Any]:
        """What a file says of it."""
        return {"origin_east_north_up_m": [self.east, self.north, self.up]}


def vertices(
    grid: Grid, elevation: NDArray[np.float32], anchor: Anchor, *, y_up: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return positions relative to `anchor` [m] and unit normals of all cells, (cells, 3) each.

    A vertex lies in the middle of its cell. The axes are (east, up, south) with `y_up`, as in
    glTF, else (east, north, up).
    """
    positions = np.empty((*grid.shape, 3), np.float32)
    normals = np.empty_like(positions)
    up, across, turn = (1, 2, -1) if y_up else (2, 1, 1)

    def work(start: int, stop: int) -> None:
        part, facing = positions[start:stop], normals[start:stop]
        part[..., 0] = grid.x - anchor.east
        part[..., up] = elevation[start:stop].astype(np.float64) - anchor.up
        part[..., across] = (turn * (grid.y[start:stop] - anchor.north))[:, None]
        east, north = gradient(elevation, grid.cell_size, start, stop)
        upward = 1 / np.sqrt(1 + east * east + north * north)
        facing[..., 0], facing[..., up] = -east * upward, upward
        facing[..., across] = -turn * north * upward

    Run().slices(work, grid.ny, SLICE)
    return positions.reshape(-1, 3), normals.reshape(-1, 3)


def colours(terrain: Terrain) -> NDArray[np.float32]:
    """Return the colour of ground and water in linear light, 0 to 1, (ny, nx, 3)."""
    return coloured(Scene.of(terrain))


def coloured(scene: Scene) -> NDArray[np.float32]:
    """Return what `colours` does of a scene: a window may be coloured as part of a larger land."""
    streams = rivers(scene)
    light = np.empty((*scene.grid.shape, 3), np.float32)

    def work(start: int, stop: int) -> None:
        np.clip(bare_colours(scene, streams, start, stop), 0, 1, out=light[start:stop])

    Run().slices(work, scene.grid.ny, SLICE)
    return light


def triangles(elevation: NDArray[np.float32]) -> NDArray[Any]:
    """Return two triangles a quad, (quads · 6,) indices, 32-bit where 16 do not suffice.

    They are counter-clockwise seen from above and split each quad along its shorter diagonal:
    with the corners NW a, NE b, SW d, SE e, it is a d e, a e b or a d b, b d e.
    """
    ny, nx = elevation.shape
    kind: Any = np.uint16 if ny * nx <= INDEX16_LIMIT else np.uint32
    faces = np.empty((ny - 1, nx - 1, 6), kind)

    def work(start: int, stop: int) -> None:
        top, bottom = elevation[start:stop], elevation[start + 1 : stop + 1]
        falling = np.abs(top[:, :-1] - bottom[:, 1:]) <= np.abs(top[:, 1:] - bottom[:, :-1])
        a = (np.arange(start, stop)[:, None] * nx + np.arange(nx - 1)).astype(kind)
        b, d, e = a + kind(1), a + kind(nx), a + kind(nx + 1)
        part = faces[start:stop]
        part[..., 0], part[..., 1] = a, d
        part[..., 2] = np.where(falling, e, b)
        part[..., 3] = np.where(falling, a, b)
        part[..., 4] = np.where(falling, e, d)
        part[..., 5] = np.where(falling, b, e)

    Run().slices(work, ny - 1, SLICE)
    return faces.reshape(-1)
