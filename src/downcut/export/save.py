"""`dc.save`: the one door out; the name of the file says what it becomes."""

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.export import sidecar
from downcut.export.files import Delivery, explained, refuse_foreign_folder, refuse_taken
from downcut.export.formats import FORMATS, SET, Format, by_name
from downcut.export.names import refuse_name
from downcut.importing.stored import StoredLand
from downcut.terrain import Terrain

LEAST_BYTES = 20_000
"""Of a file beside its cells: headers and the recipe."""


def save(
    terrain: Terrain,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    layer: str | None = None,
    **options: Any,
) -> list[Path]:
    """Save the land in the format its file's name asks for.

    Parameters
    ----------
    terrain : Terrain
        Of one in a store (`open_land`) GeoTIFF, map tiles and vectors are written part by part;
        other formats read the layers that they hold, if those fit in memory.
    path : path
        .png, .r16, .raw: 16-bit levels; .tif, .cog.tif, .exr, .npy: values; .asc: text;
        .npz, .zarr: all layers;
        .glb, .obj, .usd (.usda, .usdc, .usdz): mesh; .stl: solid to print; .json: the recipe;
        .gpkg: rivers, lakes and basins, .geojson: one of them; .pmtiles: map tiles. A name
        without a suffix, or a folder: the whole set in that folder. A raster, an OBJ and an STL
        bring their side file, FILE.json.
    force : bool
        Replace files that exist.
    layer : str, optional
        The layer to save, for the formats that hold one; elevation by default. Of a .geojson the
        table, by default the one that the file is named after: rivers.geojson.
    options
        What else the format takes: the keyword arguments of its writer in `downcut.export`.

    Returns
    -------
    list of Path
        The files written: all of them whole, or (after an error or Ctrl-C) none.

    Raises
    ------
    DowncutError
        For an unknown suffix or option, a file that exists, a folder that may not be written to,
        a full disk, or a missing extra. In a folder, files whose extra is missing are left out,
        with a warning that names it.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> from downcut.grid import Grid
    >>> land = Terrain(Grid(2, 3), {"elevation": np.zeros((2, 3))})
    >>> [file.name for file in save(land, Path(tempfile.mkdtemp()) / "land.png")]
    ['land.png', 'land.png.json']
    """
    chosen = options if layer is None else {"layer": layer, **options}
    check_targets([path], force, chosen)
    files = targets(path)
    if is_set(path):
        files = _without_missing(files, terrain)
    with Delivery(force=force) as delivery:
        for target, form in files.items():
            deliver(delivery, terrain, target, form, **chosen)
    return all_files(files)


def deliver(
    delivery: Delivery, terrain: Terrain, target: Path, form: Format | None = None, **options: Any
) -> dict[str, Any]:
    """Write one file, and its side file if it has one, into a delivery; return its facts.

    Raises
    ------
    DowncutError
        As `save`.
    """
    form = form or _form(target)
    options = form.check(target, options)
    if form.by_stem:
        options = {form.by_stem: target.stem, **options}
    if isinstance(terrain, StoredLand) and not form.in_parts:
        terrain = terrain.read()
    needed = terrain.grid.cells * form.bytes_per_cell + LEAST_BYTES
    if form.marker:
        with delivery.folder(target, needed, form.marker) as folder:
            facts = form.write(terrain, folder, **options)
    else:
        with delivery.file(target, needed) as file:
            facts = form.write(terrain, file, **options)
    if form.sidecar:
        with delivery.file(sidecar.beside(target), LEAST_BYTES) as file:
            sidecar.write(facts or {}, file)
    return facts or {}


def targets(path: str | os.PathLike[str]) -> dict[Path, Format]:
    """Return the files that saving to `path` makes (their side files apart), and their formats.

    Raises
    ------
    DowncutError
        For a suffix that is no format of ours.
    """
    place = Path(path)
    if is_set(path):
        return {place / name: form for name, form in SET.items()}
    return {place: _form(place)}


def all_files(files: Mapping[Path, Format]) -> list[Path]:
    """Return all that is written for `targets`: the files and their side files."""
    found: list[Path] = []
    for target, form in files.items():
        found += [target, sidecar.beside(target)] if form.sidecar else [target]
    return found


def check_targets(
    paths: Iterable[str | os.PathLike[str]],
    force: bool = False,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Refuse, before any work, what `save` would refuse after it.

    Raises
    ------
    DowncutError
        For an unknown suffix or option, a file that exists (without `force`) or is asked for
        twice, a folder that may not be written to, or a missing extra.
    """
    asked: set[str] = set()
    for path in paths:
        refuse_name(path)
        files = targets(path)
        if is_set(path) and (given := list(options or {})):
            raise DowncutError(f"{path} is a folder of many files, which takes no {given[0]}")
        for target, form in files.items():
            if not is_set(path):
                form.check(target, options)
        for target in all_files(files):
            if (place := os.path.realpath(target)) in asked:
                raise DowncutError(f"{target} is asked for twice: name each file once")
            asked.add(place)
            refuse_name(target)
            marker = files[target].marker if target in files else ""
            with explained(target, LEAST_BYTES):
                refuse_unwritable(target.parent)
                if marker:
                    refuse_foreign_folder(target, force, marker)
                else:
                    refuse_taken(target, force)


def is_set(path: str | os.PathLike[str]) -> bool:
    """Tell whether `path` asks for a folder of everything: no suffix, or a folder's name."""
    if (form := by_name(Path(path))) and form.marker:
        return False
    ends_as_folder = os.fspath(path).endswith(("/", os.sep))
    return ends_as_folder or not Path(path).suffix or Path(path).is_dir()


def _form(place: Path) -> Format:
    if (form := by_name(place)) is None:
        raise DowncutError(
            f"{place}: no format is called {place.suffix.lower()!r}; there are "
            f"{', '.join(FORMATS)}, or a name without a suffix for a folder of them"
        )
    return form


def _without_missing(files: dict[Path, Format], terrain: Terrain) -> dict[Path, Format]:
    """Leave out of a folder what cannot be made here, and say so."""
    kept = {}
    for target, form in files.items():
        if target.name == "recipe.json" and terrain.recipe is None:
            continue
        if form.available:
            kept[target] = form
            continue
        warnings.warn(
            f"{target.name} is left out: it needs {form.needs} "
            f"(pip install 'downcut[{form.extra}]')",
            stacklevel=3,
        )
    return kept


def refuse_unwritable(folder: Path) -> None:
    """Raise unless `folder`, or the nearest that exists above it, may be written to.

    Raises
    ------
    DowncutError
    """
    place = Path(os.path.abspath(folder))  # noqa: PTH100 - no links resolved in the message
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        raise DowncutError(f"{place} is a file, so nothing can be saved below it: choose a folder")
    if not os.access(place, os.W_OK | os.X_OK):
        raise DowncutError(f"{place} may not be written to: choose a folder of your own")
