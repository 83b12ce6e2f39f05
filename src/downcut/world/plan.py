"""How a recipe is grown in an unbounded world: what makes provinces, and what makes windows.

Up to the last stage with a `feature_size` a recipe makes provinces, each whole on a lattice. What
comes after it makes windows of them. Steps about water ask the province for its rivers and lakes.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from downcut.erosion.carve_rivers import CarveRivers
from downcut.erosion.coast import Coast
from downcut.erosion.erosion import Erosion
from downcut.erosion.hillslope import Hillslope
from downcut.erosion.nearby_creep import NearbyCreep
from downcut.errors import DowncutError
from downcut.fields.continents import Continents
from downcut.flow.channels import ChannelStep
from downcut.grid import Grid
from downcut.hydrology.drainage import Drainage
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers
from downcut.recipe import Recipe, Stage, Task
from downcut.step import Step
from downcut.world.coarser import coarsened

WATER = (CarveRivers, Rivers, Lakes, Drainage)
"""Steps that need the whole plane, and that a province answers."""
FARTHEST_HALO = 1024
"""The widest surroundings of a window that are worth growing [cells]."""


@dataclass(frozen=True)
class Plan:
    """A recipe, taken apart for a world.

    Attributes
    ----------
    recipe : Recipe
    coarse : tuple of Stage
        What makes a province; empty for a world without provinces.
    fine : tuple of Task
        What makes a window, in order; those about water included.
    continents : Task or None
        The step among `coarse` that divides the plane.
    """

    recipe: Recipe
    coarse: tuple[Stage, ...]
    fine: tuple[Task, ...]
    continents: Task | None

    @classmethod
    def of(cls, recipe: Recipe) -> "Plan":
        """Take a recipe apart.

        Raises
        ------
        DowncutError
            For a step that needs the whole plane where none can give it, naming the step, the
            reason and what to use instead.
        """
        stages = recipe.stages()
        cut = max((i + 1 for i, stage in enumerate(stages) if stage.feature_size), default=0)
        coarse = tuple(stages[:cut])
        fine = tuple(_nearby(task) for stage in stages[cut:] for task in stage.tasks)
        divides = [t for s in coarse for t in s.tasks if isinstance(t.step, Continents)]
        plan = cls(recipe, coarse, fine, divides[0] if divides else None)
        plan._refuse_undivided(len(divides))
        for task in fine:
            plan._refuse_whole(task)
        if plan.halo > FARTHEST_HALO:
            raise DowncutError(
                f"a window would need {plan.halo} cells round it and {FARTHEST_HALO} is the limit: "
                "lower the rounds and the lifetime of droplets, the passes of thermal erosion, the "
                "time_step of creep or the width of a coast"
            )
        return plan

    def _refuse_undivided(self, count: int) -> None:
        if not self.coarse:
            return
        path = next(s.tasks[0].path for s in self.coarse if s.feature_size)
        if count != 1 or self.recipe.sea_level is None:
            raise DowncutError(
                f"{path} has a feature_size, and an unbounded world has no edge for rivers to end "
                "at: put one fields.continents before it, which divides the plane into lands "
                "with sea all round, and give the recipe a sea_level; or leave the step out"
            )
        divide = self.continents
        assert divide is not None
        assert isinstance(divide.step, Continents)
        if divide.step.rim >= self.recipe.sea_level:
            raise DowncutError(
                f"{divide.path} has a rim of {divide.step.rim:g} m, which the sea at "
                f"{self.recipe.sea_level:g} m does not cover: lower the rim"
            )

    def _refuse_whole(self, task: Task) -> None:
        """Refuse a step of windows that needs the whole plane, unless a province stands in."""
        step = task.step
        if isinstance(step, (*WATER, Coast)) and self.continents:
            return
        if step.halo(self.grid_of(0)) is None:
            local = "erosion.droplets, thermal and hillslope, which are local"
            if not self.continents:
                way = (
                    "put fields.continents and a step with a feature_size before it, which make "
                    f"lands that are grown whole, or use {local}"
                )
            elif isinstance(step, Erosion):
                way = f"give it a feature_size, so that each province does it whole, or use {local}"
            else:
                way = (
                    "leave it out; hydrology.rivers, lakes and drainage are what a world knows of "
                    "its water"
                )
            raise DowncutError(
                f"{task.path} ({step.op}) depends on the whole map, and an unbounded world has "
                f"none: {way}"
            )

    def grid_of(self, level: int) -> Grid:
        """Return a grid of one cell of a level."""
        return Grid(1, 1, self.cell_size(level), 0, 0)

    def cell_size(self, level: int) -> float:
        """Return the edge of a cell of a level [m]."""
        return float(self.recipe.grid.cell_size * 2**level)

    def at(self, level: int) -> tuple[Task, ...]:
        """Return the tasks of a window of a level.

        Erosion is finer than a coarser level's cells, and left out there, as octaves are; a coast
        is shown while it is two cells wide.
        """
        if level not in self._tasks:
            cell = self.cell_size(level)
            self._tasks[level] = tuple(
                Task(coarsened(task.step, cell), task.path, task.key) if level else task
                for task in self.fine
                if level == 0
                or isinstance(task.step, WATER)
                or not isinstance(task.step, Erosion)
                or (isinstance(task.step, Coast) and task.step.width >= 2 * cell)
            )
        return self._tasks[level]

    @cached_property
    def _tasks(self) -> dict[int, tuple[Task, ...]]:
        return {}

    @cached_property
    def _halos(self) -> dict[int, list[int]]:
        return {}

    @cached_property
    def _made(self) -> dict[int, tuple[str, ...]]:
        return {}

    def layers(self, level: int) -> tuple[str, ...]:
        """Return the layers that windows of a level have."""
        if level not in self._made:
            made = dict.fromkeys(self.carried if self.coarse else ())
            for task in self.at(level):
                made |= dict.fromkeys(task.step.outputs())
            self._made[level] = tuple(made)
        return self._made[level]

    def halos(self, level: int) -> list[int]:
        """Return how many cells around a window must be right before each task of a level."""
        if level not in self._halos:
            grid, wanted, halos = self.grid_of(level), 0, []
            for task in reversed(self.at(level)):
                wanted += _around(task.step, grid)
                halos.append(wanted)
            self._halos[level] = halos[::-1]
        return self._halos[level]

    @cached_property
    def halo(self) -> int:
        """The cells around an eroded window that decide it."""
        return max(self.halos(0), default=0)

    @cached_property
    def lattices(self) -> list[float]:
        """The cells of the provinces' lattices [m], the coarsest first."""
        return sorted({s.feature_size for s in self.coarse if s.feature_size}, reverse=True)

    def lattice(self, level: int) -> float:
        """Return the cell of the lattice that a level's provinces are grown on [m].

        The finest that is not finer than the level's cells. Where even the coarsest is, its cells
        grow with the level's.
        """
        cell = self.cell_size(level) * (1 - 1e-9)
        fine = [size for size in self.lattices if size >= cell]
        return fine[-1] if fine else self.lattices[0] * self.together(level)

    def together(self, level: int) -> int:
        """Return how many provinces in a row, and rows of them, are grown at once.

        As many as the cells of their lattice are times as large as the coarsest of the recipe: so a
        window costs the same at every level, however many provinces it sees.
        """
        times = self.cell_size(level) / self.lattices[0]
        return int(2 ** max(math.floor(math.log2(times) + 1e-9), 0))

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """The layers that windows take over from provinces."""
        made = {n for s in self.coarse if not s.feature_size for t in s.tasks for n in _writes(t)}
        wanted = {name for task in self.fine for name in task.step.inputs().values()}
        return ("elevation", *sorted(wanted & made - {"elevation"}))

    def channel_area(self, level: int) -> float:
        """Return how much ground drains through a river that a level shows [m²], at least."""
        task = self.water(Rivers) or self.water(CarveRivers)
        area = task.step.channel_area if task and isinstance(task.step, ChannelStep) else 0.0
        return float(area * 4**level)

    def traced_area(self, lattice: float) -> float:
        """Return how much ground drains through a river that is traced on a lattice [m²], at least.

        As the recipe says; on lattices coarser than its own, as the level shows them.
        """
        coarse = lattice > self.lattices[0]
        times = (lattice / self.recipe.grid.cell_size) ** 2 if coarse else 1.0
        return self.channel_area(0) * times

    def water(self, kind: type[Step]) -> Task | None:
        """Return the first task of this kind among those of windows."""
        return next((task for task in self.fine if isinstance(task.step, kind)), None)


def _nearby(task: Task) -> Task:
    """Return a task whose step is decided nearby, where there is such a form of it."""
    if not isinstance(task.step, Hillslope):
        return task
    return Task(NearbyCreep.model_validate(task.step.model_dump()), task.path, task.key)


def _around(step: Step, grid: Grid) -> int:
    """Return how many cells around a window must be right before a step."""
    if isinstance(step, Coast):
        return step.reach(grid)
    return 0 if isinstance(step, WATER) else step.halo(grid) or 0


def _writes(task: Task) -> tuple[str, ...]:
    return task.step.outputs()
