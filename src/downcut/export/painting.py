"""The land's own colours for a page: what pictures show of the ground, without light or lakes."""

import numpy as np
from numpy.typing import NDArray

from downcut.export.picture import RIVER
from downcut.export.tints import Scene, blend, tints
from downcut.export.water import rivers
from downcut.run import Run
from downcut.shading import to_srgb
from downcut.terrain import Terrain

TINT = "tint"
"""What the page calls it: a layer that no step makes."""
SLICE = 64


def tinted(terrain: Terrain) -> NDArray[np.uint8]:
    """Return colour and river of every cell, (ny, nx, 4): 8-bit sRGB, and 255 where water runs."""
    return painted(Scene.of(terrain))


def painted(scene: Scene) -> NDArray[np.uint8]:
    """Return what `tinted` does for a scene: a window may be painted as part of a larger land."""
    streams = rivers(scene)
    colours = np.zeros((*scene.grid.shape, 4), np.uint8)

    def work(start: int, stop: int) -> None:
        light = tints(scene, start, stop)
        if streams is not None:
            part = streams[start:stop]
            light = blend(light, RIVER, part * np.float32(0.9))
            colours[start:stop, :, 3] = part * np.float32(255)
        colours[start:stop, :, :3] = to_srgb(light)

    Run().slices(work, scene.grid.ny, SLICE)
    return colours
