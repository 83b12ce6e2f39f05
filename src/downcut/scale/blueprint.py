"""A recipe as passes over tiles: what is done, in which order, and who reads what from whom."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path

from downcut.erosion.coast import Coast as CoastStep
from downcut.erosion.droplets import Droplets
from downcut.erosion.hillslope import Hillslope
from downcut.plan import Plan, plan
from downcut.recipe import Recipe
from downcut.scale.creeping import Creep, creep_passes
from downcut.scale.falling import Fall, fall_passes, falls_in_turns
from downcut.scale.jobs import Job, jobs, runs
from downcut.scale.lattices import Lattices
from downcut.scale.local import Local
from downcut.scale.parts import Parts
from downcut.scale.passes import Pass
from downcut.scale.publish import LayOut, Shards, Sums
from downcut.scale.sea import SEA, sea_passes
from downcut.scale.shore import Coast
from downcut.scale.store import levels
from downcut.scale.water import Pour, is_tiled, water_passes
from downcut.scale.wholes import Whole


@dataclass
class Blueprint:
    """All passes of a build.

    Attributes
    ----------
    passes : list of Pass
        In order; each is over before the next begins.
    layers : dict of name to int
        The land's layers, and the pass that makes each as it is in the end.
    """

    recipe: Recipe
    tile: int
    way: Plan = field(init=False)
    passes: list[Pass] = field(default_factory=list)
    layers: dict[str, int] = field(default_factory=dict)
    seas: dict[int, int] = field(default_factory=dict)
    """The pass that marks the sea on each elevation, by the pass that made that."""

    def __post_init__(self) -> None:
        self.way = plan(self.recipe)
        far = tuple(leg for leg in self.way.legs if leg.source)
        if far:
            self.passes.append(Lattices(0, {}, far))
        in_turns = partial(falls_in_turns, grid=self.way.grid, tile=self.tile)
        for group in runs(jobs(self.way, in_turns), self.tile):
            self._add(group)
        last = dict(self.layers)
        ground = self.way.grid
        for make in (LayOut, Shards, Sums):
            self.passes.append(make(len(self.passes), last))
        for level in range(2, len(levels(ground.ny, ground.nx))):
            self.passes.append(Shards(len(self.passes), last, level))

    def parts(self, folder: Path) -> Parts:
        """Return where the tiles lie."""
        grid = self.way.grid
        return Parts(folder, grid.ny, grid.nx, self.tile)

    def unused(self, number: int) -> list[tuple[int, str]]:
        """Return the layers that nobody reads once a pass is over, as (pass, name)."""
        later = self.passes[number + 1 :]
        wanted = {(n, name) for each in later for name, n in each.reads.items()}
        wanted |= {(n, name) for name, n in self.layers.items()}
        made = {(each.number, name) for each in self.passes[: number + 1] for name in each.writes}
        return sorted(made - wanted)

    def _add(self, group: list[Job]) -> None:
        """Add the passes of a run of jobs."""
        if group[0].halo is not None:
            self._append(Local(len(self.passes), self._read(group), tuple(group), 0))
            return
        for kind, some in groupby(group, self._kind):
            ways = {Creep: self._creep, Coast: self._coast, Fall: self._fall, Pour: self._water}
            ways.get(kind, self._whole)(list(some))

    def _whole(self, group: list[Job]) -> None:
        self._append(Whole(len(self.passes), self._read(group), tuple(group)))

    def _creep(self, group: list[Job]) -> None:
        for job in group:
            for each in creep_passes(len(self.passes), job, self._read([job])):
                self._append(each)

    def _fall(self, group: list[Job]) -> None:
        for job in group:
            for each in fall_passes(len(self.passes), job, self._read([job])):
                self._append(each)

    def _coast(self, group: list[Job]) -> None:
        for job in group:
            sea = self._sea(self.layers["elevation"])
            self._append(Coast(len(self.passes), {**self._read([job]), SEA: sea}, job))

    def _water(self, group: list[Job]) -> None:
        elevation = self.layers["elevation"]
        sea = self._sea(elevation) if self.recipe.sea_level is not None else None
        for each in water_passes(len(self.passes), group, elevation, sea):
            self._append(each)

    def _sea(self, elevation: int) -> int:
        """Return the pass that marks the sea on an elevation."""
        if elevation not in self.seas:
            for each in sea_passes(len(self.passes), elevation):
                self._append(each)
            self.seas[elevation] = len(self.passes) - 1
        return self.seas[elevation]

    def _append(self, made: Pass) -> None:
        self.passes.append(made)
        lasting = (name for name in made.writes if not name.startswith("_"))
        self.layers |= dict.fromkeys(lasting, made.number)

    def _read(self, group: Iterable[Job]) -> dict[str, int]:
        """Return the layers that a run reads of what was made before it, and by whom."""
        wanted: set[str] = set()
        made: set[str] = set()
        for job in group:
            wanted |= {*job.reads} - made
            made |= {*job.writes}
        return {name: self.layers[name] for name in sorted(wanted) if name in self.layers}

    def _kind(self, job: Job) -> type[Pass]:
        """Return what kind of pass does a step that the whole map decides."""
        step = job.task.step if job.task else None
        if isinstance(step, Hillslope):
            return Creep
        if isinstance(step, Droplets):
            return Fall
        if isinstance(step, CoastStep) and self.recipe.sea_level is not None:
            return Coast
        return Pour if is_tiled(job) else Whole


@lru_cache(4)
def blueprint(recipe_text: str, tile: int) -> Blueprint:
    """Return the passes of a recipe, made once by each process."""
    return Blueprint(Recipe.from_json(recipe_text), tile)
