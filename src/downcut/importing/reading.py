"""From a path to heights: what kind of file it is, whether it may be read, and what it means."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.importing import kinds, own
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Array, Heightmap, Raster
from downcut.importing.square import Plan, planned, squared
from downcut.importing.voids import filled

CELL, LOW, HIGH = 30.0, 0.0, 1000.0
"""What is assumed of a picture that tells no metres: the cell of a recipe, and a kilometre."""
ABSURD = 1e30
"""Heights beyond this are some program's way of saying no data."""
WORKING_BYTES = 16
"""Memory that reading takes, a cell, beside the samples themselves."""
CHUNK = 2**24


def read(path: str | os.PathLike[str], **options: Any) -> Heightmap:
    """Read the heights in a file: a heightmap, a DEM, or a file of our own.

    Parameters
    ----------
    path : path
        PNG, TIFF, GeoTIFF, EXR, .raw and .r16, .npy and .npz, and whatever GDAL reads.
    options
        What the file does not say itself: the fields of `Asked`.

    Returns
    -------
    Heightmap
        Metres on square cells; gaps are NaN, unless `fill_voids`.

    Raises
    ------
    DowncutError
        In one sentence, for a file that is missing, broken, hostile, of no known kind, or larger
        than the limit; decided from the header, before any cell is read.
    """
    place, asked = Path(path), Asked(**options)
    raster, plan = header(place, asked)
    _refuse_large(raster, plan, asked, place)
    samples = guarded(raster.load, place)
    recipe = None if asked.says_samples else own.recipe_of(raster, samples)
    elevation = _metres(raster, samples, asked)
    if raster.south_first or asked.south_first:
        elevation = np.ascontiguousarray(elevation[::-1])
    notes, crs, corner = list(raster.notes), None, None
    if raster.crs is not None:
        crs = raster.crs.to_wkt()
        corner = (raster.place.c, raster.place.f) if raster.place is not None else None
    if plan is not None:
        elevation = squared(elevation, raster, plan)
        notes += [plan.note] * bool(plan.note)
        if plan.crs is not None:
            crs, corner = plan.crs.to_wkt(), (plan.place.c, plan.place.f)
    if asked.fill_voids and (gaps := int(np.count_nonzero(np.isnan(elevation)))):
        elevation = filled(elevation)
        notes.append(f"{gaps:,} of {elevation.size:,} cells had no data and were filled")
    cell = asked.cell_size or (plan.cell if plan else CELL)
    return Heightmap(
        elevation, cell, raster.sea_level, recipe, tuple(notes), crs, corner,
        knows_cell=bool(plan or asked.cell_size),
    )  # fmt: skip


def header(path: Path, asked: Asked) -> tuple[Raster, Plan | None]:
    """Read what a file's header says, and the square cells that it will be taken to.

    Raises
    ------
    DowncutError
        As `read`, but for files that are too large.
    """
    refuse_strange(path)
    raster = guarded(lambda: kinds.reader(path)(path, asked), path)
    if asked.cell_size is not None:
        raster.cell, raster.place = (asked.cell_size, asked.cell_size), None
    plan = guarded(lambda: planned(raster, path), path)
    if min(raster.ny, raster.nx) < 1:
        raise DowncutError(f"{path} has {raster.ny} × {raster.nx} cells: there is nothing in it")
    return raster, plan


def _refuse_large(raster: Raster, plan: Plan | None, asked: Asked, path: Path) -> None:
    ny, nx = (plan.ny, plan.nx) if plan else (raster.ny, raster.nx)
    cells = max(ny * nx, raster.ny * raster.nx)
    if cells > asked.limit_cells:
        raise DowncutError(
            f"{path} has {ny:,} × {nx:,} cells, and limit_cells is {asked.limit_cells:,}: raise it "
            "or cut a piece out"
        )
    need, have = cells * (WORKING_BYTES + raster.dtype.itemsize), psutil.virtual_memory().available
    if need > have:
        raise DowncutError(
            f"{path} has {ny:,} × {nx:,} cells; reading them takes about {need / 1e9:,.1f} GB of "
            f"memory and {have / 1e9:,.1f} GB are free: cut a piece out"
        )


