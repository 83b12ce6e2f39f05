"""The pictures of docs/world.md: `endless` over 640 km, and one place from afar to near."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import downcut as dc
from downcut.shading import to_linear, to_srgb
from downcut.world.tiles import Tiles

FOLDER = Path(__file__).parent / "world"
NOWHERE = 10**7
"""The map lies so many cells south and west of the origin: there is land anywhere."""
NEAR = (-400, -800)
"""The place that is looked at from afar to near: cells of level 0."""
GAP = 8
STEEPER = 1.5
"""Slopes are lit as if so many times as steep, and from level to level as many times again."""
FLAT = 0.7071
"""Of the light, what level ground has."""


def write(folder: Path) -> None:
    """Paint both pictures."""
    folder.mkdir(exist_ok=True)
    tiles = Tiles(dc.World("endless"))
    _keep(_seen(tiles, NOWHERE, -NOWHERE, (640, 1280), 4), folder / "map.jpg")
    strip = [_seen(tiles, *NEAR, (420, 420), level) for level in (4, 2, 0)]
    gap = np.full((420, GAP, 3), 255, np.uint8)
    _keep(np.hstack([strip[0], gap, strip[1], gap, strip[2]]), folder / "levels.jpg")


def _seen(
    tiles: Tiles, row: int, col: int, shape: tuple[int, int], level: int
) -> NDArray[np.uint8]:
    """Return the window of a level round a place, in cells of level 0, as the map paints it."""
    ny, nx = shape
    top, left = (row >> level) - ny // 2, (col >> level) - nx // 2
    land = tiles.world.window(top - 1, left - 1, ny + 2, nx + 2, level)
    return _lit(tiles.paint(land, level), land, STEEPER ** (level + 1))[1:-1, 1:-1]


def _lit(colour: NDArray[np.uint8], land: dc.Terrain, steeper: float) -> NDArray[np.uint8]:
    """Darken and lighten the land's colours by the light on its slopes; water is level."""
    ground = np.maximum(land["elevation"], land["water_surface"]) * steeper
    light = dc.surface.Hillshade()(ground, grid=land.grid) / FLAT
    lit = to_linear(colour) * np.clip(light, 0.35, 1.3)[..., None]
    return to_srgb(lit)


def _keep(picture: NDArray[np.uint8], path: Path) -> None:
    Image.fromarray(picture).save(path, quality=88, optimize=True)
