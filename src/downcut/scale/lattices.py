"""The stages that run on lattices: each whole, once, in one task; its change goes to all tiles."""

from dataclasses import dataclass

from downcut.execute import Order, lattice_changes
from downcut.plan import Leg, Plan
from downcut.sampling import knots
from downcut.scale.parts import Parts
from downcut.scale.passes import WHOLE, Pass, Work, cell_bytes
from downcut.step import Step


@dataclass(frozen=True)
class Lattices(Pass):
    """All stages with a `feature_size`, as the executor runs them for a land of any size."""

    legs: tuple[Leg, ...] = ()

    @property
    def title(self) -> str:
        """What they are."""
        return "stages on lattices"

    def units(self, parts: Parts) -> list[str]:
        """Return one: each lattice grows out of the coarser ones."""
        return [WHOLE]

    def nanoseconds(self, parts: Parts) -> float:
        """What the stages cost on their lattices."""
        return sum(
            sum(task.step.work() for task in leg.stage.tasks) * leg.source.grid.cells
            for leg in self.legs
            if leg.source
        )

    def memory(self, parts: Parts) -> int:
        """The land on the finest lattice, and the change on each."""
        changes = sum(leg.source.grid.cells * 4 for leg in self.legs if leg.source)
        return changes + max(needed(leg) for leg in self.legs)

    def do(self, unit: str, work: Work) -> None:
        """Run them, and keep each one's change and its spline."""
        threads = 0 if work.threads else 1
        order = Order(threads, stop=work.stop)
        for leg, stand in lattice_changes(work.recipe, order):
            change = stand.layers["elevation"]
            work.parts.keep(self.number, change_name(leg.index), change)
            work.parts.keep(self.number, spline_name(leg.index), knots(change))
            note = stand.notes[leg.work_name]
            for place, report in note.reports.items():
                work.count(f"steps.{leg.index}{place}", report.ledger)


def needed(leg: Leg) -> int:
    """Return the bytes that a stage takes on its lattice."""
    assert leg.source is not None
    names = {name for step in _all_steps(leg.source) for name in step.outputs()}
    working = max(task.step.working_bytes for task in leg.stage.tasks)
    return leg.source.grid.cells * (sum(map(cell_bytes, names | {"elevation"})) + 12 + working)


def _all_steps(way: Plan) -> list[Step]:
    return [task.step for leg in way.legs if leg.source is None for task in leg.stage.tasks]


def change_name(index: int) -> str:
    """Return the name of a stage's change."""
    return f"change{index}"


def spline_name(index: int) -> str:
    """Return the name of the spline through it."""
    return f"spline{index}"
