"""The tables of a land as shapes: rivers as lines, lakes and basins as outlines of their cells."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.export.placement import edges
from downcut.features import KINDS, Table
from downcut.grid import Grid
from downcut.importing.stored_layer import StoredLayer
from downcut.terrain import Terrain

OUTLINES = {"lakes": "lake", "basins": "basin"}
"""Tables whose rows are areas, and the layer that holds the row's id in each of its cells."""
ENDS = {"rivers": "river", "lakes": "lake"}
"""What 0 in the column `end` stands for; 1 is the sea, 2 the edge of the map."""


@dataclass(frozen=True)
class Shapes:
    """The rows of a table with their shapes.

    Attributes
    ----------
    name : str
        The table's.
    kind : "LineString Z", "MultiPolygon" or "Point"
    shapes : (n,) array of shapely geometries
        In metres of the land (x east, y north; lines have the height of the water as z); None
        for a line without length.
    columns : mapping of name to (n,) array
        Numbers or text; `end` in words, where an outlet lies as outlet_x and outlet_y.
    units : mapping of name to text
    """

    name: str
    kind: str
    shapes: NDArray[Any]
    columns: Mapping[str, NDArray[Any]]
    units: Mapping[str, str]


def shapes(terrain: Terrain, name: str, *, cut: bool = False) -> Shapes:
    """Return a table of the land with a shape for every row, or for every reach if it is cut.

    Lines run through the table's points. The outline of a lake or basin goes around its cells,
    islands left out, so that its area is theirs; parts that touch at a corner alone are parts of
    one MultiPolygon. All of them are valid by the rules of OGC.

    Raises
    ------
    DowncutError
        For a table that there is not, without lines to cut, or without the layer that its
        outlines are made from.
    """
    table = terrain.features.get(name)
    if table is None:
        known = ", ".join(terrain.features) or "none; hydrology.rivers, lakes and basins make them"
        raise DowncutError(f"no table is called {shown(name)} here; there are: {known}")
    if cut:
        table = reaches(table)
    if table.offsets is not None:
        return _named(name, "LineString Z", _lines(table), table)
    if name in OUTLINES:
        outlines = _outlines(terrain[OUTLINES[name]], len(table), terrain.grid)
        return _named(name, "MultiPolygon", outlines, table)
    import shapely

    return _named(name, "Point", shapely.points(table["x"], table["y"]), table)


def reaches(rivers: Table) -> Table:
    """Cut rivers where their order rises, so that each reach can be drawn as wide as it is.

    A reach has its own `id`, the id of its `river`, and what the river is at the reach's lower
    end, above the stream that joins there; where it is cut, both reaches have the point.

    Raises
    ------
    DowncutError
        For a table without lines.
    """
    if rivers.offsets is None:
        raise DowncutError("this table has no lines to cut: its rows are places")
    starts = rivers.offsets[:-1]
    rises = np.flatnonzero(np.diff(rivers.points["order"], prepend=0) > 0)
    first = np.union1d(starts, rises[~np.isin(rises, rivers.offsets[1:] - 1)])
    below = np.append(first, rivers.offsets[-1])[1:]  # where the next one begins
    goes_on = ~np.isin(below, rivers.offsets)
    length = below - first + goes_on
    offsets = np.append(0, np.cumsum(length))
    place = np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], length)
    points = {name: values[place] for name, values in rivers.points.items()}
    river = rivers["id"][np.searchsorted(starts, first, side="right") - 1]
    columns = {"id": np.arange(1, first.size + 1), "river": river}
    for name, values in rivers.points.items():
        if name not in ("x", "y"):
            columns[name] = values[below - 1]
    return Table(columns, rivers.units, offsets, points)


def _named(name: str, kind: str, geometries: NDArray[Any], table: Table) -> Shapes:
    """Give columns the names and words that stand alone."""
    columns = dict(table.columns)
    units = dict(table.units)
    if columns.pop("outlet", None) is not None:  # a cell's number says nothing outside
        for axis in ("x", "y"):
            columns[f"outlet_{axis}"] = columns.pop(axis)
            units[f"outlet_{axis}"] = units.pop(axis, "m")
    if "end" in columns:
        words = np.array([ENDS.get(name, "land"), "sea", "edge"], object)
        columns["end"] = words[np.asarray(columns["end"], np.int64)]
    if "kind" in columns:
        columns["kind"] = np.array(KINDS, object)[np.asarray(columns["kind"], np.int64)]
    units = {key: unit for key, unit in units.items() if key in columns}
    return Shapes(name, kind, geometries, columns, units)


def _lines(table: Table) -> NDArray[Any]:
    """Return a line for each row whose points are not all the same."""
    import shapely

    assert table.offsets is not None
    x, y = table.points["x"], table.points["y"]
    z = table.points.get("surface", np.zeros(len(x)))
    row = np.repeat(np.arange(len(table)), np.diff(table.offsets))
    moves = (np.diff(x) != 0) | (np.diff(y) != 0)
    moves &= row[1:] == row[:-1]
    found = np.full(len(table), None, object)
    rows = np.unique(row[1:][moves])
    mine = np.isin(row, rows)
    if rows.size:
        points = np.stack([x, y, z], axis=1)[mine]
        found[rows] = shapely.linestrings(points, indices=np.searchsorted(rows, row[mine]))
    return found


def _outlines(numbers: NDArray[Any] | StoredLayer, count: int, grid: Grid) -> NDArray[Any]:
    """Return the outline of the cells of each number from 1 to `count`, counter-clockwise."""
    import shapely

    strips = numbers.strips() if isinstance(numbers, StoredLayer) else [numbers]
    parts: list[tuple[int, Any]] = []
    cut: set[int] = set()
    top, above = 0, np.zeros(0, np.int64)
    for strip in strips:
        cut |= {*np.intersect1d(above, strip[0]).tolist()}
        parts += _polygons(strip, top)
        top, above = top + len(strip), np.unique(strip[-1])
    parts.sort(key=lambda part: part[0])
    found = np.full(count, shapely.MultiPolygon(), object)
    present, which = np.unique([number for number, _ in parts], return_inverse=True)
    if present.size:
        whole = shapely.multipolygons([part for _, part in parts], indices=which)
        found[present.astype(np.intp) - 1] = whole
    for number in cut & {*present.tolist()}:
        found[number - 1] = _joined(found[number - 1])
    west, _, _, north = edges(grid)
    scale, corner = np.array([grid.cell_size, -grid.cell_size]), np.array([west, north])
    placed = shapely.transform(found, lambda points: points * scale + corner)
    turned: NDArray[Any] = shapely.orient_polygons(placed, exterior_cw=False)
    return turned


def _polygons(numbers: NDArray[Any], top: int) -> list[tuple[int, Any]]:
    """Return (number, polygon) of the cells that touch along an edge; x, y are columns and rows."""
    import shapely
    from rasterio.features import shapes as polygons
    from rasterio.transform import Affine

    labels = np.ascontiguousarray(numbers, np.int32)
    place = Affine.translation(0, top)
    return [
        (int(number), shapely.Polygon(part["coordinates"][0], part["coordinates"][1:]))
        for part, number in polygons(labels, mask=labels > 0, connectivity=4, transform=place)
    ]


def _joined(cut: Any) -> Any:
    """Return the parts of an outline that strips have cut as one, without the cuts' own corners."""
    import shapely

    whole = shapely.simplify(shapely.union_all(cut.geoms), 0.0)
    return whole if whole.geom_type == "MultiPolygon" else shapely.MultiPolygon([whole])
