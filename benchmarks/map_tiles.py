"""Map tiles beside the encoder alone: Pillow's PNG of the same pictures, in as many threads."""

import io
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.export import tiles
from downcut.export.height_codes import CODINGS
from downcut.export.placement import Placement
from downcut.export.tile_grid import TileGrid
from downcut.run import Run
from downcut.terrain import Terrain

Row = dict[str, Any]


def rows(terrain: Terrain, rounds: int = 3, place: str = "8.5,46.5") -> list[Row]:
    """Time each tile set of a land and its encoder in turn; the fastest of `rounds` counts.

    Each row: set, tiles, ours_s, encoder_s, ratio, tiles_s (ours a second) and megabytes. Ours
    reads the land at every pixel, makes codes or colours and encodes; the encoder gets the pixels.
    """
    grid = TileGrid(terrain.grid, Placement.of(place))
    sets = [*(tiles.heights(terrain, grid, name) for name in CODINGS), tiles.colours(terrain, grid)]
    return [_row(layer, rounds) for layer in sets]


def _row(layer: tiles.Layer, rounds: int) -> Row:
    made = dict(layer.tiles())
    pictures = [np.asarray(Image.open(io.BytesIO(data))) for data in made.values()]
    ours, encoder = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in layer.tiles():
            pass
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        Run().slices(lambda i, _: _encoded(pictures[i]), len(pictures), 1)
        encoder.append(time.perf_counter() - start)
    return {
        "set": layer.name,
        "tiles": len(made),
        "ours_s": min(ours),
        "encoder_s": min(encoder),
        "ratio": min(ours) / min(encoder),
        "tiles_s": len(made) / min(ours),
        "megabytes": sum(map(len, made.values())) / 1e6,
    }


def _encoded(picture: NDArray[np.uint8]) -> bytes:
    data = io.BytesIO()
    Image.fromarray(picture).save(data, "PNG", compress_level=tiles.FAST)
    return data.getvalue()
