"""Lands in stores: any level, any part, read from the disk when it is asked for."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.features import Table
from downcut.grid import Grid
from downcut.importing.reading import guarded
from downcut.importing.store import refuse_incomplete
from downcut.importing.stored_layer import StoredLayer
from downcut.terrain import PART, Terrain

Array = NDArray[Any]


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

    unread: "StoredLand | None" = None
    """Of one whose layers are read, the same that is not."""

    def __post_init__(self) -> None:
        """Let the layers be as they are: nothing of them is in memory."""

    def window(self, row: int, col: int, ny: int, nx: int) -> "StoredLand":
        """Return a part, still unread."""
        if self.unread is not None:
            return self.unread.window(row, col, ny, nx).read()
        layers = {n: a.part((row, row + ny, col, col + nx)) for n, a in self.layers.items()}
        return StoredLand(self.grid.window(row, col, ny, nx), layers, recipe=self.recipe)

    def read(self) -> "StoredLand":
        """Return it with layers that are read, each when it is first asked for."""
        if self.unread is not None:
            return self
        read = _Read(list(self.layers), lambda name: _locked(self.layers[name].read()))
        return StoredLand(
            self.grid, read, self.features, recipe=self.recipe, facts=self.facts, unread=self
        )

    @cached_property
    def checksum(self) -> str:
        """The name of the layers' bytes; of the whole as it was written."""
        known = self.facts.get("checksum")
        return named(self.unread or self) if known is None else str(known)

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
    """Return a table with its columns and units in the order in which they were written."""
    points = group.get("points", {})
    named, along = (
        list(of.attrs.get("columns", of)) if of else [] for of in (group, points)
    )  # fmt: skip
    told = {name: of[name].attrs.get("units") for of in (group, points) for name in of
            if name != "points"}  # fmt: skip
    units = {n: str(told[n]) for n in (*named, *along) if told.get(n) not in (None, "1")}
    offsets = group["offsets"][:] if "offsets" in group else None
    return Table(
        {name: group[name][:] for name in named}, units, offsets,
        {name: points[name][:] for name in along},
    )  # fmt: skip
