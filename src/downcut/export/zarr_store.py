"""Zarr v3: a folder of chunks with every layer, for arrays that are read in parts."""

from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.export import sidecar
from downcut.export.geotiff import place_of, transform
from downcut.export.placement import Place
from downcut.export.raster import Array, legend, plane
from downcut.importing.store import MARKER, counted
from downcut.layers import hole_of
from downcut.layers import layer as meaning_of
from downcut.terrain import Terrain

CHUNK = 512
"""Rows and columns of a chunk: a megabyte of float32."""


def write_zarr(
    terrain: Terrain,
    folder: Path,
    *,
    layer: str | None = None,
    chunk: int = CHUNK,
    at: Place | None = None,
) -> dict[str, Any]:
    """Write layers as a Zarr v3 store: the group `0` with an array for each, y and x beside them.

    Further groups (`1`, `2` …) are kept for coarser levels. Attributes of the root carry the
    recipe, its digest and the version under `downcut`; they are written last, with the number of
    files and bytes under `complete`, so a store without them was cut short. Read by zarr 3, by
    xarray (`open_zarr(path, group="0", consolidated=False)`) and by GDAL from 3.11 on.

    Parameters
    ----------
    terrain
    folder : path of an empty folder
    layer : str, optional
        The only layer to write; by default all.
    chunk : int, 16 to 8192
        Rows and columns of a chunk.
    at : "longitude,latitude", pair or Placement, optional
        Where the land's middle lies on the Earth; by default nowhere, in local coordinates.

    Returns
    -------
    dict
        The side file's content.
    """
    try:
        import zarr
    except ImportError:
        raise DowncutError("Zarr needs zarr: pip install 'downcut[zarr]'") from None
    if not 16 <= chunk <= 8192:
        raise DowncutError(f"chunk is {chunk}: give 16 to 8192 cells")
    names = list(terrain.layers) if layer is None else [layer]
    names = names or ["elevation"]  # which says that it is not there
    planes = {name: plane(terrain, name) for name in names}
    first = "elevation" if "elevation" in planes else names[0]
    crs, placed = place_of(at)
    facts = sidecar.facts(terrain, first, planes[first], layers=names, **placed)
    made: dict[str, Any] = {}
    root = zarr.create_group(zarr.storage.MemoryStore(made), zarr_format=3)
    group = root.create_group("0", attributes=_place(terrain, crs))
    for name, values in planes.items():
        _encode(group, name, values, chunk)
        _settle(made, folder, [key for key in made if "/c/" in key])
    for axis, places in (("y", terrain.grid.y), ("x", terrain.grid.x)):
        array = group.create_array(
            axis, data=places, chunks=places.shape, dimension_names=(axis,), compressors=None
        )
        array.attrs.update({"units": "m", "standard_name": f"projection_{axis}_coordinate"})
    _settle(made, folder, [key for key in made if key != MARKER])
    root.update_attributes({"downcut": {**facts, "complete": counted(folder)}})
    _settle(made, folder, [MARKER])
    return facts


def _settle(made: dict[str, Any], folder: Path, keys: list[str]) -> None:
    """Move encoded pieces to the disk, in this thread.

    Zarr's own writers go on in the background after an error or Ctrl-C, into a folder that is
    being removed.
    """
    for key in keys:
        place = folder / key
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(made.pop(key).as_numpy_array())


def _encode(group: Any, name: str, values: Array, chunk: int) -> None:
    """Pack one layer without loss."""
    from zarr.codecs import BloscCodec

    declared = meaning_of(name)
    said = {"long_name": declared.meaning, "units": declared.unit or "1", **legend(name)}
    edges = tuple(min(chunk, n) for n in values.shape[:2]) + values.shape[2:]
    group.create_array(
        name,
        data=values,
        chunks=edges,
        compressors=BloscCodec(cname="zstd", clevel=1, shuffle="shuffle"),
        dimension_names=("y", "x", "band")[: values.ndim],
        fill_value=hole_of(values.dtype),
        attributes=said,
    )


def _place(terrain: Terrain, crs: str) -> dict[str, Any]:
    """Return where the cells lie, by the conventions of GeoZarr."""
    return {
        "spatial:dimensions": ["y", "x"],
        "spatial:transform": list(transform(terrain.grid)),
        "spatial:shape": list(terrain.grid.shape),
        "spatial:registration": "pixel",
        "proj:wkt2": crs,
    }
