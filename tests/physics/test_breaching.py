"""Breaching: given bars are cut as deep as they must be, and nothing else is touched."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import downcut as dc
from downcut.flow.basins import Basins
from downcut.flow.depressions import fill
from downcut.flow.descent import descend
from downcut.run import Run

lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=16),
    elements=st.integers(-6, 30).map(float),
)


def breach(z, cell_size=1.0, seed=0, run=None, sea_level=None, mask=None, **parameters):
    grid = dc.Grid(*np.shape(z), cell_size)
    step = dc.erosion.Breach(**parameters, mask=None if mask is None else "mask")
    masks = [] if mask is None else [mask]
    return step(z, *masks, grid=grid, seed=seed, run=run, sea_level=sea_level)


def pits(z):
    """Cells that have nowhere lower or level to go, except on the edge."""
    flow, labels = descend(np.array(z, np.float32), Run())
    return (flow == np.arange(z.size)) & (labels < 0)


def valley(bar=0.0, length=60):
    """A valley that falls east between walls, with a bar of so much across its middle."""
    x = np.arange(length)
    z = np.tile(100 - 0.5 * x, (21, 1)) + 3.0 * np.abs(np.arange(21) - 10)[:, None]
    z[:, 30:33] += bar
    return z.astype(np.float32)


def test_land_without_pits_stays_bit_for_bit():
    z = valley()
    np.testing.assert_array_equal(breach(z), z)
    np.testing.assert_array_equal(breach(np.full((9, 9), 21.0)), np.full((9, 9), 21))


def test_a_bar_is_cut_and_nothing_far_from_it_is_touched():
    z = valley(bar=5)
    out = breach(z, max_depth=6)
    assert (fill(z) > z).any()
    assert (fill(out) == out).all()
    changed = np.argwhere(out != z)
    assert len(changed) > 0
    banks = 5.1 / np.tan(np.radians(35))
    assert changed[:, 1].min() >= 30 - banks
    assert changed[:, 1].max() <= 33 + banks
    assert np.abs(changed[:, 0] - 10).max() <= banks + 1
    assert (z - out).max() <= 6.1


@pytest.mark.parametrize(
    "limits",
    [{"max_depth": 4.0}, {"max_depth": 100.0, "max_length": 2.5}],
    ids=["too deep", "too long"],
)
def test_what_cannot_be_breached_within_the_limits_stays(limits):
    z = valley(bar=5)
    np.testing.assert_array_equal(breach(z, **limits), z)


def test_limits_are_in_metres():
    z = valley(bar=5)
    np.testing.assert_array_equal(breach(z, 30.0, max_depth=6, max_length=10 * 10), z)
    assert (breach(z, 10.0, max_depth=6, max_length=20 * 10) != z).any()


def test_every_pit_goes_where_nothing_limits():
    rng = np.random.default_rng(5)
    z = rng.normal(size=(80, 90)).astype(np.float32).cumsum(1)
    out = breach(z, max_length=1e4, max_depth=1e4)
    assert pits(z).sum() > 100
    assert not pits(out).any()
    assert (fill(out) == out).all()


@settings(max_examples=300, deadline=None)
@given(lands, st.floats(1, 30), st.floats(1, 50), st.floats(10, 89), st.integers(0, 9))
def test_breaching_only_lowers_and_makes_no_new_pit(z, depth, length, angle, seed):
    out = breach(z, seed=seed, max_depth=depth, max_length=length, bank_angle=angle)
    assert (out <= z).all()
    labels = Basins(out, Run()).labels
    kept = np.unique(labels[pits(z) & pits(out)])
    assert np.isin(labels[pits(out)], kept).all()  # a pit that stays may have become wider
    assert (fill(out) <= fill(z)).all()


def test_steep_banks_leave_a_trench_and_gentle_ones_a_valley():
    z = valley(bar=5)
    touched = [(breach(z, max_depth=6, bank_angle=a) != z).sum() for a in (10, 35, 89)]
    assert touched[0] > touched[1] > touched[2] > 0


def test_cuts_bend_where_the_ground_does_not_say_where_to_go():
    """A long plateau between a pond and the drop: the way across it is no straight line."""
    z = np.full((61, 80), 5.0, np.float32)
    z[25:36, 5:10] = 2
    z[:, 70:] = 0
    z[[0, -1], :70] = z[:, 0] = 50
    out = breach(z, max_length=200, max_depth=5, bank_angle=89)
    rows = [np.flatnonzero(out[:, c] != z[:, c]) for c in range(12, 68)]
    assert all(len(r) for r in rows)
    middle = np.array([r.mean() for r in rows])
    assert np.ptp(middle) >= 3
    straight = np.hypot(56, middle[-1] - middle[0])
    assert np.hypot(1, np.diff(middle)).sum() > 1.02 * straight


def test_the_seed_decides_where_cuts_bend_and_nothing_else():
    z = np.full((41, 60), 5.0, np.float32)
    z[18:23, 5:10] = 2
    z[:, 50:] = 0
    z[[0, -1], :50] = z[:, 0] = 50
    a, b, c = (breach(z, seed=s, max_length=200) for s in (1, 1, 2))
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


def test_the_mask_protects(balance):
    z = valley(bar=5)
    open_half = np.ones(z.shape)
    open_half[:11] = 0
    out = breach(z, max_depth=40, mask=open_half)
    np.testing.assert_array_equal(out[:11], z[:11])
    assert (out[11:] < z[11:]).any()
    run = Run()
    out = breach(z, 7.0, max_depth=6, mask=np.full(z.shape, 0.5), run=run)
    assert balance(z, out, run.ledger, 49).ground < 1e-9


def test_earth_is_counted(balance):
    rng = np.random.default_rng(5)
    z = (800 + rng.normal(size=(60, 60)).cumsum(1)).astype(np.float32)
    run = Run()
    out = breach(z, 13.0, run=run, max_length=200)
    assert run.ledger.eroded > 0
    assert run.ledger.eroded == run.ledger.carried_out
    assert balance(z, out, run.ledger, 169).ground < 1e-9


def test_the_sea_is_lower_ground_and_its_floor_is_left_alone():
    z = valley(bar=5)
    z[:, 36:] = -20
    z[5:8, 40:43] = -50
    out = breach(z, max_depth=6, sea_level=0)
    np.testing.assert_array_equal(out[:, 36:], z[:, 36:])
    assert not pits(np.maximum(out, 0)).any()


def test_a_hollow_below_the_sea_is_not_let_in():
    z = np.full((9, 12), 3.0, np.float32)
    z[3:6, 3:6] = -5
    z[:, 9:] = -9
    np.testing.assert_array_equal(breach(z, max_depth=50, sea_level=0), z)
    assert (breach(z, max_depth=50) != z).any()


def test_a_heap_that_grows_gives_the_same_ways(monkeypatch):
    import downcut.erosion.breach as module

    rng = np.random.default_rng(1)
    z = rng.normal(size=(50, 50)).astype(np.float32).cumsum(0)
    once = breach(z, max_length=100)
    monkeypatch.setattr(module, "FIRST_HEAP", 16)
    np.testing.assert_array_equal(breach(z, max_length=100), once)
