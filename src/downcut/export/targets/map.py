"""Web maps: tiles of heights and colours at a place on the Earth, and a page that shows them."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import downcut
from downcut.export import tiles
from downcut.export.files import Delivery
from downcut.export.forms import halvings
from downcut.export.height_codes import CODINGS
from downcut.export.placement import Placement
from downcut.export.save import deliver
from downcut.export.shapes import shapes
from downcut.export.targets.target import IN_PARTS, Handed, Option, Plan, Target, between
from downcut.export.tile_grid import EDGE, HIGHEST_ZOOM, TileGrid
from downcut.importing.stored_layer import StoredLayer
from downcut.pages import page
from downcut.terrain import Terrain

DESCRIPTION = "tiles.json"
"""TileJSON, in each folder of tiles."""
BYTES_PER_CELL = 4
SMALL = 40_000
LABELLED_LAKES = 3

MEANING = {
    "terrarium": "heights: red × 256 + green + blue / 256 − 32768 m",
    "terrain-rgb": "heights: (red × 65536 + green × 256 + blue) × 0.1 − 10000 m",
    "colour": "the land's colours without light or water, clear beyond it",
}


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write three tile sets, each as a folder and as an archive, water as GeoJSON, and the page."""
    shown = page("map")  # refused before the work, if it is not there
    place = Placement.of(plan.place)
    grid = TileGrid(
        terrain.grid, place, maxzoom=plan.options["maxzoom"] or None,
        halvings=halvings(terrain),
    )  # fmt: skip
    files = {"index.html": "the map: needs a web server, see above", "map.json": "what it shows"}
    for layer in (*(tiles.heights(terrain, grid, name) for name in CODINGS),
                  tiles.colours(terrain, grid)):  # fmt: skip
        _write_tiles(terrain, layer, delivery, folder)
        files[layer.name] = f"{MEANING[layer.name]}; {DESCRIPTION} in it is their TileJSON"
        files[f"{layer.name}.pmtiles"] = "the same tiles in one file, for servers that send ranges"
    files |= _write_water(terrain, place, delivery, folder)
    for item in shown.iterdir():
        data = item.read_bytes()
        with delivery.file(folder / item.name, len(data)) as file:
            file.write(data)
        files.setdefault(item.name, "part of the page")
    about = _map(terrain, plan, grid, files)
    with delivery.file(folder / "map.json", SMALL) as file:
        file.write(json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n")
    return Handed(_numbers(grid, about), _how(grid), files)


def _write_tiles(terrain: Terrain, layer: tiles.Layer, delivery: Delivery, folder: Path) -> None:
    """Write a tile set twice, each tile encoded once."""
    description = tiles.tilejson(terrain, layer)
    needed = terrain.grid.cells * BYTES_PER_CELL
    with (
        delivery.folder(folder / layer.name, needed, DESCRIPTION) as place,
        delivery.file(folder / f"{layer.name}.pmtiles", needed) as file,
        tiles.Archive(file, layer, description) as archive,
    ):
        for (z, x, y), data in layer.tiles():
            column = place / str(z) / str(x)
            column.mkdir(parents=True, exist_ok=True)
            (column / f"{y}.png").write_bytes(data)
            archive.add((z, x, y), data)
        text = json.dumps(description, indent=2, ensure_ascii=False)
        (place / DESCRIPTION).write_text(text + "\n", encoding="utf-8", newline="\n")


def _write_water(
    terrain: Terrain, place: Placement, delivery: Delivery, folder: Path
) -> dict[str, str]:
    """Write rivers, cut into reaches, and lakes, where the land has such tables."""
    files = {}
    for name, meaning in (("rivers", "lines, a reach each"), ("lakes", "shorelines")):
        if name not in terrain.features:
            continue
        path = folder / f"{name}.geojson"
        deliver(delivery, terrain, path, at=place, reaches=name == "rivers")
        files[f"{name}.geojson"] = f"{name} as {meaning}, at their places on the Earth"
    return files


def _map(terrain: Terrain, plan: Plan, grid: TileGrid, files: dict[str, str]) -> dict[str, Any]:
    """Return what the page reads."""
    recipe = terrain.recipe

    def tile_set(name: str) -> dict[str, Any]:
        where = {"tiles": f"{name}/{{z}}/{{x}}/{{y}}.png"}
        if plan.options["reads"] == "archive":
            where = {"archive": f"{name}.pmtiles"}
        zooms = {"minzoom": grid.zooms[0], "maxzoom": grid.zooms[-1]}
        return {**where, "tile_size": EDGE, **zooms}

    return {
        "format": "downcut-map",
        "version": 1,
        "title": (recipe.title if recipe else "") or plan.name,
        "bounds": list(grid.bounds),
        "extent": [side * terrain.grid.cell_size for side in reversed(terrain.grid.shape)],
        "range": list(terrain.relief),
        "sea_level": recipe.sea_level if recipe else None,
        "exaggeration": plan.options["exaggeration"],
        "elevation": {**tile_set("terrarium"), "encoding": "terrarium"},
        "colour": tile_set("colour"),
        **{name: f"{name}.geojson" for name in ("rivers", "lakes") if f"{name}.geojson" in files},
        "labels": _labels(terrain, grid.placement),
        "recipe": recipe.digest if recipe else terrain.checksum,
        "made_by": f"downcut {downcut.__version__}",
    }


def _labels(terrain: Terrain, place: Placement) -> list[dict[str, Any]]:
    """Return the summit, and the largest lakes with their levels."""
    import shapely

    grid = terrain.grid
    row, col, height = _summit(terrain)
    spots = [("summit", height, float(grid.x[col]), float(grid.y[row]))]
    if "lakes" in terrain.features and "lake" in terrain.layers:
        lakes = shapes(terrain, "lakes")
        for i, shape in enumerate(lakes.shapes[:LABELLED_LAKES]):
            middle = shapely.point_on_surface(shape)
            spots.append(("lake", float(lakes.columns["level"][i]), middle.x, middle.y))
    labels = []
    for kind, metres, x, y in spots:
        (longitude,), (latitude,) = place.lonlat([x], [y])
        at = [round(float(longitude), 7), round(float(latitude), 7)]
        labels.append({"text": f"{metres:,.0f} m", "kind": kind, "at": at})
    return labels


def _summit(terrain: Terrain) -> tuple[int, int, float]:
    """Return the row, column and height of the highest cell, the first of several."""
    elevation = terrain["elevation"]
    strips = elevation.strips() if isinstance(elevation, StoredLayer) else [elevation]
    best, top = (0, 0, -math.inf), 0
    for strip in strips:
        row, col = np.unravel_index(int(np.argmax(strip)), strip.shape)
        if (height := float(strip[row, col])) > best[2]:
            best = (top + int(row), int(col), height)
        top += len(strip)
    return best


def _numbers(grid: TileGrid, about: dict[str, Any]) -> dict[str, Any]:
    west, south, east, north = grid.bounds
    place = grid.placement
    return {
        "longitude": place.longitude,
        "latitude": place.latitude,
        "west_deg": west,
        "south_deg": south,
        "east_deg": east,
        "north_deg": north,
        "minzoom": grid.zooms[0],
        "maxzoom": grid.zooms[-1],
        "tile_size": EDGE,
        "web_mercator_metres_per_metre": 6378137.0 / place.radius,
        "lowest_m": about["range"][0],
        "highest_m": about["range"][1],
        "sea_level_m": about["sea_level"],
    }


def _how(grid: TileGrid) -> list[str]:
    low, high = grid.zooms[0], grid.zooms[-1]
    return [
        "To look at it: python -m http.server in this folder, then http://localhost:8000/ in a "
        "browser. Any static server will do; a browser shows no map from a file:// address.",
        'In a MapLibre page of yours: a source {"type": "raster-dem", "encoding": "terrarium", '
        f'"tiles": ["https://…/terrarium/{{z}}/{{x}}/{{y}}.png"], "tileSize": {EDGE}, '
        f'"minzoom": {low}, "maxzoom": {high}}}; or terrain-rgb with "encoding": "mapbox".',
        "In QGIS: add terrarium/{z}/{x}/{y}.png as an XYZ layer with interpretation "
        '"Terrarium terrain RGB", or terrain-rgb with "MapTiler terrain RGB".',
        "Tiles that would hold nothing of the land are not there: 404 is no fault. Beyond the "
        "land, tiles hold the outside_m of their tiles.json.",
    ]


TARGET = Target(
    name="map",
    program="web maps (MapLibre and others)",
    write=write,
    sizes=between(1, 1_000_000),
    most_tiles=1,
    layers=("channel", "lake"),
    placed=True,
    stored_edge=IN_PARTS,
    options={
        "maxzoom": Option(
            0,
            "the highest zoom; 0 takes the one at which no detail is lost",
            bounds=(0, HIGHEST_ZOOM),
        ),
        "exaggeration": Option(
            1.0, "how many times higher the page draws the land at first", bounds=(0.5, 5)
        ),
        "reads": Option(
            "tiles",
            "what the page reads: tiles, from any server, or the archive, from one that sends "
            "ranges of a file",
            ("tiles", "archive"),
        ),
    },
    needs=(("pmtiles", "map"), ("shapely", "map"), ("rasterio", "map")),
)
