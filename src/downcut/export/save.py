"""`dc.save`: the one door out; the name of the file says what it becomes."""

import importlib.util
import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from downcut.errors import DowncutError
from downcut.export import mesh, picture, raster
from downcut.export.files import Delivery, explained, refuse_taken
from downcut.terrain import Terrain

Writer = Callable[[Terrain, BinaryIO], None]


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


def _write_preview(terrain: Terrain, file: BinaryIO) -> None:
    file.write(picture.preview_png(terrain))


def _write_hillshade(terrain: Terrain, file: BinaryIO) -> None:
    file.write(picture.hillshade_png(terrain))


GEOTIFF = Format(raster.write_geotiff, 4, "rasterio", "gis")
FORMATS: dict[str, Format] = {
    ".png": Format(raster.write_heightmap, 2),
    ".tif": GEOTIFF,
    ".tiff": GEOTIFF,
    ".glb": Format(mesh.write_glb, 56, "pygltflib", "mesh"),
    ".npy": Format(raster.write_npy, 4),
    ".npz": Format(raster.write_npz, 32),
    ".json": Format(raster.write_recipe, 0),
}
"""A single file by its suffix; a .png brings its side file."""

SIDECAR = Format(raster.write_sidecar, 0)

SET: dict[str, Format] = {
    "heightmap.png": FORMATS[".png"],
    "heightmap.png.json": SIDECAR,
    "terrain.tif": FORMATS[".tif"],
    "terrain.glb": FORMATS[".glb"],
    "preview.png": Format(_write_preview, 3),
    "hillshade.png": Format(_write_hillshade, 1),
    "recipe.json": FORMATS[".json"],
}
"""What a folder gets; the recipe last, so that a folder with one is complete."""

LEAST_BYTES = 20_000
"""Of a file beside its cells: headers and the recipe."""


def save(terrain: Terrain, path: str | os.PathLike[str], *, force: bool = False) -> list[Path]:
    """Save the land in the format its file's name asks for.

    Parameters
    ----------
    terrain : Terrain
    path : path
        .png: 16-bit heightmap with a side file .png.json; .tif: float32 GeoTIFF; .glb: mesh;
        .npy: elevation; .npz: all layers; .json: the recipe. A name without a suffix, or a
        folder: the whole set in that folder.
    force : bool
        Replace files that exist.

    Returns
    -------
    list of Path
        The files written: all of them whole, or (after an error or Ctrl-C) none.

    Raises
    ------
    DowncutError
        For an unknown suffix, a file that exists, a folder that may not be written to, a full
        disk, or a missing extra. In a folder, files whose extra is missing are left out, with a
        warning that names it.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> from downcut.grid import Grid
    >>> land = Terrain(Grid(2, 3), {"elevation": np.zeros((2, 3))})
    >>> [file.name for file in save(land, Path(tempfile.mkdtemp()) / "land.png")]
    ['land.png', 'land.png.json']
    """
    files = targets(path)
    check_targets([path], force)
    if _is_set(path):
        files = _without_missing(files, terrain)
    cells = terrain.grid.cells
    with Delivery(force=force) as delivery:
        for target, form in files.items():
            with delivery.file(target, cells * form.bytes_per_cell + LEAST_BYTES) as file:
                form.write(terrain, file)
    return list(files)


def targets(path: str | os.PathLike[str]) -> dict[Path, Format]:
    """Return the files that saving to `path` makes, and the format of each.

    Raises
    ------
    DowncutError
        For a suffix that is no format of ours.
    """
    place = Path(path)
    if _is_set(path):
        return {place / name: form for name, form in SET.items()}
    suffix = place.suffix.lower()
    if suffix not in FORMATS:
        raise DowncutError(
            f"{place}: no format is called {suffix!r}; there are {', '.join(FORMATS)}, "
            "or a name without a suffix for a folder of them"
        )
    files = {place: FORMATS[suffix]}
    if suffix == ".png":
        files[place.with_name(place.name + ".json")] = SIDECAR
    return files


def check_targets(paths: Iterable[str | os.PathLike[str]], force: bool = False) -> None:
    """Refuse, before any work, what `save` would refuse after it.

    Raises
    ------
    DowncutError
        For an unknown suffix, a file that exists (without `force`) or is asked for twice, a folder
        that may not be written to, or a missing extra.
    """
    asked: set[str] = set()
    for path in paths:
        for target, form in targets(path).items():
            if (place := os.path.realpath(target)) in asked:
                raise DowncutError(f"{target} is asked for twice: name each file once")
            asked.add(place)
            if not _is_set(path) and not _is_there(form.needs):
                raise DowncutError(
                    f"{target} needs {form.needs}: pip install 'downcut[{form.extra}]'"
                )
            with explained(target, LEAST_BYTES):
                _refuse_unwritable(target.parent)
                refuse_taken(target, force)


def _is_set(path: str | os.PathLike[str]) -> bool:
    ends_as_folder = os.fspath(path).endswith(("/", os.sep))
    return ends_as_folder or not Path(path).suffix or Path(path).is_dir()


def _is_there(package: str) -> bool:
    return not package or importlib.util.find_spec(package) is not None


def _without_missing(files: dict[Path, Format], terrain: Terrain) -> dict[Path, Format]:
    """Leave out of a folder what cannot be made here, and say so."""
    kept = {}
    for target, form in files.items():
        if form.write is raster.write_recipe and terrain.recipe is None:
            continue
        if _is_there(form.needs):
            kept[target] = form
            continue
        warnings.warn(
            f"{target.name} is left out: it needs {form.needs} "
            f"(pip install 'downcut[{form.extra}]')",
            stacklevel=3,
        )
    return kept


def _refuse_unwritable(folder: Path) -> None:
    """Raise unless `folder`, or the nearest that exists above it, may be written to."""
    place = Path(os.path.abspath(folder))  # noqa: PTH100 - no links resolved in the message
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise DowncutError(f"{place} is a file, so nothing can be saved below it: choose a folder")
    if not os.access(place, os.W_OK | os.X_OK):
        raise DowncutError(f"{place} may not be written to: choose a folder of your own")
