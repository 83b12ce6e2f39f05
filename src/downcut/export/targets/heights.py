"""What several engines want: 16-bit levels of one range, weights of materials, colours."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.export.files import Delivery
from downcut.export.mesh import coloured
from downcut.export.raster import LEVELS
from downcut.export.save import deliver
from downcut.export.tints import Scene
from downcut.export.water import WIDEST
from downcut.grid import Grid
from downcut.importing.stored import StoredLand
from downcut.shading import to_srgb
from downcut.terrain import Terrain

PAINT = ("drainage_area", "channel", "water_surface")
"""Layers without which a land's colours lack its water."""
FLAT = 1.0
"""The range [m] of a land without relief: programs refuse a terrain of no height."""


@dataclass(frozen=True)
class Range:
    """The metres that level 0 and level 65535 stand for, the same in every tile."""

    low: float
    high: float

    @classmethod
    def of(cls, terrain: Terrain) -> "Range":
        """Return the range from the whole land's lowest to its highest place."""
        low, high = terrain.relief
        return cls(low, high if high > low else low + FLAT)

    @classmethod
    def of_step(cls, step: float, level: Mapping[int, float]) -> "Range":
        """Return the range whose levels are `step` metres apart, with one level's height given.

        >>> Range.of_step(0.5, {32768: 0.0})
        Range(low=-16384.0, high=16383.5)
        """
        ((number, metres),) = level.items()
        return cls(metres - number * step, metres + (LEVELS - number) * step)

    def around(self, low: float, high: float) -> "Range":
        """Return the range with its last bits mended so that it holds what it was made for."""
        return Range(min(self.low, low), max(self.high, high))

    @property
    def step(self) -> float:
        """Metres from one level to the next; heights are off by half of it at most."""
        return (self.high - self.low) / LEVELS

    def write(self, tile: Terrain, delivery: Delivery, path: Path, **options: Any) -> None:
        """Write a tile's heights in the 16-bit format that the name asks for, and its side file."""
        deliver(delivery, tile, path, low=self.low, high=self.high, **options)

    def told(self) -> dict[str, float]:
        """Return the numbers of this range."""
        return {
            "metres_of_0": self.low,
            "metres_of_65535": self.high,
            "metres_per_level": self.step,
        }


def write_picture(pixels: NDArray[np.uint8], delivery: Delivery, path: Path) -> None:
    """Write an 8-bit PNG: grey for (ny, nx), colours for (ny, nx, 3)."""
    with delivery.file(path, pixels.size) as file:
        Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG", compress_level=1)


def painter(terrain: Terrain) -> Callable[[Grid], NDArray[np.uint8]]:
    """Return what gives a tile's colours, ground and water as the meshes show them.

    What is high or steep is so for the whole land, and tiles agree. A stored land is painted tile
    by tile, each with as much around it as its rivers are wide.
    """
    top, left = terrain.grid.corner
    scene = Scene.of(terrain)
    stored = isinstance(terrain, StoredLand)
    picture = None if stored else to_srgb(coloured(scene))
    around = math.ceil(WIDEST * scene.map_edge) + 2 if stored else 0

    def paint(tile: Grid) -> NDArray[np.uint8]:
        row, col = round(tile.corner[0] - top), round(tile.corner[1] - left)
        first, west = max(row - around, 0), max(col - around, 0)
        if picture is not None:
            return picture[row : row + tile.ny, col : col + tile.nx]
        ny = min(row + tile.ny + around, terrain.grid.ny) - first
        nx = min(col + tile.nx + around, terrain.grid.nx) - west
        part = terrain.window(first, west, ny, nx)
        assert isinstance(part, StoredLand)
        seen = to_srgb(coloured(scene.part(part.read())))
        return seen[row - first :, col - west :][: tile.ny, : tile.nx]

    return paint


def between_posts(tile: Terrain) -> Terrain:
    """Return a land of the cells between a tile's posts, with its splat weights meaned.

    A cell's weights are the mean of its four corners'; they sum to 255, as theirs do.
    """
    corners = tile["splat"].astype(np.uint16)
    total = corners[:-1, :-1] + corners[:-1, 1:] + corners[1:, :-1] + corners[1:, 1:]
    weights, rest = np.divmod(total, 4)
    left = rest.sum(axis=-1) // 4  # whole units that the rounding down took
    largest = total.argmax(axis=-1)[..., None]
    np.put_along_axis(
        weights, largest, np.take_along_axis(weights, largest, -1) + left[..., None], -1
    )
    row, col = tile.grid.corner
    ny, nx = weights.shape[:2]
    grid = Grid(ny, nx, tile.grid.cell_size, row + 0.5, col + 0.5)
    return Terrain(grid, {"splat": weights.astype(np.uint8)}, recipe=tile.recipe)
