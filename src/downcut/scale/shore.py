"""The coast in tiles: the sea is known, so a tile needs no more than its shore's width around."""

from dataclasses import dataclass
from typing import cast

from downcut.erosion.coast import Coast as CoastStep
from downcut.scale.jobs import Job
from downcut.scale.parts import Parts
from downcut.scale.passes import Pass, Work, place_of
from downcut.scale.sea import SEA


@dataclass(frozen=True)
class Coast(Pass):
    """Beach and shelf of a tile."""

    job: Job | None = None

    @property
    def step(self) -> CoastStep:
        """The step."""
        assert self.job is not None
        assert self.job.task is not None
        return cast(CoastStep, self.job.task.step)

    @property
    def title(self) -> str:
        """The step."""
        return self.step.op

    @property
    def writes(self) -> tuple[str, ...]:
        """The ground."""
        return ("elevation",)

    def memory(self, parts: Parts) -> int:
        """Heights, the sea and distances, about: more where the shore is wide."""
        return 60 * parts.tile**2

    def nanoseconds(self, parts: Parts) -> float:
        """What the step costs."""
        return 60.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Measure how far the shore is, and bend the tile."""
        assert self.job is not None
        parts, place, step = work.parts, place_of(unit), self.step
        box, core = parts.box(place, step.reach(work.way.grid)), parts.box(place)
        top, bottom, left, right = box
        grid = work.way.grid.window(top, left, bottom - top, right - left)
        sea = parts.read(self.reads[SEA], SEA, box) != 0
        run = work.run()
        where = step.inland(sea, grid, run)
        inner = where[core[0] - top : core[1] - top, core[2] - left : core[3] - left].copy()
        mask = parts.read(self.reads[step.mask], step.mask, core) if step.mask else None
        ground = parts.read(self.reads["elevation"], "elevation", core)
        made = step.bend(ground, mask, inner, grid=grid, run=run)
        work.count(self.job.path, run.ledger)
        parts.write(self.number, place, {"elevation": made})
