"""Steps that the whole land decides and that no tiled form is known of here: all in one task."""

from dataclasses import dataclass

from downcut.scale.jobs import Job
from downcut.scale.parts import Parts
from downcut.scale.passes import WHOLE, Pass, Work, cell_bytes
from downcut.scale.tables import keep_table
from downcut.windows import Layers, run_step


@dataclass(frozen=True)
class Whole(Pass):
    """A run of steps on the whole land in memory."""

    jobs: tuple[Job, ...] = ()

    @property
    def title(self) -> str:
        """The steps."""
        return ", ".join(dict.fromkeys(job.op for job in self.jobs))

    @property
    def writes(self) -> tuple[str, ...]:
        """All that its steps make."""
        return tuple(dict.fromkeys(name for job in self.jobs for name in job.writes))

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def nanoseconds(self, parts: Parts) -> float:
        """Each step's cost."""
        return parts.ny * parts.nx * sum(job.nanoseconds for job in self.jobs)

    def memory(self, parts: Parts) -> int:
        """All layers, and what a step needs beside them."""
        names = {*self.reads, *self.writes}
        beside = max(job.working_bytes for job in self.jobs)
        return parts.ny * parts.nx * (sum(map(cell_bytes, names)) + beside)

    def do(self, unit: str, work: Work) -> None:
        """Run them as the executor would."""
        box = (0, work.parts.ny, 0, work.parts.nx)
        layers: Layers = {
            name: work.parts.read(number, name, box) for name, number in self.reads.items()
        }
        shared: dict[str, object] = {}
        for job in self.jobs:
            assert job.task is not None
            run = work.run()
            run.shared = shared
            layers |= run_step(job.task, layers, work.way.grid, run, None)
            work.count(job.path, run.ledger)
            for name, table in run.features.items():
                keep_table(work.parts, self.number, name, table)
        made = {name: layers[name] for name in self.writes}
        work.parts.write_whole(self.number, made)
