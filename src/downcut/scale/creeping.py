"""Creep in tiles: each line is solved whole, so columns go in strips, and rows after them."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from downcut.erosion.hillslope import Hillslope, creep, settle
from downcut.run import Ledger
from downcut.scale.jobs import Job
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import Pass, Work

STATE = "_creep"
"""The ground on the way, float64."""


@dataclass(frozen=True)
class Creep(Pass):
    """One direction of one substep, in strips of tiles from edge to edge."""

    job: Job | None = None
    turned: bool = False
    """Along rows."""
    last: bool = False

    @property
    def step(self) -> Hillslope:
        """The step."""
        assert self.job is not None
        assert self.job.task is not None
        return cast(Hillslope, self.job.task.step)

    @property
    def title(self) -> str:
        """The step, and its direction."""
        return f"{self.step.op}, {'rows' if self.turned else 'columns'}"

    @property
    def writes(self) -> tuple[str, ...]:
        """The ground; on the way in float64."""
        return ("elevation",) if self.last else (STATE,)

    def units(self, parts: Parts) -> list[str]:
        """Return the strips."""
        return [
            f"strip{n}" for n in range(-(-(parts.ny if self.turned else parts.nx) // parts.tile))
        ]

    def memory(self, parts: Parts) -> int:
        """A strip in float64 and as it was, and its mask."""
        length = parts.nx if self.turned else parts.ny
        return (parts.tile + 2) * length * 24

    def nanoseconds(self, parts: Parts) -> float:
        """Solving, and getting there."""
        return 35.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Solve a strip with a line more on each side, which stays."""
        parts, place = work.parts, int(unit.removeprefix("strip"))
        core, box = (self._strip(place, around, parts) for around in (0, 1))
        name = STATE if STATE in self.reads else "elevation"
        z = parts.read(self.reads[name], name, box).astype(np.float64)
        loose = None
        if self.step.mask:
            loose = parts.read(self.reads[self.step.mask], self.step.mask, box)
        rate = self.step.rate(work.way.grid)
        lost = creep(z, loose, rate, self.step.hold_border, self.turned, work.run(), (0, 1))
        within = (core[0] - box[0], core[1] - box[0], core[2] - box[2], core[3] - box[2])
        inner = np.ascontiguousarray(z[within[0] : within[1], within[2] : within[3]])
        area = work.way.grid.cell_area
        ledger = Ledger(carried_out=lost * area)
        if self.last:
            inner = self._settled(inner, core, ledger, work)
        assert self.job is not None
        work.count(self.job.path, ledger)
        for r, c in parts.places:
            if place == (r if self.turned else c):
                a, b, d, e = parts.box((r, c))
                tile = inner[a - core[0] : b - core[0], d - core[2] : e - core[2]]
                parts.write(self.number, (r, c), {self.writes[0]: tile})

    def _strip(self, place: int, around: int, parts: Parts) -> Box:
        """Return the cells of a strip, and of some lines around it."""
        if self.turned:
            top, bottom, _, _ = parts.box((place, 0), around)
            return top, bottom, 0, parts.nx
        _, _, left, right = parts.box((0, place), around)
        return 0, parts.ny, left, right

    def _settled(self, exact: Array, core: Box, ledger: Ledger, work: Work) -> Array:
        """Round to float32, and count what has moved."""
        old = work.parts.read(self.reads["elevation"], "elevation", core)
        ground, sums = np.empty(exact.shape, np.float32), np.zeros(3)
        ny, nx = core[1] - core[0], core[3] - core[2]
        settle(old, exact, ground, (0, ny, 0, nx), 0, ny, sums)
        area = work.way.grid.cell_area
        ledger.eroded, ledger.deposited, ledger.clamped = (float(s) * area for s in sums)
        return ground


def creep_passes(first: int, job: Job, reads: dict[str, int]) -> list[Pass]:
    """Return the passes of a step of creep: columns and rows in turn."""
    assert job.task is not None
    step = cast(Hillslope, job.task.step)
    mask = {step.mask: reads[step.mask]} if step.mask else {}
    passes: list[Pass] = []
    for n in range(2 * step.substeps):
        last = n == 2 * step.substeps - 1
        ground = {STATE: first + n - 1} if n else {"elevation": reads["elevation"]}
        old = {"elevation": reads["elevation"]} if last else {}
        passes.append(Creep(first + n, {**ground, **old, **mask}, job, n % 2 == 1, last))
    return passes
