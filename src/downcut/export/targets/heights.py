"""Heights as 16-bit levels for engines: one range for all tiles, said in numbers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.export.files import Delivery
from downcut.export.origin import about, ground, png_note, recipe_text
from downcut.export.raster import levels
from downcut.terrain import Terrain

LEVELS = 65535


@dataclass(frozen=True)
class Range:
    """The metres that level 0 and level 65535 stand for, the same in every tile."""

    low: float
    high: float

    @classmethod
    def of_step(cls, step: float, level: Mapping[int, float]) -> "Range":
        """Return the range whose levels are `step` metres apart, with one level's height given.

        >>> Range.of_step(0.5, {32768: 0.0})
        Range(low=-16384.0, high=16383.5)
        """
        ((number, metres),) = level.items()
        return cls(metres - number * step, metres + (LEVELS - number) * step)

    @property
    def step(self) -> float:
        """Metres from one level to the next; heights are off by half of it at most."""
        return (self.high - self.low) / LEVELS

    def levels(self, tile: Terrain) -> NDArray[np.uint16]:
        """Return a tile's heights as levels, (ny, nx), north first."""
        return levels(ground(tile), self.low, self.high)

    def facts(self, tile: Terrain, row_order: str = "north first") -> dict[str, Any]:
        """Return what a file of levels cannot say itself."""
        return {
            "kind": "downcut heightmap",
            "metres_of_0": self.low,
            "metres_of_65535": self.high,
            "row_order": row_order,
            **about(tile),
        }


def write_png(tile: Terrain, span: Range, delivery: Delivery, path: Path) -> None:
    """Write a tile as 16-bit grey PNG with its recipe inside."""
    note = png_note(span.facts(tile))
    note.add_itxt("downcut:recipe", recipe_text(tile), zip=True)
    with delivery.file(path, 2 * tile.grid.cells) as file:
        Image.fromarray(span.levels(tile)).save(file, "PNG", pnginfo=note, compress_level=1)


def write_sidecar(tile: Terrain, span: Range, delivery: Delivery, path: Path) -> None:
    """Write a tile's side file."""
    with delivery.file(path, 20_000) as file:
        file.write(json.dumps(span.facts(tile), indent=2, ensure_ascii=False).encode() + b"\n")
