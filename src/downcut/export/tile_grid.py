"""Web-map tiles as a grid: which of them a land covers, and which cells each pixel looks at."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.export.placement import EQUATOR, WORLD, Placement, edges
from downcut.grid import Grid

EDGE = 256
"""Pixels along a tile."""
HIGHEST_ZOOM = 22
"""Beyond which few programs go; a pixel there is 4 cm on the equator."""
SMALLEST = 32
"""Pixels along the land's longer side at its lowest zoom, at least where there is such a zoom."""
SHARP = 1.25
"""Up to so many cells a pixel, the surface is read at the pixel's middle; beyond, averaged."""

STRIP = 32
"""Rows of pixels read at a time: they and what is made of them fit in a core's cache."""

Tile: TypeAlias = tuple[int, int, int]
"""z, x, y."""
Taps: TypeAlias = tuple[NDArray[np.intp], NDArray[np.float64]]
"""Of each pixel, (pixels, taps): the cells it looks at, and by how much."""
Floats: TypeAlias = NDArray[np.floating[Any]]
Seen: TypeAlias = tuple[tuple[slice, slice], Floats]
Of: TypeAlias = Callable[[NDArray[Any]], Floats]


@dataclass(frozen=True)
class Axis:
    """What the pixels of a level look at along one side of the land.

    Attributes
    ----------
    first : int
        The first pixel whose middle lies on the land, counted from the map's edge.
    index, weight : (pixels, taps) arrays
        The cells that each pixel looks at, and by how much; weights add up to 1.
    """

    first: int
    index: NDArray[np.intp]
    weight: NDArray[np.float64]

    @property
    def stop(self) -> int:
        """One beyond the last pixel."""
        return self.first + len(self.index)

    @property
    def tiles(self) -> range:
        """The tiles that hold such pixels."""
        return range(self.first // EDGE, (self.stop - 1) // EDGE + 1)

    def part(self, tile: int) -> tuple[slice, slice, "Axis"]:
        """Return (pixels of the tile, cells that they look at, the axis of these alone)."""
        start, stop = max(tile * EDGE, self.first), min((tile + 1) * EDGE, self.stop)
        here = slice(start - self.first, stop - self.first)
        index, weight = self.index[here], self.weight[here]
        low, high = int(index.min()), int(index.max()) + 1
        pixels = slice(start - tile * EDGE, stop - tile * EDGE)
        return pixels, slice(low, high), Axis(start, index - low, weight)


@dataclass(frozen=True)
class Level:
    """All pixels of one zoom that lie on the land."""

    zoom: int
    rows: Axis
    cols: Axis
    halved: int = 0
    """How many times the land's cells were halved to those that are looked at."""

    def read(self, values: Any, x: int, y: int, of: Of | None = None) -> Iterator[Seen]:
        """Yield (pixels of a tile that lie on the land, what they see), strip by strip.

        Values are (ny, nx) or (ny, nx, bands) of the cells, an array or what reads or paints the
        part of one that is asked for; `of` turns those that are needed into
        what can be added up, as colour codes into light. Heights come in float64, as otherwise
        their codes' last bit would suffer.
        """
        from downcut.export.footprints import weigh

        down, from_rows, rows = self.rows.part(y)
        across, from_cols, cols = self.cols.part(x)
        block = values[from_rows, from_cols]
        block = np.array(of(block) if of else block, np.float32, order="C")
        bands, kind = block.shape[2:], np.float32 if of else np.float64
        flat = block.reshape(len(block), -1)
        for top in range(0, len(rows.index), STRIP):
            index, weight = rows.index[top : top + STRIP], rows.weight[top : top + STRIP]
            seen = np.empty((len(index), len(cols.index), *bands), kind)
            weigh(flat, index, weight, cols.index, cols.weight, sum(bands) or 1,
                  seen.reshape(len(seen), -1))  # fmt: skip
            pixels = slice(down.start + top, down.start + top + len(seen))
            yield (pixels, across), seen

    def tiles(self) -> Iterator[Tile]:
        """Yield the tiles that hold some of them, row by row from the north-west."""
        for y in self.rows.tiles:
            for x in self.cols.tiles:
                yield self.zoom, x, y


@dataclass(frozen=True)
class TileGrid:
    """The tiles of a land at a place, from a zoom where it is small to one where nothing is lost.

    A pixel shows land if its middle lies on it, at every zoom; so tiles abut and agree.

    Parameters
    ----------
    grid : Grid
    placement : Placement
    minzoom, maxzoom : int, optional
        By default from the land's longer side being some 32 pixels to a pixel being about a cell
        (at most 1.2 cells across).

    Raises
    ------
    DowncutError
        For zooms that are none, or a land that reaches over the edge of the map.
    """

    grid: Grid
    placement: Placement
    minzoom: int | None = None
    maxzoom: int | None = None
    halvings: int = 0
    """How many coarser forms of the land there are, each of half as many cells."""

    def __post_init__(self) -> None:
        self.bounds  # noqa: B018 - refuses what lies off the map
        for name in ("minzoom", "maxzoom"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= HIGHEST_ZOOM:
                raise DowncutError(f"{name} is {value}: a zoom is 0 to {HIGHEST_ZOOM}")
        if not self.zooms:
            raise DowncutError(
                f"minzoom {self.minzoom} lies above the highest zoom: give a lower one, or a "
                "maxzoom above it"
            )

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north [°] of the land's outer edges."""
        return self.placement.bounds(self.grid)

    @cached_property
    def zooms(self) -> list[int]:
        """From the lowest to the highest."""
        cell = self.grid.cell_size * EQUATOR / self.placement.radius  # in Web Mercator's metres
        finest = math.ceil(math.log2(2 * WORLD / EDGE / cell) - math.log2(1.2))
        highest = min(max(finest, 0), HIGHEST_ZOOM) if self.maxzoom is None else self.maxzoom
        longer = max(self.grid.shape) * cell * 2**highest * EDGE / (2 * WORLD)  # pixels
        coarser = max(math.floor(math.log2(longer / SMALLEST)), 0) if longer > 0 else 0
        lowest = max(highest - coarser, 0) if self.minzoom is None else self.minzoom
        return list(range(lowest, highest + 1))

    def level(self, zoom: int) -> Level:
        """Return what the pixels of one zoom look at."""
        west, south, east, north = edges(self.grid)
        (left, right), (bottom, top) = self.placement.web_mercator((west, east), (south, north))
        size, n = 2 * WORLD / (EDGE * 2**zoom), EDGE * 2**zoom
        halved = self._halved(size)
        cell = self.grid.cell_size * 2**halved
        ny, nx = (-(-count // 2**halved) for count in self.grid.shape)
        first, stop = _span((left + WORLD) / size, (right + WORLD) / size, n)
        x, _ = self.placement.land(np.arange(first, stop + 1) * size - WORLD, [0.0])
        cols = Axis(first, *_taps((x - west) / cell, nx))
        first, stop = _span((WORLD - top) / size, (WORLD - bottom) / size, n)
        _, y = self.placement.land([0.0], WORLD - np.arange(first, stop + 1) * size)
        return Level(zoom, Axis(first, *_taps((north - y) / cell, ny)), cols, halved)

    def _halved(self, size: float) -> int:
        """Return how coarse the land may be for pixels of a size [m of Web Mercator].

        They are at least two of its cells across, so that no detail of the pixel is lost.
        """
        cell = self.grid.cell_size * EQUATOR / self.placement.radius
        return min(max(math.floor(math.log2(size / cell)) - 1, 0), self.halvings)


def _span(low: float, high: float, pixels: int) -> tuple[int, int]:
    """Return (first, last + 1) of the pixels with their middles between, one at least."""
    first, stop = math.ceil(low - 0.5), math.ceil(high - 0.5)
    if first == stop:  # a land so narrow falls between two
        first, stop = int((low + high) / 2), int((low + high) / 2) + 1
    return max(first, 0), min(stop, pixels)


def _taps(borders: NDArray[np.float64], cells: int) -> Taps:
    """Return the cells that pixels between these borders [cells] look at, and their weights."""
    if (borders[-1] - borders[0]) / (len(borders) - 1) <= SHARP:
        return _cubic((borders[1:] + borders[:-1]) / 2 - 0.5, cells)
    return _average(borders, cells)


def _cubic(middles: NDArray[np.float64], cells: int) -> Taps:
    """Cubic convolution (Keys 1981, a = −1/2): exact at cell centres; end values go on."""
    place = np.clip(middles, 0, cells - 1)
    cell = np.floor(place)
    t = place - cell
    weight = np.stack(
        [
            t * (-1 + t * (2 - t)) / 2,
            (2 + t * t * (3 * t - 5)) / 2,
            t * (1 + t * (4 - 3 * t)) / 2,
            t * t * (t - 1) / 2,
        ],
        axis=1,
    )
    index = np.clip(cell.astype(np.intp)[:, None] + np.arange(-1, 3), 0, cells - 1)
    return index, weight


def _average(borders: NDArray[np.float64], cells: int) -> Taps:
    """Mean, over each pixel's part of the land, of the surface that is linear between cells.

    Made from the cells themselves, not from a finer zoom; planes stay planes, where a mean of flat
    cells would show steps that beat with the pixels.
    """
    low = np.clip(borders[:-1], 0, cells) - 0.5
    high = np.clip(borders[1:], 0, cells) - 0.5
    first = np.floor(low)
    index = first[:, None] + np.arange(int(np.max(np.ceil(high) - first)) + 1)
    weight = _under_tent(high[:, None] - index) - _under_tent(low[:, None] - index)
    return np.clip(index, 0, cells - 1).astype(np.intp), weight / (high - low)[:, None]


def _under_tent(t: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the area from −∞ to t under the tent 1 − |t|, which is 1 in all."""
    t = np.clip(t, -1, 1)
    return 0.5 + t - 0.5 * t * np.abs(t)
