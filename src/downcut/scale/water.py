"""Water on a land in tiles: lakes, drainage and rivers, exactly as on the land in memory.

Descent, levels and ways are found in tiles; what tiles hand to each other is little: their rims,
their pits, and where basins touch. Depressions fill by the graph of basins, whole, as in
`flow.basins`; sums are whole numbers and go from rim to rim (after Barnes 2016 and 2017).
"""

from dataclasses import dataclass

import numpy as np

from downcut.hydrology.drainage import Drainage
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers
from downcut.scale.accumulating import Gather, sums_in
from downcut.scale.descending import WAY, Descend, Number
from downcut.scale.jobs import Job
from downcut.scale.lakes import Name, lakes_in, table_of
from downcut.scale.leaving import FLOW, LEVEL, Leave
from downcut.scale.parts import Array, Parts
from downcut.scale.passes import WHOLE, Pass, Work, cell_bytes, place_of
from downcut.scale.rivers import channels_in, order_in, traced
from downcut.scale.sea import SEA
from downcut.scale.spilling import Lead, Spill, Trace
from downcut.scale.tables import keep_table
from downcut.scale.touching import BASIN, Touch
from downcut.scale.ways import in_land, rim_of
from downcut.step import Step

WRITING = 6.0
"""Nanoseconds a byte of a layer that is made, summed up and written."""


def is_tiled(job: Job) -> bool:
    """Tell whether a step about water has a form in tiles."""
    step = job.task.step if job.task else None
    if isinstance(step, Rivers):
        return step.rain is None
    return isinstance(step, (Lakes, Drainage))


@dataclass(frozen=True)
class Pour(Pass):
    """The layers of all steps, on a tile."""

    steps: tuple[Step, ...] = ()
    gathered: int = 0
    named: int = 0

    @property
    def title(self) -> str:
        """The steps."""
        return ", ".join(dict.fromkeys(step.op for step in self.steps))

    @property
    def writes(self) -> tuple[str, ...]:
        """All that they make, but for the order of rivers."""
        names = (name for step in self.steps for name in step.outputs())
        return tuple(name for name in dict.fromkeys(names) if name != "stream_order")

    def memory(self, parts: Parts) -> int:
        """Heights, ways, sums and layers."""
        return 100 * parts.tile**2

    def nanoseconds(self, parts: Parts) -> float:
        """Sums and layers."""
        return 40.0 * parts.ny * parts.nx + WRITING * sum(map(cell_bytes, self.writes)) * (
            parts.ny * parts.nx
        )

    def do(self, unit: str, work: Work) -> None:
        """Sum up once more, and make the layers."""
        place, parts = place_of(unit), work.parts
        core = parts.box(place)
        z, flow, level = (
            parts.read(self.reads[name], name, core) for name in ("elevation", FLOW, LEVEL)
        )
        sea = parts.read(self.reads[SEA], SEA, core) != 0 if SEA in self.reads else None
        rim = rim_of(flow.shape)
        cells = np.searchsorted(parts.kept(self.gathered, "cell"), in_land(rim, core, parts.nx))
        sums = sums_in(flow, parts.kept(self.gathered, "inflow")[cells], rim)
        area: Array = sums.astype(np.float64)
        area *= work.way.grid.cell_area
        area = area.reshape(flow.shape)
        made: dict[str, Array] = {}
        ground, lakes = (z, level, sea), 0
        for k, step in enumerate(self.steps):
            if isinstance(step, Lakes):
                made |= lakes_in(lakes, self.named, self.number, unit, ground, flow, work)
                lakes += 1
            elif isinstance(step, Rivers):
                name = f"rivers{k}"
                made |= channels_in(step, name, self.number, unit, ground, flow, area, parts)
            else:
                made["drainage_area"] = area
        parts.write(self.number, place, made)


@dataclass(frozen=True)
class Tell(Pass):
    """The tables: lakes with where they overflow to, and rivers traced from source to end."""

    steps: tuple[Step, ...] = ()
    named: int = 0

    @property
    def title(self) -> str:
        """What is done."""
        return "tables of lakes and rivers"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """All cells of rivers, and the points of their lines."""
        return parts.ny * parts.nx * 200 // 100 + 100 * len(parts.places) * parts.tile

    def do(self, unit: str, work: Work) -> None:
        """Make them."""
        parts, grid, poured = work.parts, work.way.grid, self.number - 1
        lakes = 0
        for k, step in enumerate(self.steps):
            if isinstance(step, Lakes):
                found = table_of(lakes, self.named, poured, parts, grid)
                keep_table(parts, self.number, "lakes", found)
                lakes += 1
            elif isinstance(step, Rivers):
                found = traced(step, f"rivers{k}", poured, self.number, parts, grid)
                keep_table(parts, self.number, "rivers", found)


@dataclass(frozen=True)
class Order(Pass):
    """The order of rivers as a layer."""

    name: str = ""

    @property
    def title(self) -> str:
        """What is done."""
        return "order of rivers"

    @property
    def writes(self) -> tuple[str, ...]:
        """One layer."""
        return ("stream_order",)

    def memory(self, parts: Parts) -> int:
        """One layer."""
        return 4 * parts.tile**2

    def do(self, unit: str, work: Work) -> None:
        """Put a tile's orders in their places."""
        made = order_in(self.name, self.number - 1, unit, work.parts)
        work.parts.write(self.number, place_of(unit), {"stream_order": made})


def water_passes(first: int, group: list[Job], elevation: int, sea: int | None) -> list[Pass]:
    """Return the passes of some steps about water on one elevation."""
    ground = {"elevation": elevation} | ({SEA: sea} if sea is not None else {})
    steps = tuple(job.task.step for job in group if job.task)
    descend, number, touch, spill, trace, lead, leave, gather, name, pour, tell = (
        first + n for n in range(11)
    )
    on_way = {**ground, WAY: descend}
    passes: list[Pass] = [
        Descend(descend, ground),
        Number(number, {}),
        Touch(touch, on_way, number),
        Spill(spill, {}, number),
        Trace(trace, {WAY: descend}),
        Lead(lead, {}, number),
        Leave(leave, {**on_way, BASIN: touch}, number, spill),
        Gather(gather, {}),
        Name(name, {}, tuple(s for s in steps if isinstance(s, Lakes)), leave),
        Pour(pour, {**ground, FLOW: leave, LEVEL: leave}, steps, gather, name),
        Tell(tell, {}, steps, name),
    ]
    rivers = [f"rivers{k}" for k, step in enumerate(steps) if isinstance(step, Rivers)]
    return passes + ([Order(tell + 1, {}, rivers[-1])] if rivers else [])
