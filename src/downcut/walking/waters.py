"""Water in a window of a land: rivers in their beds, lakes at their level, and the sea."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.features import Table
from downcut.flow.channels import ChannelStep
from downcut.flow.drained import let_in_sea
from downcut.grid import Grid
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers
from downcut.run import Run
from downcut.step import Step
from downcut.terrain import Terrain
from downcut.world.rivers import ENDS, POINTS, SMOOTHED, Beds, Lines, beds
from downcut.world.water import COLUMNS, Shores, flood

Heights = NDArray[np.float32]

MOST_RIVERS = 40
"""A land without a rule for rivers gets one wherever this share of it drains through."""
SHALLOWEST = 0.18
"""Of a bed [m]: less cannot be seen as water."""
NARROWEST = 0.8
"""Of a ribbon [m]."""
BANK = 0.75
"""Width of a bank at least, in cells of the land: the valley floor that the land knows."""


@dataclass(frozen=True)
class Waters:
    """The rivers, lakes and sea of a whole land, to be laid into windows of it."""

    grid: Grid
    lines: Lines
    shores: Shores
    sea_level: float | None
    has_beds: bool
    """Whether the land's own ground has the beds of its rivers."""

    @classmethod
    def of(cls, land: Terrain) -> "Waters":
        """Find them: as the land's recipe asks, or by the usual rules."""
        sea = getattr(land.recipe, "sea_level", None)
        run = Run(sea_level=sea)
        asked = steps_of(land)
        channels = next((step for step in reversed(asked) if isinstance(step, ChannelStep)), None)
        given = land.features.get("rivers")
        if channels is None and given is not None and len(given):
            lines, has_beds = Lines.along(given, land.grid.cell_size), True
        else:
            lines, has_beds = _traced(land, channels, run), False
        return cls(land.grid, lines, _shores(land, asked, run), sea, has_beds)

    @classmethod
    def of_world(cls, window: Terrain) -> "Waters":
        """Take them from a window of a world, whose rivers and lakes go on beyond it."""
        sea = window.recipe.sea_level
        rivers, lakes = (window.features.get(name) for name in ("rivers", "lakes"))
        lines = Lines(np.zeros(1, np.int64), {n: np.zeros(0) for n in POINTS},
                      {n: np.zeros(0) for n in ("id", *ENDS)})  # fmt: skip
        if rivers is not None and rivers.offsets is not None and len(rivers):
            points = {n: np.asarray(rivers.points[n], np.float64) for n in POINTS}
            lines = Lines(rivers.offsets, points, {n: rivers[n] for n in ("id", *ENDS)})
        lake = np.zeros(window.grid.shape, np.int32)
        there = {name: np.zeros(0) for name in COLUMNS}
        if lakes is not None and len(lakes):
            rank = np.argsort(lakes["lake"])
            place = np.searchsorted(lakes["lake"][rank], window["lake"])
            lake = np.where(window["lake"] > 0, place + 1, 0).astype(np.int32)
            there = {name: np.asarray(lakes[name])[rank] for name in COLUMNS}
        if "water_depth" in window.layers:
            lake[(lake == 0) & (window["water_depth"] > 0)] = -1
        elif sea is not None:
            lake[window["elevation"] < sea] = -1
        return cls(window.grid, _visible(lines), Shores(lake, there), sea, False)

    def lay(self, ground: Heights, grid: Grid) -> dict[str, Any]:
        """Carve beds into the ground of a window and fill what is below the water.

        Returns
        -------
        dict
            elevation, water_surface, water_depth (ny, nx) float32 [m]; lake (ny, nx) int32; river
            (ny, nx) bool, where one runs.
        """
        wet = self._wet()
        found = self._beds(ground, grid, wet)
        river = found.owner >= 0
        surface, lake = ground.copy(), np.zeros(grid.shape, np.int32)
        sea = np.full(grid.shape, self.sea_level is not None)
        flood(self.shores, self.grid, grid, ground, (surface, lake, sea), river, 0)
        np.copyto(surface, ground, where=lake == 0)
        if self.sea_level is not None:
            np.copyto(surface, np.maximum(ground, self.sea_level), where=sea & (lake == 0))
        level = found.read(self.lines.points["surface"]).astype(np.float32)
        surface[river] = np.where(
            lake[river] > 0, surface[river], np.maximum(surface[river], level)
        )
        depth = surface - ground
        return {
            "elevation": ground,
            "water_surface": surface,
            "water_depth": depth,
            "lake": lake,
            "river": river & (depth > 0),
        }

    def _beds(self, ground: Heights, grid: Grid, wet: NDArray[np.bool_]) -> Beds:
        if self.has_beds:
            return beds(self.lines, grid, 0.0)
        return beds(self.lines, grid, 0.0, ground, (1.0, BANK * self.grid.cell_size), wet)

    def _wet(self) -> NDArray[np.bool_]:
        """Tell which points of the lines lie in a lake or in the sea."""
        grid, points = self.grid, self.lines.points
        (top, left), cell = grid.corner, grid.cell_size
        row = np.clip(np.floor(-points["y"] / cell - top), 0, grid.ny - 1).astype(np.int64)
        col = np.clip(np.floor(points["x"] / cell - left), 0, grid.nx - 1).astype(np.int64)
        wet: NDArray[np.bool_] = self.shores.lake[row, col] != 0
        return wet

    def ribbons(self, grid: Grid) -> Table:
        """Return the rivers that run through a window as lines for ribbons: even, finely stepped.

        Columns id, discharge [m³/yr] and ends (True where the line ends inside by joining another);
        points x, y, surface, width, depth [m], discharge.
        """
        near = self.lines.table(grid, 0.0, (0, 0))
        lines = [_even(near.line(n)) for n in range(len(near))]
        lines = [line for line in lines if len(line["x"]) > 1]
        names = ("x", "y", "surface", "width", "depth", "discharge")
        points = {n: np.concatenate([np.zeros(0), *(line[n] for line in lines)]) for n in names}
        offsets = np.cumsum([0, *(len(line["x"]) for line in lines)])
        columns = {"id": np.arange(1, len(lines) + 1)}
        columns["discharge"] = np.array([line["discharge"][-1] for line in lines])
        units = {"x": "m", "y": "m", "surface": "m", "width": "m", "depth": "m"}
        return Table(columns, units | {"discharge": "m³/yr"}, offsets, points)


