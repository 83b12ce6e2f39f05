"""Rain in tiles, turn after turn: nothing falls twice, and tiles exchange what fell over seams.

In a turn the rain's own tiles do not touch each other. Each falls once, in the task whose tile it
begins in; what it changes beyond that tile is kept in strips, which the next turn lays over.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from downcut.erosion.droplets import Droplets
from downcut.grid import Grid
from downcut.run import Ledger
from downcut.scale.jobs import Job
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import Pass, Work, place_of

STATE = "_rain"
"""The ground on the way."""
MARGIN = 2
"""Cells round all that droplets touch, so that the edge of a window is not theirs."""


@dataclass(frozen=True)
class Fall(Pass):
    """A turn of the rain on all tiles; after the last turn, the ground put together."""

    job: Job | None = None
    turn: int = 0

    @property
    def step(self) -> Droplets:
        """The step."""
        assert self.job is not None
        assert self.job.task is not None
        return cast(Droplets, self.job.task.step)

    @property
    def over(self) -> bool:
        """Whether all has fallen."""
        return self.turn == len(self.step.rain().turns)

    @property
    def title(self) -> str:
        """The step, and its turn."""
        count = len(self.step.rain().turns)
        return f"{self.step.op}, {'put together' if self.over else f'{self.turn + 1} of {count}'}"

    @property
    def writes(self) -> tuple[str, ...]:
        """The ground; on the way a layer of its own."""
        return ("elevation",) if self.over else (STATE,)

    def memory(self, parts: Parts) -> int:
        """The ground under the rain's tiles, and a mask."""
        rain = self.step.rain()
        return 16 * (parts.tile + rain.tile + 2 * rain.reach) ** 2

    def nanoseconds(self, parts: Parts) -> float:
        """A turn's share of the step, and getting there."""
        share = 0.0 if self.over else self.step.work() / len(self.step.rain().turns)
        return (share + 20.0) * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Let the rain's tiles fall that begin here."""
        assert self.job is not None
        assert self.job.task is not None
        parts, place, step, key = work.parts, place_of(unit), self.step, self.job.task.key
        core = parts.box(place)
        if self.over:
            parts.write(self.number, place, {"elevation": self._ground(core, work)})
            return
        box = self._box(place, self.turn, work)
        ground = self._ground(box, work)
        mask = parts.read(self.reads[step.mask], step.mask, box) if step.mask else None
        window = work.way.grid.window(box[0], box[2], box[1] - box[0], box[3] - box[2])
        rain = step.rain()
        tiles = rain.tiles_on(self.turn, work.way.grid, key, core)
        fall = step.falling(ground, mask, window)
        dug, dropped, left = rain.turn(self.turn, fall, tiles, window=window, key=key).sum(axis=0)
        area = window.cell_area
        work.count(self.job.path, Ledger(0.0, dug * area, dropped * area, left * area))
        parts.write(self.number, place, {STATE: _part(ground, box, core)})
        for n, strip in enumerate(_strips(core, box)):
            parts.keep(self.number, f"strip{n}.{unit}", _part(ground, box, strip))

    def _reached(self, place: tuple[int, int], turn: int, work: Work) -> list[Box]:
        """Return what the rain's tiles that begin in a tile may touch in a turn."""
        assert self.job is not None
        assert self.job.task is not None
        rain, grid = self.step.rain(), work.way.grid
        tiles = rain.tiles_on(turn, grid, self.job.task.key, work.parts.box(place))
        return rain.reached(tiles, grid)

    def _box(self, place: tuple[int, int], turn: int, work: Work) -> Box:
        """Return a tile and all that its rain may touch, and a margin that is not its border."""
        boxes = np.array([work.parts.box(place), *self._reached(place, turn, work)])
        (top, _, left, _), (_, bottom, _, right) = boxes.min(axis=0), boxes.max(axis=0)
        return (
            max(int(top) - MARGIN, 0), min(int(bottom) + MARGIN, work.parts.ny),
            max(int(left) - MARGIN, 0), min(int(right) + MARGIN, work.parts.nx),
        )  # fmt: skip

    def _ground(self, box: Box, work: Work) -> Array:
        """Return a part of the ground after the turn before."""
        parts, before = work.parts, self.turn - 1
        if before < 0:
            return parts.read(self.reads["elevation"], "elevation", box)
        last = self.reads[STATE]
        ground = parts.read(last, STATE, box)
        rain = self.step.rain()
        far = rain.tile + rain.reach + 8
        rows, cols = (
            range(max(low - far, 0) // parts.tile, (min(high + far, count) - 1) // parts.tile + 1)
            for low, high, count in ((*box[:2], parts.ny), (*box[2:], parts.nx))
        )
        for place in ((r, c) for r in rows for c in cols):
            core, there = parts.box(place), self._box(place, before, work)
            strips = _strips(core, there)
            for reached in self._reached(place, before, work):
                for n, strip in enumerate(strips):
                    if shared := _shared(_shared(reached, strip), box):
                        values = parts.kept(last, f"strip{n}.{place[0]}.{place[1]}")
                        _part(ground, box, shared)[:] = _part(values, strip, shared)
        return ground


def _strips(core: Box, box: Box) -> list[Box]:
    """Return what of a box lies around its core: north, south, west, east."""
    return [
        (box[0], core[0], box[2], box[3]),
        (core[1], box[1], box[2], box[3]),
        (core[0], core[1], box[2], core[2]),
        (core[0], core[1], core[3], box[3]),
    ]


def _shared(one: Box | None, other: Box) -> Box | None:
    """Return what two boxes share; None for nothing."""
    if one is None:
        return None
    low, high = max(one[0], other[0]), min(one[1], other[1])
    first, last = max(one[2], other[2]), min(one[3], other[3])
    return (low, high, first, last) if low < high and first < last else None


def _part(values: Array, box: Box, inner: Box) -> Array:
    """Return the part of an array on a box that lies in another."""
    return values[inner[0] - box[0] : inner[1] - box[0], inner[2] - box[2] : inner[3] - box[2]]


EXCHANGE = 15.0
"""Nanoseconds a cell that a turn costs beside the rain: reading, writing, and waiting."""


def falls_in_turns(step: object, grid: Grid, tile: int) -> bool:
    """Tell whether exchanging after each turn is cheaper than rain on wide surroundings."""
    if not isinstance(step, Droplets) or min(grid.shape) <= 1:
        return False
    around = 2 * (step.halo(grid) or 0)
    wide = [min(tile + around, count) / min(tile, count) for count in grid.shape]
    twice = step.work() * (wide[0] * wide[1] - 1)
    return twice > EXCHANGE * (len(step.rain().turns) + 1)


def fall_passes(first: int, job: Job, reads: dict[str, int]) -> list[Pass]:
    """Return the passes of a step of droplets: its turns, and the ground after them."""
    assert job.task is not None
    step = cast(Droplets, job.task.step)
    mask = {step.mask: reads[step.mask]} if step.mask else {}
    passes: list[Pass] = []
    for n in range(len(step.rain().turns) + 1):
        ground = {STATE: first + n - 1} if n else {"elevation": reads["elevation"]}
        passes.append(Fall(first + n, {**ground, **mask}, job, n))
    return passes
