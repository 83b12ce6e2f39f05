"""Map tiles: the land as a pyramid of small pictures for web maps, heights or colours."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.forms import Painted, forms, halvings
from downcut.export.height_codes import CODINGS, Coding
from downcut.export.origin import about, ground
from downcut.export.placement import Place, Placement
from downcut.export.tile_grid import EDGE, Level, Tile, TileGrid
from downcut.export.tints import Scene, tints
from downcut.run import Run
from downcut.shading import to_linear, to_srgb
from downcut.terrain import Terrain

BATCH = 64
"""Tiles that are held in memory before they are written."""
FAST = 1
"""PNG's compression: 2 % larger than the best of Terrarium's noisy bytes, four times as quick."""
PAINTED_ROWS = 32

Draw = Callable[[Level, int, int], Image.Image]
"""From a level and a tile's x, y to the tile, 256 × 256 in RGB or RGBA."""


@dataclass(frozen=True)
class Layer:
    """A tile set of a land: what draws its tiles, and what its description says besides."""

    name: str
    grid: TileGrid
    draw: Draw
    facts: dict[str, Any]

    def tiles(self) -> Iterator[tuple[Tile, bytes]]:
        """Yield every tile and its PNG, zoom by zoom, made in threads, in PMTiles' order."""
        from pmtiles.tile import zxy_to_tileid

        levels = [self.grid.level(zoom) for zoom in self.grid.zooms]
        jobs = [(level, tile) for level in levels for tile in level.tiles()]
        jobs.sort(key=lambda job: zxy_to_tileid(*job[1]))

        def work(number: int, _: int) -> tuple[Tile, bytes]:
            level, tile = jobs[start + number]
            return tile, _png(self.draw(level, *tile[1:]))

        for start in range(0, len(jobs), BATCH):
            yield from Run().slices(work, min(BATCH, len(jobs) - start), 1)


def heights(terrain: Terrain, grid: TileGrid, encoding: str = "terrarium") -> Layer:
    """Return the tile set of the elevation, in one of the two encodings.

    Resampled as heights, encoded last, and never scaled by what a tile holds. Beyond the land a
    tile holds the `outside_m` of its description: the sea's level, or else the land's lowest
    height. Tiles that would hold nothing else are not there.

    Parameters
    ----------
    encoding : "terrarium" or "terrain-rgb"

    Raises
    ------
    DowncutError
        For another encoding, or a land without elevation.
    """
    coding = _coding(encoding)
    surfaces = forms(terrain, lambda land: land["elevation"], ground)
    sea = getattr(terrain.recipe, "sea_level", None)
    outside = terrain.relief[0] if sea is None else float(sea)

    around = coding.codes(np.array(outside))

    def draw(level: Level, x: int, y: int) -> Image.Image:
        tile = np.full((EDGE, EDGE), around)
        for pixels, seen in level.read(surfaces[level.halved], x, y):
            tile[pixels] = coding.codes(seen)
        return Image.frombytes("RGB", (EDGE, EDGE), tile.tobytes(), "raw", "XRGB")

    colour = coding.encode(np.array(outside)).tolist()
    facts = {"encoding": coding.encoding, "outside_m": outside, "outside": colour}
    return Layer(encoding, grid, draw, facts)


def colours(terrain: Terrain, grid: TileGrid) -> Layer:
    """Return the tile set of the land's own colours, without light or water, clear beyond it."""
    scene = Scene.of(terrain)
    pictures = forms(terrain, lambda land: Painted(land, scene), lambda _: _unlit(scene))

    def draw(level: Level, x: int, y: int) -> Image.Image:
        tile, cover = np.zeros((EDGE, EDGE, 3), np.uint8), np.zeros((EDGE, EDGE), np.uint8)
        for pixels, seen in level.read(pictures[level.halved], x, y, to_linear):
            tile[pixels], cover[pixels] = to_srgb(seen), 255
        image = Image.fromarray(tile)
        if not cover.all():
            image.putalpha(Image.fromarray(cover))
        return image

    return Layer("colour", grid, draw, {})