def refuse_strange(path: Path) -> None:
    """Refuse what is no plain file.

    Raises
    ------
    DowncutError
        For a link, a folder, a device, a pipe, or nothing.
    """
    if path.is_symlink():
        raise DowncutError(f"{path} is a link: give the file that it points to")
    if path.is_dir():
        raise DowncutError(f"{path} is a folder: give a file")
    if not path.exists():
        raise DowncutError(f"{path} is not there: give the path of a heightmap")
    if not path.is_file():
        raise DowncutError(f"{path} is a device or a pipe: give the path of a file")


def guarded(act: Callable[[], Any], path: Path) -> Any:
    """Do what meets hostile bytes: their readers raise whatever they like."""
    try:
        return act()
    except DowncutError:
        raise
    except Exception as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DowncutError(f"{path} cannot be read: {what[:200]}") from error


def _metres(raster: Raster, samples: Array, asked: Asked) -> NDArray[np.float32]:
    """Turn samples into metres; gaps become NaN."""
    scale, offset = raster.scale, raster.offset
    top = int(np.iinfo(samples.dtype).max) if samples.dtype.kind in "ui" else 1
    asked_low, asked_high = asked.height_range
    if raster.levels:
        scale, offset = (HIGH - LOW) / top, LOW
        if asked_low is None and asked_high is None:
            raster.notes.append(
                f"nothing tells its metres: 0 to {top} became {LOW:g} to {HIGH:g} m; low and high "
                "say others"
            )
    if asked_low is not None or asked_high is not None:
        low = offset if asked_low is None else asked_low
        high = offset + scale * top if asked_high is None else asked_high
        scale, offset = (high - low) / top, low
    if raster.cell is None:
        raster.notes.append(f"nothing tells its cells: {CELL:g} m; cell_size says another")
    plain = np.ascontiguousarray(np.ma.getdata(samples))
    with np.errstate(over="ignore", invalid="ignore"):  # what float32 cannot hold becomes a gap
        if plain.dtype.kind == "u" and plain.itemsize <= 2:  # a multiplication a level, not a cell
            table = np.arange(np.iinfo(plain.dtype).max + 1) * scale + offset
            elevation = table.astype(np.float32)[plain]
        elif (scale, offset) == (1.0, 0.0):
            elevation = np.array(plain, np.float32)
        else:
            elevation = (plain.astype(np.float64) * scale + offset).astype(np.float32)
        return _with_gaps(elevation, samples, asked, raster)


def _with_gaps(
    elevation: NDArray[np.float32], samples: Array, asked: Asked, raster: Raster
) -> NDArray[np.float32]:
    plain = np.ma.getdata(samples)
    if np.ma.is_masked(samples):
        elevation[np.ma.getmaskarray(samples)] = np.nan
    for nodata in {asked.nodata, raster.nodata} - {None}:
        elevation[plain == nodata] = np.nan
    if not -ABSURD < elevation.min() <= elevation.max() < ABSURD:
        elevation[~(np.abs(elevation) < ABSURD)] = np.nan
    return elevation


def content_of(path: Path) -> str:
    """Return the name of a file's bytes, and of its side file's if it has one.

    Raises
    ------
    DowncutError
        For what is no plain file.
    """
    refuse_strange(path)
    digest = hashlib.blake2b(digest_size=16)
    for place in (path, own.sidecar(path)):
        if place.is_file():
            with place.open("rb") as file:
                while chunk := file.read(CHUNK):
                    digest.update(chunk)
    return digest.hexdigest()


@dataclass
class _Kept:
    """The files read last: a recipe asks for the same one on every lattice and in every window."""

    found: dict[tuple[Any, ...], Heightmap]
    lock: Lock


_KEPT = _Kept({}, Lock())
MOST_KEPT = 2


def kept(path: str | os.PathLike[str], **options: Any) -> Heightmap:
    """Read as `read`, once for many calls, and name the content; the elevation is read-only.

    Raises
    ------
    DowncutError
        As `read`.
    """
    place = Path(path)
    refuse_strange(place)
    name = (os.path.realpath(place), _state(place), _state(own.sidecar(place)), *options.items())
    with _KEPT.lock:
        if name not in _KEPT.found:
            heightmap = replace(read(place, **options), content=content_of(place))
            heightmap.elevation.flags.writeable = False
            while len(_KEPT.found) >= MOST_KEPT:
                _KEPT.found.pop(next(iter(_KEPT.found)))
            _KEPT.found[name] = heightmap
        return _KEPT.found[name]


def _state(path: Path) -> tuple[int, int] | None:
    if not path.is_file():
        return None
    status = path.stat()
    return status.st_mtime_ns, status.st_size
