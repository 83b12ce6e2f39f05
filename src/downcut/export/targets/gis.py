"""GIS: cloud-optimized GeoTIFFs of elevation and layers, and water as vectors."""

from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.formats import FORMATS
from downcut.export.placement import Placement, edges
from downcut.export.save import deliver
from downcut.export.targets.target import IN_PARTS, Handed, Plan, Target, between
from downcut.layers import layer as meaning_of
from downcut.terrain import Terrain

VECTORS = ".gpkg"


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write a GeoTIFF for elevation and each layer, tile by tile, and one GeoPackage."""
    files: dict[str, str] = {}
    place: dict[str, Any] = {} if plan.place is None else {"at": plan.place}
    for row, col, tile in plan.pieces(terrain):
        where = f"_x{col}_y{row}" if plan.tiled else ""
        for layer in ("elevation", *plan.layers):
            name = f"{plan.name}{'' if layer == 'elevation' else f'_{layer}'}{where}.tif"
            deliver(delivery, tile, folder / name, layer=layer, cloud_optimized=True, **place)
            files[name] = _meaning(layer)
    if VECTORS in FORMATS and FORMATS[VECTORS].available and terrain.features:
        name = f"{plan.name}{VECTORS}"
        deliver(delivery, terrain, folder / name, **place)
        files[name] = f"vectors: {', '.join(terrain.features)}"
    numbers = _numbers(terrain, plan.place)
    return Handed(numbers, _how(plan, numbers, files), files)


def _meaning(layer: str) -> str:
    declared = meaning_of(layer)
    return declared.meaning + (f" [{declared.unit}]" if declared.unit else "")


def _numbers(terrain: Terrain, place: Placement | None) -> dict[str, Any]:
    west, south, east, north = edges(terrain.grid)
    low, high = terrain.relief
    placed = {}
    if place is not None:
        placed = {
            "longitude": place.longitude,
            "latitude": place.latitude,
            "west_south_east_north_deg": list(place.bounds(terrain.grid)),
        }
    return {
        "west_m": west,
        "south_m": south,
        "east_m": east,
        "north_m": north,
        "metres_per_cell": terrain.grid.cell_size,
        "lowest_m": low,
        "highest_m": high,
        **placed,
    }


def _how(plan: Plan, numbers: dict[str, Any], files: dict[str, str]) -> list[str]:
    if plan.place is None:
        where = (
            "The coordinates are local: metres east and north of the middle of the land. A GIS "
            "that asks for a coordinate system may be told any projected one in metres; to lie "
            "somewhere on the Earth, export again with --at LON,LAT."
        )
    else:
        where = (
            f"The middle of the land lies at {numbers['longitude']:.10g}, "
            f"{numbers['latitude']:.10g}; the files carry the projection, whose metres are the "
            "land's there."
        )
    vectors = f"{plan.name}{VECTORS}"
    return [
        f"Drag {'the .tif files' if plan.tiled else f'{plan.name}.tif'} into QGIS, or open with "
        "any program that reads GDAL's formats. Values are metres, exactly.",
        where,
        "A cell is an area: the coordinates of its value are its middle's.",
        *(
            [f"{vectors} holds water as lines and areas, each with its figures."]
            * (vectors in files)
        ),
    ]


TARGET = Target(
    name="gis",
    program="GIS (QGIS, ArcGIS, GDAL)",
    write=write,
    sizes=between(1, 1_000_000),
    layers=("water_depth", "drainage_area", "stream_order", "basin", "wetness", "biome"),
    placed=True,
    stored_edge=IN_PARTS,
    needs=(("rasterio", "gis"),),
)
