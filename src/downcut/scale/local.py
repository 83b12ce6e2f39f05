"""Local steps on one tile: each on as much around it as the steps after it need."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from downcut.grid import Grid
from downcut.run import Ledger
from downcut.sampling import resample
from downcut.scale.jobs import Job, halos
from downcut.scale.lattices import change_name, spline_name
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import Pass, Work, cell_bytes, place_of
from downcut.windows import Layers, run_step


@dataclass(frozen=True)
class Local(Pass):
    """A run of steps that look no farther than their halo."""

    jobs: tuple[Job, ...] = ()
    lattices: int = 0
    """The pass that made the changes that are carried."""

    @property
    def title(self) -> str:
        """The steps, the first and the last."""
        ops = [job.op for job in self.jobs]
        return ops[0] if len(ops) == 1 else f"{ops[0]} … {ops[-1]}"

    @property
    def writes(self) -> tuple[str, ...]:
        """All that its steps make."""
        return tuple(dict.fromkeys(name for job in self.jobs for name in job.writes))

    def nanoseconds(self, parts: Parts) -> float:
        """Each step's cost, on what it is done on."""
        edge = parts.tile
        return (
            parts.ny
            * parts.nx
            * sum(
                job.nanoseconds * ((edge + 2 * around) / edge) ** 2
                for job, around in zip(self.jobs, halos(list(self.jobs)), strict=True)
            )
        )

    def memory(self, parts: Parts) -> int:
        """The layers of a tile and of its surroundings, and what a step needs beside them."""
        around = max(halos(list(self.jobs)))
        edges = (min(parts.tile + 2 * around, count) for count in (parts.ny, parts.nx))
        cells = int(np.prod([*edges]))
        names = {*self.reads, *self.writes}
        beside = max(job.working_bytes + sum(map(cell_bytes, job.writes)) for job in self.jobs)
        return cells * (sum(map(cell_bytes, names)) + beside)

    def do(self, unit: str, work: Work) -> None:
        """Do the steps, on less and less around the tile."""
        place = place_of(unit)
        around = halos(list(self.jobs))
        box = work.parts.box(place, around[0])
        core = work.parts.box(place)
        layers: Layers = {
            name: work.parts.read(number, name, box) for name, number in self.reads.items()
        }
        for job, wanted in zip(self.jobs, around, strict=True):
            inner = work.parts.box(place, wanted)
            layers = {name: _cut(values, box, inner) for name, values in layers.items()}
            box = inner
            self._do(job, layers, box, core, work)
        layers = {name: _cut(values, box, core) for name, values in layers.items()}
        work.parts.write(self.number, place, {name: layers[name] for name in self.writes})

    def _do(self, job: Job, layers: Layers, box: Box, core: Box, work: Work) -> None:
        """Do one step on a box, and count the earth of the tile alone."""
        top, bottom, left, right = box
        grid = work.way.grid.window(top, left, bottom - top, right - left)
        inside = (core[0] - top, core[1] - top, core[2] - left, core[3] - left)
        if job.task is not None:
            run = work.run(core=inside)
            layers |= run_step(job.task, layers, grid, run, None)
            work.count(job.path, run.ledger)
        else:
            before = layers["elevation"]
            layers["elevation"] = self._carried(job, grid, work)
            layers["elevation"] += before
            rows, cols = slice(*inside[:2]), slice(*inside[2:])
            grown = layers["elevation"][rows, cols].sum(dtype=np.float64)
            grown -= before[rows, cols].sum(dtype=np.float64)
            work.count(job.path, Ledger(clamped=float(grown) * grid.cell_area))

    def _carried(self, job: Job, grid: Grid, work: Work) -> Array:
        assert job.leg.source is not None
        change, spline = _opened(work.parts.folder, self.lattices, job.leg.index)
        return resample(change, job.leg.source.grid, grid, work.run(), spline)


@lru_cache(8)
def _opened(folder: Path, number: int, index: int) -> tuple[Array, Array]:
    """Return a lattice's files, opened once by each process; only what is read takes memory."""
    parts = Parts(folder, 1, 1, 1)
    return parts.kept(number, change_name(index)), parts.kept(number, spline_name(index))


def _cut(values: Array, box: Box, inner: Box) -> Array:
    """Return the part of an array on `box` that lies in `inner`."""
    return values[inner[0] - box[0] : inner[1] - box[0], inner[2] - box[2] : inner[3] - box[2]]
