"""Reading a store: any level of it as a dataset, and only if it was finished."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from downcut.errors import DowncutError, shown
from downcut.importing.store import refuse_incomplete
from downcut.importing.stored import StoredLand, opened
from downcut.recipe import Recipe
from downcut.scale.store import zarr_there

if TYPE_CHECKING:
    import xarray


def open_store(path: str | os.PathLike[str], level: int = 0) -> "xarray.Dataset":
    """Open a store that `build` or `save` made; cells are read when they are asked for.

    Parameters
    ----------
    path : path
        As land.zarr.
    level : int ≥ 0
        0 for the land's own cells; each further level halves them.

    Returns
    -------
    xarray.Dataset
        Every layer on y and x [m]. `Terrain.from_xarray` makes a land of it, or of a part.

    Raises
    ------
    DowncutError
        For a store that was not finished or has lost chunks, or a level that it has not.

    Examples
    --------
    >>> import downcut as dc, tempfile
    >>> built = dc.build("island", tempfile.mkdtemp() + "/island.zarr", workers=0)
    >>> dc.open_store(built.path, level=1).elevation.shape
    (256, 256)
    """
    zarr_there()
    try:
        import xarray
    except ImportError:
        raise DowncutError("datasets need xarray: pip install 'downcut[scale]'") from None
    place = Path(path)
    refuse_incomplete(place)
    _refuse_level(level, sum(p.name.isdecimal() for p in place.iterdir()), place)
    found: xarray.Dataset = xarray.open_zarr(
        place, group=str(level), consolidated=False, chunks=None
    )
    return found


def open_land(path: str | os.PathLike[str], level: int = 0) -> StoredLand:
    """Open a store as a land whose cells are read when they are asked for.

    `save` writes GeoTIFF, map tiles and vectors of it part by part, whatever its size;
    `land.window(row, col, ny, nx).read()` is a part of it in memory.

    Parameters
    ----------
    path : path
        As land.zarr.
    level : int ≥ 0
        0 for the land's own cells; each further level halves them.

    Raises
    ------
    DowncutError
        For a store that was not finished or has lost chunks, or a level that it has not.

    Examples
    --------
    >>> import downcut as dc, tempfile
    >>> built = dc.build("island", tempfile.mkdtemp() + "/island.zarr", workers=0)
    >>> land = dc.open_land(built.path)
    >>> land.grid.shape, land.window(40, 50, 8, 9).read()["elevation"].shape
    ((512, 512), (8, 9))
    """
    place = Path(path)
    land = opened(place, Recipe.from_dict)
    _refuse_level(level, len(land.levels), place)
    return land.levels[level] if level else land


def _refuse_level(level: int, count: int, place: Path) -> None:
    if not 0 <= level < count:
        raise DowncutError(f"level is {shown(level)}: {place} has 0 to {count - 1}")
