"""From layers to the samples of a raster: clean values, or whole numbers that stand for them."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.export import sidecar
from downcut.export.mesh import colours
from downcut.layers import layer as meaning_of
from downcut.run import Run
from downcut.shading import BIOMES, SPLAT, to_srgb
from downcut.step import at_the_door
from downcut.terrain import Terrain

Array = NDArray[Any]

LEVELS = 65535
"""The highest of a 16-bit heightmap's levels (65536 of them, from 0)."""

SLICE = 256

LINEAR, LOGARITHMIC = "linear", "log"

SHARES = {"moisture", "rock", "hillshade", "occlusion", "mask"}
"""Layers from 0 to 1: that is the range of their levels, so that files of all lands agree."""


@dataclass(frozen=True)
class Samples:
    """What goes into a file: (ny, nx) or (ny, nx, bands), and what a reader must know of it."""

    array: Array
    span: tuple[float, float] | None = None
    """What the lowest and the highest level stand for; None where samples are the values."""
    more: dict[str, Any] = field(default_factory=dict)

    def facts(self, terrain: Terrain, layer: str, **more: Any) -> dict[str, Any]:
        """Return the side file's content."""
        known = {**self.more, **more}
        return sidecar.facts(terrain, layer, self.array, span=self.span, **known)


def plane(terrain: Terrain, layer: str = "elevation") -> Array:
    """Return a layer as (ny, nx) or (ny, nx, bands) in its declared dtype, C order.

    A land without a `colour` layer has the colours that its picture has, without light on them:
    they are relative to this land.

    Raises
    ------
    DowncutError
        If there is no such layer, some of it is NaN or infinite, or its dtype cannot hold it.
    """
    if layer == "colour" and layer not in terrain.layers:
        return to_srgb(colours(terrain))
    given = terrain[layer]
    clean = at_the_door(given, layer, layer, terrain.grid)
    if clean is not given and given.dtype.kind in "iu" and (clean != given).any():
        raise DowncutError(
            f"{layer} has whole numbers beyond 2^24, which {clean.dtype} does not tell apart: "
            "save it as .npz, or give it fewer numbers"
        )
    return clean


def legend(layer: str) -> dict[str, Any]:
    """Return what numbers or bands of a layer are called, for its side file."""
    if layer == "biome":
        rows = [
            {"value": n, "name": tone.name, "rgb": list(tone.rgb)} for n, tone in enumerate(BIOMES)
        ]
        return {"legend": rows}
    return {"bands_are": [tone.name for tone in SPLAT]} if layer == "splat" else {}


def levels(
    elevation: NDArray[Any], low: float, high: float, most: int = LEVELS
) -> NDArray[np.unsignedinteger[Any]]:
    """Return values as the nearest of `most` + 1 levels from `low` (0) to `high` (`most`).

    low + level · (high − low) / most is at most (high − low) / (2 · most) from the value. Where
    high = low every level is 0, which stands for `low`.
    """
    scaled = np.empty(elevation.shape, np.uint16 if most > 255 else np.uint8)
    step = (high - low) / most or 1.0

    def work(start: int, stop: int) -> None:
        heights = elevation[start:stop].astype(np.float64)
        heights -= low
        heights /= step
        scaled[start:stop] = np.clip(np.rint(heights, out=heights), 0, most)

    Run().slices(work, len(elevation), SLICE)
    return scaled


def encode(
    values: Array,
    layer: str,
    *,
    bits: int | None = None,
    low: float | None = None,
    high: float | None = None,
    law: str | None = None,
) -> Samples:
    """Return the values of a layer of one band as whole numbers of 8 or 16 bits.

    Numbers of things (biomes, lakes) stay as they are. Shares of 1 have the range 0 to 1 and,
    unless asked otherwise, 8 bits; all else has its own range and 16 bits. What water gathers
    grows by orders of magnitude: its levels are even in log₁₀(1 + value), or as `law` says.

    Parameters
    ----------
    values : (ny, nx) array
        As `plane` gives them.
    layer : str
    bits : 8 or 16, optional
    low, high : float, optional
        What the lowest and the highest level stand for, in the layer's unit; for files that must
        agree. By default the layer's own lowest and highest.
    law : "linear" or "log", optional

    Raises
    ------
    DowncutError
        For a range that does not hold the layer, or numbers that do not fit.
    """
    declared = meaning_of(layer)
    one_of("bits", bits, (None, 8, 16))
    one_of("law", law, (None, LINEAR, LOGARITHMIC))
    if np.dtype(declared.dtype).kind in "iu":
        return _numbers(values, layer, bits)
    most = 2 ** (bits or (8 if layer in SHARES else 16)) - 1
    span = _span(values, layer, low, high)
    law = law or (LOGARITHMIC if declared.colours == "flow" else LINEAR)
    if law == LINEAR:
        return Samples(levels(values, *span, most), span)
    return _logarithmic(values, layer, span, most)


def _numbers(values: Array, layer: str, bits: int | None) -> Samples:
    """Keep the numbers of things, in the fewest bits that hold them."""
    lowest, highest = int(values.min()), int(values.max())
    bits = bits or (8 if values.dtype.itemsize == 1 else 16)
    if lowest < 0 or highest >= 2**bits:
        raise DowncutError(
            f"{layer} has numbers from {lowest} to {highest}, and {bits} bits hold 0 to "
            f"{2**bits - 1}: save it as .tif, .npy or .zarr"
        )
    kind = np.uint8 if bits == 8 else np.uint16
    return Samples(values.astype(kind, copy=False), None, legend(layer))


def _span(values: Array, layer: str, low: float | None, high: float | None) -> tuple[float, float]:
    """Return the range that the levels cover, which holds every value."""
    least, most = float(values.min()), float(values.max())
    usual = (0.0, 1.0) if layer in SHARES else (least, most)
    span = (usual[0] if low is None else float(low), usual[1] if high is None else float(high))
    if not (math.isfinite(span[0]) and math.isfinite(span[1])) or span[0] > least or span[1] < most:
        unit = meaning_of(layer).unit
        raise DowncutError(
            f"the range {span[0]:g} to {span[1]:g} does not hold {layer}, which goes from "
            f"{least:g} to {most:g} {unit}: give low and high around it"
        )
    return span


def _logarithmic(values: Array, layer: str, span: tuple[float, float], most: int) -> Samples:
    """Return levels that are even in log₁₀(1 + value)."""
    if span[0] < 0:
        raise DowncutError(f"{layer} goes down to {span[0]:g}: law='log' takes 0 and more")
    ends = (math.log10(1 + span[0]), math.log10(1 + span[1]))
    grown = np.log10(values.astype(np.float64) + 1)
    law = "value = 10^(offset + scale * sample) - 1"
    return Samples(levels(grown, *ends, most), ends, {"law": law})


def turned(samples: Array, row_order: str) -> Array:
    """Return the rows in the order that a file asks for.

    Raises
    ------
    DowncutError
        For an order that there is not.
    """
    one_of("row_order", row_order, (sidecar.NORTH, sidecar.SOUTH))
    return samples if row_order == sidecar.NORTH else samples[::-1]


def one_of(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Refuse a value that is none of the choices.

    Raises
    ------
    DowncutError
        With those that there are.
    """
    if value not in choices:
        there = ", ".join(str(c) for c in choices if c is not None)
        raise DowncutError(f"{name} is {shown(value)}: give {there}")
