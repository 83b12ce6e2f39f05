"""Droplet erosion: rain that runs downhill, takes earth where it is fast and drops it where slow.

The law is Beyer's (2015) particle, mended: a droplet gains speed downhill, changes the ground at
the place it leaves, and what it still carries when it dries up is dropped there. Heights count in
cells (z / cell_size), so slopes are slopes. How the rain is parallel and still exact is told in
`downcut.erosion.rain`.
"""

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import finite_kernel, inlined
from downcut.erosion.erosion import Erosion
from downcut.erosion.rain import BLOCK, Rain, cast, chance
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Array, Count, Metres, Number, Share


class Droplets(Erosion):
    """Rain in droplets; each rolls `lifetime` steps of one cell at most.

    A step turns the droplet (d ← inertia·d − (1 − inertia)·∇h), moves it one cell, and compares
    what it carries with what it can: capacity·max(−Δh, min_slope)·speed·water. Uphill it fills
    the hollow behind it; overloaded it drops `deposition_rate` of the surplus; otherwise it digs
    `erosion_rate` of the lack, never deeper than the next place. Then speed² ← speed² − gravity·Δh
    and water ← water·(1 − evaporation).

    Mass is conserved: what a cell loses, as stored, the droplet carries, and what leaves the map
    is counted. The same bits on any number of threads and in windows with the halo. About 60 ns
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
        return 60.0 * self.lifetime * self.droplets_per_cell

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Let it rain on a copy of the elevation."""
        elevation, mask = (*arrays, None)[:2]
        mask = None if mask is None else np.clip(mask, 0, 1)
        ground: Array = elevation.copy()
        law = self._law(grid.cell_size)
        brush = _brush(self.brush_radius)
        held = int(self.hold_border)

        def fall(shower: Any, places: Array) -> Array:
            sums = np.zeros((len(places), 3))
            _fall(ground.reshape(-1), mask, grid.nx, law, brush, held, shower, places, sums)
            return sums

        # Windows of a grid that ends before the droplets' first move have nothing to carve.
        if min(grid.shape) > 1:
            showers = self.rain().showers(fall, grid=grid, key=key, run=run)
            for sums in (row for part in showers for row in part):
                run.ledger.eroded += float(sums[0]) * grid.cell_area
                run.ledger.deposited += float(sums[1]) * grid.cell_area
                run.ledger.carried_out += float(sums[2]) * grid.cell_area
        return ground

    def _law(self, cell_size: float) -> tuple[float, ...]:
        """Return the parameters in the order that the kernel unpacks them."""
        keeps = self.steering == "damping"
        return (
            cell_size,
            self.damping if keeps else self.inertia,
            1.0 if keeps else 1 - self.inertia,
            float(keeps),
            self.lifetime,
            self.min_slope,
            self.capacity,
            self.deposition_rate,
            self.erosion_rate,
            self.max_erosion,
            self.gravity,
            1 - self.evaporation,
            -np.inf if self.lowest is None else self.lowest,
            np.inf if self.highest is None else self.highest,
        )


def _brush(radius: int) -> Array:
    """Return (n, 3) float64: row and column offsets and weights of a cone; empty for radius 0."""
    span = np.arange(-radius, radius + 1)
    rows, cols = (a.ravel() for a in np.meshgrid(span, span, indexing="ij"))
    weights = np.maximum(radius - np.sqrt(rows**2 + cols**2), 0.0)
    inside = weights > 0
    table = np.column_stack([rows, cols, weights / max(weights.sum(), 1.0)])
    return np.ascontiguousarray(table[inside])


@inlined
def _between(z, at, nx, fi, fj):  # type: ignore[no-untyped-def]
    """Bilinear height and gradient (per cell, row and column) in the square whose corner is `at`.

    Indices are unsigned: numba then leaves out its test for negative ones.
    """
    a = np.float64(z[at])
    b = np.float64(z[at + np.uint64(1)])
    c = np.float64(z[at + nx])
    d = np.float64(z[at + nx + np.uint64(1)])
    top = a + fj * (b - a)
    bottom = c + fj * (d - c)
    gj = (b - a) + fi * ((d - c) - (b - a))
    return top + fi * (bottom - top), bottom - top, gj


@inlined
def _pour(z, at, amount, low, high):  # type: ignore[no-untyped-def]
    """Raise a cell by `amount` (or lower it) within limits; return by how much, as stored."""
    old = np.float64(z[at])
    new = np.float32(min(max(old + amount, min(low, old)), max(high, old)))
    z[at] = new
    return np.float64(new) - old


@finite_kernel
def _dig(z, nx, ny, i, j, depth, brush, held, low):  # type: ignore[no-untyped-def]
    """Take `depth` from the cells under the brush round (i, j); return what was taken."""
    taken = 0.0
    for n in range(len(brush)):
        r, c = i + np.int64(brush[n, 0]), j + np.int64(brush[n, 1])
        if held <= r < ny - held and held <= c < nx - held:
            taken -= _pour(z, np.uint64(r * nx + c), -depth * brush[n, 2], low, np.inf)
    return taken


