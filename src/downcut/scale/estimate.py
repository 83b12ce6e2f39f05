"""What a build takes, told before it begins: tiles, tasks, memory, disk and time."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import psutil

from downcut.errors import DowncutError
from downcut.scale.blueprint import Blueprint
from downcut.scale.passes import Pass, cell_bytes
from downcut.scale.wholes import Whole

PROCESS = 350_000_000
"""Bytes that a worker takes before it has any land: Python, numba and its kernels."""

PACKED = 0.5
"""Of the bytes of a land's layers, what they take in the store: most of water's are zeros."""
START = 6.0
"""Seconds until local workers are born and have their kernels."""


@dataclass(frozen=True)
class Estimate:
    """What a build takes.

    Attributes
    ----------
    tiles, tasks : int
    passes : list of (title, units, bytes a unit takes)
    worst : Pass
        The one that comes nearest to what there is.
    memory : int
        What a process takes for a unit of it [bytes].
    allowed : int
        What it may take.
    disk : int
        Of the work and the store together, at most [bytes].
    seconds : float
        On the workers asked for, rough.
    """

    tiles: int
    tasks: int
    passes: list[tuple[str, int, int]]
    worst: Pass
    memory: int
    allowed: int
    disk: int
    seconds: float

    @classmethod
    def of(cls, plan: Blueprint, memory: int | None, workers: int) -> "Estimate":
        """Work it out from the steps' own accounts."""
        parts, hands = plan.parts(Path()), max(1, workers)
        counts = {each.number: len(each.units(parts)) for each in plan.passes}
        free = psutil.virtual_memory().available

        def needs(each: Pass) -> int:
            return each.memory(parts) + PROCESS

        def has(each: Pass) -> int:
            """What a task that runs alone may take is all that the machine has."""
            return memory or (free if counts[each.number] == 1 else free // hands)

        worst = max(plan.passes, key=lambda each: needs(each) / has(each))
        seconds = sum(p.nanoseconds(parts) / min(hands, counts[p.number]) for p in plan.passes)
        seconds += START * 1e9 * (workers > 0)
        rows = [(p.title, counts[p.number], p.memory(parts)) for p in plan.passes]
        cells = parts.ny * parts.nx
        stored = sum(map(cell_bytes, plan.layers)) * 4 / 3 * PACKED
        disk = int(cells * (_most_at_once(plan) + stored))
        return cls(len(parts.places), sum(counts.values()), rows, worst, needs(worst),
                   has(worst), disk, seconds / 1e9)  # fmt: skip

    def refuse_too_large(self, folder: Path) -> None:
        """Refuse a build whose worst unit does not fit in memory, or its files on the disk.

        Raises
        ------
        DowncutError
            Naming the step, what it needs and what there is.
        """
        free = shutil.disk_usage(next(p for p in (folder, *folder.parents) if p.is_dir())).free
        if self.disk > free:
            raise DowncutError(
                f"the build needs up to {self.disk / 1e9:,.1f} GB in {folder} and "
                f"{free / 1e9:,.1f} GB are free: choose another disk or a smaller land"
            )
        if self.memory <= self.allowed:
            return
        need = f"{self.memory / 1e9:,.1f} GB of memory, and it may take {self.allowed / 1e9:,.1f}"
        if isinstance(self.worst, Whole):
            job = self.worst.jobs[0]
            raise DowncutError(
                f"{job.path} ({job.op}) depends on the whole map, which takes {need}: leave it "
                "out, give it a feature_size of larger cells, or give more --memory"
            )
        raise DowncutError(
            f"{self.worst.title} takes {need}: ask for a smaller --tile, fewer --workers, more "
            "--memory or, for stages on lattices, a larger feature_size"
        )


def _most_at_once(plan: Blueprint) -> int:
    """Return the bytes a cell of all layers that lie on the disk together, at most."""
    most = 0
    for each in plan.passes:
        made = {(p.number, name) for p in plan.passes[: each.number + 1] for name in p.writes}
        gone = set(plan.unused(each.number - 1)) if each.number else set()
        most = max(most, sum(cell_bytes(name) for _, name in made - gone))
    return most
