"""Samples without a header: .raw, .r16 and their kin, told by a side file or guessed when plain."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from downcut.errors import DowncutError, shown
from downcut.importing import own
from downcut.importing.asked import Asked
from downcut.importing.heightmap import Array, Raster

BY_SUFFIX = {
    ".r8": "uint8", ".r16": "uint16", ".r32": "float32", ".f32": "float32", ".raw": "uint16",
    ".bin": "uint16",
}  # fmt: skip
"""What a sample is unless someone says otherwise."""
BITS = {8: "uint8", 16: "uint16", 32: "float32"}


def raw(path: Path, asked: Asked) -> Raster:
    """Find out what the bytes are, from what was asked, the side file, or their number."""
    facts = own.needed_beside(path)
    name = asked.dtype or _told_dtype(facts, path) or BY_SUFFIX[path.suffix.lower()]
    order = asked.byte_order or facts.get("byte_order") or "little"
    if order not in ("little", "big"):
        raise DowncutError(f"{own.sidecar(path)} is damaged: its byte_order is {shown(order)}")
    dtype = np.dtype(name).newbyteorder("<" if order == "little" else ">")
    size = path.stat().st_size
    told = _asked_shape(asked, size // dtype.itemsize) or _told_shape(facts)
    shape = told or _guessed(path, size, dtype)
    if math.prod(shape) * dtype.itemsize != size:
        raise DowncutError(
            f"{path} has {size:,} bytes, not the {math.prod(shape) * dtype.itemsize:,} of "
            f"{shape[0]} × {shape[1]} samples of {name}; {_fitting(size, dtype)}"
        )
    raster = Raster(
        f"raw {name}", *shape, dtype, lambda: _samples(path, shape, dtype),
        levels=dtype.kind == "u",
    )  # fmt: skip
    if not (asked.byte_order or facts.get("byte_order")) and dtype.itemsize > 1:
        raster.notes.append("samples are taken as little-endian: byte_order says otherwise")
    if told is None:
        raster.notes.append(f"the size of the file tells {shape[0]} × {shape[1]} samples of {name}")
    return own.told(raster, facts)


def _samples(path: Path, shape: tuple[int, int], dtype: np.dtype[Any]) -> Array:
    return np.fromfile(path, dtype).reshape(shape)


def _told_dtype(facts: dict[str, Any], path: Path) -> str | None:
    """Return the dtype in a side file: ours, or the bits a pixel (bpp) of Unreal's."""
    bits = facts.get("bpp")
    name = facts.get("dtype") or (BITS.get(bits) if isinstance(bits, int) else None)
    return Asked(dtype=name).dtype


def _asked_shape(asked: Asked, count: int) -> tuple[int, int] | None:
    """Return the shape that was asked for; one number is enough."""
    rows, columns = asked.shape
    if rows is None and columns is None:
        return None
    return rows or count // (columns or 1), columns or count // (rows or 1)


def _told_shape(facts: dict[str, Any]) -> tuple[int, int] | None:
    for rows, columns in (("ny", "nx"), ("height", "width")):
        shape = facts.get(rows), facts.get(columns)
        if all(type(n) is int and 0 < n < own.LARGEST for n in shape):
            return shape  # type: ignore[return-value]
    return None


def _guessed(path: Path, size: int, dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the square that the file is, or say what fits."""
    count, rest = divmod(size, dtype.itemsize)
    edge = math.isqrt(count)
    if rest or edge * edge != count or not edge:
        raise DowncutError(
            f"{path} has {size:,} bytes, which no square of {dtype.name} has; "
            f"{_fitting(size, dtype)}"
        )
    return edge, edge


def _fitting(size: int, dtype: np.dtype[Any]) -> str:
    """Say which shapes have that many bytes, or, for an odd number, the nearest that would."""
    count, rest = divmod(size, dtype.itemsize)
    edge = math.isqrt(count)
    if rest:
        near = [f"{n} × {n} ({n * n * dtype.itemsize:,} bytes)" for n in (edge, edge + 1) if n]
        return f"it is no whole number of samples; nearest are {' and '.join(near)}"
    pairs = [f"{n} × {count // n}" for n in range(edge, 0, -1) if count % n == 0][:4]
    others = [
        f"{root} × {root} of {name}"
        for name in ("uint8", "float32")
        if (root := math.isqrt(size // np.dtype(name).itemsize))
        and root * root * np.dtype(name).itemsize == size
        and name != dtype.name
    ]
    if not pairs:
        return "the file is empty"
    return f"say rows, which may make {', '.join([*pairs, *others])}"
