"""One kind of thing that stands on the land, the ground that it likes, and what is usual."""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from downcut.shading import BIOMES
from downcut.step import Record, Share

GROWS = {
    "tree": {"desert": 0.015, "scrub": 0.08, "grassland": 0.22, "forest": 1.0, "rain forest": 1.0},
    "bush": {"desert": 0.45, "scrub": 1.0, "grassland": 0.4, "forest": 0.6, "rain forest": 0.8,
             "alpine meadow": 0.35},
    "flower": {"scrub": 0.3, "grassland": 1.0, "forest": 0.3, "rain forest": 0.2,
               "alpine meadow": 1.0},
    "grass": {"beach": 0.08, "desert": 0.10, "scrub": 0.4, "grassland": 1.0, "forest": 0.7,
              "rain forest": 0.6, "alpine meadow": 0.85},
}  # fmt: skip
"""How well each biome suits what grows, 0 where it is not named; stones lie in any.

What wants water near follows it through all of them."""


class Thing(Record):
    """One kind of thing, and the ground that it likes."""

    kind: Literal["tree", "bush", "flower", "reed", "stone", "pebble"] = "tree"
    """What it is."""
    spacing: Annotated[float, Field(json_schema_extra={"unit": "m"}, ge=0.1, le=1000)] = 8.0
    """The least distance between two."""
    cover: Share = 0.8
    """How many of the places that suit are taken."""
    flattest: Annotated[float, Field(json_schema_extra={"unit": "°"}, ge=0, le=90)] = 0.0
    """Only on steeper ground than this."""
    steepest: Annotated[float, Field(json_schema_extra={"unit": "°"}, ge=0, le=90)] = 34.0
    """Never on steeper ground than this."""
    highest: Annotated[float, Field(json_schema_extra={"unit": "m"}, ge=0, le=20_000)] = 1600.0
    """Never higher than this above the sea, or above the datum on a land without one."""
    wet: Annotated[float, Field(json_schema_extra={"unit": "1"}, ge=-1, le=1)] = 0.0
    """1 for wet ground alone, −1 for dry ground alone, 0 for either."""
    nearest_water: Annotated[float, Field(json_schema_extra={"unit": "m"}, ge=0, le=10_000)] = 0.0
    """No nearer to water than this."""
    farthest_water: (
        Annotated[float, Field(json_schema_extra={"unit": "m"}, ge=0, le=10_000)] | None
    ) = None
    """No farther from water than this, in any biome; none for anywhere."""
    deepest: Annotated[float, Field(json_schema_extra={"unit": "m"}, ge=0, le=100)] = 0.0
    """How deep under water it may be."""
    patch: Annotated[float, Field(json_schema_extra={"unit": "m"}, ge=0.5, le=10_000)] = 80.0
    """How wide the patches are in which it stands."""
    patchiness: Share = 0.6
    """0 for evenly spread, 1 for nothing between the patches."""


USUAL = (
    Thing(spacing=8, cover=0.9, steepest=42, nearest_water=2.5, patch=120.0),
    Thing(spacing=7, cover=0.55, steepest=25, nearest_water=1.5, farthest_water=16.0, patch=60.0),
    Thing(kind="bush", spacing=2.6, cover=0.3, steepest=44, highest=2500, nearest_water=1.0,
          patch=35.0, patchiness=0.8),
    Thing(kind="flower", spacing=0.9, cover=0.12, steepest=30, highest=2100, nearest_water=0.5,
          patch=14.0, patchiness=0.97),
    Thing(kind="reed", spacing=0.5, cover=0.8, steepest=20, highest=1200, farthest_water=1.5,
          deepest=0.1, patch=13.0, patchiness=0.97),
    Thing(kind="stone", spacing=4.0, cover=0.16, flattest=14, steepest=56, highest=9000,
          patch=40.0, patchiness=0.85),
    Thing(kind="stone", spacing=1.6, cover=0.35, steepest=40, highest=9000, farthest_water=3.0,
          deepest=0.7, patch=18.0, patchiness=0.7),
    Thing(kind="pebble", spacing=0.5, cover=0.2, steepest=30, highest=9000, farthest_water=1.5,
          deepest=1.0, patch=7.0, patchiness=0.7),
)  # fmt: skip


def weights(kind: str) -> NDArray[np.float32] | None:
    """Return how well each biome suits a kind; None for what lies in any."""
    if kind not in GROWS:
        return None
    return np.array([GROWS[kind].get(tone.name, 0.0) for tone in BIOMES], np.float32)
