"""GeoJSON: a table of the land as features that any web map and GIS reads."""

import json
import math
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.export.origin import about
from downcut.export.placement import Place, Placement
from downcut.export.shapes import shapes
from downcut.grid import Grid
from downcut.terrain import Terrain

ON_EARTH = "longitude and latitude of WGS84 in degrees; of lines, the water's height in metres"
NOWHERE = (
    "metres east and north of the middle of the recipe's land, which lies nowhere on the Earth: "
    "these are no longitudes and latitudes"
)

DECIMALS = 7
"""Of degrees: 1 cm. Lands with cells below 1 m get as many more as their cells need."""
MILLIMETRES = 3


def write_geojson(
    terrain: Terrain,
    file: BinaryIO,
    *,
    layer: str | None = None,
    at: Place | None = None,
    reaches: bool = False,
) -> None:
    """Write a table as GeoJSON (RFC 7946): one feature a row, its columns as properties.

    Polygons run counter-clockwise, holes clockwise. The members `units` and
    `coordinate_system` say what numbers mean, `downcut` holds the recipe. The same land gives
    the same bytes.

    Parameters
    ----------
    layer : str
        Which table: "rivers", "lakes", "basins". In `save`, the file's name says it:
        rivers.geojson, or alps-rivers.geojson.
    at : text "8.5,46.5" or (longitude, latitude), optional
        Where the land's middle lies. Without it coordinates are metres of the land itself, as
        `coordinate_system` says, since a made-up land lies nowhere.
    reaches : bool
        Cut rivers where their order rises: a feature a reach, as wide as it is at its lower end.

    Raises
    ------
    DowncutError
        For a table that there is not, or missing packages.
    """
    placement = None if at is None else Placement.of(at)
    name = table_of(terrain, layer)
    found = shapes(terrain, name, cut=reaches)
    located = _located(found.shapes, placement, terrain.grid)
    head: dict[str, Any] = {"type": "FeatureCollection", "name": found.name}
    if placement:
        head["bbox"] = [round(degrees, DECIMALS) for degrees in placement.bounds(terrain.grid)]
    head["coordinate_system"] = ON_EARTH if placement else NOWHERE
    head["units"] = found.units
    place = placement and [placement.longitude, placement.latitude]
    options = {"layer": name, "at": place, "reaches": reaches}
    head["downcut"] = {**about(terrain), "written_with": options}
    rows = _rows(found.columns, located)
    text = json.dumps(head, ensure_ascii=False, allow_nan=False)[:-1]
    features = ",\n".join(rows)
    file.write(f'{text}, "features": [\n{features}\n]}}\n'.encode())


def table_of(terrain: Terrain, layer: str | None) -> str:
    """Return the table that a name asks for: "rivers" itself, or a name that ends in it."""
    name = layer or ""
    endings = (t for t in terrain.features if name == t or name.endswith((f"-{t}", f"_{t}")))
    return max(endings, key=len, default=name)


def _located(geometries: NDArray[Any], placement: Placement | None, grid: Grid) -> NDArray[Any]:
    """Lay shapes down on the Earth, or leave them in metres, with as many digits as count."""
    import shapely

    finer = max(0, math.ceil(-math.log10(grid.cell_size)))

    def place(points: NDArray[np.float64]) -> NDArray[np.float64]:
        turned = points.copy()
        if placement is None:
            turned[:, :2] = np.round(points[:, :2], MILLIMETRES + finer)
        else:
            turned[:, :2] = np.round(
                np.stack(placement.lonlat(points[:, 0], points[:, 1]), axis=1), DECIMALS + finer
            )
        turned[:, 2:] = np.round(points[:, 2:], MILLIMETRES + finer)
        return turned + 0.0  # no −0

    flat = ~shapely.has_z(geometries)
    located = geometries.copy()
    for mine, with_z in ((flat, False), (~flat, True)):
        located[mine] = shapely.transform(geometries[mine], place, include_z=with_z)
    return located


def _rows(columns: Any, located: NDArray[Any]) -> list[str]:
    """Return each row as the text of a feature; a shape that is none is null."""
    import shapely

    texts = [text or "null" for text in shapely.to_geojson(located)]
    names = list(columns)
    values = zip(*(_plain(columns[name]) for name in names), strict=True)
    rows = []
    for text, row in zip(texts, values, strict=True):
        properties = dict(zip(names, row, strict=True))
        head = {"type": "Feature", "id": properties.get("id"), "properties": properties}
        body = json.dumps(head, ensure_ascii=False, allow_nan=False)[:-1]
        rows.append(f'{body}, "geometry": {text}}}')
    return rows


def _plain(column: NDArray[Any]) -> list[Any]:
    """Return a column as JSON's numbers and words; what is not finite becomes null."""
    if column.dtype.kind == "f":
        return [value if math.isfinite(value) else None for value in column.tolist()]
    plain: list[Any] = column.tolist()
    return plain