def write_pmtiles(
    terrain: Terrain,
    file: BinaryIO,
    *,
    encoding: str = "terrarium",
    at: Place | None = None,
    minzoom: int | None = None,
    maxzoom: int | None = None,
) -> dict[str, Any]:
    """Write the elevation as an archive of map tiles that a server can send piece by piece.

    Parameters
    ----------
    encoding : "terrarium" or "terrain-rgb"
    at : text "8.5,46.5" or (longitude, latitude), optional
        Where the land's middle lies; 0, 0 by default.
    minzoom, maxzoom : int, optional
        By default from the whole land in a tile or a few to a pixel of about a cell.
    """
    grid = TileGrid(terrain.grid, Placement.of(at), minzoom, maxzoom, halvings(terrain))
    layer = heights(terrain, grid, encoding)
    description = tilejson(terrain, layer)
    with Archive(file, layer, description) as archive:
        for tile, data in layer.tiles():
            archive.add(tile, data)
    return description


class Archive:
    """A PMTiles archive in the making: its tiles in the order of `Layer.tiles`."""

    def __init__(self, file: BinaryIO, layer: Layer, description: dict[str, Any]) -> None:
        from pmtiles.writer import Writer

        self.layer, self.description = layer, description
        make: Any = Writer  # it declares no types
        self._writer = make(file)

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._writer.finalize(_header(self.layer.grid), self.description)
        else:
            self._writer.tile_f.close()

    def add(self, tile: Tile, data: bytes) -> None:
        """Add a tile; one with the same bytes as another is stored once."""
        from pmtiles.tile import zxy_to_tileid

        self._writer.write_tile(zxy_to_tileid(*tile), data)


def tilejson(terrain: Terrain, layer: Layer) -> dict[str, Any]:
    """Return the TileJSON of a tile set, with the land's recipe in "downcut"."""
    facts, place = about(terrain), layer.grid.placement
    west, south, east, north = layer.grid.bounds
    title = terrain.recipe.title if terrain.recipe else ""
    if layer.name in CODINGS:
        facts["written_with"] = {
            "encoding": layer.name,
            "at": [place.longitude, place.latitude],
            "minzoom": layer.grid.zooms[0],
            "maxzoom": layer.grid.zooms[-1],
        }
    return {
        "tilejson": "3.0.0",
        "name": title or "downcut land",
        "attribution": f"downcut {facts['digest'] or facts['checksum']}",
        "scheme": "xyz",
        "tiles": ["{z}/{x}/{y}.png"],
        "format": "png",
        "tileSize": EDGE,
        "bounds": [west, south, east, north],
        "center": [place.longitude, place.latitude, layer.grid.zooms[0]],
        "minzoom": layer.grid.zooms[0],
        "maxzoom": layer.grid.zooms[-1],
        **layer.facts,
        "downcut": facts,
    }


def _header(grid: TileGrid) -> dict[str, Any]:
    from pmtiles.tile import Compression, TileType

    bounds = zip(("min_lon", "min_lat", "max_lon", "max_lat"), grid.bounds, strict=True)
    place = grid.placement
    return {
        "version": 3,
        "tile_type": TileType.PNG,
        "tile_compression": Compression.NONE,
        **{f"{name}_e7": round(degrees * 1e7) for name, degrees in bounds},
        "center_zoom": grid.zooms[0],
        "center_lon_e7": round(place.longitude * 1e7),
        "center_lat_e7": round(place.latitude * 1e7),
    }


def _coding(encoding: str) -> Coding:
    if encoding not in CODINGS:
        raise DowncutError(f"encoding is {encoding!r}: give {' or '.join(CODINGS)}")
    return CODINGS[encoding]


def _unlit(scene: Scene) -> NDArray[np.uint8]:
    """Return the land's colours before light and water, (ny, nx, 3) sRGB."""
    picture = np.empty((*scene.grid.shape, 3), np.uint8)

    def work(start: int, stop: int) -> None:
        picture[start:stop] = to_srgb(tints(scene, start, stop))

    Run().slices(work, scene.grid.ny, PAINTED_ROWS)
    return picture


def _png(tile: Image.Image) -> bytes:
    data = io.BytesIO()
    tile.save(data, "PNG", compress_level=FAST)
    return data.getvalue()
