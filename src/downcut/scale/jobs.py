"""What is done to a land, one thing after another, and which of it a tile can do by itself."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from downcut.plan import Leg, Plan
from downcut.recipe import Task
from downcut.step import Step
from downcut.windows import halo_of

SMALL = 16
"""Steps whose surroundings come to less than this part of a tile share a pass."""


@dataclass(frozen=True)
class Job:
    """A step on the land's own cells, or the change of a stage's lattice carried to them."""

    leg: Leg
    task: Task | None
    """None for a change that is carried."""
    halo: int | None
    """Cells around a tile that decide it; None if the whole land does."""

    @property
    def op(self) -> str:
        """Name of the step."""
        return self.task.step.op if self.task else f"{self.leg.stage.tasks[0].step.op}, carried"

    @property
    def path(self) -> str:
        """Where it stands in the recipe."""
        return self.task.path if self.task else f"steps.{self.leg.index}"

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """Layers it reads; some may be missing."""
        return tuple(self.task.step.inputs().values()) if self.task else ("elevation",)

    @cached_property
    def writes(self) -> tuple[str, ...]:
        """Layers it makes."""
        return self.task.step.outputs() if self.task else ("elevation",)

    @property
    def nanoseconds(self) -> float:
        """Rough cost of a cell."""
        return self.task.step.work() if self.task else 10.0

    @property
    def working_bytes(self) -> int:
        """Memory a cell beside its layers."""
        return self.task.step.working_bytes if self.task else 28


def jobs(way: Plan, alone: Callable[[Step], bool]) -> list[Job]:
    """Return what is done on the ground, in order; what goes `alone` counts as without a halo."""
    found = []
    for leg in way.legs:
        if leg.source is not None:
            found.append(Job(leg, None, 0))
        else:
            found += [
                Job(leg, task, None if alone(task.step) else halo_of(task.step, way.grid))
                for task in leg.stage.tasks
            ]
    return found


def runs(all_jobs: list[Job], tile: int) -> list[list[Job]]:
    """Group jobs that are done together: local ones while little is done twice, whole ones.

    A job with wide surroundings begins a run of its own, so that what comes before it is not done
    over all of them.
    """
    groups: list[list[Job]] = []
    around = 0
    for job in all_jobs:
        near = job.halo is not None
        together = bool(groups) and (groups[-1][-1].halo is not None) == near
        if job.halo is None:
            around = 0
        elif (around + job.halo) * SMALL <= tile:
            around += job.halo
        elif job.halo:
            together = False
            around = 0 if job.halo * SMALL > tile else job.halo
        if together:
            groups[-1].append(job)
        else:
            groups.append([job])
    return groups


def halos(group: list[Job]) -> list[int]:
    """Return how many cells around a tile must be right before each job of a local run."""
    wanted, found = 0, []
    for job in reversed(group):
        wanted += job.halo or 0
        found.append(wanted)
    return found[::-1]
