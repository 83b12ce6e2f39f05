"""What a recipe grows: named layers on a grid, with features, reports and a checksum."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.features import Table
from downcut.grid import Grid
from downcut.labelled import from_xarray, to_xarray
from downcut.run import Ledger, Run

if TYPE_CHECKING:
    import xarray

PART = 2**22
"""Bytes that are named together; the checksum depends on it."""


@dataclass(frozen=True)
class StepReport:
    """What one step did: its time and the earth it moved [m³]."""

    op: str
    seconds: float
    ledger: Ledger


@dataclass(frozen=True)
class Terrain:
    """A piece of land. `terrain["elevation"]` is a layer; all arrays are read-only.

    Parameters
    ----------
    grid : Grid
    layers : mapping of name to (ny, nx) or (ny, nx, bands) array
        Units and dtypes are declared in `downcut.layers`.
    features : mapping of name to `features.Table`
        Rivers, lakes, plants …: what is a line or a place rather than a field.
    reports : tuple of StepReport
    recipe : the recipe that made it (a `downcut.Recipe`), or None
    painter : function that makes the PNG a notebook shows
    """

    grid: Grid
    layers: Mapping[str, NDArray[Any]]
    features: Mapping[str, Table] = field(default_factory=dict)
    reports: tuple[StepReport, ...] = ()
    recipe: Any = None
    painter: Callable[["Terrain"], bytes] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        locked = {}
        for name, array in self.layers.items():
            if array.shape[:2] != self.grid.shape:
                raise DowncutError(f"layer {name} has shape {array.shape}, grid {self.grid.shape}")
            if array.dtype.kind not in "biuf":
                raise DowncutError(f"layer {name} holds {array.dtype}: give real numbers")
            view = array.view()
            view.flags.writeable = False
            locked[name] = view
        object.__setattr__(self, "layers", MappingProxyType(locked))
        object.__setattr__(self, "features", MappingProxyType(dict(self.features)))

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the layer of this name."""
        if name not in self.layers:
            raise DowncutError(
                f"no layer {name!r} here; there are {', '.join(self.layers) or 'none'}"
            )
        return self.layers[name]

    def window(self, row: int, col: int, ny: int, nx: int) -> "Terrain":
        """Return a part of the land as views of its layers, without its features.

        Its grid says where it lies, and its recipe grows the whole.
        """
        box = slice(row, row + ny), slice(col, col + nx)
        layers = {name: array[box] for name, array in self.layers.items()}
        return Terrain(self.grid.window(row, col, ny, nx), layers, recipe=self.recipe)

    def to_xarray(self) -> "xarray.Dataset":
        """Return the layers as a dataset on y and x [m], with their units and the recipe.

        It shares the arrays, so nothing is copied.

        Examples
        --------
        >>> land = Terrain(Grid(2, 3, 10.0), {"elevation": np.ones((2, 3), np.float32)})
        >>> land.to_xarray().elevation.sel(x=10, y=5, method="nearest").item()
        1.0
        """
        return to_xarray(self)

    @classmethod
    def from_xarray(cls, dataset: "xarray.Dataset") -> "Terrain":
        """Return the land of a dataset with y and x [m], as `to_xarray` or a store gives it.

        Parameters
        ----------
        dataset : xarray.Dataset
            Variables on (y, x) or (y, x, band), north first, on square cells. What is not in
            memory is read.

        Raises
        ------
        DowncutError
            For other axes, or cells that are not square and even.

        Examples
        --------
        >>> land = Terrain(Grid(2, 3, 10.0), {"elevation": np.ones((2, 3), np.float32)})
        >>> Terrain.from_xarray(land.to_xarray()).checksum == land.checksum
        True
        """
        return from_xarray(dataset, cls)

    @cached_property
    def checksum(self) -> str:
        """The name of the layers' bytes (the recipe's name is `recipe.digest`)."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(self.layers):
            array = self.layers[name]
            plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            digest.update(f"{name}|{plain.dtype.str}|{plain.shape}\n".encode())
            digest.update(b"".join(_names_of_parts(plain)))
        return digest.hexdigest()

    @cached_property
    def relief(self) -> tuple[float, float]:
        """Lowest and highest elevation [m]."""
        return float(self["elevation"].min()), float(self["elevation"].max())

    @cached_property
    def ledger(self) -> Ledger:
        """Earth moved by all steps together [m³]."""
        total = Ledger()
        for report in self.reports:
            total.add(report.ledger)
        return total

    def __repr__(self) -> str:
        low, high = self.relief
        grid = self.grid
        return (
            f"<Terrain {grid.ny}×{grid.nx} cells of {grid.cell_size:g} m, "
            f"{low:.0f} to {high:.0f} m, layers: {', '.join(self.layers)}>"
        )

    def _repr_png_(self) -> bytes | None:
        return self.painter(self) if self.painter else None


def _names_of_parts(plain: NDArray[Any]) -> list[bytes]:
    """Return a name for every 4 MB of an array, in threads; processors have SHA-256 inside."""
    data = plain.reshape(-1).view(np.uint8)
    return Run().slices(
        lambda start, stop: hashlib.sha256(data[start:stop].data).digest(),
        data.size,
        PART,
    )
