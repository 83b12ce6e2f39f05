"""Rain: no blow-up, no lost earth, downhill, and the same as a droplet at a time by hand."""

from itertools import pairwise, product
from math import floor, inf, sqrt

import numpy as np
import pytest

import downcut as dc
from downcut._jit import kernel
from downcut._simd import pick, pour4
from downcut.erosion.rain import BLOCK, GRAY, Rain, cast, chance
from downcut.randomness import derive
from downcut.run import Run

Droplets = dc.erosion.Droplets


def rained(step, elevation, grid, seed=0, **arrays):
    """The ground after the rain, and the ledger."""
    run = Run()
    after = step(elevation, grid=grid, seed=seed, run=run, **arrays)
    return after, run.ledger


def plane(grid, fall):
    """A plane that falls so many metres a metre to the east."""
    return np.broadcast_to(-fall * grid.x, grid.shape).astype(np.float32)


# --- no blow-up -----------------------------------------------------------------------------


def median_of_3x3(h):
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(h, 1, mode="edge"), (3, 3))
    return np.median(windows, axis=(2, 3))


def spike(h, where=...):
    return float(np.abs(h - median_of_3x3(h))[where].max())


HARSH = [
    {"rounds": 100},
    {"rounds": 256},
    {"capacity": 40},
    {"capacity": 40, "rounds": 100},
    {"erosion_rate": 1, "deposition_rate": 1},
    {"hold_border": False},
    {"hold_border": False, "capacity": 40},
    {"brush_radius": 3},
    {"brush_radius": 2, "capacity": 40},
    {"steering": "damping", "gravity": 0},
    {"gravity": 64, "inertia": 0.9},
    {"lifetime": 512, "evaporation": 0},
]


@pytest.mark.parametrize("harder", [{}, *HARSH], ids=str)
@pytest.mark.parametrize("rain", [0.4, 4, 40])
def test_however_hard_it_rains_the_land_stays_within_itself(fractal, harder, rain):
    size = 128 if rain < 40 and "lifetime" not in harder else 64
    land = fractal(size, relief=500, roughness=1.8)
    grid = dc.Grid(size, size, 20)
    step = Droplets(droplets_per_cell=rain, **harder)
    after, _ = rained(step, land, grid)
    assert np.isfinite(after).all()
    assert after.min() >= land.min() - 5
    assert after.max() <= land.max() + 5
    # A droplet without a brush cuts gorges a cell wide, so rain without end leaves towers between
    # them, and fast water does sooner; a held border stands where all beside it is gone.
    usual = step.capacity == 4 and step.gravity == 4
    most = 3 if usual and (rain < 1 or step.brush_radius) else 8
    inner = (slice(3, -3), slice(3, -3)) if step.hold_border else ...
    assert spike(after, inner) <= most * spike(land)


def test_rain_on_bumps_and_pits_makes_neither_worse(fractal):
    land = fractal(96, relief=300)
    land[30, 40] += 120
    land[60, 20] -= 120
    after, _ = rained(Droplets(droplets_per_cell=4), land, dc.Grid(96, 96, 15))
    assert after.max() <= land.max()
    assert after.min() >= land.min()


