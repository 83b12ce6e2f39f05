"""The formats there are: which writer a file's suffix asks for, and what each of them takes.

A writer is a function `write_x(terrain, file, *, option=default) -> facts or None`; its
keyword-only arguments are the format's options. `file` is a binary file, or for a format that is
a folder, an empty folder. What it returns becomes the side file, where the format has one.
"""

import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from downcut.errors import DowncutError, shown
from downcut.export import (
    ascii_grid,
    exr,
    geojson,
    geopackage,
    geotiff,
    glb,
    numpy_files,
    obj,
    picture,
    png,
    raw,
    stl,
    tiles,
    usd,
    zarr_store,
)
from downcut.export.fitting import fitted
from downcut.export.origin import write_recipe
from downcut.importing.store import MARKER
from downcut.terrain import Terrain

Writer = Callable[..., dict[str, Any] | None]


@dataclass(frozen=True)
class Format:
    """How a kind of file is written, and what it takes."""

    write: Writer
    bytes_per_cell: int
    """About: for the message when a disk is full."""
    needs: str = ""
    """The package it cannot do without."""
    extra: str = ""
    """The name of downcut's extra that brings it."""
    sidecar: bool = False
    """Whether FILE.json is written too, with what the writer returns."""
    marker: str = ""
    """For a format that is a folder: a file that each of its kind holds."""
    by_stem: str = ""
    """The option that the file's name gives where nobody else does."""
    in_parts: bool = False
    """Whether the writer takes a `StoredLand` and reads no more of it at a time than it writes."""

    @property
    def options(self) -> tuple[str, ...]:
        """The writer's keyword-only arguments."""
        parameters = inspect.signature(self.write).parameters.values()
        return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)

    def check(self, target: Path, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Refuse what cannot be written here; return the options as the writer takes them.

        Raises
        ------
        DowncutError
            For an option that the format does not have, a value of another kind, or a missing
            package.
        """
        options = options or {}
        there = ", ".join(self.options) or "none"
        for name in options:
            if name not in self.options:
                raise DowncutError(
                    f"{target.name} takes no option {shown(name)}; its options: {there}"
                )
        if not self.available:
            raise DowncutError(f"{target} needs {self.needs}: pip install 'downcut[{self.extra}]'")
        return fitted(self.write, target.name, options)

    @property
    def available(self) -> bool:
        """Whether the package it needs is installed."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None


def _write_preview(terrain: Terrain, file: BinaryIO) -> None:
    file.write(picture.preview_png(terrain))


def _write_hillshade(terrain: Terrain, file: BinaryIO) -> None:
    file.write(picture.hillshade_png(terrain))


GEOTIFF = Format(geotiff.write_geotiff, 4, "rasterio", "gis", sidecar=True, in_parts=True)
RAW = Format(raw.write_raw, 2, sidecar=True)
FORMATS: dict[str, Format] = {
    ".png": Format(png.write_png, 2, sidecar=True),
    ".tif": GEOTIFF,
    ".tiff": GEOTIFF,
    ".cog.tif": Format(geotiff.write_cog, 6, "rasterio", "gis", sidecar=True, in_parts=True),
    ".exr": Format(exr.write_exr, 4, "OpenEXR", "exr", sidecar=True),
    ".r16": RAW,
    ".raw": RAW,
    ".asc": Format(ascii_grid.write_ascii, 11, sidecar=True),
    ".zarr": Format(zarr_store.write_zarr, 32, "zarr", "zarr", sidecar=True, marker=MARKER),
    ".glb": Format(glb.write_glb, 56, "pygltflib", "mesh"),
    ".obj": Format(obj.write_obj, 90, sidecar=True),
    ".stl": Format(stl.write_stl, 200, sidecar=True),
    ".usd": Format(usd.write_usd, 40, "pxr", "usd"),
    ".usdc": Format(usd.write_usd, 40, "pxr", "usd"),
    ".usda": Format(usd.write_usda, 240, "pxr", "usd"),
    ".usdz": Format(usd.write_usdz, 40, "pxr", "usd"),
    ".npy": Format(numpy_files.write_npy, 4, sidecar=True),
    ".npz": Format(numpy_files.write_npz, 32),
    ".geojson": Format(geojson.write_geojson, 8, "shapely", "gis", by_stem="layer", in_parts=True),
    ".gpkg": Format(geopackage.write_geopackage, 8, "pyogrio", "gis", in_parts=True),
    ".pmtiles": Format(tiles.write_pmtiles, 8, "pmtiles", "map", in_parts=True),
    ".json": Format(write_recipe, 0, in_parts=True),
}
"""The format of a single file by how its name ends; the longest ending that fits counts."""

SET: dict[str, Format] = {
    "heightmap.png": FORMATS[".png"],
    "terrain.tif": FORMATS[".tif"],
    "terrain.glb": FORMATS[".glb"],
    "preview.png": Format(_write_preview, 3),
    "hillshade.png": Format(_write_hillshade, 1),
    "recipe.json": FORMATS[".json"],
}
"""What a folder gets; the recipe last, so that a folder with one is complete."""


def by_name(path: Path) -> Format | None:
    """Return the format that a file's name asks for, or None."""
    name = path.name.lower()
    endings = [e for e in FORMATS if name.endswith(e) and name != e]
    return FORMATS[max(endings, key=len)] if endings else None
