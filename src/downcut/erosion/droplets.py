"""Droplet erosion: rain that runs downhill, takes earth where it is fast and drops it where slow.

The law is Beyer's (2015) particle, mended: a droplet gains speed downhill, changes the ground at
the place it leaves, and what it still carries when it dries up is dropped there. Heights count in
cells (z / cell_size), so slopes are slopes. How the rain is parallel and still exact is told in
`downcut.erosion.rain`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from downcut.erosion.erosion import Erosion
from downcut.erosion.lanes import NO_LIMIT
from downcut.erosion.rain import Rain
from downcut.erosion.rolling import fall, trace
from downcut.errors import DowncutError
from downcut.features import Table
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Metres, Number, Share, at_the_door

EVEN = 16
"""From so many showers on, the land is shown after each: the tiles within one fall unevenly."""
UNITS = {"x": "m", "y": "m", "elevation": "m", "sediment": "m"}
"""Of a droplet's way; its water and its speed are shares of what it began with."""


class Droplets(Erosion):
    """Rain in droplets; each rolls `lifetime` steps of one cell at most.

    A step turns the droplet (d ← inertia·d − (1 − inertia)·∇h), moves it one cell, and compares
    what it carries with what it can: capacity·max(−Δh, min_slope)·speed·water. Uphill it fills
    the hollow behind it; overloaded it drops `deposition_rate` of the surplus; otherwise it digs
    `erosion_rate` of the lack, never deeper than the next place. Then speed² ← speed² − gravity·Δh
    and water ← water·(1 − evaporation).

    Mass is conserved: what a cell loses, as stored, the droplet carries, and what leaves the map
    is counted. The same bits on any number of threads and in windows with the halo. About 15 ns
    a droplet and step.

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> grid = dc.Grid(64, 64, cell_size=10)
    >>> hill = np.add.outer(grid.y, grid.x) * 0.3
    >>> carved = dc.erosion.Droplets()(hill, grid=grid, seed=7)
    >>> bool(np.abs(carved - hill).max() > 0)
    True
    """

    op: Literal["erosion.droplets"] = "erosion.droplets"
    cites: ClassVar[tuple[str, ...]] = ("beyer2015", "musgrave1989")
    current_algorithm: ClassVar[int] = 2
    working_bytes: ClassVar[int] = 4

    droplets_per_cell: Number = Field(0.4, ge=1e-6, le=64)
    """How much it rains: the mean number of droplets that start in a cell."""
    rounds: Count = Field(1, ge=1, le=256)
    """Showers that the rain is divided into; more are evener to watch, fewer are quicker."""
    lifetime: Count = Field(64, ge=1, le=512)
    """The most steps a droplet makes (max steps); longer lives carve longer valleys."""
    steering: Literal["inertia", "damping"] = "inertia"
    """Whether a droplet keeps its direction (inertia) or its damped velocity (damping)."""
    inertia: Share = 0.05
    """How much of its direction a droplet keeps: 0 follows every slope, 1 never turns."""
    damping: Share = 0.85
    """How much of its velocity a droplet keeps where it is steered by damping."""
    min_slope: Number = Field(0.01, ge=0, le=1)
    """Slope below which a droplet still carries as if on it; keeps plains from silting up."""
    capacity: Number = Field(4.0, ge=0, le=64)
    """How much earth fast water carries (sediment capacity)."""
    deposition_rate: Share = 0.3
    """Share of the surplus that is dropped in a step."""
    erosion_rate: Share = 0.3
    """Share of the lack that is dug up in a step."""
    max_erosion: Number = Field(1.0, gt=0, le=1)
    """The deepest a droplet digs in a step, in cells."""
    gravity: Number = Field(4.0, ge=0, le=64)
    """How fast falling water gains speed; 0 keeps its speed at 1."""
    evaporation: Share = 0.02
    """Share of the water lost in a step; the droplet ends below a hundredth."""
    brush_radius: Count = Field(0, ge=0, le=8)
    """Cells around the droplet that it digs from; 0 digs the four cells it lies between."""
    hold_border: bool = True
    """Keep the map's outermost cells as they are: the base level the rain runs to."""
    lowest: Metres | None = Field(None, ge=-1e5, le=1e5)
    """Never dig below this height."""
    highest: Metres | None = Field(None, ge=-1e5, le=1e5)
    """Never heap up above this height."""

    def rain(self) -> Rain:
        """Return how the droplets are spread over places and showers."""
        reach = self.lifetime + 2 + self.brush_radius
        return Rain(self.droplets_per_cell / self.rounds, self.rounds, reach)

    def halo(self, grid: Grid) -> int | None:
        """Return rounds · (3 tiles + 2 reaches) and one reach more, for the ledger."""
        return self.rain().halo

    def work(self) -> float:
        """Return the cost of the steps that a cell's droplets make."""
        return 15.0 * self.lifetime * self.droplets_per_cell

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Let it rain on a copy of the elevation."""
        elevation, mask = (*arrays, None)[:2]
        ground: Array = elevation.copy()
        rain, area = self.falling(ground, mask, grid), grid.cell_area
        # Windows of a grid that ends before the droplets' first move have nothing to carve.
        if min(grid.shape) > 1:
            showers = self.rain().showers(rain, grid=grid, key=key, run=run)
            for part, is_last in showers:
                for dug, dropped, left in (row for rows in part for row in rows.tolist()):
                    run.ledger.eroded += dug * area
                    run.ledger.deposited += dropped * area
                    run.ledger.carried_out += left * area
                if part and (is_last or self.rounds < EVEN):
                    run.show(ground)
        return ground

    def falling(
        self, ground: Array, mask: Array | None, grid: Grid
    ) -> Callable[[Any, Array], Array]:
        """Return what lets showers fall on tiles and changes `ground`; see `rain.Rain`.

        It returns for each tile what was dug and dropped, and what left the map [m].
        """
        clipped = None if mask is None else np.clip(mask, 0, 1)
        rules = self._rules(grid)

        def rain(shower: Any, places: Array) -> Array:
            sums = np.zeros((len(places), 3))
            fall(ground.reshape(-1), clipped, grid.nx, *rules, shower, places, sums)
            return sums

        return rain

    def trace(self, elevation: ArrayLike, x: float, y: float, *, grid: Grid) -> Table:
        """Let one droplet fall at a place and return its way; the ground given stays as it is.

        Parameters
        ----------
        elevation : (ny, nx) array-like [m]
        x, y : float
            Where it falls [m east and north of the world's origin], between the centres of cells.
        grid : Grid

        Returns
        -------
        Table
            One line with a point for the start of each step and one for the end: `x`, `y`, the
            `elevation` of the ground under it [m], its `water` and `speed` as shares of what it
            began with, and the `sediment` it carries, as metres over one cell.

        Raises
        ------
        DowncutError
            For a place off the map.

        Examples
        --------
        >>> import numpy as np, downcut as dc
        >>> grid = dc.Grid(32, 32, cell_size=10)
        >>> plane = np.broadcast_to(-grid.x, grid.shape)
        >>> way = dc.erosion.Droplets().trace(plane, 0, 0, grid=grid).line(0)
        >>> bool((np.diff(way["x"]) >= 0).all()), bool((np.diff(way["elevation"]) <= 0).all())
        (True, True)
        """
        ground = at_the_door(elevation, "elevation", "elevation", grid).copy()
        row, col = (float(grid.y[0]) - y) / grid.cell_size, (x - float(grid.x[0])) / grid.cell_size
        if not (0 <= row < grid.ny - 1 and 0 <= col < grid.nx - 1):
            raise DowncutError(
                f"x, y is {x:g}, {y:g}: a droplet falls within {grid.x[0]:g} to {grid.x[-1]:g} and "
                f"{grid.y[-1]:g} to {grid.y[0]:g} m"
            )
        path = np.zeros((self.lifetime + 1, 6))
        start = np.array([[row, col]])
        steps = trace(ground.reshape(-1), None, *grid.shape, *self._rules(grid), start, path)
        rows, cols, *rest = path[:steps].T
        there = (grid.x[0] + cols * grid.cell_size, grid.y[0] - rows * grid.cell_size, *rest)
        points = dict(
            zip(("x", "y", "elevation", "water", "speed", "sediment"), there, strict=True)
        )
        return Table({"id": np.array([1])}, UNITS, np.array([0, steps]), points)

    def _rules(self, grid: Grid) -> tuple[Any, ...]:
        """Return all that a kernel needs to know: the law, the life, the brush and the border."""
        return (*self._law(grid.cell_size), _brush(self.brush_radius), int(self.hold_border))

    def _law(self, cell_size: float) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the law's float32 numbers and the life's, in the order the kernels unpack them."""
        damped = self.steering == "damping"
        law = (
            cell_size,
            self.damping if damped else self.inertia,
            (1.0 if damped else 1 - self.inertia) / cell_size,
            float(damped),
            1 / cell_size,
            self.min_slope,
            self.deposition_rate,
            self.erosion_rate,
            self.max_erosion,
            self.gravity,
            -NO_LIMIT if self.lowest is None else self.lowest,
            NO_LIMIT if self.highest is None else self.highest,
        )
        life = (self.lifetime, self.capacity, 1 - self.evaporation, self.rain().reach)
        return tuple(np.float32(number) for number in law), life


@cache
def _brush(radius: int) -> Array:
    """Return (n, 3) float64: row and column offsets and weights of a cone; empty for radius 0."""
    span = np.arange(-radius, radius + 1)
    rows, cols = (a.ravel() for a in np.meshgrid(span, span, indexing="ij"))
    weights = np.maximum(radius - np.sqrt(rows**2 + cols**2), 0.0)
    inside = weights > 0
    table = np.column_stack([rows, cols, weights / max(weights.sum(), 1.0)])
    return np.ascontiguousarray(table[inside])
