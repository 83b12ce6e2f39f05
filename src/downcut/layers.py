"""The vocabulary of layers: what each name means, in which unit, and how it is coloured."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from downcut.errors import DowncutError


@dataclass(frozen=True)
class Layer:
    """What a layer name stands for."""

    unit: str
    meaning: str
    dtype: DTypeLike = np.float32
    colours: str = "grey"
    bands: int = 1


LAYERS: dict[str, Layer] = {
    "elevation": Layer("m", "height of the ground above the datum", colours="terrain"),
    "water_surface": Layer(
        "m", "height of the water's surface; the ground's where it is dry", colours="water"
    ),
    "water_depth": Layer("m", "depth of lakes and sea, 0 where it is dry", colours="water"),
    "lake": Layer("", "id of the lake, 0 where there is none", np.int32, "numbers"),
    "drainage_area": Layer(
        "m²", "ground that drains through the cell, itself included", np.float64, "flow"
    ),
    "channel": Layer("", "1 where a river runs", np.uint8, "water"),
    "stream_order": Layer("", "Strahler's order of the river, 0 for none", np.uint8, "flow"),
    "discharge": Layer("m³/yr", "water that the river carries, 0 for none", colours="flow"),
    "basin": Layer("", "id of the basin, 0 for the sea", np.int32, "numbers"),
    "divide": Layer("", "1 on the crest between two basins", np.uint8, "grey"),
    "water_distance": Layer("m", "way to the nearest water, as the crow flies", colours="grey"),
    "height_above_drainage": Layer("m", "height above the river it drains to", colours="terrain"),
    "wetness": Layer("", "topographic wetness index, ln of metres", colours="moisture"),
    "moisture": Layer("", "wetness of the air, 0 dry to 1 wet", colours="moisture"),
    "biome": Layer("", "number of the biome, in the step's legend", np.uint8, "biomes"),
    "rock": Layer("", "share of bare rock, 0 grass to 1 rock", colours="grey"),
    "grass": Layer("", "255 × how densely grass grows", np.uint8),
    "normals": Layer("", "unit normal of the surface: east, north, up", bands=3),
    "hillshade": Layer("", "light that the slope throws back, 0 to 1", colours="grey"),
    "occlusion": Layer("", "share of the sky's light that comes in, 0 hidden to 1 open"),
    "splat": Layer("", "255 × the shares of grass, rock, sand and snow", np.uint8, bands=4),
    "colour": Layer("", "surface colour, 8-bit sRGB", np.uint8, bands=3),
    "inland": Layer("", "0 in the sea between provinces to 1 inland"),
    "uplift": Layer("", "what multiplies the uplift rate", colours="grey"),
    "hardness": Layer("", "what divides the erodibility", colours="grey"),
    "rain": Layer("", "how much it rains, 1 as given", colours="water"),
    "mask": Layer("", "where a step acts, 0 not at all to 1 fully"),
}

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def layer(name: str) -> Layer:
    """Return what `name` stands for; a name of one's own is a float32 layer without a unit.

    Raises
    ------
    DowncutError
        If the name is not lower-case letters, digits and underscores (at most 40).
    """
    if not _NAME.fullmatch(name):
        raise DowncutError(
            f"layer name {name!r}: use up to 40 lower-case letters, digits and underscores, "
            "beginning with a letter"
        )
    return LAYERS.get(name, Layer("", "a layer of one's own"))


def hole_of(dtype: DTypeLike) -> float | int:
    """Return what stands for cells that a file has lost: no height, rather than 0 m.

    >>> hole_of(np.float32), hole_of(np.int32), hole_of(np.uint8)
    (nan, -2147483648, 255)
    """
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return float("nan")
    return int(np.iinfo(kind).min if kind.kind == "i" else np.iinfo(kind).max)
