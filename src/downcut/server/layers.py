"""How an array travels: a block of a JSON header and raw little-endian numbers.

A block is: the header's length (uint32, little-endian); the header, UTF-8 JSON padded with spaces
so that what follows begins at a multiple of 8; the array, C order. The header names the layer, its
dtype, shape, unit, and its lowest and highest value. A page reads it as one typed array, without
copying; the files of a static site are the same blocks.
"""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.layers import layer


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
    return header, np.frombuffer(data, dtype, offset=start).reshape(header["shape"])


def _sent_as(dtype: np.dtype[Any]) -> np.dtype[Any]:
    small = {"float64": "<f4", "int64": "<i4", "uint64": "<u4", "bool": "|u1"}
    return np.dtype(small.get(dtype.name, dtype.newbyteorder("<")))


def _number(value: Any) -> float | int | None:
    number = value.item()
    return number if np.isfinite(number) else None
