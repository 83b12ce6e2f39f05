"""Lands in stores: any level, any part, read from the disk when it is asked for."""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.features import Table
from downcut.grid import Grid
from downcut.importing.reading import guarded
from downcut.importing.store import refuse_incomplete
from downcut.terrain import PART, Terrain

Array = NDArray[Any]
Box = tuple[int, int, int, int]
"""(first row, last + 1, first column, last + 1)."""
STRIP = 512
"""Rows that are read at a time: a row of chunks."""
BESIDE = 3
"""Times its own bytes that a layer takes of memory while it is worked on."""


class StoredLayer:
    """A layer, or a part of one, whose cells are read from the disk when they are asked for.

    Parameters
    ----------
    array : zarr.Array
    box : (first row, last + 1, first column, last + 1), optional
        The part; by default all.
    """

    def __init__(self, array: Any, box: Box | None = None) -> None:
        self.array = array
        self.box = box or (0, array.shape[0], 0, array.shape[1])
        self.shape = (
            self.box[1] - self.box[0], self.box[3] - self.box[2], *array.shape[2:],
        )  # fmt: skip
        self.dtype, self.ndim = np.dtype(array.dtype), array.ndim
        self.nbytes = math.prod(self.shape) * self.dtype.itemsize

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, part: tuple[slice, slice]) -> Array:
        """Read some rows and columns."""
        rows, cols = (
            slice(first + each.start, first + each.stop)
            for each, first, count in zip(
                _bounded(part, self.shape), self.box[::2], self.shape, strict=False
            )
        )
        found: Array = self.array[rows, cols]
        return found

    def part(self, box: Box) -> "StoredLayer":
        """Return a part of it, still unread."""
        top, _, left, _ = self.box
        return StoredLayer(self.array, (box[0] + top, box[1] + top, box[2] + left, box[3] + left))

    def read(self) -> Array:
        """Read all of it.

        Raises
        ------
        DowncutError
            If that takes more memory than there is.
        """
        need, free = self.nbytes * BESIDE, psutil.virtual_memory().available
        if need > free:
            raise DowncutError(
                f"{self.shape[0]} × {self.shape[1]} cells of {self.array.basename} take about "
                f"{need / 1e9:,.1f} GB of memory here and {free / 1e9:,.1f} GB are free: take a "
                "coarser level, or a format that is written in parts (.tif, .cog.tif, .pmtiles)"
            )
        return self[:, :]

    def strips(self) -> Iterator[Array]:
        """Read it some rows at a time, from the north."""
        for top in range(0, self.shape[0], STRIP):
            yield self[top : top + STRIP, :]


def _bounded(part: tuple[slice, slice], shape: tuple[int, ...]) -> Iterator[slice]:
    for each, count in zip(part, shape[:2], strict=True):
        start, stop, step = each.indices(count)
        assert step == 1
        yield slice(start, stop)


class _Read(Mapping[str, Any]):
    """Values that are read when they are first asked for, and kept."""

    def __init__(self, names: list[str], read: Callable[[str], Any]) -> None:
        self.names, self.read = names, read
        self.found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        if name not in self.found:
            self.found[name] = self.read(name)
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True)
class StoredLand(Terrain):
    """A land in a store, or a part of it: its layers are `StoredLayer`s, or read when asked for."""

    layers: Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What is known of it without reading: `checksum`, `low_m`, `high_m`; nothing of a part."""
    levels: tuple["StoredLand", ...] = ()
    """It, and each coarser form of it."""

    def __post_init__(self) -> None:
        """Let the layers be as they are: nothing of them is in memory."""

    def window(self, row: int, col: int, ny: int, nx: int) -> "StoredLand":
        """Return a part, still unread."""
        layers = {n: a.part((row, row + ny, col, col + nx)) for n, a in self.layers.items()}
        return StoredLand(self.grid.window(row, col, ny, nx), layers, recipe=self.recipe)

    def read(self) -> "StoredLand":
        """Return it with layers that are read, each when it is first asked for."""
        if not all(isinstance(each, StoredLayer) for each in self.layers.values()):
            return self
        read = _Read(list(self.layers), lambda name: _locked(self.layers[name].read()))
        return StoredLand(self.grid, read, self.features, recipe=self.recipe, facts={
            "checksum": self.checksum,
        } | dict(self.facts))  # fmt: skip

    @cached_property
    def checksum(self) -> str:
        """The name of the layers' bytes; of the whole as it was written."""
        return str(self.facts["checksum"]) if "checksum" in self.facts else named(self)

    @cached_property
    def relief(self) -> tuple[float, float]:
        """Lowest and highest elevation [m]."""
        if "low_m" in self.facts:
            return float(self.facts["low_m"]), float(self.facts["high_m"])
        elevation = self["elevation"]
        strips = elevation.strips() if isinstance(elevation, StoredLayer) else [elevation]
        ends = [(float(each.min()), float(each.max())) for each in strips]
        return min(low for low, _ in ends), max(high for _, high in ends)


