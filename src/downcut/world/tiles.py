"""A world as map tiles: a zoom is a level, a pixel a cell, so that tiles are windows as they are.

Web maps show the square of Web Mercator. The world's origin lies in its middle, longitude and
latitude 0, rows go southward and columns eastward as tiles do. At the highest zoom a pixel is a
cell of level 0, one zoom lower a cell of level 1, and so on: nothing is resampled.
"""

import io
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.height_codes import CODINGS
from downcut.export.picture import bare_colours
from downcut.export.placement import WORLD
from downcut.export.tile_grid import EDGE, HIGHEST_ZOOM
from downcut.export.tiles import FAST
from downcut.shading import Plane, to_srgb
from downcut.terrain import Terrain
from downcut.world.looks import Looks
from downcut.world.world import World

COARSEST = 5
"""The level of the lowest zoom: farther away a tile would show hundreds of lands."""
KINDS = (*CODINGS, "colour")
RIM = 1
"""Cells round a tile that its colours look at."""
INKS = (0.0, 0.45, 0.7, 0.85, 0.95)
"""How much of a cell a river of order 0, 1, 2 … covers."""


@dataclass(frozen=True)
class Tiles:
    """The tiles of a world.

    Parameters
    ----------
    world : World
    """

    world: World

    @cached_property
    def maxzoom(self) -> int:
        """The zoom of level 0: a pixel there is about a cell wide on the Earth's equator."""
        pixels = 2 * WORLD / EDGE / self.world.cell_size()
        return min(max(round(math.log2(pixels)), COARSEST), HIGHEST_ZOOM)

    @property
    def minzoom(self) -> int:
        """The lowest zoom."""
        return self.maxzoom - COARSEST

    @property
    def stretch(self) -> float:
        """Metres of the map to a metre of the world: heights times this stand as steep as there."""
        return float(2 * WORLD / (EDGE * 2**self.maxzoom) / self.world.cell_size())

    def window(self, z: int, x: int, y: int) -> tuple[int, int, int]:
        """Return (row, col, level) of the north-west cell of a tile.

        Raises
        ------
        DowncutError
            For a tile that is none.
        """
        if not self.minzoom <= z <= self.maxzoom:
            raise DowncutError(f"z is {z}: there are zooms {self.minzoom} to {self.maxzoom}")
        for name, value in (("x", x), ("y", y)):
            if not 0 <= value < 2**z:
                raise DowncutError(f"{name} is {value}: zoom {z} has 0 to {2**z - 1}")
        half = EDGE * 2**z // 2
        return y * EDGE - half, x * EDGE - half, self.maxzoom - z

    def draw(self, z: int, x: int, y: int) -> dict[str, bytes]:
        """Return a tile in every kind, PNG: heights in both encodings, and the land's colours.

        Raises
        ------
        DowncutError
            For a tile that is none.
        """
        row, col, level = self.window(z, x, y)
        edge = EDGE + 2 * RIM
        land = self.world.window(row - RIM, col - RIM, edge, edge, level)
        inner = slice(RIM, -RIM)
        heights = land["elevation"][inner, inner]
        made = {name: _png(coding.encode(heights)) for name, coding in CODINGS.items()}
        return made | {"colour": _png(self.paint(land, level)[inner, inner])}

    @cached_property
    def looks(self) -> Looks:
        """What this world looks like at large: the same for all of its tiles."""
        return Looks(self.world)

    def paint(self, land: Terrain, level: int) -> NDArray[np.uint8]:
        """Return the colours of a window of a level, (ny, nx, 3) uint8, with its rivers.

        The outermost cells know no slope beyond them: give a cell more all round, and crop it.
        """
        return to_srgb(bare_colours(self.looks.scene(land, level), _ink(land), 0, land.grid.ny))


def _ink(land: Terrain) -> Plane | None:
    """Return how much of each cell a river covers, by its order; nothing in sea and lakes."""
    order = land.layers.get("stream_order")
    if order is None:
        return None
    ink: Plane = np.array(INKS, np.float32)[np.minimum(order, len(INKS) - 1)]
    return ink


def _png(pixels: NDArray[np.uint8]) -> bytes:
    data = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(data, "PNG", compress_level=FAST)
    return data.getvalue()
