"""What our files for GIS and web maps say of themselves: GeoJSON, GeoPackage, PMTiles."""

import json
import zlib
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.importing.own import LONGEST_TEXT


def of_geojson(place: Path) -> Any:
    """Return the facts in a GeoJSON of ours: all but the features stands in its first line."""
    with place.open("rb") as file:
        head = file.readline(LONGEST_TEXT)
    return _member(json.loads(head.rstrip() + b"]}"))


def of_geopackage(place: Path) -> Any:
    """Return the facts in the metadata of a GeoPackage of ours."""
    try:
        from pyogrio import read_info
    except ImportError:
        raise DowncutError("GeoPackage needs pyogrio: pip install 'downcut[gis]'") from None
    told = (read_info(place, layer=0)["dataset_metadata"] or {}).get("DOWNCUT", "null")
    return json.loads(told[:LONGEST_TEXT])


def of_pmtiles(place: Path) -> Any:
    """Return the facts in the metadata of a PMTiles archive of ours."""
    try:
        from pmtiles.tile import deserialize_header
    except ImportError:
        raise DowncutError("PMTiles needs pmtiles: pip install 'downcut[map]'") from None
    with place.open("rb") as file:
        header = deserialize_header(file.read(127))
        file.seek(header["metadata_offset"])
        packed = file.read(min(header["metadata_length"], LONGEST_TEXT))
    text = zlib.decompressobj(wbits=31).decompress(packed, LONGEST_TEXT)  # gzip's, no bomb
    return _member(json.loads(text))


def _member(content: Any) -> Any:
    return content.get("downcut") if isinstance(content, dict) else None
