"""What is run where: the stages that the ground needs, and what each lattice needs for them.

Every leg of a plan has a name: the digest of all that decides the land after it, which is the
grid, the sea, and the steps run there so far with their parameters, chance and files. So whoever
finds a name again knows the land: in a changed recipe, or for another size of the ground, whose
lattices are the same.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Optional

from downcut.grid import Grid, covered, lattice
from downcut.recipe import Recipe, Stage, Task
from downcut.run import Run


@dataclass(frozen=True)
class Leg:
    """A stage on the way."""

    index: int
    """Which of the recipe's stages."""
    stage: Stage
    name: str
    """Of the land after it."""
    source: Optional["Plan"]
    """The way to it on the lattice that it is run on, to carry its change here; None for here."""
    work_name: str
    """Of running it, here or there."""

    def place(self, task: Task) -> str:
        """Return where a task stands within the stage: "" or ".steps.0"."""
        return task.path.removeprefix(f"steps.{self.index}")


@dataclass(frozen=True)
class Plan:
    """What is run on a grid, in order."""

    grid: Grid
    core: tuple[int, int, int, int] | None
    """The part of a lattice whose earth counts; None for the ground."""
    root: str
    """The name of the grid before any step."""
    legs: tuple[Leg, ...]

    @property
    def name(self) -> str:
        """Of the land at its end."""
        return self.legs[-1].name if self.legs else self.root

    def work(self) -> dict[str, float]:
        """Return the rough cost [ns] of all there is to do, lattices included, by name."""
        costs: dict[str, float] = {}
        for leg in self.legs:
            grid = self.grid
            if leg.source is not None:
                costs |= leg.source.work()
                grid = leg.source.grid
            costs[leg.work_name] = sum(t.step.work() for t in leg.stage.tasks) * grid.cells
        return costs


def plan(recipe: Recipe, files: Mapping[str, Path] | None = None) -> Plan:
    """Return what is to be run for a recipe; `files` as for `Run`."""
    planner = _Planner(recipe, Run(files=files))
    return planner.plan(len(planner.stages), recipe.grid.grid)


class _Planner:
    def __init__(self, recipe: Recipe, run: Run) -> None:
        self.recipe, self.run = recipe, run
        self.stages = recipe.stages()
        self.ground = recipe.grid.grid
        self._plans: dict[tuple[int, Grid], Plan] = {}

    def plan(self, upto: int, grid: Grid) -> Plan:
        """Return what the first `upto` stages do on a grid."""
        if (upto, grid) not in self._plans:
            core = None if grid == self.ground else covered(grid, self.ground)
            place = (grid.shape, grid.cell_size, grid.corner, core, self.recipe.sea_level)
            root = name = _digest(repr(place))
            legs = []
            for index in self._wanted(upto, grid):
                legs.append(self._leg(index, name, grid))
                name = legs[-1].name
            self._plans[upto, grid] = Plan(grid, core, root, tuple(legs))
        return self._plans[upto, grid]

    def _leg(self, index: int, before: str, grid: Grid) -> Leg:
        stage, told = self.stages[index], self._told[index]
        there = lattice(self.ground, stage.feature_size) if stage.feature_size else grid
        if there == grid:
            name = _digest(before, told)
            return Leg(index, stage, name, None, name)
        source = self.plan(index, there)
        work = _digest(source.name, told)
        return Leg(index, stage, _digest(before, "carried", work), source, work)

    @cached_property
    def _told(self) -> list[str]:
        """The names of what the stages do, wherever they do it: steps, chance, files."""
        steps = {id(t.step): t.step for stage in self.stages for t in stage.tasks}
        texts = {key: s.model_dump_json() + s.outside(self.run) for key, s in steps.items()}
        return [
            _digest(
                *(
                    f"{task.path.removeprefix(f'steps.{index}')} {task.key} {texts[id(task.step)]}"
                    for task in stage.tasks
                )
            )
            for index, stage in enumerate(self.stages)
        ]

    def _wanted(self, upto: int, grid: Grid) -> list[int]:
        """Return which stages a grid needs: none too fine for it, and on lattices none unused.

        The coarsest lattice always counts: however small the preview, it shows the land's forms.
        """
        coarsest = max((stage.feature_size or 0.0 for stage in self.stages), default=0.0)
        finest = min(grid.cell_size, coarsest or math.inf) * (1 - 1e-9)
        wanted = [i for i in range(upto) if (self.stages[i].feature_size or math.inf) >= finest]
        if upto == len(self.stages):
            return wanted
        needed = _reads(self.stages[upto].tasks) | {"elevation"}
        kept = []
        for index in reversed(wanted):
            tasks = self.stages[index].tasks
            if needed & {name for task in tasks for name in task.step.outputs()}:
                needed |= _reads(tasks)
                kept.append(index)
        return kept[::-1]


def _reads(tasks: Iterable[Task]) -> set[str]:
    return {name for task in tasks for name in task.step.inputs().values()}


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()
