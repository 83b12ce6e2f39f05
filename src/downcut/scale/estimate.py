"""What a build takes, told before it begins: tiles, tasks, memory, disk and time."""

from dataclasses import dataclass
from pathlib import Path

import psutil

from downcut.errors import DowncutError
from downcut.scale.blueprint import Blueprint
from downcut.scale.passes import Pass, cell_bytes
from downcut.scale.wholes import Whole

PROCESS = 350_000_000
"""Bytes that a worker takes before it has any land: Python, numba and its kernels."""


@dataclass(frozen=True)
class Estimate:
    """What a build takes.

    Attributes
    ----------
    tiles, tasks : int
    passes : list of (title, units, bytes a unit takes)
    memory : int
        Of a worker, at most [bytes].
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
    memory: int
    allowed: int
    disk: int
    seconds: float
    largest: Pass

    @classmethod
    def of(cls, plan: Blueprint, memory: int | None, workers: int) -> "Estimate":
        """Work it out from the steps' own accounts."""
        parts = plan.parts(Path())
        rows = [(p.title, len(p.units(parts)), p.memory(parts)) for p in plan.passes]
        largest = max(plan.passes, key=lambda each: each.memory(parts))
        allowed = memory or psutil.virtual_memory().available // max(1, workers)
        seconds = sum(
            each.nanoseconds(parts) / max(1, min(workers, len(each.units(parts))))
            for each in plan.passes
        )
        held = most = 0
        for each in plan.passes:
            held += sum(map(cell_bytes, each.writes))
            most = max(most, held)
            held -= sum(cell_bytes(name) for n, name in plan.unused(each.number))
        cells = parts.ny * parts.nx
        store = sum(map(cell_bytes, plan.layers)) * cells * 4 // 3
        return cls(
            len(parts.places), sum(units for _, units, _ in rows), rows,
            largest.memory(parts) + PROCESS, allowed, most * cells + store, seconds / 1e9, largest,
        )  # fmt: skip

    def refuse_too_large(self) -> None:
        """Refuse a build whose largest unit does not fit.

        Raises
        ------
        DowncutError
            Naming the step, what it needs and what there is.
        """
        if self.memory <= self.allowed:
            return
        need = f"{self.memory / 1e9:,.1f} GB of memory, and a worker has {self.allowed / 1e9:,.1f}"
        if isinstance(self.largest, Whole):
            job = self.largest.jobs[0]
            raise DowncutError(
                f"{job.path} ({job.op}) depends on the whole map, which takes {need}: leave it "
                "out, give it a feature_size of larger cells, or ask for fewer --workers"
            )
        raise DowncutError(
            f"{self.largest.title} needs {need}: ask for a smaller --tile, fewer --workers or, "
            "for stages on lattices, a larger feature_size"
        )
