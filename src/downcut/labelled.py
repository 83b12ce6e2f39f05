"""Lands as datasets of xarray, and back: layers with their units on y and x in metres."""

from typing import TYPE_CHECKING, Any

import numpy as np

from downcut.errors import DowncutError
from downcut.grid import Grid
from downcut.layers import layer

if TYPE_CHECKING:
    import xarray

    from downcut.terrain import Terrain

BANDS = ("y", "x", "band")
ROUNDING = 1e-6
"""Share of a cell by which places may differ from where cells lie."""


def _xarray() -> Any:
    try:
        import xarray
    except ImportError:
        raise DowncutError("datasets need xarray: pip install xarray") from None
    return xarray


def to_xarray(terrain: "Terrain") -> "xarray.Dataset":
    """Return the layers as a dataset; see `Terrain.to_xarray`."""
    names = {
        name: (
            BANDS[: values.ndim],
            values,
            {"long_name": layer(name).meaning, "units": layer(name).unit or "1"},
        )
        for name, values in terrain.layers.items()
    }
    grid, recipe = terrain.grid, terrain.recipe
    said: dict[str, Any] = {"cell_size": grid.cell_size, "checksum": terrain.checksum}
    if recipe is not None:
        said |= {"digest": recipe.digest, "recipe": recipe.to_json(indent=None)}
    places = {"y": grid.y, "x": grid.x}
    axes = {axis: ((axis,), values, {"units": "m"}) for axis, values in places.items()}
    found: xarray.Dataset = _xarray().Dataset(names, axes, said)
    return found


def from_xarray(dataset: "xarray.Dataset", terrain: type["Terrain"]) -> "Terrain":
    """Return the land of a dataset; see `Terrain.from_xarray`."""
    grid = _grid(dataset)
    layers = {}
    for name in map(str, dataset.data_vars):
        values = dataset[name]
        if tuple(values.dims) not in (BANDS[:2], BANDS):
            raise DowncutError(f"{name} has the axes {', '.join(map(str, values.dims))}: give y, x")
        layers[name] = np.asarray(values.values)
    return terrain(grid, layers)


def _grid(dataset: "xarray.Dataset") -> Grid:
    """Return where the cells lie, from the places of y and x."""
    for axis in ("y", "x"):
        if axis not in dataset.coords:
            raise DowncutError(f"the dataset has no {axis}: give the places of cells [m]")
    x, y = (np.asarray(dataset[axis].values, np.float64) for axis in ("x", "y"))
    told = dataset.attrs.get("cell_size")
    steps = np.concatenate([np.diff(x), -np.diff(y)])
    if told is None and not steps.size:
        raise DowncutError("the dataset has one cell and no cell_size: give dataset.attrs one")
    size = float(told if told is not None else steps.mean())
    if steps.size and not (size > 0 and np.abs(steps - size).max() <= ROUNDING * size):
        raise DowncutError(
            "the cells of the dataset are not square, even and north first: resample them, or "
            "turn it by dataset.sortby('y', ascending=False)"
        )
    corner = (-float(y[0]) / size - 0.5, float(x[0]) / size - 0.5)
    row, col = (round(2 * each) / 2 for each in corner)
    return Grid(y.size, x.size, size, row, col)