def _locked(values: Array) -> Array:
    values.flags.writeable = False
    return values


def named(land: StoredLand, stop: Callable[[], object] = lambda: None) -> str:
    """Return the name of a land's bytes, as `Terrain.checksum`, read some rows at a time.

    `stop` is called between them, and may raise.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(land.layers):
        layer = land.layers[name]
        kind = layer.dtype.newbyteorder("<")
        digest.update(f"{name}|{kind.str}|{layer.shape}\n".encode())
        rest = b""
        for strip in layer.strips():
            stop()
            data = rest + np.ascontiguousarray(strip, kind).tobytes()
            whole = len(data) - len(data) % PART
            for start in range(0, whole, PART):
                digest.update(hashlib.sha256(data[start : start + PART]).digest())
            rest = data[whole:]
        if rest:
            digest.update(hashlib.sha256(rest).digest())
    return digest.hexdigest()


def opened(path: Path, recipe: Callable[[Any], Any] = lambda content: None) -> StoredLand:
    """Open a store that `build` or `save` made; `recipe` makes a recipe of plain data.

    Raises
    ------
    DowncutError
        For a store that was not finished or has lost chunks.
    """
    try:
        import zarr
    except ImportError:
        raise DowncutError(f"{path} needs zarr: pip install 'downcut[zarr]'") from None
    facts = refuse_incomplete(path)
    found: StoredLand = guarded(
        lambda: _land(zarr.open_group(str(path), mode="r"), facts, recipe), path
    )
    return found


def _land(root: Any, facts: dict[str, Any], recipe: Callable[[Any], Any]) -> StoredLand:
    names = sorted((name for name in root.group_keys() if name.isdecimal()), key=int)
    grown = None if facts.get("recipe") is None else recipe(facts["recipe"])
    found = [_level(root[name], n, facts, grown) for n, name in enumerate(names)]
    tables = root.get("features", {})
    features = _Read(sorted(tables), lambda name: _table(tables[name]))
    whole, *coarser = found
    return StoredLand(
        whole.grid, whole.layers, features, recipe=grown, facts=facts, levels=(whole, *coarser)
    )


def _level(group: Any, number: int, facts: Mapping[str, Any], recipe: Any) -> StoredLand:
    layers = {
        name: StoredLayer(group[name]) for name in sorted(group.array_keys()) if name not in "yx"
    }
    scale = 2**number
    shape = {each.shape[:2] for each in layers.values()}
    ny, nx = (-(-int(facts[side]) // scale) for side in ("ny", "nx"))
    if shape != {(ny, nx)}:
        raise DowncutError(f"level {number} of the store is damaged: its layers are {shown(shape)}")
    corner = (round(2 * facts[n] / scale) / 2 for n in ("corner_row", "corner_col"))
    return StoredLand(Grid(ny, nx, facts["cell_size_m"] * scale, *corner), layers, recipe=recipe)


def _table(group: Any) -> Table:
    points = group.get("points", {})
    arrays = {name: group[name][:] for name in group.array_keys()}
    told = [(n, of[n].attrs.get("units")) for of in (group, points) for n in of if n != "points"]
    units = {name: str(unit) for name, unit in told if unit not in (None, "1")}
    columns = group.attrs.get("columns", [n for n in arrays if n != "offsets"])
    return Table(
        {name: arrays[name] for name in columns}, units, arrays.get("offsets"),
        {name: points[name][:] for name in points},
    )  # fmt: skip
