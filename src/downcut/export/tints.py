"""What colour the bare land has, before light and water: from its layers, or by nature."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.export.origin import ground
from downcut.grid import Grid
from downcut.importing.stored_layer import StoredLayer
from downcut.shading import (
    BIOMES,
    Plane,
    Tone,
    along,
    gradient,
    legend_light,
    mixed,
    smoothstep,
    to_linear,
)
from downcut.terrain import Terrain

VALLEY_TO_SUMMIT = (
    Tone("valley", 78, 98, 62),
    Tone("meadow", 104, 116, 74),
    Tone("dry grass", 144, 137, 98),
    Tone("heath", 150, 133, 109),
    Tone("scree", 152, 145, 138),
)
"""What covers gentle ground, by even steps of relative height."""

ROCK = Tone("rock", 138, 127, 117)
DARK_ROCK = Tone("dark rock", 110, 103, 100)
SNOW = Tone("snow", 238, 243, 250)
SAND = Tone("sand", 214, 196, 150)
LUSH = Tone("lush", 56, 84, 52)
DRY = Tone("dry", 178, 156, 108)

SNOWY_RELIEF = (500.0, 1500.0)
"""Relief [m] from which summits begin to be white, and are fully so: hills have no snow."""

VALLEY_FLOORS = (-3.5, -1.2)
"""Share of the map (log₁₀) that drains through a place where valleys begin to be green, and are."""

_SAMPLE = 256
"""Rows and columns, at most, from which a land's typical heights and slopes are taken."""