# --- no earth is lost -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"hold_border": False},
        {"brush_radius": 2},
        {"brush_radius": 2, "hold_border": False},
        {"lowest": 20, "highest": 60},
        {"rounds": 7},
        {"mask": "mask"},
        {"mask": "mask", "brush_radius": 1},
        {"steering": "damping", "gravity": 0, "max_erosion": 0.05},
        {"capacity": 40, "erosion_rate": 1},
        {"lifetime": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_leaves_a_hill_is_carried_out_and_nothing_else(settings, seed, balance):
    """2000 droplets on a hill of 64 × 64: the ledger says where each bit of earth is."""
    grid = dc.Grid(64, 64, 2)
    hill = (80 * np.exp(-np.add.outer(grid.y**2, grid.x**2) / 900)).astype(np.float32)
    mask = {"mask": np.linspace(-0.5, 1.5, 64 * 64).reshape(64, 64)} if "mask" in settings else {}
    step = Droplets(droplets_per_cell=2000 / 64**2, **settings)
    after, ledger = rained(step, hill, grid, seed, **mask)
    books = balance(hill, after, ledger, grid.cell_area)
    assert books.moved > 10
    assert books.ground < 1e-9
    assert books.load < 1e-9
    assert ledger.uplifted == ledger.clamped == 0
    assert ledger.eroded > 0
    assert ledger.deposited > 0
    assert ledger.carried_out >= 0


def test_without_capacity_nothing_moves(fractal):
    land = fractal(48)
    after, ledger = rained(Droplets(capacity=0), land, dc.Grid(48, 48, 20))
    assert (after == land).all()
    assert ledger.eroded == 0


# --- where it may act -----------------------------------------------------------------------


@pytest.mark.parametrize("brush", [0, 2])
def test_a_mask_of_zero_keeps_the_ground_as_it_is(fractal, brush):
    land = fractal(64)
    grid = dc.Grid(64, 64, 20)
    mask = np.zeros((64, 64))
    mask[:, 32:] = 1
    step = Droplets(mask="mask", brush_radius=brush, droplets_per_cell=2)
    after, _ = rained(step, land, grid, mask=mask)
    assert (after[:, : 32 - brush] == land[:, : 32 - brush]).all()
    assert (after[1:-1, 33:-1] != land[1:-1, 33:-1]).mean() > 0.5
    everywhere, _ = rained(step, land, grid, mask=np.ones((64, 64)))
    plain, _ = rained(Droplets(brush_radius=brush, droplets_per_cell=2), land, grid)
    assert (everywhere == plain).all()
    none, ledger = rained(step, land, grid, mask=np.zeros((64, 64)))
    assert (none == land).all()
    assert ledger.eroded == ledger.deposited == 0


def test_a_mask_outside_0_to_1_is_clipped(fractal):
    land = fractal(64)
    grid = dc.Grid(64, 64, 20)
    mask = np.linspace(-2, 3, 64 * 64).reshape(64, 64)
    step = Droplets(mask="mask", droplets_per_cell=2)
    wild, _ = rained(step, land, grid, mask=mask)
    tame, _ = rained(step, land, grid, mask=np.clip(mask, 0, 1))
    assert (wild == tame).all()


@pytest.mark.parametrize("brush", [0, 3])
def test_a_held_border_stays_and_a_free_one_does_not(fractal, brush):
    land = fractal(64)
    grid = dc.Grid(64, 64, 20)
    frame = np.ones((64, 64), bool)
    frame[1:-1, 1:-1] = False
    common = {"droplets_per_cell": 4, "brush_radius": brush}
    held, _ = rained(Droplets(**common), land, grid)
    assert (held[frame] == land[frame]).all()
    assert (held[1:-1, 1:-1] != land[1:-1, 1:-1]).mean() > 0.9
    free, _ = rained(Droplets(hold_border=False, **common), land, grid)
    assert (free[frame] != land[frame]).mean() > 0.3


@pytest.mark.parametrize("brush", [0, 2])
def test_limits_are_never_passed_and_ground_beyond_them_is_left_there(fractal, brush):
    land = fractal(64, relief=500)
    grid = dc.Grid(64, 64, 20)
    low, high = 150, 300
    step = Droplets(droplets_per_cell=8, capacity=40, lowest=low, highest=high, brush_radius=brush)
    after, _ = rained(step, land, grid)
    assert (after[land >= low] >= low).all()
    assert (after[land <= high] <= high).all()
    # what lies beyond a limit may still come back towards it
    assert (after[land < low] >= land[land < low]).all()
    assert (after[land > high] <= land[land > high]).all()
    freely, _ = rained(Droplets(droplets_per_cell=8, capacity=40, brush_radius=brush), land, grid)
    assert (freely != after).any()


def test_a_droplet_never_digs_deeper_than_asked():
    grid = dc.Grid(64, 64, 10)
    slope = plane(grid, 2.0)
    step = Droplets(droplets_per_cell=0.001, capacity=64, erosion_rate=1, max_erosion=0.01)
    after, _ = rained(step, slope, grid, seed=3)
    assert (after != slope).any()
    # a droplet takes 0.1 m a step; two of its steps touch a cell, a third at most a corner
    assert (slope - after).max() <= 3 * 0.1


# --- downhill -------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"brush_radius": 2}, {"steering": "damping"}], ids=str)
@pytest.mark.parametrize("quarter", range(4))
def test_earth_moves_downhill_and_not_sideways(settings, quarter):
    """On a tilted plane the upper edge loses what is dropped below, and no side gains."""
    grid = dc.Grid(160, 160, 10)
    land = np.ascontiguousarray(np.rot90(plane(grid, 0.3), quarter))
    step = Droplets(droplets_per_cell=0.3, lifetime=20, **settings)
    after, ledger = rained(step, land, grid)
    change = np.rot90(after.astype(float) - land, -quarter)
    inner = (slice(25, -25), slice(25, -25))
    y = np.mgrid[0:160, 0:160][0] - 79.5
    across = float((change * y)[inner].sum()) / (ledger.eroded / grid.cell_area)
    above, below = change[25:-25, 1:25].sum(), change[25:-25, -25:-1].sum()
    assert above < -0.01 * ledger.eroded / grid.cell_area  # no earth comes from above to fill it
    assert below > above / 2
    assert abs(across) < 0.5  # cells, for the mean of all that moved
    assert ledger.carried_out > 0


def test_one_droplet_digs_above_and_drops_below():
    """All that a lonely droplet takes lies uphill of all it leaves, on its way straight down."""
    grid = dc.Grid(200, 200, 10)
    land = plane(grid, 0.3)
    found = 0
    for seed in range(12):
        step = Droplets(droplets_per_cell=1 / 40_000, lifetime=12, evaporation=0.2)
        after, _ = rained(step, land, grid, seed)
        change = after.astype(float) - land
        if not change.any():
            continue
        rows, cols = np.nonzero(change)
        if np.ptp(rows) > 8 or np.ptp(cols) > 16:
            continue  # two droplets fell
        found += 1
        assert np.ptp(cols) >= 8
        along = change.sum(axis=0)
        dug, dropped = -np.minimum(along, 0), np.maximum(along, 0)
        place = np.arange(200)
        assert (place * dug).sum() / dug.sum() < (place * dropped).sum() / dropped.sum()
        assert dug.sum() == pytest.approx(dropped.sum(), rel=1e-4)
    assert found >= 2


def test_rain_carves_valleys_rather_than_lowering_all_alike():
    """A rough slope ends up with earth taken from a few lines: the change is far from even."""
    grid = dc.Grid(128, 128, 10)
    rough = np.random.default_rng(1).normal(0, 0.3, grid.shape)
    land = (plane(grid, 0.3) + rough).astype(np.float32)
    after, ledger = rained(Droplets(droplets_per_cell=1, brush_radius=1), land, grid)
    change = (after - land)[16:-16, 16:-16]
    assert np.quantile(change, 0.02) < 3 * np.median(change) - 0.05
    assert ledger.eroded > ledger.deposited


# --- the rain -------------------------------------------------------------------------------


def starts(rain, grid, key):
    """Where every droplet starts, in the order of the rain; and its colour's place."""
    found = []

    def on_tile(shower, place):
        k, first, last, odds = shower
        here = []
        for batch, r, c in product(
            range(first, last), range(place[0], place[1]), range(place[2], place[3])
        ):
            bits = chance(k, batch, r, c)
            if float(int(bits) >> 40) * 2.0**-24 < odds:
                y = r * BLOCK + cast(np.uint64(int(bits) >> 20)) - place[4]
                x = c * BLOCK + cast(np.uint64(int(bits))) - place[5]
                here.append((y, x))
        found.append((tuple(int(n) for n in place), here))
        return 0

    def fall(shower, places):
        for place in places:
            on_tile(shower, place)

    for _ in rain.showers(fall, grid=grid, key=key, run=Run(threads=1)):
        pass
    return found


@pytest.mark.parametrize("density", [0.001, 0.05, 0.4, 3.3])
def test_as_many_droplets_fall_as_asked_evenly_spread(density):
    rain = Rain(density, 1, 10)
    grid = dc.Grid(120, 90)
    counts, places = [], []
    keys = range(8 if density < 1 else 2)
    for key in keys:
        here = np.array([p for _, ps in starts(rain, grid, key * 77 + 1) for p in ps])
        here = here.reshape(-1, 2)
        inside = ((here >= 0) & (here < grid.shape)).all(axis=1)
        counts.append(inside.sum())
        places.append(here[inside])
    expected = len(keys) * density * grid.cells
    assert abs(sum(counts) - expected) < 5 * sqrt(expected) + 1
    assert len(set(counts)) > 1
    together = np.concatenate(places)
    if len(together) > 1000:
        for axis, length in enumerate(grid.shape):
            bins = np.histogram(together[:, axis], bins=10, range=(0, length))[0]
            assert np.abs(bins - bins.mean()).max() < 5 * sqrt(bins.mean())
            fraction = together[:, axis] % 1
            assert abs(fraction.mean() - 0.5) < 5 * sqrt(1 / 12 / len(together))


def test_the_rain_of_a_place_does_not_know_the_map():
    rain = Rain(0.4, 2, 6)
    large, small = dc.Grid(100, 120, 1, -40, -1000), dc.Grid(60, 50, 1, -20, -950)

    def in_world(grid):
        first = np.array(grid.first_cell)
        return {
            tuple(p + first)
            for _, ps in starts(rain, grid, 5)
            for p in np.array(ps).reshape(-1, 2)
            if (p + first >= (-20, -950)).all() and (p + first < (40, -900)).all()
        }

    assert in_world(large) == in_world(small)
    assert len(in_world(small)) > 1000


@pytest.mark.parametrize("reach", [3, 9, 66, 70])
@pytest.mark.parametrize("corner", [(0, 0), (-517, 10**7 + 3), (-(10**7), -999)])
def test_tiles_of_a_colour_never_touch_the_same_cell(reach, corner):
    rain = Rain(0.2, 3, reach)
    grid = dc.Grid(7 * rain.tile // 2, 5 * rain.tile // 2, 1, *corner)
    assert rain.tile % BLOCK == 0
    assert rain.tile >= 2 * reach
    for shower in range(3):
        key = derive(11, "shower", shower)
        rained_on = np.zeros(grid.shape, int)
        for colour in GRAY:
            touched = np.zeros(grid.shape, int)
            for place in rain._places(grid, key, colour, Run()):
                spans, wide = [], []
                for axis in (0, 1):
                    first = grid.first_cell[axis]
                    low, high = (int(b) * BLOCK - first for b in place[2 * axis : 2 * axis + 2])
                    spans.append(slice(max(low, 0), max(high, 0)))
                    wide.append(slice(max(low - reach, 0), max(high + reach, 0)))
                touched[tuple(wide)] += 1
                rained_on[tuple(spans)] += 1
            assert touched.max() <= 1
        assert (rained_on == 1).all()


def test_colours_take_turns_in_gray_order_and_tiles_jump_between_showers():
    rain = Rain(0.3, 6, 5)
    grid = dc.Grid(64, 64)
    order = [place[:4] for place, _ in starts(rain, grid, 3)]
    per_shower = len(set(order)) and [
        [tuple(p[:4]) for c in GRAY for p in rain._places(grid, derive(3, "shower", s), c, Run())]
        for s in range(6)
    ]
    assert order == [place for shower in per_shower for place in shower]
    assert len({tuple(shower) for shower in per_shower}) > 1
    for one, next_one in pairwise([*GRAY, GRAY[0]]):
        assert sum(a != b for a, b in zip(one, next_one, strict=True)) == 1
    assert set(GRAY) == set(product((0, 1), (0, 1)))


def test_slices_of_heavy_rain_leave_the_order_within_a_tile(monkeypatch, fractal):
    """Looking up between sub-batches, for Ctrl-C, changes nothing."""
    land = fractal(64)
    grid = dc.Grid(64, 64, 20)
    step = Droplets(droplets_per_cell=6, lifetime=8)
    whole, _ = rained(step, land, grid)
    monkeypatch.setattr("downcut.erosion.rain.DROPLETS_A_SLICE", 50)
    cut, _ = rained(step, land, grid)
    assert cut.tobytes() == whole.tobytes()


# --- a droplet at a time --------------------------------------------------------------------

M64 = 2**64 - 1
F = np.float32


def plain_mix(h):
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & M64
    h = (h ^ h >> 27) * 0x94D049BB133111EB & M64
    return h ^ h >> 31


def plain_hash(key, row, col):
    h = plain_mix(key ^ (row & M64) * 0x9E3779B97F4A7C15 & M64)
    return plain_mix(h ^ (col & M64) * 0xC2B2AE3D27D4EB4F & M64)


class PlainDroplets:
    """The law as it is told, a droplet at a time, in float32 as the ground is.

    Droplets that fall together take turns: all look, then all change the ground, in order.
    """

    def __init__(self, step, elevation, grid, key, mask=None):
        self.step, self.grid, self.key, self.mask = step, grid, key, mask
        self.z = elevation.astype(np.float32).copy()
        self.low = F(-inf if step.lowest is None else step.lowest)
        self.high = F(inf if step.highest is None else step.highest)
        self.farthest = 0.0

    def rain(self):
        step = self.step
        reach = step.lifetime + 2 + step.brush_radius
        tile = -(-2 * reach // 8)  # in blocks of 8 cells
        density = step.droplets_per_cell / step.rounds * 64  # a block and shower
        batches = max(1, int(np.ceil(density)))
        first = self.grid.first_cell
        for shower in range(step.rounds):
            key = derive(self.key, "shower", shower)
            shift = [derive(key, "shift", axis) % tile for axis in (0, 1)]
            for colour in ((0, 0), (0, 1), (1, 1), (1, 0)):
                tiles = [
                    [
                        t
                        for t in range(
                            (first[a] // 8 - shift[a]) // tile,
                            ((first[a] + self.grid.shape[a]) // 8 - shift[a]) // tile + 1,
                        )
                        if t % 2 == colour[a]
                    ]
                    for a in (0, 1)
                ]
                for tr, tc in product(*tiles):
                    for batch in range(batches):
                        k = (key + batch * 0x9E3779B97F4A7C15) & M64
                        rows, cols = (
                            range(t * tile + s, (t + 1) * tile + s)
                            for t, s in zip((tr, tc), shift, strict=True)
                        )
                        starts = []
                        for down, right in product(range(4), repeat=2):
                            for r, c in product(rows, cols):
                                if (r % 4, c % 4) != (down, right):
                                    continue
                                bits = plain_hash(k, r, c)
                                y = r * 8 - first[0] + (bits >> 20 & 0xFFFFF) / 2**17
                                x = c * 8 - first[1] + (bits & 0xFFFFF) / 2**17
                                rains = (bits >> 40) / 2**24 < density / batches
                                ny, nx = self.z.shape
                                if rains and 0 <= y < ny - 1 and 0 <= x < nx - 1:
                                    starts.append((y, x))
                        for n in range(0, len(starts), 32):
                            self.together(starts[n : n + 32])
        return self.z

    def together(self, starts):
        ends = [None] * len(starts)
        rolling = [self.roll(n, ends, y, x) for n, (y, x) in enumerate(starts)]
        over = object()
        while rolling:
            rolling = [droplet for droplet in rolling if next(droplet, over) is not over]
        for end in ends:
            if end:  # it is still on the map
                i, j, fi, fj, load = end
                rest = load if self.mask is None else load * self.mask[i, j]
                self.exchange(i, j, fi, fj, rest, self.low, self.high)

    def under(self, i, j, fi, fj):
        """The cell's height, the ground's above it, and its slopes down the rows and along them."""
        (a, b), (c, d) = self.z[i : i + 2, j : j + 2]
        east, twist = b - a, (d - c) - (b - a)
        south = (c - a) + fj * twist
        return a, fj * east + fi * south, south, east + fi * twist

    def pour(self, i, j, amount, low, high):
        ny, nx = self.z.shape
        held = int(self.step.hold_border)
        if not (held <= i < ny - held and held <= j < nx - held):
            return 0.0
        old = self.z[i, j]
        self.z[i, j] = min(max(old + amount, min(low, old)), max(high, old))
        return float(self.z[i, j]) - float(old)

    def exchange(self, i, j, fi, fj, amount, low, high):
        bottom = amount * fi
        top = amount - bottom
        parts = (top - top * fj, top * fj, bottom - bottom * fj, bottom * fj)
        return sum(self.pour(i + n // 2, j + n % 2, parts[n], low, high) for n in range(4))

    def dig(self, i, j, depth, low):
        radius = self.step.brush_radius
        cone = [
            (r, c, radius - sqrt(r * r + c * c))
            for r, c in product(range(-radius, radius + 1), repeat=2)
            if r * r + c * c < radius * radius
        ]
        total = float(np.sum([w for *_, w in cone]))
        taken = 0.0
        for r, c, weight in cone:
            taken -= self.pour(i + r, j + c, -depth * F(weight / total), low, inf)
        return taken

    def roll(self, number, ends, y, x):
        """Follow a droplet; it pauses when it has looked and again when it has acted."""
        s, cell = self.step, self.grid.cell_size
        ny, nx = self.z.shape
        i, j = floor(y), floor(x)
        fi, fj = F(y - i), F(x - j)
        di = dj = F(0)
        load, speed2, water = 0.0, F(1), 1.0
        damped = s.steering == "damping"
        keep = F(s.damping if damped else s.inertia)
        turn = F((1.0 if damped else 1 - s.inertia) / cell)
        for _ in range(s.lifetime):
            base, h, south, east = self.under(i, j, fi, fj)
            di, dj = di * keep - south * turn, dj * keep - east * turn
            length = np.sqrt(di * di + dj * dj)
            if length < 1e-12:
                break
            step_i, step_j = di * (F(1) / length), dj * (F(1) / length)
            if not damped:
                di, dj = step_i, step_j
            ti, tj = fi + step_i, fj + step_j
            ni, nj = i + floor(ti), j + floor(tj)
            if ni < 0 or nj < 0 or ni >= ny - 1 or nj >= nx - 1:
                return
            nfi, nfj = ti - np.floor(ti), tj - np.floor(tj)
            new_base, above, *_ = self.under(ni, nj, nfi, nfj)
            new_h = (new_base - base) + above
            rise, carried = (new_h - h) * F(1 / cell), F(load) * F(1 / cell)
            room = max(-rise, F(s.min_slope)) * np.sqrt(speed2) * F(s.capacity * water) - carried
            if rise > 0:
                amount = min(rise, carried)
            elif room < 0:
                amount = -room * F(s.deposition_rate)
            else:
                amount = -min(room * F(s.erosion_rate), -rise, F(s.max_erosion))
            amount *= F(cell)
            if self.mask is not None:
                amount *= self.mask[i, j]
            yield
            new_h += base
            if amount < 0 and s.brush_radius > 0:
                change = -self.dig(i, j, -amount, max(self.low, new_h))
            elif amount < 0:
                change = self.exchange(i, j, fi, fj, amount, max(self.low, new_h), self.high)
            elif rise > 0:
                change = self.exchange(i, j, fi, fj, amount, self.low, min(self.high, new_h))
            else:
                change = self.exchange(i, j, fi, fj, amount, self.low, self.high)
            load -= change
            speed2 = max(F(0), speed2 - rise * F(s.gravity))
            water *= 1 - s.evaporation
            i, j, fi, fj = ni, nj, nfi, nfj
            self.farthest = max(self.farthest, abs(i - floor(y)), abs(j - floor(x)))
            yield
            if water < 0.01:
                break
        ends[number] = i, j, fi, fj, F(load)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"inertia": 0.7, "gravity": 20, "lifetime": 30},
        {"hold_border": False, "rounds": 3},
        {"brush_radius": 1},
        {"brush_radius": 3, "hold_border": False},
        {"steering": "damping", "gravity": 0, "max_erosion": 0.05},
        {"lowest": 30, "highest": 70, "capacity": 20},
        {"mask": "mask", "evaporation": 0.3},
        {"mask": "mask", "brush_radius": 2},
        {"min_slope": 0.3, "erosion_rate": 1, "deposition_rate": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("corner", [(-20, -22), (10**6 + 5, -12345)], ids=str)
def test_the_kernel_gives_to_the_bit_what_a_droplet_at_a_time_gives(fractal, settings, corner):
    grid = dc.Grid(41, 45, 3, *corner)
    land = fractal(41, 45, relief=100, seed=5)
    step = Droplets(**{"droplets_per_cell": 0.5, "lifetime": 12} | settings)
    mask = None
    if step.mask:
        mask = np.linspace(0, 1, land.size, dtype=np.float32).reshape(land.shape)
    plain = PlainDroplets(step, land, grid, derive(9, step.op, 0), mask)
    expected = plain.rain()
    given = {} if mask is None else {"mask": mask}
    made, ledger = rained(step, land, grid, 9, **given)
    assert ledger.eroded > 0
    assert 3 <= plain.farthest + step.brush_radius + 1 <= step.rain().reach
    assert np.abs(expected - land).max() > 0.1
    assert (made == expected).all()


# --- vectors --------------------------------------------------------------------------------


@kernel
def poured(z, at, width, parts, low, high):
    a, b, c, d = parts
    return pour4(z, np.uint64(at), np.uint64(width), a, b, c, d, low, high)


@kernel
def picked(condition, yes, no):
    return pick(condition, yes, no)


def test_four_cells_at_once_are_given_what_one_after_another_is():
    rng = np.random.default_rng(5)
    for _ in range(500):
        z = rng.uniform(-3, 3, 35).astype(F)
        at, low, high = rng.integers(0, 27), F(rng.uniform(-4, 2)), F(rng.uniform(-2, 4))
        parts = tuple(rng.uniform(-2, 2, 4).astype(F))
        expected, given = z.copy(), 0.0
        for cell, part in zip((at, at + 1, at + 7, at + 8), parts, strict=True):
            old = expected[cell]
            expected[cell] = min(max(old + part, min(low, old)), max(high, old))
            given += float(expected[cell]) - float(old)
        assert poured(z, at, 7, parts, low, high) == pytest.approx(given, abs=1e-14)
        assert (z == expected).all()


def test_picking_is_choosing():
    assert [picked(c, F(1), F(2)) for c in (True, False)] == [1, 2]
    assert [picked(c, np.int32(-1), np.int32(2)) for c in (True, False)] == [-1, 2]


@pytest.mark.parametrize("count", [1, 7, 8, 31, 32, 33, 70])
def test_a_group_that_is_not_full_rolls_like_a_full_one(fractal, count):
    """Lanes without a droplet change nothing: as many droplets as asked give the plain land."""
    grid = dc.Grid(41, 45, 3, 5, 9)
    land = fractal(41, 45, relief=20, seed=5)
    step = Droplets(droplets_per_cell=count / (41 * 45), lifetime=12)
    plain = PlainDroplets(step, land, grid, derive(4, step.op, 0))
    made, ledger = rained(step, land, grid, 4)
    assert (made == plain.rain()).all()
    assert ledger.eroded >= ledger.deposited
