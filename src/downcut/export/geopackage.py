"""GeoPackage: all tables of a land as layers of one file, for GIS."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.export.geotiff import LOCAL_CRS
from downcut.export.origin import about
from downcut.export.placement import Place, Placement
from downcut.export.shapes import Shapes, shapes
from downcut.terrain import Terrain

NO_TIME = "1970-01-01T00:00:00.000Z"
"""The time of writing that is noted inside, so that the same land gives the same bytes."""


def write_geopackage(terrain: Terrain, file: BinaryIO, *, at: Place | None = None) -> None:
    """Write every table as a layer of a GeoPackage, units in the names of its fields.

    Coordinates are the land's own metres in either case. The metadata item DOWNCUT holds the
    recipe.

    Parameters
    ----------
    at : text "8.5,46.5" or (longitude, latitude), optional
        Where the land's middle lies: the coordinate system is then a Mercator projection about
        it, true to scale there. Without it, it is one of metres that lies nowhere on the Earth.

    Raises
    ------
    DowncutError
        For a land without tables, or one that reaches over the edge of the map.
    """
    if not terrain.features:
        raise DowncutError(
            "this land has no tables to save: add hydrology.rivers, lakes or basins, or "
            "surface.scatter to its recipe"
        )
    placement = None if at is None else Placement.of(at)
    if placement:
        placement.bounds(terrain.grid)
    crs = placement.wkt if placement else LOCAL_CRS
    place = placement and [placement.longitude, placement.latitude]
    facts = {**about(terrain), "written_with": {"at": place}}
    with tempfile.TemporaryDirectory(prefix="downcut-") as folder, _timeless():
        path = Path(folder, "land.gpkg")  # GDAL writes to no file object
        for name in terrain.features:
            _write_layer(path, shapes(terrain, name), crs, facts)
        file.write(path.read_bytes())


def _write_layer(path: Path, found: Shapes, crs: str, facts: dict[str, Any]) -> None:
    import shapely
    from pyogrio.raw import write

    names = [field(name, found.units.get(name, "")) for name in found.columns]
    write(
        path,
        geometry=shapely.to_wkb(found.shapes),
        field_data=[_storable(column) for column in found.columns.values()],
        fields=names,
        crs=crs,
        geometry_type=found.kind,
        driver="GPKG",
        layer=found.name,
        append=path.exists(),
        dataset_metadata=None if path.exists() else {"DOWNCUT": json.dumps(facts)},
    )


def field(name: str, unit: str) -> str:
    """Return a column's name with its unit, in letters that every program takes.

    >>> field("area", "m²"), field("discharge", "m³/yr"), field("slope", "m/m"), field("order", "")
    ('area_m2', 'discharge_m3_per_yr', 'slope', 'order')
    """
    plain = unit.replace("²", "2").replace("³", "3").replace("/", "_per_")
    return f"{name}_{plain}" if plain and plain != "m_per_m" else name


def _storable(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column in a type that GeoPackage has: it knows no unsigned numbers."""
    return column.astype(np.int32) if column.dtype.kind in "ub" else np.ascontiguousarray(column)


@contextmanager
def _timeless() -> Iterator[None]:
    """Let GDAL note no time of day."""
    import pyogrio

    before = pyogrio.get_gdal_config_option("OGR_CURRENT_DATE")
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": NO_TIME})
    try:
        yield
    finally:
        pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": before})
