"""The course of a build: one pass after another, each over before the next begins."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from downcut.execute import Progress
from downcut.run import Ledger
from downcut.scale.blueprint import Blueprint
from downcut.scale.crew import Crew
from downcut.scale.journal import Journal
from downcut.scale.parts import Parts
from downcut.scale.passes import Pass
from downcut.scale.working import Mark
from downcut.terrain import StepReport


@dataclass
class Course:
    """A build under way."""

    plan: Blueprint
    journal: Journal
    crew: Crew
    on_progress: Callable[[Progress], None] | None
    stop: threading.Event
    steps: list[dict[str, Any]] = field(default_factory=list)
    marks: dict[int, list[Mark]] = field(default_factory=dict)
    peaks: dict[int, int] = field(default_factory=dict)

    def run(self) -> None:
        """Do one pass after another, and drop what nobody reads any more."""
        parts = self.plan.parts(self.journal.folder)
        costs = [each.nanoseconds(parts) for each in self.plan.passes]
        self._reopen(parts)
        for number in range(len(costs)):
            marks = self.journal.is_over(number)
            if marks is None:
                share = (sum(costs[:number]) / sum(costs), costs[number] / sum(costs))
                marks = self._pass(number, parts, share)
            self.marks[number] = marks
            for mark in marks:
                process, most = mark["peak"]
                self.peaks[process] = max(self.peaks.get(process, 0), most)

    def _reopen(self, parts: Parts) -> None:
        """Take up again the passes that are over and have lost files which are still read."""
        wanted: set[tuple[int, str]] = set()
        for each in reversed(self.plan.passes):
            marks = self.journal.is_over(each.number)
            names = {name for number, name in wanted if number == each.number}
            if marks is None or not self._whole(each, marks, names, parts):
                self.journal.reopen(each.number)
                wanted |= {(number, name) for name, number in each.reads.items()}

    def _whole(self, each: Pass, marks: list[Mark], names: set[str], parts: Parts) -> bool:
        gone = {*each.writes} - names
        kept = (
            {f: s for f, s in mark["written"].items() if Path(f).name.split(".")[0] not in gone}
            for mark in marks
        )
        return all(map(parts.holds, kept))

    def _pass(self, number: int, parts: Parts, share: tuple[float, float]) -> list[Mark]:
        start = time.perf_counter()
        each = self.plan.passes[number]
        units = each.units(parts)
        marks: list[Mark] = []
        self._tell(share[0], each.title, number)
        for mark in self.crew.run(self.journal.folder, number, units, self.stop):
            marks.append(mark)
            self._tell(share[0] + share[1] * len(marks) / len(units), each.title, number)
        order = {unit: place for place, unit in enumerate(units)}
        marks.sort(key=lambda mark: order[mark["unit"]])
        self.journal.end(number, marks)
        for other, name in self.plan.unused(number):
            parts.forget(other, name)
        self.steps.append({
            "title": each.title, "units": len(units), "seconds": time.perf_counter() - start,
            "bytes": sum(mark["bytes"] for mark in marks),
            "processor": sum(mark["processor"] for mark in marks),
        })  # fmt: skip
        return marks

    def _tell(self, share: float, title: str, number: int) -> None:
        if self.on_progress:
            self.on_progress(Progress(share, title, f"passes.{number}"))

    def reports(self) -> tuple[StepReport, ...]:
        """Return the earth that each step moved; of the time only passes know."""
        totals: dict[str, Ledger] = {}
        for marks in self.marks.values():
            for mark in marks:
                for path, ledger in mark["ledgers"].items():
                    totals.setdefault(path, Ledger()).add(Ledger(**ledger))
        ops = {task.path: task.step.op for task in self.plan.recipe.tasks(once=True)}
        return tuple(StepReport(ops.get(p, p), 0.0, ledger) for p, ledger in totals.items())
