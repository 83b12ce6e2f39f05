"""How an array travels: a block of a JSON header and raw little-endian numbers.

A block is: the header's length (uint32, little-endian); the header, UTF-8 JSON padded with spaces
so that what follows begins at a multiple of 8; the array, C order. The header names the layer, its
dtype, shape, unit, and its lowest and highest value. A page reads it as one typed array, without
copying; the files of a static site are the same blocks. Heights may come as 16-bit numbers, with
what they stand for in the header: value = offset + scale · number.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.export.painting import TINT, tinted
from downcut.layers import layer
from downcut.terrain import Terrain

LEVELS = 65535
"""Steps that a quantised layer's range is divided into."""


def block(name: str, array: NDArray[Any], **facts: Any) -> bytes:
    """Return a layer as a block.

    Parameters
    ----------
    name : str
        What `downcut.layers` knows it by.
    array : (ny, nx) or (ny, nx, bands) array
        int64 and float64 are sent as int32 and float32: a page has no use for more.
    facts
        What else the header says.

    Examples
    --------
    >>> import numpy as np
    >>> header, back = read_block(block("elevation", np.float32([[1, 2]]), size=2))
    >>> header["layer"], header["shape"], header["size"], back.tolist()
    ('elevation', [1, 2], 2, [[1.0, 2.0]])
    """
    plain = np.ascontiguousarray(array, dtype=_sent_as(array.dtype))
    header = {
        "layer": name,
        "dtype": plain.dtype.name,
        "shape": list(plain.shape),
        "unit": layer(name).unit,
        "low": _number(plain.min()) if plain.size else None,
        "high": _number(plain.max()) if plain.size else None,
        **facts,
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-(4 + len(text)) % 8)
    return len(text).to_bytes(4, "little") + text + plain.tobytes()


def read_block(data: bytes) -> tuple[dict[str, Any], NDArray[Any]]:
    """Return the header and the array of a block; what a page does in TypeScript."""
    start = 4 + int.from_bytes(data[:4], "little")
    header = json.loads(data[4:start])
    dtype = np.dtype(header["dtype"]).newbyteorder("<")
    shape = header["shape"]
    return header, np.frombuffer(data, dtype, int(np.prod(shape)), start).reshape(shape)


def quantised(name: str, array: NDArray[Any], span: tuple[float, float], **facts: Any) -> bytes:
    """Return a layer as a block of 16-bit numbers: half the bytes, off by half a step at most.

    Layers of one `span` keep their order: where water and ground are level they stay so.

    Parameters
    ----------
    span : (float, float)
        The lowest and the highest value that the numbers can stand for.

    Examples
    --------
    >>> import numpy as np
    >>> header, back = read_block(quantised("elevation", np.float32([[0, 10]]), (0, 10)))
    >>> (header["offset"] + header["scale"] * back).tolist(), back.dtype.name
    ([[0.0, 10.0]], 'uint16')
    """
    low, high = map(float, span)
    scale = (high - low) / LEVELS or 1.0
    numbers = np.rint((array.astype(np.float64) - low) / scale).clip(0, LEVELS).astype(np.uint16)
    facts |= {"scale": scale, "offset": low, "low": float(array.min()), "high": float(array.max())}
    return block(name, numbers, **facts)


def quantised_step(data: bytes) -> float:
    """Return what the numbers of a quantised block differ by at least, in its unit."""
    return float(read_block(data)[0]["scale"])


def seen(terrain: Terrain, **facts: Any) -> dict[str, bytes]:
    """Return what a view in 3-D draws, as blocks by name.

    These are heights, the land's own colours and, where water stands, its surface; both heights
    in the same steps, so that what is dry is dry to the last bit.
    """
    ground, water = terrain["elevation"], terrain.layers.get("water_surface")
    heights = {"elevation": ground}
    if water is not None and bool((water > ground).any()):
        heights["water_surface"] = water
    span = (float(ground.min()), max(float(each.max()) for each in heights.values()))
    facts = {"size": max(terrain.grid.shape), "cell_size": terrain.grid.cell_size, **facts}
    made = {name: quantised(name, array, span, **facts) for name, array in heights.items()}
    return made | {TINT: block(TINT, tinted(terrain), **facts)}


def joined(blocks: Mapping[str, bytes]) -> bytes:
    """Return blocks one after another, each at a multiple of 8, as `read_blocks` takes them."""
    return b"".join(data + bytes(-len(data) % 8) for data in blocks.values())


def read_blocks(data: bytes) -> Iterator[tuple[dict[str, Any], NDArray[Any]]]:
    """Yield the header and the array of each of the blocks in a row."""
    at = 0
    while at < len(data):
        header, array = read_block(data[at:])
        yield header, array
        at += 4 + int.from_bytes(data[at : at + 4], "little") + array.nbytes
        at += -at % 8


def _sent_as(dtype: np.dtype[Any]) -> np.dtype[Any]:
    small = {"float64": "<f4", "int64": "<i4", "uint64": "<u4", "bool": "|u1"}
    return np.dtype(small.get(dtype.name, dtype.newbyteorder("<")))


def _number(value: Any) -> float | int | None:
    number = value.item()
    return number if np.isfinite(number) else None
