"""Layers in stores: read from the disk, part by part, when their cells are asked for."""

import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from downcut.errors import DowncutError

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

    def name(self) -> str:
        """Return the name of its samples, as `own.name_of`, read a strip at a time."""
        kind, crc = self.dtype.newbyteorder("<"), 0
        for strip in self.strips():
            crc = zlib.crc32(np.ascontiguousarray(strip, kind).reshape(-1).view(np.uint8).data, crc)
        return f"crc32:{crc:08x}"

    def sampled(self, stride: int) -> Array:
        """Read every so many rows and columns, a strip at a time."""
        tops = range(0, self.shape[0], STRIP)
        strips = zip(tops, self.strips(), strict=True)
        return np.concatenate([strip[-top % stride :: stride, ::stride] for top, strip in strips])

    def strips(self) -> Iterator[Array]:
        """Read it some rows at a time, from the north."""
        for top in range(0, self.shape[0], STRIP):
            yield self[top : top + STRIP, :]


def _bounded(part: tuple[slice, slice], shape: tuple[int, ...]) -> Iterator[slice]:
    for each, count in zip(part, shape[:2], strict=True):
        start, stop, step = each.indices(count)
        assert step == 1
        yield slice(start, stop)
