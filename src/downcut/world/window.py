"""One window: what provinces hand over, then step after step with what it needs around."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.erosion.carve_rivers import CarveRivers
from downcut.erosion.coast import Coast
from downcut.fields.continents import Continents
from downcut.grid import Grid
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers
from downcut.recipe import Task
from downcut.run import Run
from downcut.windows import Layers, run_step
from downcut.world.plan import WATER, Plan
from downcut.world.province import Place, Province
from downcut.world.rivers import Beds, beds
from downcut.world.water import drain_off, flood

FEW = 2**15
"""Cells of a window that is not worth a second thread."""
BANK = 0.75
"""Width of a bank at least, in cells of the province's lattice: the ground eases to the valley
floor that the lattice knows."""


@dataclass(frozen=True)
class Grown:
    """A province that is grown, and where."""

    place: Place
    province: Province

    @property
    def number(self) -> int:
        """What is added to the ids of its lakes, so that those of neighbours differ."""
        return (zlib.crc32(f"{self.place[0]} {self.place[1]}".encode()) & 0x7FFF) << 16


def grow(
    plan: Plan,
    grid: Grid,
    level: int,
    provinces: Sequence[Grown],
    threads: int,
    wanted: Sequence[str] | None,
) -> Layers:
    """Return the layers of a window; `provinces` are all with land on it and its halo."""
    tasks, halos = plan.at(level), plan.halos(level)
    if wanted is not None:
        tasks, halos = _needed(tasks, halos, wanted)
    window = _Window(plan, grid, level, provinces, threads, max(halos, default=0))
    window.take_over()
    for task, halo in zip(tasks, halos, strict=True):
        window.crop(halo)
        window.run(task)
    window.crop(0)
    names = window.layers if wanted is None else wanted
    return {name: np.ascontiguousarray(window.layers[name]) for name in names}


def _needed(
    tasks: Sequence[Task], halos: Sequence[int], wanted: Sequence[str]
) -> tuple[tuple[Task, ...], list[int]]:
    """Return the tasks that the wanted layers depend on."""
    needed, kept = set(wanted), []
    for task, halo in zip(reversed(tasks), reversed(halos), strict=True):
        if needed.intersection(task.step.outputs()):
            needed.update(task.step.inputs().values())
            kept.append((task, halo))
    return tuple(task for task, _ in kept[::-1]), [halo for _, halo in kept[::-1]]


@dataclass
class _Window:
    """A window on its way, with as much around it as its next step needs."""

    plan: Plan
    core: Grid
    level: int
    provinces: Sequence[Grown]
    threads: int
    halo: int

    def __post_init__(self) -> None:
        self.layers: Layers = {}
        self.run_ = Run(self.threads, sea_level=self.plan.recipe.sea_level)

    @property
    def grid(self) -> Grid:
        """The core and its surroundings."""
        edge = self.halo
        return self.core.window(-edge, -edge, self.core.ny + 2 * edge, self.core.nx + 2 * edge)

    def take_over(self) -> None:
        """Add up what the provinces hand over; where none has land lies the floor of the sea."""
        if not self.plan.coarse:
            return
        assert self.plan.continents is not None
        assert isinstance(self.plan.continents.step, Continents)
        grid = self.grid
        for name in self.plan.carried:
            out = np.zeros(grid.shape, np.float32)
            for grown in self.provinces:
                grown.province.add_to(out, name, grid)
            self.layers[name] = out
        self.layers["elevation"] += np.float32(self.plan.continents.step.rim)

    def crop(self, halo: int) -> None:
        """Leave out what is not needed any more."""
        if (less := self.halo - halo) > 0:
            inner = slice(less, -less)
            self.layers = {name: array[inner, inner] for name, array in self.layers.items()}
            self.halo = halo

    def run(self, task: Task) -> None:
        """Do one step."""
        grid = self.grid
        run = replace(self.run_, threads=1) if grid.cells <= FEW else self.run_
        if isinstance(task.step, WATER):
            self._water(task)
        elif isinstance(task.step, Coast):
            self._shore(task.step, grid, run)
        else:
            self.layers |= run_step(task, self.layers, grid, run, None)

    def _shore(self, step: Coast, grid: Grid, run: Run) -> None:
        """Shape beach and shelf where the provinces have their sea."""
        ground = np.ascontiguousarray(self.layers["elevation"])
        sea = ground <= np.float32(self.plan.recipe.sea_level)
        for grown in self.provinces:
            drain_off(grown.province.shores, grown.province.grid, grid, sea)
        if sea.any() and not sea.all():
            where = step.inland(sea, grid, run)
            mask = self.layers[step.mask] if step.mask else None
            self.layers["elevation"] = step.bend(ground, mask, where, grid=grid, run=run)

    def _water(self, task: Task) -> None:
        step, grid = task.step, self.grid
        if isinstance(step, CarveRivers):
            self._carve(step, grid)
        elif isinstance(step, Lakes):
            self._fill(grid)
        else:
            out = _River(grid) if isinstance(step, Rivers) else _Drained(grid)
            least = self.plan.channel_area(self.level)
            for grown in self.provinces:
                out.add(grown.province, beds(grown.province.lines, grid, least))
            self.layers |= out.layers

    def _carve(self, step: CarveRivers, grid: Grid) -> None:
        """Give rivers their beds, where cells are fine enough to show them."""
        lattice = self.plan.lattice(self.level)
        if grid.cell_size > self.plan.lattices[0]:
            return
        ground = np.array(self.layers["elevation"])
        least, banks = self.plan.channel_area(self.level), (step.bank_width, BANK * lattice)
        for grown in self.provinces:
            lines = grown.province.lines
            beds(lines, grid, least, ground, banks, grown.province.wet)
        self.layers["elevation"] = ground

    def _fill(self, grid: Grid) -> None:
        level = np.float32(self.plan.recipe.sea_level)
        ground = np.array(self.layers["elevation"])
        surface, sea = ground.copy(), np.ones(grid.shape, np.bool_)
        lake = np.zeros(grid.shape, np.int32)
        least = self.plan.channel_area(self.level)
        for grown in self.provinces:
            here, there = grown.province, grown.province.grid
            river = beds(here.lines, grid, least).owner >= 0
            flood(here.shores, there, grid, ground, (surface, lake, sea), river, grown.number)
        dry = lake == 0
        np.copyto(surface, ground, where=dry)
        np.copyto(surface, np.maximum(ground, level), where=sea & dry)
        self.layers |= {"elevation": ground, "water_surface": surface,
                        "water_depth": surface - ground, "lake": lake}  # fmt: skip


class _River:
    """The layers of `hydrology.rivers`."""

    def __init__(self, grid: Grid) -> None:
        self.layers: dict[str, NDArray[Any]] = {
            "channel": np.zeros(grid.shape, np.uint8),
            "stream_order": np.zeros(grid.shape, np.uint8),
            "discharge": np.zeros(grid.shape, np.float32),
        }

    def add(self, province: Province, found: Beds) -> None:
        """Note what a province's rivers are and carry."""
        cells, points = found.owner >= 0, province.lines.points
        self.layers["channel"][cells] = 1
        self.layers["stream_order"][cells] = points["order"][found.owner[cells]]
        self.layers["discharge"][cells] = found.read(points["discharge"])


class _Drained:
    """The layer of `hydrology.drainage`: along rivers theirs, elsewhere the cell alone."""

    def __init__(self, grid: Grid) -> None:
        area = np.full(grid.shape, grid.cell_area)
        self.layers: dict[str, NDArray[Any]] = {"drainage_area": area}

    def add(self, province: Province, found: Beds) -> None:
        """Note how much drains through a province's rivers."""
        area = found.read(province.lines.points["area"])
        self.layers["drainage_area"][found.owner >= 0] = area
