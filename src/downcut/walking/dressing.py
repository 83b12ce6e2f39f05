"""The ground of a window in fine cells, its biomes, what grows on it, and its colours."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.export.tints import Scene, tints
from downcut.features import Table
from downcut.fields.fbm import Fbm
from downcut.grid import Grid
from downcut.hydrology.distance_to_water import DistanceToWater
from downcut.randomness import derive
from downcut.run import Run
from downcut.sampling import resample
from downcut.shading import gradient, to_srgb
from downcut.step import Step
from downcut.surface.biomes import Biomes
from downcut.surface.meadow import Meadow
from downcut.surface.scatter import Scatter
from downcut.terrain import Terrain
from downcut.walking.waters import steps_of

Layers = dict[str, Any]

NEAR_WATER = 24.0
"""How far from water it is known how far it is [m]."""
ROUGH = 0.05
"""Height of the small forms that are added to a land in coarse cells, in cells."""


def ground(land: Terrain, grid: Grid, run: Run) -> NDArray[np.float32]:
    """Return the ground of a window: the land's own cells, or a smooth surface and small forms."""
    if grid == land.grid:
        return np.array(land["elevation"])
    if land.grid.cell_size <= 2 * grid.cell_size:
        return resample(np.array(land["elevation"]), land.grid, grid, run)
    wide = grid.window(-1, -1, grid.ny + 2, grid.nx + 2)  # the slope looks at neighbours
    smooth = resample(np.array(land["elevation"]), land.grid, wide, run)
    east, north = gradient(smooth, grid.cell_size)
    rough = np.minimum(0.25 + 1.2 * np.sqrt(east * east + north * north), 1.2)
    made: NDArray[np.float32] = (smooth + _small_forms(land, wide) * rough)[1:-1, 1:-1]
    return np.ascontiguousarray(made)


def _small_forms(land: Terrain, grid: Grid) -> Any:
    """Return noise between the land's cells and the window's, about 0 [m]."""
    coarse = land.grid.cell_size
    octaves = max(1, min(7, round(math.log2(coarse / grid.cell_size))))
    small = Fbm(wavelength=1.6 * coarse, amplitude=ROUGH * coarse, octaves=octaves, gain=0.48)
    seed = land.recipe.seed if land.recipe else 0
    return small(grid=grid, seed=derive(seed, "walking"))


def biomes(land: Terrain, elevation: NDArray[np.float32], grid: Grid, run: Run) -> Layers:
    """Return moisture and biome of a window, for a land that knows of either."""
    if "moisture" not in land.layers and "biome" not in land.layers:
        return {}
    found: dict[str, Any] = {}
    if "moisture" in land.layers:
        moisture = np.array(land["moisture"], np.float32)
        found["moisture"] = resample(moisture, land.grid, grid, run)
    step = next((each for each in steps_of(land) if isinstance(each, Biomes)), Biomes())
    found["biome"] = step.on(found | {"elevation": elevation}, grid=grid, key=0, run=run)
    return found


def dressed(land: Terrain, layers: Layers, grid: Grid, run: Run) -> dict[str, Table]:
    """Put grass into the layers, and return the tables of what stands on the window."""
    wet = {"channel": layers["river"], "water_depth": layers["water_depth"]}
    near = DistanceToWater(max_distance=NEAR_WATER)
    layers["water_distance"] = near.on(wet, grid=grid, key=0, run=run)
    step, key = _dresser(land)
    known = {n: layers[n] for n in step.inputs() if n in layers}
    run.features.clear()
    layers["grass"] = step.on(known, grid=grid, key=key, run=run)
    return dict(run.features)


def _dresser(land: Terrain) -> tuple[Step, int]:
    """Return the step that dresses a land, and its chance: the recipe's last, or the usual one."""
    tasks = [] if land.recipe is None else list(land.recipe.tasks(once=True))
    for task in reversed(tasks):
        if isinstance(task.step, Scatter | Meadow):
            return task.step, task.key
    seed = land.recipe.seed if land.recipe else 0
    return Scatter(), derive(seed, "surface.scatter", 0)


def colours(scene: Scene, grid: Grid, layers: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Return a window's own colours, (ny, nx, 4), by the whole land's scene.

    No rivers are painted, which are water here.
    """
    known = {name: layers[name] for name in ("biome", "moisture") if name in layers}
    if "colour" in scene.layers:
        bands = np.moveaxis(np.array(scene.layers["colour"], np.float32), 2, 0)
        fine = [resample(np.ascontiguousarray(band), scene.grid, grid) for band in bands]
        known["colour"] = np.rint(np.stack(fine, axis=2).clip(0, 255)).astype(np.uint8)
    here = replace(scene, grid=grid, elevation=layers["elevation"], layers=known)
    painted = np.zeros((*grid.shape, 4), np.uint8)

    def rows(start: int, stop: int) -> None:
        painted[start:stop, :, :3] = to_srgb(tints(here, start, stop))

    Run().slices(rows, grid.ny, 64)
    return painted
