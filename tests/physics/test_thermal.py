"""Sliding slopes: earth is kept, symmetry is kept, and the angle of repose is reached."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import downcut as dc
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW
from downcut.run import Run

Thermal = dc.erosion.Thermal
SHARING = ("all", "steepest")
lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=10),
    elements=st.floats(-1000, 1000, width=32),
)


def slid(step, elevation, grid, **given):
    run = Run()
    return step(elevation, grid=grid, run=run, **given), run.ledger


def tower(size, height):
    z = np.zeros((size, size), np.float32)
    z[size // 2, size // 2] = height
    return z


def steepest_slope(z, cell_size=1.0):
    """The largest tangent between any two neighbours."""
    z = z.astype(np.float64)
    worst = 0.0
    for dr, dc_, distance in zip(D8_ROW[4:], D8_COL[4:], D8_DISTANCE[4:], strict=True):
        rows, cols = z.shape[0] - dr, z.shape[1] - abs(dc_)
        here = z[:rows, max(0, -dc_) : max(0, -dc_) + cols]
        there = z[dr:, max(0, dc_) : max(0, dc_) + cols]
        if here.size:
            worst = max(worst, np.abs(here - there).max() / (distance * cell_size))
    return worst


@pytest.mark.parametrize("sharing", SHARING)
@pytest.mark.parametrize("passes", [1, 50])
@pytest.mark.parametrize("amount", [0.5, 1.0])
def test_a_tower_becomes_a_heap_of_the_same_earth(sharing, passes, amount, balance):
    before = tower(9, 100)
    step = Thermal(passes=passes, sharing=sharing, amount=amount)
    after, ledger = slid(step, before, dc.Grid(9, 9))
    books = balance(before, after, ledger)
    assert books.moved > 1
    assert books.ground < 1e-9
    assert books.load < 1e-7  # shares are rounded to float32
    assert ledger.carried_out == ledger.uplifted == 0
    assert abs(ledger.clamped) < 1e-4  # rounding alone
    assert after.sum(dtype=np.float64) == pytest.approx(100, rel=1e-6)
    assert after.max() < 100
    assert after.min() >= 0


@settings(max_examples=80)
@given(lands, st.sampled_from(SHARING), st.integers(1, 6), st.floats(0.1, 100))
def test_no_earth_is_lost_or_made_on_any_land(z, sharing, passes, cell_size):
    grid = dc.Grid(*z.shape, cell_size)
    after, ledger = slid(Thermal(sharing=sharing, passes=passes), z, grid)
    change = np.subtract(after, z, dtype=np.float64).sum() * grid.cell_area
    expected = ledger.deposited - ledger.eroded + ledger.clamped
    assert change == pytest.approx(expected, abs=1e-9 * (1 + ledger.eroded))
    assert ledger.deposited == pytest.approx(ledger.eroded, rel=1e-5)
    assert after.min() >= z.min() - 1e-6 * max(1, np.abs(z).max())


@settings(max_examples=80)
@given(lands, st.sampled_from(SHARING), st.integers(1, 6))
def test_slow_slides_never_pass_the_highest_place(z, sharing, passes):
    """Up to a quarter, eight neighbours together cannot heap a pit above themselves."""
    after = Thermal(sharing=sharing, passes=passes, amount=0.25)(z, grid=dc.Grid(*z.shape))
    slack = 1e-6 * max(1, np.abs(z).max())
    assert after.min() >= z.min() - slack
    assert after.max() <= z.max() + slack


TURNS = {
    "quarter": lambda z: np.rot90(z),
    "half": lambda z: np.rot90(z, 2),
    "three quarters": lambda z: np.rot90(z, 3),
    "upside down": np.flipud,
    "mirrored": np.fliplr,
    "transposed": np.transpose,
    "over the other corner": lambda z: np.rot90(z, 2).T,
}


@settings(max_examples=60)
@given(lands, st.integers(1, 5))
def test_a_turned_land_slides_turned_to_the_last_bit(z, passes):
    step = Thermal(passes=passes, talus_angle=20)
    after = step(z, grid=dc.Grid(*z.shape))
    for name, turn in TURNS.items():
        turned = np.ascontiguousarray(turn(z))
        made = step(turned, grid=dc.Grid(*turned.shape))
        assert (made == turn(after)).all(), name


def test_a_tower_s_heap_is_the_same_from_every_side():
    heap = Thermal(passes=50)(tower(9, 100), grid=dc.Grid(9, 9))
    for turn in TURNS.values():
        assert (turn(heap) == heap).all()


def test_a_turned_mask_slides_turned_too(fractal):
    z, mask = fractal(40, relief=400), fractal(40, relief=1, seed=2)
    step = Thermal(mask="mask", passes=7, talus_angle=20)
    grid = dc.Grid(40, 40, 10)
    after = step(z, mask, grid=grid)
    for turn in TURNS.values():
        made = step(np.ascontiguousarray(turn(z)), np.ascontiguousarray(turn(mask)), grid=grid)
        assert (made == turn(after)).all()


@pytest.mark.parametrize("sharing", SHARING)
@pytest.mark.parametrize(("angle", "cell_size"), [(33, 1.0), (45, 5.0), (20, 0.5)])
def test_after_enough_passes_the_angle_of_repose_is_reached_and_not_passed(
    sharing, angle, cell_size
):
    repose = math.tan(math.radians(angle))
    grid = dc.Grid(41, 41, cell_size)
    start = tower(41, 400 * cell_size)
    step = Thermal(talus_angle=angle, passes=1000, amount=1, sharing=sharing)
    heap = step(step(start, grid=grid), grid=grid)
    assert steepest_slope(start, cell_size) > 100
    assert 0.9 * repose < steepest_slope(heap, cell_size) < 1.02 * repose
    assert heap[0].max() < heap[20, 20] / 3


@pytest.mark.parametrize("sharing", SHARING)
def test_what_holds_stays_to_the_bit(sharing):
    grid = dc.Grid(30, 40, 10)
    x, y = np.meshgrid(grid.x, grid.y)
    for angle, still in ((30, True), (36, False)):
        slope = math.tan(math.radians(angle))
        ramp = (slope * x).astype(np.float32)
        after, ledger = slid(Thermal(talus_angle=33, sharing=sharing), ramp, grid)
        assert (after == ramp).all() == still
        assert (ledger.eroded == 0) == still
    diagonal = (math.tan(math.radians(30)) * (x + y) / math.sqrt(2)).astype(np.float32)
    after, _ = slid(Thermal(talus_angle=33, sharing=sharing), diagonal, grid)
    assert (after == diagonal).all()  # the corner's distance is √2 cells, so it holds too


def test_slopes_do_not_depend_on_the_unit_of_length(fractal):
    z = fractal(32, relief=64)
    small = Thermal()(z, grid=dc.Grid(32, 32, 1))
    large = Thermal()(z * 8, grid=dc.Grid(32, 32, 8))
    assert (large == small * 8).all()


@pytest.mark.parametrize("sharing", SHARING)
def test_by_default_no_pit_is_overfilled_and_no_peak_cut_below_its_foot(sharing):
    for height in (-1000.0, 1000.0):
        z = np.zeros((9, 9))
        z[4, 4] = height
        step = Thermal(passes=1, sharing=sharing)
        for _ in range(30):
            z = step(z, grid=dc.Grid(9, 9))
            assert min(height, 0) - 0.01 <= z.min()
            assert z.max() <= max(height, 0) + 0.01


def test_one_pass_moves_a_quarter_of_the_excess():
    """At an amount of a half: half of half the worst excess, here all to one neighbour."""
    z = np.array([[10.0, 0.0]], np.float32)
    repose = math.tan(math.radians(33))
    for sharing in SHARING:
        made = Thermal(passes=1, amount=0.5, sharing=sharing)(z, grid=dc.Grid(1, 2))
        moved = (10 - repose) / 4
        np.testing.assert_allclose(made, [[10 - moved, moved]], rtol=1e-6)


def plain_pass(z, step, cell_size, mask=None):
    """One pass as it is told, a cell at a time in float32."""
    ny, nx = z.shape
    side = np.float32(math.tan(math.radians(step.talus_angle)) * cell_size)
    half = np.float32(step.amount / 2)
    change = np.zeros(z.shape, np.float64)
    for r in range(ny):
        for c in range(nx):
            excesses = {}
            for k in range(8):
                i, j = r + D8_ROW[k], c + D8_COL[k]
                if 0 <= i < ny and 0 <= j < nx:
                    hold = side if D8_DISTANCE[k] == 1 else np.float32(side * math.sqrt(2))
                    excess = z[r, c] - z[i, j] - hold
                    excess *= np.float32(1) if mask is None else mask[i, j]
                    if excess > 0:
                        slope = (excess + hold) / np.float32(D8_DISTANCE[k])
                        excesses[i, j] = (excess, slope)
            if not excesses:
                continue
            free = np.float32(1) if mask is None else mask[r, c]
            if step.sharing == "steepest":
                to = max(excesses, key=lambda at: excesses[at][1])
                gifts = {to: half * excesses[to][0] * free}
            else:
                worst = max(e for e, _ in excesses.values())
                total = sum(e for e, _ in excesses.values())
                gifts = {at: half * worst * free * e / total for at, (e, _) in excesses.items()}
            for at, gift in gifts.items():
                change[at] += gift
                change[r, c] -= gift
    return (z + change).astype(np.float32)


@pytest.mark.parametrize("sharing", SHARING)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(("ny", "nx"), [(21, 34), (3, 3), (1, 12)])
def test_every_pass_is_the_plain_one(fractal, sharing, masked, ny, nx):
    z = fractal(ny, nx, relief=300, roughness=1.3)
    mask = fractal(ny, nx, relief=1, seed=3) if masked else None
    step = Thermal(passes=1, talus_angle=30, sharing=sharing, mask="mask" if masked else None)
    for _ in range(3):
        given = [z] if mask is None else [z, mask]
        made = step(*given, grid=dc.Grid(ny, nx, 10))
        np.testing.assert_allclose(made, plain_pass(z, step, 10, mask), rtol=0, atol=300 * 1e-6)
        assert not (made == z).all()
        z = made


@pytest.mark.parametrize("sharing", SHARING)
def test_many_passes_are_one_pass_many_times(fractal, sharing):
    z = fractal(50, relief=500)
    grid = dc.Grid(50, 50, 10)
    once = Thermal(passes=1, sharing=sharing)
    at_a_time = z
    for _ in range(6):
        at_a_time = once(at_a_time, grid=grid)
    assert (Thermal(passes=6, sharing=sharing)(z, grid=grid) == at_a_time).all()


@pytest.mark.parametrize("sharing", SHARING)
def test_a_mask_keeps_the_rest_untouched(fractal, sharing):
    z = fractal(48, relief=600)
    grid = dc.Grid(48, 48, 10)
    mask = np.zeros((48, 48))
    mask[:, 24:] = 1
    step = Thermal(mask="mask", sharing=sharing, talus_angle=20, passes=20)
    after, ledger = slid(step, z, grid, mask=mask)
    assert (after[:, :24] == z[:, :24]).all()
    assert (after[:, 24:] != z[:, 24:]).mean() > 0.5
    assert ledger.eroded > 0
    open_, plain = (
        slid(s, z, grid, **m)[0]
        for s, m in ((step, {"mask": np.ones((48, 48))}), (Thermal(**{
            **step.model_dump(), "mask": None}), {}))
    )  # fmt: skip
    assert (open_ == plain).all()
    wild = step(z, mask=mask * 9 - 4, grid=grid)
    assert (wild == after).all()


@pytest.mark.parametrize("sharing", SHARING)
def test_nothing_slides_over_the_edge_of_the_map(sharing):
    z = np.zeros((5, 5), np.float32)
    z[0, 0] = z[4, 2] = 50
    after = Thermal(sharing=sharing, passes=200)(z, grid=dc.Grid(5, 5))
    assert after.sum(dtype=np.float64) == pytest.approx(100, rel=1e-6)
