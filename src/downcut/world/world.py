"""A world: land without an edge, grown window by window."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError, shown
from downcut.export.picture import notebook_png
from downcut.features import Table
from downcut.grid import Grid
from downcut.grow import preset
from downcut.layers import layer
from downcut.recipe import Recipe
from downcut.terrain import Terrain
from downcut.windows import Layers
from downcut.world.cache import Disk, default_folder
from downcut.world.chunks import Chunks
from downcut.world.plan import Plan
from downcut.world.provinces import Provinces
from downcut.world.standing import standing
from downcut.world.tables import joined, lakes_in
from downcut.world.window import grow

LARGEST = 2**26
"""Cells of a window at most."""
DEEPEST = 16
"""The coarsest level: cells 65 536 times as large."""
FARTHEST = 2**40
"""Cells from the world's origin at most."""


class World:
    """The land of a recipe without an edge: any window of it, anywhere, at any level of detail.

    A window is the same bytes whatever was asked before, in any order, from any thread or process,
    and equals the crop of any larger one. The recipe's own grid gives the cell size alone. Level k
    has cells 2ᵏ times as large; noise and erosion finer than these are left out there.

    Without `fields.continents` all steps must be local, as fields, droplets, thermal erosion and
    what dresses the land are. With it, the plane is provinces with sea all round, and steps up to
    the last `feature_size` make each whole on a lattice; what follows makes windows. There
    `erosion.carve_rivers`, `hydrology.rivers`, `lakes` and `drainage` tell of the province's
    rivers and lakes: each river is a line that grows to the sea with a bed that never climbs, each
    lake has one level.

    Parameters
    ----------
    recipe : Recipe, name of a preset, or plain data
    folder : path, optional
        Where provinces and eroded chunks are kept; `worlds` in the user's cache by default.
    memory, disk : int
        Bytes to keep there at most, about; disk 0 writes nothing.
    threads : int
        0 for all; the bits do not depend on it.

    Raises
    ------
    DowncutError
        For a step that needs the whole plane, with what to use instead.

    Examples
    --------
    >>> import downcut as dc
    >>> world = dc.World("chunks")
    >>> west, east = world.window(0, -64, 65, 65), world.window(0, 0, 65, 65)
    >>> bool((west["elevation"][:, -1] == east["elevation"][:, 0]).all())
    True
    """

    def __init__(
        self,
        recipe: Recipe | str | dict[str, Any],
        *,
        folder: str | Path | None = None,
        memory: int = 2**29,
        disk: int = 2**31,
        threads: int = 0,
    ) -> None:
        if isinstance(recipe, str):
            recipe = preset(recipe)
        elif isinstance(recipe, dict):
            recipe = Recipe.from_dict(recipe)
        self.recipe, self.threads = recipe, threads
        self.plan = Plan.of(recipe)
        kept = Disk.of(recipe.digest, Path(folder) if folder else default_folder(), disk)
        self.provinces = Provinces(self.plan, kept, memory // 2, threads)
        self.chunks = Chunks(self.plan, self.provinces, kept, memory // 2, threads)

    @property
    def halo(self) -> int:
        """Cells around an eroded window that decide it."""
        return self.plan.halo

    def cell_size(self, level: int = 0) -> float:
        """Return the edge of a cell of a level [m]."""
        return self.plan.cell_size(_whole("level", level, 0, DEEPEST))

    def window(
        self,
        row: int,
        col: int,
        ny: int,
        nx: int,
        level: int = 0,
        layers: Iterable[str] | None = None,
    ) -> Terrain:
        """Grow a rectangle of the world.

        Parameters
        ----------
        row, col : int
            Its north-west cell: rows count southward and columns eastward from the origin, in
            cells of the level; negative ones lie north and west of it.
        ny, nx : int, ≥ 1
        level : int, 0 to 16
            0 for the recipe's cells.
        layers : names, optional
            Those wanted; all by default.

        Returns
        -------
        Terrain
            Its grid says where it lies; its features are the rivers and lakes that it shows, and
            what stands on it.

        Raises
        ------
        DowncutError
            For a place, size or level out of bounds, or a layer that the recipe does not make.
        """
        grid, level = self._grid(row, col, ny, nx, level), int(level)
        grown = self._grown(grid, level, self._wanted(layers, level))
        features = self._features(grid, level, grown)
        features |= standing(self.plan, grid, level, self._grown, self.threads)
        return Terrain(grid, grown, features, (), self.recipe, notebook_png)

    def _grown(self, grid: Grid, level: int, wanted: tuple[str, ...]) -> Layers:
        if (halo := max(self.plan.halos(level), default=0)) <= 1:
            near = tuple(self.provinces.near(grid, level, halo))
            return grow(self.plan, grid, level, near, self.threads, wanted)
        return {n: a for n, a in self.chunks.joined(grid, level).items() if n in wanted}

    def _features(self, grid: Grid, level: int, grown: Layers) -> dict[str, Table]:
        near = tuple(self.provinces.near(grid, level))
        features = {}
        if "channel" in self.plan.layers(level):
            least = self.plan.channel_area(level)
            parts = [g.province.lines.table(grid, least, g.place) for g in near]
            if parts:
                features["rivers"] = joined(parts)
        if "lake" in grown and near:
            features["lakes"] = lakes_in(
                grown["lake"], [(g.number, g.province.shores) for g in near]
            )
        return features

    def _grid(self, row: Any, col: Any, ny: Any, nx: Any, level: Any) -> Grid:
        level = _whole("level", level, 0, DEEPEST)
        ny, nx = _whole("ny", ny, 1, LARGEST), _whole("nx", nx, 1, LARGEST)
        if ny * nx > LARGEST:
            raise DowncutError(
                f"a window of {ny} × {nx} cells is larger than {LARGEST:,} cells: ask for several, "
                "or for a coarser level"
            )
        row = _whole("row", row, -FARTHEST, FARTHEST)
        col = _whole("col", col, -FARTHEST, FARTHEST)
        return Grid(ny, nx, self.plan.cell_size(level), row, col)

    def _wanted(self, layers: Iterable[str] | None, level: int) -> tuple[str, ...]:
        names = self.plan.layers(level)
        if layers is None:
            return names
        wanted = (layers,) if isinstance(layers, str) else tuple(layers)
        for name in wanted:
            if name not in names:
                layer(name)
                raise DowncutError(f"no layer {name!r} in this world: it has {', '.join(names)}")
        return wanted


def _whole(name: str, value: Any, low: int, high: int) -> int:
    """Return a whole number within bounds, or say why it is none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise DowncutError(f"{name} is {shown(value)}: give a whole number")
    if not low <= value <= high:
        raise DowncutError(f"{name} is {shown(int(value))}: give {low} to {high}")
    return int(value)
