"""A world: land without an edge, grown window by window."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError, shown
from downcut.export.picture import notebook_png
from downcut.features import Table
from downcut.fields.continents import Continents
from downcut.grid import Grid
from downcut.grow import preset
from downcut.layers import layer
from downcut.recipe import Recipe
from downcut.terrain import Terrain
from downcut.windows import Layers
from downcut.world.cache import Disk, Memory, default_folder
from downcut.world.plan import Plan
from downcut.world.province import Grower, Place, Province
from downcut.world.standing import standing
from downcut.world.tables import joined, lakes_in
from downcut.world.window import Grown, grow

CHUNK = 256
"""Edge of the squares [cells] that are grown and kept as a whole where a window has a halo."""
TOGETHER = 4
"""Chunks in a row, and rows of them, that are grown at once at most."""
LARGEST = 2**26
"""Cells of a window at most."""
DEEPEST = 16
"""The coarsest level: cells 65 536 times as large."""
FARTHEST = 2**40
"""Cells from the world's origin at most."""


@dataclass(frozen=True)
class _Bounds:
    """How much a world keeps [bytes]."""

    memory: int
    disk: int


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
        self.kept = _Bounds(memory, disk)
        self._disk = Disk.of(recipe.digest, Path(folder) if folder else default_folder(), disk)
        self._chunks: Memory[Layers] = Memory(memory // 2, _bytes)
        self._provinces: Memory[Province] = Memory(memory // 2, lambda p: p.nbytes)
        self._outlines: Memory[Grid | None] = Memory(100_000, lambda _: 1)
        self._grower = Grower(self.plan, threads) if self.plan.coarse else None

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
            near = tuple(self.provinces(_around(grid, halo), level))
            return grow(self.plan, grid, level, near, self.threads, wanted)
        return {name: a for name, a in self._joined(grid, level).items() if name in wanted}

    def provinces(self, grid: Grid, level: int) -> Iterator[Grown]:
        """Yield the provinces with land on a grid, grown, in the order of their places.

        Where cells are coarser than every lattice they are blocks of provinces, grown together; the
        place is then that of the north-western one.
        """
        if self._grower is None or self.plan.continents is None:
            return
        step, key = self.plan.continents.step, self.plan.continents.key
        assert isinstance(step, Continents)
        cell, together = grid.cell_size, self.plan.together(level)
        (top, left), (ny, nx) = grid.corner, grid.shape
        bounds = (top * cell, (top + ny) * cell, left * cell, (left + nx) * cell)
        for place in step.provinces(bounds, key, together):
            outline = self._outline(place, together)
            if outline is not None and _meet(outline, bounds):
                north_west = place[0] * together, place[1] * together
                yield Grown(north_west, self._province(place, outline, level))

    def _outline(self, place: Place, together: int) -> Grid | None:
        grower = self._grower
        assert grower is not None
        return self._outlines.get((place, together), lambda: grower.outline(place, together))

    def _province(self, place: Place, outline: Grid, level: int) -> Province:
        grower, size, together = self._grower, self.plan.lattice(level), self.plan.together(level)
        assert grower is not None
        name = f"province {size:g} {place[0]} {place[1]}"

        def make() -> Province:
            if (arrays := self._disk.read(name)) is not None:
                return Province.read(arrays)
            province = grower.grow(place, outline, size, together)
            self._disk.write(name, province.arrays())
            return province

        return self._provinces.get(name, make)

    def _joined(self, grid: Grid, level: int) -> Layers:
        """Return the layers of a grid, put together from chunks."""
        out: Layers = {}
        top, left = (int(edge) for edge in grid.corner)
        rows = range(top // CHUNK, (top + grid.ny - 1) // CHUNK + 1)
        cols = range(left // CHUNK, (left + grid.nx - 1) // CHUNK + 1)
        for row in rows[::TOGETHER]:
            for col in cols[::TOGETHER]:
                block = [(r, c) for r in range(row, min(row + TOGETHER, rows.stop))
                         for c in range(col, min(col + TOGETHER, cols.stop))]  # fmt: skip
                for (r, c), layers in self._block(block, level).items():
                    here_rows, from_rows = _shared(top, grid.ny, r * CHUNK)
                    here_cols, from_cols = _shared(left, grid.nx, c * CHUNK)
                    for name, array in layers.items():
                        if name not in out:
                            out[name] = np.empty((*grid.shape, *array.shape[2:]), array.dtype)
                        out[name][here_rows, here_cols] = array[from_rows, from_cols]
        return out

    def _block(self, places: list[Place], level: int) -> dict[Place, Layers]:
        """Return chunks; those that are not kept are grown together, which shares their halo."""
        found, missing = {}, []
        for place in places:
            name = f"chunk {level} {place[0]} {place[1]}"
            chunk = self._chunks.find(name) or self._disk.read(name)
            if chunk is None:
                missing.append(place)
            else:
                self._chunks.keep(name, chunk)
                found[place] = chunk
        if not missing:
            return found
        (top, bottom), (left, right) = ((min(n), max(n) + 1) for n in zip(*missing, strict=True))
        cell, edge = self.plan.cell_size(level), CHUNK
        shape = (bottom - top) * edge, (right - left) * edge
        grid = Grid(*shape, cell, top * edge, left * edge)
        near = tuple(self.provinces(_around(grid, max(self.plan.halos(level))), level))
        made = grow(self.plan, grid, level, near, self.threads, None)
        for row, col in missing:
            part = (slice((row - top) * edge, (row - top + 1) * edge),
                    slice((col - left) * edge, (col - left + 1) * edge))  # fmt: skip
            chunk = {n: np.ascontiguousarray(array[part]) for n, array in made.items()}
            self._chunks.keep(f"chunk {level} {row} {col}", chunk)
            self._disk.write(f"chunk {level} {row} {col}", chunk)
            found[row, col] = chunk
        return found

    def _features(self, grid: Grid, level: int, grown: Layers) -> dict[str, Table]:
        near = tuple(self.provinces(grid, level))
        features = {}
        if "channel" in self._names(level):
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

    @cached_property
    def _made(self) -> dict[int, tuple[str, ...]]:
        return {}

    def _names(self, level: int) -> tuple[str, ...]:
        """Return the layers that windows of a level have."""
        if level not in self._made:
            made = dict.fromkeys(self.plan.carried if self.plan.coarse else ())
            for task in self.plan.at(level):
                made |= dict.fromkeys(task.step.outputs())
            self._made[level] = tuple(made)
        return self._made[level]

    def _wanted(self, layers: Iterable[str] | None, level: int) -> tuple[str, ...]:
        names = self._names(level)
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


def _shared(first: int, count: int, chunk: int) -> tuple[slice, slice]:
    """Return which part of a span lies in a chunk, counted in the span and in the chunk."""
    low, high = max(first, chunk), min(first + count, chunk + CHUNK)
    return slice(low - first, high - first), slice(low - chunk, high - chunk)


def _around(grid: Grid, halo: int) -> Grid:
    return grid.window(-halo, -halo, grid.ny + 2 * halo, grid.nx + 2 * halo)


def _meet(outline: Grid, bounds: tuple[float, float, float, float]) -> bool:
    (top, left), (ny, nx), cell = outline.corner, outline.shape, outline.cell_size
    return not (
        (top + ny) * cell < bounds[0]
        or top * cell > bounds[1]
        or (left + nx) * cell < bounds[2]
        or left * cell > bounds[3]
    )


def _bytes(layers: Layers) -> int:
    return sum(array.nbytes for array in layers.values())
