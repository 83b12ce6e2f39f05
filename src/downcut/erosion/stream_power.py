"""Stream power: rivers cut down against uplift, and shape the land between them."""

import math
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import finite_kernel, kernel
from downcut.erosion.erosion import Erosion, writeable
from downcut.flow.accumulate import accumulate
from downcut.flow.drained import let_in_sea
from downcut.flow.routing import receivers
from downcut.flow.trees import share_out, sort_trees
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, LayerName, Number, Share, Years

MetresPerYear = Annotated[float, Field(json_schema_extra={"unit": "m/yr"})]
Erodibility = Annotated[float, Field(json_schema_extra={"unit": "m^(1−2m)/yr"})]

TABLE = 1 << 14
"""Drainage areas of fewer cells than this take their power from a table: nearly all do."""
_SOFTEST = np.float32(1e-6)


class StreamPower(Erosion):
    """One time step of ∂z/∂t = uplift − erodibility · Aᵐ · Sⁿ, where A is the drainage area.

    Implicit from the outlets up (Braun & Willett 2013), so it is stable for any time step; for
    n = 1 exact along the river, else by Newton. Water is routed through depressions over their
    lowest saddle, so no river stops; ground under a lake is not cut. Outlets at the map's edge
    hold their height, and so does the floor of the sea, whose level is the base. What rivers cut
    leaves the map: it is counted as eroded and carried out. Put it in a Repeat with
    `erosion.hillslope` or `erosion.thermal` to let slopes follow.

    At steady state the slope is (uplift / erodibility)^(1/n) · A^(−m/n).

    Examples
    --------
    >>> import numpy as np, downcut as dc
    >>> grid = dc.Grid(32, 32, cell_size=100)
    >>> rough = dc.fields.Fbm(amplitude=10, wavelength=1000)(grid=grid, seed=7)
    >>> land = dc.erosion.StreamPower(time_step=50_000)(rough, grid=grid)
    >>> bool(land.max() > rough.max())
    True
    """

    op: Literal["erosion.stream_power"] = "erosion.stream_power"
    cites: ClassVar[tuple[str, ...]] = ("braun2013", "cordonnier2019", "fairfield1991")
    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 150.0
    working_bytes: ClassVar[int] = 32

    time_step: Years = Field(25_000.0, ge=0.001, le=1e9)
    """How long the rivers cut in one step."""
    uplift_rate: MetresPerYear = Field(0.001, ge=-1, le=1)
    """How fast the ground rises; 1 mm a year is a young mountain range."""
    erodibility: Erodibility = Field(2e-5, ge=0, le=10)
    """How easily the rock is cut: 1e-6 granite, 1e-4 mudstone, with m = 0.5."""
    area_exponent: Number = Field(0.5, ge=0, le=2)
    """How much more a larger river cuts (m)."""
    slope_exponent: Number = Field(1.0, ge=0.2, le=5)
    """How much more a steeper river cuts (n)."""
    stray: Share = 0.0
    """How far water strays from the steepest way: 0 keeps to the grid's eight directions, 0.5 and
    many time steps leave no trace of them."""
    uplift: LayerName | None = None
    """A layer that multiplies the uplift rate from place to place."""
    hardness: LayerName | None = None
    """A layer that divides the erodibility from place to place: 1 as given, 10 ten times harder."""
    rain: LayerName | None = None
    """A layer that weighs the drainage area by how much it rains, 1 as given."""

    def inputs(self) -> dict[str, str]:
        """Elevation, and the layers that are named."""
        named = {name: getattr(self, name) for name in ("uplift", "hardness", "rain")}
        return super().inputs() | {name: layer for name, layer in named.items() if layer}

    def halo(self, grid: Grid) -> int | None:
        """A river may come from anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Route the water, add up the area, and cut from the outlets up."""
        given = dict(zip(self.inputs(), arrays, strict=True))
        ground, sea = let_in_sea(given["elevation"], run.sea_level)
        flow = receivers(ground, run, stray=self.stray, key=key)
        if sea is not None:
            flow[sea] = np.flatnonzero(sea)
        lifted = self._factor(given, "uplift")
        exact = self._cut(ground, flow, lifted, given, grid, run)
        self._account(given["elevation"], ground, exact, flow, lifted, grid, run)
        if sea is not None:
            ground[sea] = given["elevation"][sea]
        return ground

    def _factor(self, given: dict[str, Any], name: str) -> Array | None:
        """Return what multiplies the uplift in each cell, flat; None for 1 everywhere."""
        layers = [given[name]] if name in given else []
        layers += [np.clip(given["mask"], 0, 1)] if "mask" in given else []
        if not layers:
            return None
        if len(layers) == 1:
            factor: Array = writeable(layers[0].astype(np.float32, copy=False))
        else:
            factor = np.prod(layers, axis=0, dtype=np.float32)
        return factor.ravel()

    def _cut(
        self,
        ground: Array,
        flow: Array,
        lifted: Array | None,
        given: dict[str, Any],
        grid: Grid,
        run: Run,
    ) -> Array:
        """Lift and cut the ground, trees beside trees; return its heights before rounding, flat."""
        factor = self.erodibility * self.time_step / grid.cell_size**self.slope_exponent
        factor *= grid.cell_area**self.area_exponent
        z, to = ground.ravel(), flow.ravel()
        if rained := "rain" in given:
            exact = accumulate(flow, np.maximum(given["rain"], 0)).ravel() ** self.area_exponent
            exact *= factor
        else:
            exact = np.ones(z.size)
        table = factor * _powers_of(self.area_exponent)
        hard = np.maximum(given["hardness"].ravel(), _SOFTEST) if "hardness" in given else None
        loose = np.clip(given["mask"].ravel(), 0, 1) if "mask" in given else None
        cells, waiting = np.empty_like(to), np.zeros(z.size, np.uint8)
        octants, parts = share_out(to, grid.shape, run)
        law = (self.uplift_rate * self.time_step, self.slope_exponent)

        def work(first: int, last: int) -> None:
            for part in parts[first:last]:
                mine = cells[part.first : part.last]
                sort_trees(to, octants, part.mine, waiting, mine)
                if not rained:
                    _powers(to, mine, table, factor, self.area_exponent, exact)
                _cut(z, to, mine, exact, lifted, hard, loose, grid.nx, law)

        run.slices(work, len(parts), 1, (1, 2))
        return exact

    def _account(
        self,
        old: Array,
        new: Array,
        exact: Array,
        flow: Array,
        lifted: Array | None,
        grid: Grid,
        run: Run,
    ) -> None:
        """Add up the earth that moved, rows beside rows."""
        core, lift = run.core_of(grid.shape), self.uplift_rate * self.time_step
        flat = (writeable(old).ravel(), new.ravel(), exact, flow.ravel(), lifted)

        def work(first: int, last: int) -> Array:
            sums = np.zeros(3)
            _account(*flat, lift, grid.nx, core, first, last, sums)
            return sums

        for up, cut, rounded in run.slices(work, grid.ny, max(1, 2**18 // grid.nx), (1, 2)):
            run.ledger.note(
                grid.cell_area, uplifted=up, eroded=cut, carried_out=cut, clamped=rounded
            )


@lru_cache(maxsize=8)
def _powers_of(exponent: float) -> Array:
    """Return (TABLE,) the powers of 0, 1, 2…: small drainage areas, in cells."""
    table: Array = np.arange(TABLE, dtype=np.float64) ** exponent
    table.flags.writeable = False
    return table


@kernel
def _powers(receivers, cells, table, factor, exponent, out):  # type: ignore[no-untyped-def]
    """Count the cells upstream of each (in `out`) and replace the count by factor · countᵐ."""
    for n in range(cells.size - 1, -1, -1):
        cell = cells[n]
        count = out[cell]
        if receivers[cell] != cell:
            out[receivers[cell]] += count
        place = np.int64(count)
        out[cell] = table[place] if place < table.size else factor * count**exponent


@finite_kernel
def _newton(drop, f, exponent):  # type: ignore[no-untyped-def]
    """Solve x + f · xⁿ = drop for 0 ≤ x ≤ drop, from above: monotone and quadratic."""
    x = drop
    for _ in range(50):
        power = f * x ** (exponent - 1.0)
        change = (x + power * x - drop) / (1.0 + exponent * power)
        x = max(x - change, x * 0.01)
        if abs(change) <= 1e-12 * drop:
            break
    return x


@finite_kernel
def _cut(z, receivers, cells, cutting, lifted, hard, loose, nx, law):  # type: ignore[no-untyped-def]
    """Lift and cut each cell after its receiver; put its height before rounding into `cutting`."""
    lift, exponent = law
    diagonal = math.sqrt(0.5) ** exponent
    for cell in cells:
        receiver = receivers[cell]
        if receiver == cell:
            continue
        after = np.float64(z[cell]) + (lift if lifted is None else lift * lifted[cell])
        base = np.float64(z[receiver])
        if after > base:
            f = cutting[cell]
            if hard is not None:
                f /= hard[cell]
            if loose is not None:
                f *= loose[cell]
            step = abs(receiver - cell)
            f *= 1.0 if step == 1 or step == nx else diagonal
            if exponent == 1.0:
                after = (after + f * base) / (1.0 + f)
            else:
                after = base + _newton(after - base, f, exponent)
        z[cell] = after
        cutting[cell] = after


@finite_kernel
def _account(old, new, exact, receivers, lifted, lift, nx, core, first, last, sums):  # type: ignore[no-untyped-def]
    """Sum what was lifted, cut and rounded [m] in the part of rows first…last that counts."""
    top, bottom, left, right = core
    for row in range(max(first, top), min(last, bottom)):
        for cell in range(row * nx + left, row * nx + right):
            if receivers[cell] == cell:
                continue
            up = lift if lifted is None else lift * lifted[cell]
            sums[0] += up
            sums[1] += np.float64(old[cell]) + up - exact[cell]
            sums[2] += np.float64(new[cell]) - exact[cell]