@dataclass(frozen=True)
class Scene:
    """A land as a painter sees it: its ground, its layers, and what is high or steep here."""

    grid: Grid
    elevation: NDArray[np.float32]
    layers: Mapping[str, NDArray[Any]]
    low: float
    """Where the ramp of colours begins [m]: the sea, or the valleys."""
    high: float
    """Where it ends [m]."""
    slope: float
    """Root mean square slope of the dry land [m/m], at least 10⁻⁶."""
    sea_level: float | None
    whole: Grid | None = None
    """Of the land that this is a part of; None where it is all."""

    @classmethod
    def of(cls, terrain: Terrain) -> "Scene":
        """Look at the land: a sample of it, so that a huge one costs no more."""
        found: Any = terrain["elevation"]
        stored = isinstance(found, StoredLayer)
        elevation: Any = found if stored else ground(terrain)
        sea = getattr(terrain.recipe, "sea_level", None)
        stride = max(1, max(elevation.shape) // _SAMPLE)
        heights = elevation.sampled(stride) if stored else elevation[::stride, ::stride]
        dry = heights if sea is None else heights[heights > sea]
        low, high = np.percentile(dry, (1, 99.7)) if dry.size else (0.0, 0.0)
        low = float(low) if sea is None else max(sea, min(float(low), sea))
        slope = _typical_slope(elevation, terrain.grid.cell_size, sea)
        return cls(terrain.grid, elevation, terrain.layers, low, float(high), slope, sea)

    @property
    def relief(self) -> float:
        """From the low to the high [m], above 0."""
        return max(self.high - self.low, 1e-6)

    @property
    def mountainous(self) -> float:
        """0 for a land of a few metres' relief, 1 for one of a thousand."""
        return min(max(math.log10(self.relief) / 3, 0.0), 1.0)

    def part(self, land: Terrain) -> "Scene":
        """Return a window of this land, or of a coarser form of it, seen as a part of the whole."""
        whole = self.whole or self.grid
        return replace(
            self, grid=land.grid, elevation=land["elevation"], layers=land.layers, whole=whole
        )

    @property
    def map_area(self) -> float:
        """Area of the whole land [m²]."""
        grid = self.whole or self.grid
        return grid.cells * grid.cell_area

    @property
    def map_edge(self) -> float:
        """The whole land's longer edge, in cells of this part."""
        grid = self.whole or self.grid
        return max(grid.shape) * (grid.cell_size / self.grid.cell_size)

    def rows(self, name: str, start: int, stop: int) -> NDArray[Any] | None:
        """Return rows of a layer, or None where there is no such layer."""
        array = self.layers.get(name)
        return None if array is None else array[start:stop]


def _typical_slope(elevation: Any, cell_size: float, sea: float | None) -> float:
    """Return the root mean square slope over bands of rows spread over the land."""
    total, count = 0.0, 0
    ny = len(elevation)
    for start in range(0, ny, max(3, ny // 24)):
        stop = min(start + 3, ny)
        first = max(start - 1, 0)
        band = elevation[first : stop + 1, :]
        east, north = gradient(band, cell_size, start - first, stop - first)
        dry = band[start - first : stop - first] > (-np.inf if sea is None else sea)
        total += float(np.sum((east * east + north * north)[dry], dtype=np.float64))
        count += int(np.count_nonzero(dry))
    return max(math.sqrt(total / max(count, 1)), 1e-6)


def blend(under: Plane, over: Plane | Tone, share: NDArray[Any]) -> Plane:
    """Lay a colour over another: `share` (ny, nx) of it, in linear light."""
    light = legend_light((over,))[0] if isinstance(over, Tone) else over
    return mixed(under, light, share)


def tints(scene: Scene, start: int, stop: int) -> Plane:
    """Return the land's own colour in some rows, linear light, (rows, nx, 3) float32.

    The `colour` layer where there is one, else the `biome` layer in its legend's colours, else
    by height, slope, moisture and drainage.
    """
    if (colour := scene.rows("colour", start, stop)) is not None:
        return to_linear(np.asarray(colour, np.uint8))
    if scene.layers.get("biome") is not None:
        return _biome_tints(scene, start, stop)
    return _natural_tints(scene, start, stop)


def _biome_tints(scene: Scene, start: int, stop: int) -> Plane:
    """Return the legend's colours, each border softened over the cells beside it."""
    legend = legend_light(BIOMES)
    biome = scene.layers["biome"]
    ny, nx = biome.shape
    rows = np.clip(np.arange(start - 1, stop + 1), 0, ny - 1)
    cols = np.clip(np.arange(-1, nx + 1), 0, nx - 1)
    light = legend[np.minimum(biome[rows][:, cols], len(BIOMES) - 1)]
    light = (light[:-2] + 2 * light[1:-1] + light[2:]) / 4
    soft: Plane = (light[:, :-2] + 2 * light[:, 1:-1] + light[:, 2:]) / 4
    return soft


def _natural_tints(scene: Scene, start: int, stop: int) -> Plane:
    """Return colours that such a land might have: green valleys, grey cliffs, white summits."""
    elevation = scene.elevation[start:stop]
    east, north = gradient(scene.elevation, scene.grid.cell_size, start, stop)
    slope = np.sqrt(east * east + north * north)
    height = (elevation - np.float32(scene.low)) / np.float32(scene.relief)
    light = _cover(scene, height, start, stop)
    bare = np.float32(max(0.62, 1.25 * scene.slope))  # 32°, or what is steep for this land
    if (rock := scene.rows("rock", start, stop)) is None:
        rock = smoothstep(0.75 * bare, 1.35 * bare, slope + 0.22 * bare * height)
    stone = blend(legend_light((ROCK,)), DARK_ROCK, smoothstep(bare, 2.2 * bare, slope))
    light = blend(light, stone, np.asarray(rock, np.float32))
    light = blend(light, SNOW, _snow(scene, height, slope, north, bare))
    if scene.sea_level is not None:
        reach = np.float32(max(0.008 * scene.relief, 0.25 * scene.grid.cell_size * scene.slope))
        beach = 1 - smoothstep(0.5 * reach, 1.6 * reach, elevation - np.float32(scene.sea_level))
        light = blend(light, SAND, beach * (1 - smoothstep(0.6 * bare, bare, slope)))
    return light


def _cover(scene: Scene, height: Plane, start: int, stop: int) -> Plane:
    """Return what grows: by relative height, then greener or drier by moisture and drainage."""
    ramp = legend_light(VALLEY_TO_SUMMIT)
    alpine = 0.45 + 0.55 * scene.mountainous  # hills stay green to their tops
    place = np.clip(height, 0, 1) * np.float32(alpine * (len(ramp) - 1))
    light = along(ramp, place)
    moisture = scene.rows("moisture", start, stop)
    if moisture is not None:
        wet = np.asarray(moisture, np.float32)
        light = blend(
            light, LUSH, 0.75 * smoothstep(0.5, 0.95, wet) * (1 - 0.6 * height.clip(0, 1))
        )
        light = blend(light, DRY, 0.75 * (1 - smoothstep(0.1, 0.5, wet)))
    area = scene.rows("drainage_area", start, stop)
    if area is not None:
        share = np.log10(np.maximum(area / scene.map_area, 1e-9).astype(np.float32))
        light = blend(light, LUSH, np.float32(0.45) * smoothstep(*VALLEY_FLOORS, share))
    return light


def _snow(scene: Scene, height: Plane, slope: Plane, north: Plane, bare: np.float32) -> Plane:
    """Return how white the ground is: high, not too steep, lower down where it faces north."""
    line = smoothstep(0.70, 0.80, height - np.float32(0.07) * np.clip(north / bare, -1, 1))
    clings = 1 - 0.9 * smoothstep(0.75 * bare, 1.5 * bare, slope)
    real = float(smoothstep(*SNOWY_RELIEF, np.array([scene.relief]))[0])
    white: Plane = line * clings * np.float32(real)
    return white
