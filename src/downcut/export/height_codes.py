"""Heights as colours: the two ways in which map tiles hold metres in red, green and blue."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

MOST = 2**24 - 1
"""The highest code that three bytes hold."""


@dataclass(frozen=True)
class Coding:
    """A way to hold heights in 24 bits: height = base + step · (65536 R + 256 G + B).

    Examples
    --------
    >>> CODINGS["terrarium"].encode(np.array([[0.0, 123.456]])).tolist()
    [[[128, 0, 0], [128, 123, 117]]]
    """

    name: str
    encoding: str
    """What TileJSON and MapLibre call it."""
    base: float
    """The height of code 0 [m]."""
    per_metre: int
    """Codes a metre."""

    @property
    def high(self) -> float:
        """The greatest height there is a code for [m]."""
        return self.base + MOST / self.per_metre

    def encode(self, heights: NDArray[np.floating], nodata: float = 0.0) -> NDArray[np.uint8]:
        """Return heights as colours, off by half a code at most: 1/512 m or 0.05 m.

        Parameters
        ----------
        heights : (…) float [m]
            NaN becomes `nodata`: three bytes leave no code for nothing.
        nodata : float [m]

        Returns
        -------
        (…, 3) uint8
            Heights that there are no codes for become the nearest that there is, with a warning.
        """
        words = self.codes(heights, nodata)
        return words.view(np.uint8).reshape(*np.shape(heights), 4)[..., 1:]

    def codes(self, heights: NDArray[np.floating], nodata: float = 0.0) -> NDArray[np.uint32]:
        """Return the codes themselves, big-endian: bytes are 0, red, green, blue; at least 1-d."""
        codes = np.array(heights, np.float64, ndmin=1)
        codes -= self.base
        codes *= self.per_metre
        np.rint(codes, out=codes)
        if np.isnan(codes.sum()):  # infinities of both signs too
            codes[np.isnan(codes)] = np.rint((nodata - self.base) * self.per_metre)
        if codes.size and (codes.min() < 0 or codes.max() > MOST):
            self._warn()
            np.clip(codes, 0, MOST, out=codes)
        return codes.astype(">u4")

    def _warn(self) -> None:
        warnings.warn(
            f"{self.name} tiles hold {self.base:g} to {self.high:,.10g} m: heights beyond "
            "that are cut off there",
            stacklevel=4,
        )


CODINGS: Mapping[str, Coding] = MappingProxyType(
    {
        "terrarium": Coding("terrarium", "terrarium", -32768.0, 256),
        "terrain-rgb": Coding("terrain-rgb", "mapbox", -10000.0, 10),
    }
)