@finite_kernel
def _exchange(z, nx, ny, i, j, fi, fj, amount, held, low, high):  # type: ignore[no-untyped-def]
    """Give `amount` to the four cells around a place (or take it); return what was given."""
    at = np.uint64(i * nx + j)
    top, bottom = amount * (1 - fi), amount * fi
    given = 0.0
    if held == 0 or (0 < i < ny - 2 and 0 < j < nx - 2):
        given += _pour(z, at, top * (1 - fj), low, high)
        given += _pour(z, at + np.uint64(1), top * fj, low, high)
        at += np.uint64(nx)
        given += _pour(z, at, bottom * (1 - fj), low, high)
        given += _pour(z, at + np.uint64(1), bottom * fj, low, high)
        return given
    # Beside a held border the cells inside take their part; what it refuses stays in the water.
    for n in range(4):
        r, c = i + n // 2, j + n % 2
        if 0 < r < ny - 1 and 0 < c < nx - 1:
            part = (bottom if n // 2 else top) * (fj if n % 2 else 1 - fj)
            given += _pour(z, np.uint64(r * nx + c), part, low, high)
    return given


@finite_kernel
def _roll(z, mask, ny, nx, i, j, fi, fj, law, brush, held):  # type: ignore[no-untyped-def]
    """Follow one droplet to its end; return what it dug, dropped and still carried [m]."""
    (cell, keep, turn, damped, lifetime, min_slope, capacity, deposition_rate) = law[:8]
    (erosion_rate, max_erosion, gravity, dry, low, high) = law[8:]
    width = np.uint64(nx)
    per_cell = 1.0 / cell
    di, dj, speed, water, load = 0.0, 0.0, 1.0, 1.0, 0.0
    dug, dropped = 0.0, 0.0
    h, gi, gj = _between(z, np.uint64(i * nx + j), width, fi, fj)
    for _ in range(lifetime):
        di = di * keep - gi * per_cell * turn
        dj = dj * keep - gj * per_cell * turn
        length = np.sqrt(di * di + dj * dj)
        if length < 1e-12:
            break
        step_i, step_j = di / length, dj / length
        if damped == 0.0:
            di, dj = step_i, step_j
        ti, tj = fi + step_i, fj + step_j
        si, sj = np.floor(ti), np.floor(tj)
        ni, nj = i + np.int64(si), j + np.int64(sj)
        if ni < 0 or nj < 0 or ni >= ny - 1 or nj >= nx - 1:
            return dug, dropped, load
        nfi, nfj = ti - si, tj - sj
        new_h, _gi, _gj = _between(z, np.uint64(ni * nx + nj), width, nfi, nfj)
        rise = (new_h - h) * per_cell
        room = max(-rise, min_slope) * speed * water * capacity - load * per_cell
        give = -room * deposition_rate
        take = -min(min(room * erosion_rate, -rise), max_erosion)
        amount = give if room < 0 else take
        amount = (min(rise, load * per_cell) if rise > 0 else amount) * cell
        if mask is not None:
            amount *= mask[i, j]
        # no cell is dug below the next place or filled above it: pits would feed on themselves
        deep = max(low, new_h) if amount < 0 else low
        tall = min(high, new_h) if rise > 0 else high
        if amount < 0 and len(brush) > 0:
            change = -_dig(z, nx, ny, i, j, -amount, brush, held, deep)
        else:
            change = _exchange(z, nx, ny, i, j, fi, fj, amount, held, deep, tall)
        load -= change
        dug -= min(change, 0.0)
        dropped += max(change, 0.0)
        speed = np.sqrt(max(0.0, speed * speed - rise * gravity))
        water *= dry
        i, j, fi, fj = ni, nj, nfi, nfj
        if water < 0.01:
            break
        h, gi, gj = _between(z, np.uint64(i * nx + j), width, fi, fj)
    rest = load if mask is None else load * mask[i, j]
    change = _exchange(z, nx, ny, i, j, fi, fj, rest, held, low, high)
    return dug, dropped + change, load - change


@finite_kernel
def _fall(z, mask, nx, law, brush, held, shower, places, sums):  # type: ignore[no-untyped-def]
    """Let the sub-batches of a shower fall on tiles, one droplet after another."""
    for n in range(len(places)):
        _fall_on_tile(z, mask, nx, law, brush, held, shower, places[n], sums[n])


@finite_kernel
def _fall_on_tile(z, mask, nx, law, brush, held, shower, place, sums):  # type: ignore[no-untyped-def]
    """Let the sub-batches of a shower fall on a tile, one droplet after another."""
    key, first, last, odds = shower
    ny = len(z) // nx
    row0, col0 = place[4], place[5]
    for batch in range(first, last):
        for block_row in range(place[0], place[1]):
            for block_col in range(place[2], place[3]):
                bits = chance(key, batch, block_row, block_col)
                if np.float64(bits >> np.uint64(40)) * 2.0**-24 >= odds:
                    continue
                y = cast(bits >> np.uint64(20))
                x = cast(bits)
                i = block_row * BLOCK - row0 + np.int64(y)
                j = block_col * BLOCK - col0 + np.int64(x)
                if i < 0 or j < 0 or i >= ny - 1 or j >= nx - 1:
                    continue
                counts = place[6] <= i < place[7] and place[8] <= j < place[9]
                got = _roll(
                    z, mask, ny, nx, i, j, y - np.floor(y), x - np.floor(x), law, brush, held
                )
                if counts:
                    sums[0] += got[0]
                    sums[1] += got[1]
                    sums[2] += got[2]
