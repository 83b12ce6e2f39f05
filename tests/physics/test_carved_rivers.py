"""Carved rivers: the cross-section of a bed, and water that never climbs on it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import downcut as dc
from downcut.flow.depressions import fill
from downcut.flow.routing import receivers
from downcut.run import Run

YEAR = 365.25 * 24 * 3600
lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=16),
    elements=st.integers(-6, 30).map(float),
)


def carve(z, cell_size=1.0, *, mask=None, run=None, sea_level=None, **parameters):
    z = np.asarray(z, np.float32)
    step = dc.erosion.CarveRivers(**parameters, mask=None if mask is None else "mask")
    masks = [] if mask is None else [mask]
    return step(z, *masks, grid=dc.Grid(*z.shape, cell_size), run=run, sea_level=sea_level)


def wet(z):
    return fill(np.array(z, np.float32)) > z


def valley(width, length, side=0.05, slope=0.01):
    """A straight valley that falls east along the middle row."""
    y, x = np.mgrid[-width : width + 1, 0:length]
    return (50 + side * np.abs(y) - slope * x).astype(np.float32)


def rough(ny, nx, seed=1):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(ny, nx)).cumsum(0).cumsum(1)
    bumps = rng.normal(size=(ny, nx))
    return (z / np.ptp(z) * 40 + 2.0 * np.arange(nx) + bumps).astype(np.float32)


def test_a_wide_river_has_a_parabola_for_a_bed_and_banks_beside_it():
    z = valley(60, 200)
    parts = {"channel_area": 121 * 20, "runoff": 100, "width_coefficient": 80}
    out = carve(z, **parts, depth_coefficient=20, bank_width=0.5)
    discharge = 100 * 121 * 151 / YEAR
    half, depth = 40 * np.sqrt(discharge), 20 * discharge**0.4
    assert 6 < half < 15
    cut = z - out
    column = cut[:, 150]
    np.testing.assert_array_equal(column, column[::-1])
    assert column[60] == pytest.approx(depth, rel=0.01)
    away = np.arange(61)
    inside = away <= half - 1
    bed = z[60, 150] - depth + depth * (np.maximum(away - 0.75, 0) / (half - 0.75)) ** 2
    np.testing.assert_allclose(out[60:, 150][inside], bed[inside], atol=0.02 * depth)
    outside = away > 2 * half + 1
    assert (column[60:][outside] == 0).all()
    assert (column[60:][(away > half + 1) & (away < 1.8 * half)] > 0).all()
    assert (np.diff(out[60:, 150]) >= 0).all()  # no groove and no levee


def test_a_narrow_river_is_one_cell_wide():
    z = valley(20, 80, side=1.0)
    out = carve(z, 30.0, channel_area=3e4, runoff=1)
    changed = np.argwhere(out != z)
    assert set(changed[:, 0]) == {20}
    cumecs = 41 * 80 * 900 / YEAR
    assert (z - out)[20, -1] == pytest.approx(0.27 * cumecs**0.4, rel=1e-3)


def test_ground_outside_the_banks_keeps_its_bits():
    z = rough(120, 150)
    parts = {"channel_area": 400, "runoff": 100, "width_coefficient": 50, "depth_coefficient": 10}
    out = carve(z, **parts, bank_width=1.0)
    run = Run()
    channel, *_ = dc.hydrology.Rivers(**parts)(z, grid=dc.Grid(120, 150), run=run)
    table = run.features["rivers"]
    reach = 1.5 * table["width"].max() + 3
    cells = np.argwhere(channel)
    changed = np.argwhere(out != z)
    assert 0.02 < len(changed) / z.size < 0.9
    for cell in changed:
        assert np.hypot(*(cells - cell).T).min() <= reach
    assert (out <= z).all()


@settings(max_examples=200, deadline=None)
@given(lands, st.integers(1, 12), st.floats(0.1, 3000), st.floats(0, 3), st.none() | st.just(4))
def test_water_stands_nowhere_that_it_did_not_stand_before(z, area, width, bank, sea):
    out = carve(
        z, channel_area=area, width_coefficient=min(width, 1000), bank_width=bank, runoff=50,
        depth_coefficient=300, sea_level=sea,
    )  # fmt: skip
    assert (out <= z).all()
    if sea is None:
        assert not (wet(out) & ~wet(z)).any()


@pytest.mark.parametrize("width", [0.1, 8, 40, 200])
@pytest.mark.parametrize("seed", [1, 2])
def test_beds_run_down_all_the_way_when_routed_again(width, seed):
    z = rough(150, 130, seed)
    parts = {"channel_area": 150, "runoff": 100, "width_coefficient": width}
    out = carve(z, **parts, depth_coefficient=30)
    assert not (wet(out) & ~wet(z)).any()
    flow = receivers(out).ravel()
    level = fill(out).ravel()
    channel, *_ = dc.hydrology.Rivers(channel_area=150)(out, grid=dc.Grid(150, 130))
    cells = np.flatnonzero(channel)
    dry = cells[(level[cells] == out.ravel()[cells])]
    assert (out.ravel()[flow[dry]] <= out.ravel()[dry]).all()
    assert len(dry) > 0.5 * len(cells)


def test_little_is_raised_to_keep_water_flowing(monkeypatch):
    """What `_open` puts back is small beside what was carved: sections fit together."""
    import downcut.erosion.carve_rivers as module

    z = rough(200, 200, 3)
    parts = {"channel_area": 300, "runoff": 100, "width_coefficient": 60, "depth_coefficient": 20}
    out = carve(z, **parts)
    monkeypatch.setattr(module, "_open", lambda *_: None)
    raw = carve(z, **parts)
    assert (out - raw).sum() < 0.02 * (z - raw).sum()


def test_a_lake_falls_by_the_depth_of_the_river_that_leaves_it():
    z = valley(10, 120, side=1.0, slope=0.1)
    z[10, 40:60] -= 4
    before = fill(z)
    out = carve(z, channel_area=100, runoff=100, depth_coefficient=20, width_coefficient=0.1)
    after = fill(out)
    drop = (before - after)[10, 50]
    outlet = np.flatnonzero(before[10] > z[10]).max() + 1
    assert drop == pytest.approx((z - out)[10, outlet], rel=1e-3)
    assert 0 < drop < 4
    np.testing.assert_array_equal(out[10, 45:55], z[10, 45:55])  # the bottom is left alone


def test_no_staircase_shows_on_a_slanting_river():
    """A valley at 20° to the grid: the middle of the carved bed strays little from the line."""
    y, x = np.mgrid[0:200, 0:300].astype(float)
    angle = np.radians(20)
    across = (y - 50) * np.cos(angle) - x * np.sin(angle)
    z = 100 + 0.3 * np.abs(across) - 0.05 * (x * np.cos(angle) + y * np.sin(angle))
    out = carve(z, channel_area=3000, runoff=100, width_coefficient=60, depth_coefficient=20)
    cut = z - out
    columns = np.arange(120, 240)
    middle = np.array([np.average(np.arange(200), weights=cut[:, c] ** 2) for c in columns])
    line = 50 + columns * np.tan(angle)
    assert np.abs(middle - line).max() < 1.5
    assert np.abs(np.diff(middle - line)).max() < 0.5


def test_earth_is_counted_and_the_mask_protects(balance):
    z = rough(90, 90)
    parts = {"channel_area": 100, "runoff": 100, "width_coefficient": 60}
    run = Run()
    out = carve(z, 3.0, **parts, run=run)
    assert run.ledger.eroded == run.ledger.carried_out > 0
    assert balance(z, out, run.ledger, 9).ground < 1e-9
    mask = np.zeros(z.shape)
    mask[:, 45:] = 0.5
    run = Run()
    half = carve(z, 3.0, **parts, mask=mask, run=run)
    np.testing.assert_array_equal(half[:, :45], z[:, :45])
    np.testing.assert_allclose(half[:, 45:], (z + out)[:, 45:] / 2, atol=1e-4)
    assert balance(z, half, run.ledger, 9).ground < 1e-9


def test_rain_layer_decides_how_deep():
    z = valley(10, 60, side=1.0)
    grid = dc.Grid(*z.shape)
    step = dc.erosion.CarveRivers(channel_area=50, rain="rain")
    little, much = (step(z, np.full(z.shape, r), grid=grid) for r in (0.5, 2.0))
    assert (z - much).max() == pytest.approx((z - little).max() * 4**0.4, rel=1e-3)
    np.testing.assert_array_equal(step(z, np.zeros(z.shape), grid=grid), z)


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64), (5, 1)])
def test_tiny_and_constant_land(shape):
    out = carve(np.full(shape, 21.0), channel_area=1)
    assert np.isfinite(out).all()
    assert out.max() <= 21
    np.testing.assert_array_equal(carve(np.full(shape, 21.0)), np.full(shape, 21))
