"""The coast: beach and shelf by the profile, the shoreline where it was, cliffs as they were."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import downcut as dc
from downcut.flow.drained import let_in_sea
from downcut.run import Run

lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
    elements=st.floats(-60, 60, width=32),
)


def coast(z, cell_size=5.0, *, sea_level=0.0, run=None, mask=None, **parameters):
    step = dc.erosion.Coast(**parameters, mask=None if mask is None else "mask")
    masks = [] if mask is None else [mask]
    grid = dc.Grid(*np.shape(z), cell_size)
    return step(z, *masks, grid=grid, sea_level=sea_level, run=run)


def shore(rise, cells=120, cell_size=5.0):
    """Ground that rises east through the sea's level between two cells, by so much a metre."""
    return np.tile((np.arange(cells) - cells / 2 + 0.5) * cell_size * rise, (3, 1)).astype("f4")


def test_a_moderate_shore_gets_beach_and_shelf():
    z = shore(0.12)
    out = coast(z, width=100, beach_angle=3, shelf_angle=1)
    first, last = out[1, 60], out[1, 59]  # half a cell from the shoreline on either side
    assert first == pytest.approx(2.5 * np.tan(np.radians(3)), rel=0.05)
    assert last == pytest.approx(-2.5 * np.tan(np.radians(1)), rel=0.15)
    assert (np.diff(out[1]) > 0).all()
    slope = np.diff(out[1]) / 5
    assert slope[55:64].max() < 0.09 < slope.max()
    np.testing.assert_array_equal(out[:, :39], z[:, :39])
    np.testing.assert_array_equal(out[:, 81:], z[:, 81:])


def test_what_is_gentler_than_the_profile_is_left_alone():
    z = shore(0.005)
    np.testing.assert_array_equal(coast(z, beach_angle=3, shelf_angle=1), z)


def test_cliffs_and_the_deep_keep_their_shape():
    z = shore(0.01)
    z[z > 0] += 20
    z[z < 0] -= 50
    np.testing.assert_array_equal(coast(z, beach_height=15, shelf_depth=40), z)


def test_without_a_sea_nothing_happens():
    z = shore(0.1)
    np.testing.assert_array_equal(coast(z, sea_level=None), z)
    np.testing.assert_array_equal(coast(z, sea_level=-500), z)
    np.testing.assert_array_equal(coast(z, sea_level=500), z)


@settings(max_examples=200, deadline=None)
@given(lands, st.floats(-40, 40, width=32), st.floats(1, 200), st.floats(0.1, 30))
def test_land_stays_land_and_sea_stays_sea(z, sea_level, width, angle):
    out = coast(z, sea_level=sea_level, width=width, beach_angle=angle, shelf_angle=angle)
    before, after = (let_in_sea(a, sea_level)[1] for a in (z, out))
    none = np.zeros(z.shape, bool)
    sea = none if before is None else before
    np.testing.assert_array_equal(sea, none if after is None else after)
    assert (out <= z)[~sea].all()
    assert (out >= z)[sea].all()


def test_earth_is_counted_and_the_mask_protects(balance):
    z = np.random.default_rng(2).normal(size=(60, 80)).cumsum(1).astype(np.float32) * 3
    run = Run()
    out = coast(z, run=run)
    assert run.ledger.eroded > 0 < run.ledger.deposited
    assert balance(z, out, run.ledger, 25).ground < 1e-9
    assert balance(z, out, run.ledger, 25).load < 1e-9
    mask = np.zeros(z.shape)
    mask[:30] = 1
    half = coast(z, mask=mask)
    np.testing.assert_array_equal(half[:30], out[:30])
    np.testing.assert_array_equal(half[30:], z[30:])


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64)])
def test_tiny_and_constant_land(shape):
    for level in (-5, 0, 5):
        z = np.zeros(shape)
        np.testing.assert_array_equal(coast(z, sea_level=level), z)