def steps_of(land: Terrain) -> list[Step]:
    """Return the steps of a land's recipe, each once; none for a land without one."""
    return [] if land.recipe is None else [task.step for task in land.recipe.tasks(once=True)]


def _traced(land: Terrain, asked: ChannelStep | None, run: Run) -> Lines:
    """Trace rivers on the whole land, as its recipe's step does, and smooth them."""
    grid = land.grid
    names = [name for name in ChannelStep.model_fields if name not in ("op", "algorithm", "rain")]
    rules = {name: getattr(asked, name) for name in names} if asked else {}
    usual = rules.get("channel_area", min(250_000.0, grid.cells * grid.cell_area / MOST_RIVERS))
    rules["channel_area"] = max(usual, 4 * grid.cell_area)
    smoothing = max(getattr(asked, "smoothing", 0), SMOOTHED)
    step = Rivers(**rules, smoothing=smoothing)
    step(land["elevation"], grid=grid, run=run)
    lines = Lines.along(run.features["rivers"], grid.cell_size)
    return _visible(lines)


def _visible(lines: Lines) -> Lines:
    """Make rivers as deep and wide as can be seen."""
    points = dict(lines.points)
    points["bed"] = np.minimum(points["bed"], points["surface"] - SHALLOWEST)
    points["depth"] = np.maximum(points["depth"], SHALLOWEST)
    points["width"] = np.maximum(points["width"], NARROWEST)
    return replace(lines, points=points)


def _shores(land: Terrain, asked: list[Step], run: Run) -> Shores:
    """Return the lakes and the sea of the whole land."""
    _, sea = let_in_sea(land["elevation"], run.sea_level)
    if "lake" in land.layers and "lakes" in land.features:
        lake, lakes = np.array(land["lake"], np.int32), land.features["lakes"]
    else:
        step = next((each for each in asked if isinstance(each, Lakes)), Lakes())
        lake = step(land["elevation"], grid=land.grid, run=run)[2]
        lakes = run.features["lakes"]
    if sea is not None:
        lake[sea] = -1
    return Shores(lake, {name: np.asarray(lakes[name]) for name in COLUMNS})


def _even(line: dict[str, Any]) -> dict[str, NDArray[np.float64]]:
    """Return a line with points about half a width apart, a metre at least; its own points stay.

    Each stretch is divided by itself, so that any window of a river has the same points.
    """
    long = np.hypot(np.diff(line["x"]), np.diff(line["y"]))
    step = np.maximum(0.25 * (line["width"][:-1] + line["width"][1:]), 1.0)
    parts = np.maximum(np.rint(long / step), long > 0).astype(np.int64)
    first = np.cumsum(parts) - parts
    stretch = np.repeat(np.arange(parts.size), parts)
    share = (np.arange(stretch.size) - first[stretch]) / parts[stretch]
    even = {}
    for name in ("x", "y", "surface", "width", "depth", "discharge"):
        here, there = line[name][stretch], line[name][stretch + 1]
        even[name] = np.append(here + share * (there - here), line[name][-1])
    even["surface"] = np.minimum.accumulate(even["surface"])
    return even
