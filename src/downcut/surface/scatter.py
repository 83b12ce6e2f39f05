"""Scatter: where trees, bushes, flowers, reeds, stones and pebbles stand, and where grass grows."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from downcut.grid import Grid
from downcut.randomness import derive
from downcut.run import Run
from downcut.shading import gradient, smoothstep
from downcut.step import Array, Degrees, Metres, Step
from downcut.surface.rooms import ROOM, crowded
from downcut.surface.spacing import ROUNDS, Rule, places
from downcut.surface.species import species_of
from downcut.surface.spots import TURN, cell_of, height_at, things
from downcut.surface.thing import USUAL, Thing, weights

SLICE = 64
FINEST = 2
"""Things that stand closer than a cell's edge over this are left out: they would be dots."""
SOFT_ANGLE = 8.0
"""Over how many degrees below its steepest a thing becomes rare."""
SOFT_HEIGHT = 0.15
"""Over which share of its highest ground likewise."""
WET = (5.0, 10.0)
"""Topographic wetness from which the ground counts as wet, and is fully so."""


class Scatter(Step):
    """Stand things on the land where the ground suits them, none nearer to another than it may be.

    How likely a thing is to stand somewhere is the product of what each rule says of the place:
    slope, height, wetness, distance to water, depth of water, biome. Places come out of hashes of
    the world's own squares (`spacing.places`), so that any window has the same.

    Reads elevation (ny, nx) [m] and, where they are, water_depth [m], water_distance [m], wetness
    and biome; where there is no water_depth, ground below the sea's level counts as water, and
    without water_distance nothing stands that wants water near. Writes grass (ny, nx) uint8, how
    densely it grows, 0 to 255. Gives `plants` and `stones`: id, kind (a place in
    `features.KINDS`), x, y, elevation [m], scale, turn [rad], tint 0 to 1, and species, a place in
    `features.SPECIES`: conifers stand higher up than broad-leaved trees, pines by the sea.

    Things closer than half a cell are left out: their ground is not known so finely.

    Things of several entries make room for each other (`rooms.ROOM`): where the places of two are
    too near, the smaller thing is left out.

    Guaranteed: two things of one entry are never nearer than its spacing, two of different entries
    never nearer than the room that both need, or of one kind than the smaller spacing; none stands
    where a rule gives 0; a window with its halo has the same things as the whole, to the last bit.

    Examples
    --------
    >>> run, flat = Run(), np.full((64, 64), 100.0)
    >>> grass = Scatter()(flat, grid=Grid(64, 64, 2.0), seed=1, run=run)
    >>> int(grass.min()), len(run.features["plants"]) > 50
    (255, True)
    """

    op: Literal["surface.scatter"] = "surface.scatter"
    things: tuple[Thing, ...] = Field(USUAL, max_length=32)
    """The kinds of things, each with its rules."""
    grass_steepest: Degrees = Field(42.0, gt=0, le=90)
    """No grass on steeper ground than this."""
    grass_highest: Metres = Field(2300.0, ge=0, le=20_000)
    """No grass higher than this above the sea, or above the datum on a land without one."""

    reads: ClassVar[tuple[str, ...]] = (
        "elevation",
        "water_depth",
        "water_distance",
        "wetness",
        "biome",
    )
    writes: ClassVar[tuple[str, ...]] = ("grass",)
    features: ClassVar[tuple[str, ...]] = ("plants", "stones")
    current_algorithm: ClassVar[int] = 2
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 4000.0
    working_bytes: ClassVar[int] = 450

    def optional(self) -> frozenset[str]:
        """Return all but the elevation."""
        return frozenset(self.reads[1:])

    def halo(self, grid: Grid) -> int:
        """Return the cells within which something decides what stands in one."""
        seen = self._seen(grid)
        widest = max((thing.spacing for thing in seen), default=0.0)
        room = max([widest, *(2 * ROOM[thing.kind] for thing in seen)])
        return math.ceil(((2 * ROUNDS - 1) * widest + room) / grid.cell_size) + 2

    def _seen(self, grid: Grid) -> list[Thing]:
        return [thing for thing in self.things if thing.spacing * FINEST >= grid.cell_size]

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Find out how well the ground suits each kind of thing, and stand them on it."""
        ground = dict(zip(self.reads, arrays, strict=True))
        seen = self._seen(grid)
        stood: list[dict[str, Any]] = []
        for number, thing in enumerate(self.things):
            if thing in seen:
                part = (len(stood), len(seen) + 1)
                stood.append(self._stand(number, thing, ground, grid, key, run, part))
        stood = _with_room(stood, seen)
        for name, lie in (("plants", False), ("stones", True)):
            parts = [each for each in stood if (each["kind"] in ("stone", "pebble")) == lie]
            run.features[name] = things(parts, ground["elevation"], grid)
        whole = Thing(steepest=self.grass_steepest, highest=self.grass_highest, cover=1.0)
        grass = self._suits(whole, "grass", ground, grid, run, (2 * len(seen), 2 * len(seen) + 1))
        return np.rint(grass * 255).astype(np.uint8)

    def _stand(
        self,
        number: int,
        thing: Thing,
        ground: dict[str, Any],
        grid: Grid,
        key: int,
        run: Run,
        part: tuple[int, int],
    ) -> dict[str, Any]:
        suits = self._suits(thing, thing.kind, ground, grid, run, part)
        rule = Rule(thing.spacing, suits, thing.patch, thing.patchiness)
        chance = [derive(key, thing.kind, number, each) for each in range(ROUNDS + 2)]
        found = places(rule, grid, np.array(chance, np.uint64), run, part)
        x, y, suit, kind, scale, turn, tint = found.T
        return {
            "kind": thing.kind,
            "x": x,
            "y": y,
            "scale": (0.55 + 0.9 * scale) * (0.65 + 0.35 * suit),
            "turn": TURN * turn,
            "tint": tint,
            "species": self._species(thing, kind, x, y, ground, grid, run),
        }

    def _species(
        self,
        thing: Thing,
        chance: Array,
        x: Array,
        y: Array,
        ground: dict[str, Any],
        grid: Grid,
        run: Run,
    ) -> Array:
        height = height_at(ground["elevation"], grid, x, y) - (run.sea_level or 0.0)
        biome = ground["biome"]
        if biome is not None and thing.farthest_water is None:  # what wants water follows it
            row, col = cell_of(grid, x, y)
            biome = biome[row.clip(0, grid.ny - 1), col.clip(0, grid.nx - 1)]
        else:
            biome = None
        sea = run.sea_level is not None
        return species_of(thing.kind, chance, height, thing.highest, biome, sea)

    def _suits(
        self,
        thing: Thing,
        name: str,
        ground: dict[str, Any],
        grid: Grid,
        run: Run,
        part: tuple[int, int],
    ) -> NDArray[np.float32]:
        """Return how well the ground suits a thing, cell by cell, 0 to 1."""
        out = np.empty(grid.shape, np.float32)
        biomes = weights(name)

        def rows(start: int, stop: int) -> None:
            here: Any = {k: None if a is None else a[start:stop] for k, a in ground.items()}
            z = here["elevation"] - np.float32(run.sea_level or 0)
            share = _by_slope(thing, ground["elevation"], grid.cell_size, start, stop)
            share *= 1 - smoothstep((1 - SOFT_HEIGHT) * thing.highest, thing.highest + 1e-3, z)
            depth = here["water_depth"]
            if depth is None and run.sea_level is not None:
                depth = -z
            if depth is not None:
                share[depth > thing.deepest] = 0
            _by_water(thing, share, here["water_distance"])
            wetness = here["wetness"]
            if wetness is not None and thing.wet:
                damp = smoothstep(*WET, wetness)
                share *= 1 - abs(thing.wet) * (1 - damp if thing.wet > 0 else damp)
            if here["biome"] is not None and biomes is not None and thing.farthest_water is None:
                share *= biomes[np.minimum(here["biome"], len(biomes) - 1)]
            out[start:stop] = share * np.float32(thing.cover)

        run.slices(rows, grid.ny, SLICE, part)
        return out


def _with_room(stood: list[dict[str, Any]], seen: list[Thing]) -> list[dict[str, Any]]:
    """Leave out what stands too near to a larger thing's place, or one's of an entry before it.

    A larger thing's place counts though it may be left out itself: so a thing depends on the
    places about it alone, and not on a row of others that depend on each other.
    """
    largest = sorted(range(len(stood)), key=lambda n: (-ROOM[seen[n].kind], n))
    made = list(stood)
    for rank, n in enumerate(largest):
        near = np.zeros(stood[n]["x"].size, np.bool_)
        for m in largest[:rank]:
            room = ROOM[seen[n].kind] + ROOM[seen[m].kind]
            if seen[n].kind == seen[m].kind:
                room = max(room, min(seen[n].spacing, seen[m].spacing))
            near |= crowded(stood[n]["x"], stood[n]["y"], (stood[m]["x"], stood[m]["y"]), room)
        made[n] = {k: v if k == "kind" else v[~near] for k, v in stood[n].items()}
    return made


def _by_slope(thing: Thing, elevation: Array, cell: float, start: int, stop: int) -> Array:
    """1 where it is neither too flat nor too steep, fading towards the limits."""
    east, north = gradient(elevation, cell, start, stop)
    slope = np.degrees(np.arctan(np.sqrt(east * east + north * north)))
    share = np.ones_like(slope)
    if thing.steepest < 90:
        limit = max(thing.steepest, 0.01)
        share -= smoothstep(max(limit - SOFT_ANGLE, 0), limit, slope)
    if thing.flattest > 0:
        share *= smoothstep(thing.flattest, thing.flattest + SOFT_ANGLE, slope)
    return share


def _by_water(thing: Thing, share: Array, distance: Array | None) -> None:
    """Leave nothing where water is nearer, or farther away, than the thing takes."""
    if distance is not None:
        share[distance < thing.nearest_water] = 0
        if thing.farthest_water is not None:
            share[distance > thing.farthest_water] = 0
    elif thing.farthest_water is not None:
        share[:] = 0
