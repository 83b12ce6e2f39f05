"""A meadow: what grows and lies about the stream of the glade, piece by piece."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut.flow.stream import is_off_stream, stream_line
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Metres, Step
from downcut.surface.spots import TURN, Numbers, drawn, things

Rule = Callable[[Numbers, Numbers], Any]

GREAT_TREE = (-7.0, -8.0)
"""Metres east and south of the middle: against the evening sun from where she begins."""
BATCH = 4096


class Meadow(Step):
    """Plant the glade: grass, flowers and trees on the meadow, pebbles and stones in its stream.

    Blades of grass are spread evenly over a disc about the middle, at r = radius · √u, none nearer
    to the stream's line than `bank`. One great tree stands to the north-west and smaller ones
    about it, a ring of far trees closes the view, pebbles lie on the bed and stones on both banks.

    Reads elevation (ny, nx) [m], for the heights of what stands there. Writes grass (ny, nx)
    uint8, 255 on the meadow and 0 in the stream. Gives `plants`, `stones` and `blades`: id, kind
    (a place in `features.KINDS`), x, y, elevation [m], scale, turn [rad], tint 0 to 1, species and,
    of blades, tilt [rad].

    Guaranteed: as many blades as asked for where the grid holds the disc; every thing depends on
    the seed and its number alone, so that a window has those of the whole that lie on it.

    Examples
    --------
    >>> run = Run()
    >>> grass = Meadow(blades=500)(np.zeros((120, 120)), grid=Grid(120, 120, 1.0), run=run)
    >>> len(run.features["blades"]), int(grass.min()), int(grass.max())
    (500, 0, 255)
    """

    op: Literal["surface.meadow"] = "surface.meadow"
    blades: Count = Field(25_000, ge=0, le=1_000_000)
    """How many blades of grass."""
    radius: Metres = Field(58.0, ge=1, le=110)
    """How far from the middle they grow."""
    bank: Metres = Field(4.6, ge=0, le=20)
    """How near to the stream's line grass and flowers grow."""
    trees: Count = Field(6, ge=0, le=40)
    """How many trees there are beside the great one."""
    flowers: Count = Field(320, ge=0, le=100_000)
    """How many flowers."""
    pebbles: Count = Field(160, ge=0, le=100_000)
    """How many pebbles lie on the bed."""
    stones: Count = Field(70, ge=0, le=10_000)
    """How many stones lie on the banks."""
    far_trees: Count = Field(90, ge=0, le=10_000)
    """How many trees close the view."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("grass",)
    features: ClassVar[tuple[str, ...]] = ("plants", "stones", "blades")
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 300.0
    working_bytes: ClassVar[int] = 25

    def halo(self, grid: Grid) -> int:
        """Return 1: heights are read between the centres of cells."""
        return 1

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Place everything, and say where grass grows."""
        (elevation,) = arrays
        plants = [self._great_tree(), self._trees(key), self._far_trees(key), self._flowers(key)]
        run.features["plants"] = things(plants, elevation, grid)
        stones = [self._bed(key), self._banks(key)]
        run.features["stones"] = things(stones, elevation, grid)
        run.features["blades"] = things([self._blades(key)], elevation, grid)
        grass = np.empty(grid.shape, np.uint8)

        def rows(first: int, last: int) -> None:
            x, z = grid.x[None, :], -grid.y[first:last, None]
            d = np.abs(x - stream_line(z)) - self.bank
            grass[first:last] = 255 * np.clip(d + 0.5, 0, 1)

        run.slices(rows, grid.ny, 64)
        return grass

    def _blades(self, key: int) -> dict[str, Any]:
        x, z, (turn, tilt, scale, tint) = self._on_disc(key, 1, self.blades, self.radius, self.bank)
        return {
            **_at("grass", x, z),
            "turn": TURN * turn,
            "tilt": 0.5 * (tilt - 0.5),
            "scale": 0.6 + 1.1 * scale,
            "tint": tint,
        }

    def _flowers(self, key: int) -> dict[str, Any]:
        """Flowers stand in patches: where two slow waves meet."""

        def in_a_patch(x: Numbers, z: Numbers) -> Any:
            return np.sin(0.31 * x + 0.9) * np.sin(0.27 * z - 0.12 * x) > 0.25

        found = self._on_disc(key, 2, self.flowers, 0.75 * self.radius, self.bank + 0.4, in_a_patch)
        x, z, (turn, kind, scale, tint) = found
        growth = {"scale": 0.7 + 0.6 * scale, "turn": TURN * turn, "tint": tint}
        return {**_at("flower", x, z), **growth, "species": np.floor(3 * kind)}

    def _on_disc(
        self,
        key: int,
        stream: int,
        count: int,
        radius: float,
        clear: float,
        rule: Rule | None = None,
    ) -> tuple[Numbers, Numbers, Numbers]:
        """Return x, z of things evenly on a disc, off the stream, and four chances of each."""
        found: list[Numbers] = [np.empty((6, 0))]
        for first in range(0, 200 * BATCH + 8 * count, BATCH):
            if sum(part.shape[1] for part in found) >= count:
                break
            u, angle, *more = drawn(key + stream, first, BATCH, 6)
            x, z = radius * np.sqrt(u) * np.array([np.cos(TURN * angle), np.sin(TURN * angle)])
            good = is_off_stream(x, z, clear)
            if rule is not None:
                good &= rule(x, z)
            found.append(np.stack([x, z, *more])[:, good])
        x, z, *more = np.concatenate(found, axis=1)[:, :count]
        return x, z, np.array(more)

    def _great_tree(self) -> dict[str, Any]:
        x, z = (np.array([place]) for place in GREAT_TREE)
        alone = {"scale": np.ones(1), "turn": np.full(1, 0.6), "tint": np.full(1, 0.5)}
        return {**_at("great_tree", x, z), **alone}

    def _trees(self, key: int) -> dict[str, Any]:
        """Trees between 17 and 40 m from the middle, clear of each other and of the stream."""
        count = 400
        u, angle, turn, scale, tint = drawn(key + 3, 0, count, 5)
        r = 17 + 23 * u
        x, z = r * np.cos(TURN * angle), r * np.sin(TURN * angle)
        clear = is_off_stream(x, z, 7.0)
        kept = _apart(x, z, clear, 9.0, self.trees, [GREAT_TREE])
        growth = {"scale": 0.8 + 0.45 * scale, "turn": TURN * turn, "tint": tint}
        return {**_at("tree", x[kept], z[kept]), **{k: v[kept] for k, v in growth.items()}}

    def _far_trees(self, key: int) -> dict[str, Any]:
        """A ring from 62 to 90 m, one tree in each equal part of it, off the stream."""
        u, angle, turn, scale, tint = drawn(key + 4, 0, self.far_trees, 5)
        angle = (np.arange(self.far_trees) + angle) / max(self.far_trees, 1) * TURN
        x, z = (62 + 28 * u) * np.array([np.cos(angle), np.sin(angle)])
        side = np.where(x < stream_line(z), -1.0, 1.0)
        short = np.maximum(7 - np.abs(x - stream_line(z)), 0)
        growth = {"scale": 0.75 + 0.6 * scale, "turn": TURN * turn, "tint": tint}
        return {**_at("far_tree", x + side * short, z), **growth}

    def _bed(self, key: int) -> dict[str, Any]:
        """Pebbles within 2.6 m of the line, denser towards the middle of the glade."""
        along, across, turn, scale, tint = drawn(key + 5, 0, self.pebbles, 5)
        z = 96 * (along - 0.5) * np.abs(along - 0.5) * 2
        x = stream_line(z) + 5.2 * (across - 0.5)
        growth = {"scale": 0.5 + 1.3 * scale**2, "turn": TURN * turn, "tint": tint}
        return {**_at("pebble", x, z), **growth}

    def _banks(self, key: int) -> dict[str, Any]:
        """Stones 3.2 to 5.6 m from the line on both banks, none through another."""
        count = 12 * self.stones
        along, across, turn, scale, tint = drawn(key + 6, 0, count, 5)
        z = 84 * (along - 0.5)
        side = np.where(across < 0.5, -1.0, 1.0)
        x = stream_line(z) + side * (3.2 + 2.4 * np.abs(2 * across - 1))
        kept = _apart(x, z, np.ones(count, np.bool_), 0.9, self.stones, [])
        growth = {"scale": 0.5 + 1.4 * scale**3, "turn": TURN * turn, "tint": tint}
        return {**_at("stone", x[kept], z[kept]), **{k: v[kept] for k, v in growth.items()}}


def _at(kind: str, x: Numbers, z: Numbers) -> dict[str, Any]:
    return {"kind": kind, "x": x, "y": -z}


def _apart(
    x: Numbers,
    z: Numbers,
    clear: Array,
    spacing: float,
    count: int,
    taken: list[tuple[float, float]],
) -> list[int]:
    """Return the first `count` of the clear places that keep their distance from those before."""
    kept: list[int] = []
    places = np.array([*taken, *zip(x, z, strict=True)]).reshape(-1, 2)
    mine = list(range(len(taken)))
    for number in np.flatnonzero(clear):
        if len(kept) == count:
            break
        place = len(taken) + int(number)
        away = np.hypot(*(places[mine] - places[place]).T)
        if (away >= spacing).all():
            kept.append(int(number))
            mine.append(place)
    return kept
