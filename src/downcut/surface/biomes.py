"""Biomes: sea, beach, forest, meadow, rock and snow, by height, slope and moisture."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import BIOMES, gradient
from downcut.step import Array, Degrees, Metres, Share, Step

CELLS_A_SLICE = 1 << 15
"""So many cells' temporaries fit in a thread's cache."""

LEGEND = BIOMES
"""Name and colour of each biome; its number is its place."""

NUMBER = {tone.name: number for number, tone in enumerate(LEGEND)}

# What grows below the tree line, from dry to wet: Whittaker's diagram in one row.
LOWLAND = ("desert", "scrub", "grassland", "forest", "rain forest")


class Biomes(Step):
    """Divide the land into biomes.

    Where there is a sea: below it by depth, on the coast's gentle ground a beach. Then by height
    above the sea, or above the datum on a land without one: what grows by moisture up to the tree
    line, alpine meadow up to the snow line, snow above it.
    Ground steeper than `rock_angle` is rock at any height, unless it is under water.

    Reads `elevation` (ny, nx) [m] and, where there is one, `moisture` (ny, nx) 0 to 1; writes
    `biome` (ny, nx) uint8, numbers of `LEGEND`. Guaranteed: each cell depends on its neighbours
    only (halo 1), so windows meet without a seam.

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> heights = [[-300.0, -300.0, 400.0, 400.0, 3000.0, 3000.0]]
    >>> biome = Biomes()(heights, grid=Grid(1, 6, 1e4), sea_level=0)
    >>> [LEGEND[number].name for number in biome[0]]
    ['deep sea', 'deep sea', 'grassland', 'grassland', 'snow', 'snow']
    """

    reads = ("elevation", "moisture")
    writes = ("biome",)
    cites = ("Whittaker1975",)
    exact: ClassVar[bool] = False  # the limits' tangents
    nanoseconds = 25.0
    working_bytes = 2

    op: Literal["surface.biomes"] = "surface.biomes"
    shallow_depth: Metres = Field(40.0, ge=0, le=10_000)
    """Down to this depth the sea is shallow."""
    beach_height: Metres = Field(6.0, ge=0, le=1000)
    """Up to this height gentle ground by the sea is a beach; 0 for none."""
    tree_line: Metres = Field(1500.0, ge=0, le=20_000)
    """Up to this height what grows depends on moisture; above it lie alpine meadows."""
    snow_line: Metres = Field(2200.0, ge=0, le=20_000)
    """Above this height lies snow."""
    rock_angle: Degrees = Field(38.0, gt=0, le=90)
    """Steeper ground is bare rock."""
    beach_angle: Degrees = Field(12.0, gt=0, le=90)
    """Steeper coasts have no beach."""
    usual_moisture: Share = 0.5
    """How moist it is where no moisture layer is made: 0 desert, 0.5 grassland, 1 rain forest."""

    @model_validator(mode="after")
    def _in_order(self) -> "Biomes":
        if self.tree_line > self.snow_line:
            raise ValueError(
                f"tree_line is {self.tree_line:g} m and snow_line {self.snow_line:g} m: "
                "snow lies above the trees"
            )
        return self

    def optional(self) -> frozenset[str]:
        """Return `moisture`."""
        return frozenset({"moisture"})

    def halo(self, grid: Grid) -> int:
        """Return 1: the slope takes the neighbours of a cell."""
        return 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `biome`."""
        elevation, moisture = arrays
        biome = np.empty(grid.shape, np.uint8)

        def work(start: int, stop: int) -> None:
            east, north = gradient(elevation, grid.cell_size, start, stop)
            wet = None if moisture is None else moisture[start:stop]
            height = elevation[start:stop] - np.float32(run.sea_level or 0)
            steepness = east * east + north * north
            biome[start:stop] = self._grows(height, steepness, wet)
            if run.sea_level is not None:
                self._flood(biome[start:stop], height, steepness)

        run.slices(work, grid.ny, max(1, CELLS_A_SLICE // grid.nx))
        return biome

    def _grows(self, height: Array, steepness: Array, moisture: Array | None) -> NDArray[np.uint8]:
        """Return the biomes of a slice that is dry; `steepness` is the slope squared."""
        belt = np.uint8(NUMBER[LOWLAND[0]])
        if moisture is None:
            grows: Any = belt + _fifth(np.float32(self.usual_moisture))
        else:
            grows = belt + _fifth(moisture)
        biome = np.where(height > np.float32(self.tree_line), _number("alpine meadow"), grows)
        biome[height > np.float32(self.snow_line)] = _number("snow")
        biome[steepness > _squared_tangent(self.rock_angle)] = _number("rock")
        return biome

    def _flood(self, biome: NDArray[np.uint8], height: Array, steepness: Array) -> None:
        """Put the sea and its beaches into a slice."""
        shore = (height <= self.beach_height) & (steepness <= _squared_tangent(self.beach_angle))
        biome[shore & (biome != _number("rock"))] = _number("beach")
        biome[height <= 0] = _number("shallow sea")
        biome[height < -np.float32(self.shallow_depth)] = _number("deep sea")


def _fifth(moisture: Any) -> Any:
    """Return which fifth of 0 to 1 the moisture lies in, 0 to 4."""
    return np.clip(moisture * np.float32(5), 0, 4).astype(np.uint8)


def _number(name: str) -> np.uint8:
    return np.uint8(NUMBER[name])


def _squared_tangent(angle: float) -> np.float32:
    return np.float32(min(math.tan(math.radians(angle)) ** 2, 1e30))
