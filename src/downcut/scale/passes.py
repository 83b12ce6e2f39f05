"""What a pass is: something done to every tile, or to the whole, before the next may begin."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from downcut.layers import layer
from downcut.run import Ledger, Run
from downcut.scale.parts import Parts

if TYPE_CHECKING:  # kernels are not made of recipes
    from downcut.plan import Plan
    from downcut.recipe import Recipe

WHOLE = "whole"
"""The one unit of a pass that is not done in tiles."""


@dataclass
class Work:
    """What a unit is done with."""

    recipe: "Recipe"
    way: "Plan"
    parts: Parts
    threads: int = 1
    stop: Event = field(default_factory=Event)
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    """Earth that was moved, by where the step stands in the recipe."""

    moved: int = 0
    """Bytes written elsewhere than into parts."""
    notes: dict[str, Any] = field(default_factory=dict)
    """What else is to be remembered of the unit."""

    def run(self, **more: Any) -> Run:
        """Return what a step is lent."""
        return Run(self.threads, stop=self.stop, sea_level=self.recipe.sea_level, **more)

    def count(self, path: str, ledger: Ledger) -> None:
        """Add to the earth that a step has moved."""
        self.ledgers.setdefault(path, Ledger()).add(ledger)


@dataclass(frozen=True)
class Pass(ABC):
    """Something that is done in units, in any order and anywhere; each leaves files of its own."""

    number: int
    reads: Mapping[str, int]
    """Layers, and the number of the pass that made each."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What a person is told is being done."""

    @property
    def writes(self) -> tuple[str, ...]:
        """Layers that it makes, in tiles."""
        return ()

    def units(self, parts: Parts) -> list[str]:
        """Return the names of its units."""
        return [f"{r}.{c}" for r, c in parts.places]

    @abstractmethod
    def do(self, unit: str, work: Work) -> None:
        """Do one unit."""

    @abstractmethod
    def memory(self, parts: Parts) -> int:
        """Return the bytes that a unit takes at most, about."""

    def nanoseconds(self, parts: Parts) -> float:
        """Return the rough cost of all units together."""
        return 5.0 * parts.ny * parts.nx


def place_of(unit: str) -> tuple[int, int]:
    """Return the row and column of a tile by its unit's name."""
    row, col = unit.split(".")
    return int(row), int(col)


def cell_bytes(name: str) -> int:
    """Return the bytes of a layer's cell; names that begin with _ are the passes' own."""
    if name.startswith("_"):
        return {"_basin": 4, "_level": 4, "_rain": 4, "_creep": 8}.get(name, 1)
    return int(np.dtype(layer(name).dtype).itemsize * layer(name).bands)
