"""Near water: exact distances, heights above the river, wetness by the law on paper."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import downcut as dc
from downcut.distance import distance
from downcut.flow.drained import drain
from downcut.grid import Grid
from downcut.hydrology.distance_to_water import DistanceToWater
from downcut.hydrology.height_above_drainage import HeightAboveDrainage
from downcut.hydrology.rivers import Rivers
from downcut.hydrology.wetness import Wetness
from downcut.run import Run

shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14)
lands = arrays(np.float32, shapes, elements=st.integers(-4, 9).map(float))
TINY = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64), (5, 1)]


# --- distance -------------------------------------------------------------------------------


def by_brute_force(targets, cell_size, farthest):
    away = np.full(targets.shape, np.inf)
    rows, cols = np.indices(targets.shape)
    for row, col in np.argwhere(targets):
        away = np.minimum(away, (rows - row) ** 2 + (cols - col) ** 2)
    return np.minimum(np.sqrt(away) * cell_size, farthest).astype(np.float32)


@settings(max_examples=300, deadline=None)
@given(arrays(np.bool_, shapes, elements=st.sampled_from([False] * 6 + [True])))
def test_distance_is_that_of_brute_force(targets):
    expected = by_brute_force(targets, 7.5, 50.0)
    np.testing.assert_array_equal(distance(targets, 7.5, 50.0, Run()), expected)


@pytest.mark.parametrize("share", [0.5, 0.01, 0.0005])
def test_distance_on_a_larger_map(share):
    targets = np.random.default_rng(3).random((97, 140)) < share
    expected = by_brute_force(targets, 1.0, 1e6)
    np.testing.assert_array_equal(distance(targets, 1.0, 1e6, Run(threads=2)), expected)


def test_rivers_lakes_and_sea_are_water_and_either_layer_may_be_missing():
    grid = Grid(3, 5, 10.0)
    channel, depth = np.zeros((3, 5)), np.zeros((3, 5))
    channel[0, 0] = 1
    depth[2, 4] = 0.5
    step = DistanceToWater(max_distance=1000)
    both = step(channel, depth, grid=grid)
    assert both[0, 0] == both[2, 4] == 0
    np.testing.assert_array_equal(both[::-1, ::-1], both)
    only = step(channel, grid=grid)
    assert only[2, 4] == np.float32(np.sqrt(20) * 10)
    np.testing.assert_array_equal(np.minimum(only, step(water_depth=depth, grid=grid)), both)
    assert (step(grid=grid) == 1000).all()


def test_windows_have_the_bits_of_the_whole():
    recipe = {
        "grid": {"ny": 50, "nx": 70, "cell_size": 10},
        "steps": [
            {"op": "fields.fbm", "amplitude": 100},
            {"op": "hydrology.rivers", "channel_area": 20000},
            {"op": "hydrology.distance_to_water", "max_distance": 95},
        ],
    }
    whole = dc.generate(recipe)
    assert whole.checksum == dc.generate(recipe, tile=16).checksum
    assert len(np.unique(whole["water_distance"])) > 20


# --- height above drainage ------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(lands, st.integers(1, 9), st.none() | st.integers(-5, 9))
def test_heights_are_never_negative_and_fall_along_the_flow(z, area, sea_level):
    grid = Grid(*z.shape)
    channel = Rivers(channel_area=area)(z, grid=grid, sea_level=sea_level)[0]
    height = HeightAboveDrainage()(z, channel, grid=grid, sea_level=sea_level)
    assert (height >= 0).all()
    assert (height[channel > 0] == 0).all()
    drained = drain(z, Run(sea_level=sea_level))
    flow = drained.receivers.ravel()
    dry = (channel.ravel() == 0) & (flow != np.arange(flow.size))
    fall = drained.level.ravel() - drained.level.ravel()[flow]
    expected = height.ravel()[flow] + fall
    np.testing.assert_array_equal(height.ravel()[dry], expected[dry])
    if drained.sea is not None:
        assert (height[drained.sea] == 0).all()


def test_a_v_valley_is_as_high_above_its_river_as_its_sides():
    y, x = np.mgrid[-10:11, 0:60]
    z = 3.0 * np.abs(y) - 0.5 * x + 100
    channel = (y == 0).astype(np.uint8)
    height = HeightAboveDrainage()(z, channel, grid=Grid(21, 60))
    np.testing.assert_allclose(height, 3.0 * np.abs(y), atol=1e-4)  # straight down is steepest


# --- wetness --------------------------------------------------------------------------------


def ramp(ny, nx, slope, cell_size):
    return np.tile(slope * cell_size * np.arange(nx, 0, -1.0), (ny, 1)).astype(np.float32)


@pytest.mark.parametrize("exponent", [1.0, 1.1, 4.0])
@pytest.mark.parametrize(("slope", "cell_size"), [(0.1, 10.0), (0.02, 30.0)])
def test_a_plane_is_as_wet_as_the_law_says(slope, cell_size, exponent):
    """ln(distance from the top / slope), the same all along a contour."""
    z = ramp(201, 40, slope, cell_size)
    wet = Wetness(exponent=exponent)(z, grid=Grid(201, 40, cell_size))
    inner = wet[60:-60, :-1]
    assert np.ptp(inner, axis=0).max() < 1e-5
    law = np.log(np.arange(1, 40) * cell_size / slope)
    np.testing.assert_allclose(inner[0], law, atol=2e-3)


def test_a_cone_is_evenly_wet_all_round():
    """A cone sheds a = r / 2 through a metre of contour, at any azimuth."""
    y, x = np.mgrid[-60:61, -60:61]
    r = np.hypot(x, y)
    wet = Wetness()(200 - r, grid=Grid(121, 121))
    ring = (r > 30) & (r < 50)
    error = wet - np.log(np.maximum(r, 1) / 2)
    assert abs(np.median(error[ring])) < 0.05
    assert np.abs(error[ring]).max() < 0.6


@settings(max_examples=150, deadline=None)
@given(lands, st.floats(0.5, 10), st.none() | st.integers(-5, 9))
def test_wetness_is_finite_and_capped(z, exponent, sea_level):
    grid = Grid(*z.shape, 10.0)
    wet = Wetness(exponent=exponent, min_slope=0.01)(z, grid=grid, sea_level=sea_level)
    assert np.isfinite(wet).all()
    most = np.log(100 * z.size / (10 * 0.01 * np.sqrt(0.125)))
    assert wet.max() <= most + 1e-5


def test_valleys_are_wetter_than_crests_and_lakes_wettest():
    y, x = np.mgrid[-30:31, 0:90]
    z = 2.0 * np.abs(y) - 0.1 * x + 200
    z[28:33, 50:55] -= 10
    wet = Wetness()(z, grid=Grid(61, 90, 20.0))
    assert wet[30, 40:49].min() > wet[5:15, 40:49].max() + 2
    assert wet[30, 54] > wet[30, 40]


def test_flats_hand_all_their_water_on():
    """A flat in a gorge: what leaves it is all that came in."""
    z = np.full((9, 40), 90.0, np.float32)
    z[4] = np.maximum(40 - np.arange(40), 20)
    z[4, 35:] = 20 - np.arange(5) - 1
    wet = Wetness(min_slope=0.1)(z, grid=Grid(9, 40))
    assert (np.diff(wet[4, 21:34]) > 0).all()


@pytest.mark.parametrize("shape", TINY)
def test_tiny_and_constant_land(shape):
    z, grid = np.full(shape, 21.0), Grid(*shape, 10.0)
    assert np.isfinite(Wetness()(z, grid=grid)).all()
    none = np.zeros(shape)
    assert (HeightAboveDrainage()(z, none, grid=grid) == 0).all()
    assert (DistanceToWater()(none, none, grid=grid) == 2000).all()
