"""Lakes: whole or not at all, with the sea only where it can come in, and what each one holds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from downcut.flow.depressions import fill
from downcut.grid import Grid
from downcut.hydrology.lakes import Lakes
from downcut.run import Run

lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
    elements=st.integers(-4, 4).map(float),
)


def flood(z, cell_size=1.0, sea_level=None, **parameters):
    """The layers and the table."""
    z, run = np.asarray(z, np.float32), Run()
    grid = Grid(*z.shape, cell_size)
    layers = Lakes(**parameters)(z, grid=grid, sea_level=sea_level, run=run)
    return *layers, run.features["lakes"]


def water(z, cell_size=1.0, **parameters):
    return flood(z, cell_size, **parameters)[0]


def two_hollows():
    """A deep hollow of 4 cells and a shallow one of 12 on a plateau at 10."""
    z = np.full((9, 12), 10.0, np.float32)
    z[2:4, 2:4] = 9
    z[2, 2] = 3
    z[5:8, 6:10] = 9.5
    return z


@settings(max_examples=200, deadline=None)
@given(lands)
def test_without_limits_the_water_is_the_fill(z):
    np.testing.assert_array_equal(water(z, min_depth=0, min_area=0), fill(z))


def test_a_lake_is_kept_for_its_greatest_depth_as_a_whole():
    z = two_hollows()
    expected = z.copy()
    expected[2:4, 2:4] = 10
    np.testing.assert_array_equal(water(z, min_depth=2, min_area=0), expected)
    np.testing.assert_array_equal(water(z, min_depth=7, min_area=0), expected)
    np.testing.assert_array_equal(water(z, min_depth=7.01, min_area=0), z)


def test_a_lake_is_kept_for_its_area_in_square_metres():
    z = two_hollows()
    expected = z.copy()
    expected[5:8, 6:10] = 10
    np.testing.assert_array_equal(water(z, 10.0, min_depth=0, min_area=1200), expected)
    np.testing.assert_array_equal(water(z, 10.0, min_depth=0, min_area=1201), z)
    np.testing.assert_array_equal(water(z, 10.0, min_depth=0, min_area=400), fill(z))


def test_water_that_touches_at_a_corner_is_one_lake():
    z = np.full((6, 6), 5, np.float32)
    z[1:3, 1:3] = 2
    z[3:5, 3:5] = 4
    np.testing.assert_array_equal(water(z, min_depth=3, min_area=8), fill(z))


def test_the_sea_comes_in_from_the_edge_and_not_over_higher_ground():
    z = np.full((7, 9), 5, np.float32)
    z[:, :2] = -3
    z[3, 2] = -1  # a bay
    z[2:5, 5:7] = -2  # a dry hollow below the sea's level
    surface = water(z, min_depth=100, sea_level=0)
    expected = z.copy()
    expected[:, :2] = 0
    expected[3, 2] = 0
    np.testing.assert_array_equal(surface, expected)
    lake = water(z, min_depth=1, min_area=1, sea_level=0)
    expected[2:5, 5:7] = 5
    np.testing.assert_array_equal(lake, expected)


def test_the_sea_comes_in_at_corners_and_covers_a_hollow_sea_floor():
    z = np.full((6, 6), 1, np.float32)
    z[0, 0] = -1
    z[1, 1] = -9
    z[2, 2] = -5
    expected = np.maximum(z, 0)
    np.testing.assert_array_equal(water(z, min_depth=50, sea_level=0), expected)


def test_ground_exactly_at_sea_level_is_dry():
    z = np.zeros((4, 4), np.float32)
    z[1, 1] = -1
    np.testing.assert_array_equal(water(z, min_depth=5, sea_level=0), z)


@settings(max_examples=200, deadline=None)
@given(lands, st.integers(-5, 5))
def test_water_is_nowhere_below_the_ground_and_lies_level(z, sea_level):
    surface = water(z, min_depth=1, min_area=2, sea_level=sea_level)
    assert (surface >= z).all()
    wet = surface > z
    for row in range(z.shape[0]):
        for col in range(z.shape[1]):
            around = np.s_[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
            if wet[row, col]:
                assert (surface[around] >= surface[row, col])[~wet[around]].all()
                assert (surface[around] == surface[row, col])[wet[around]].all()


@settings(max_examples=100, deadline=None)
@given(lands)
def test_water_is_the_same_however_the_land_is_turned(z):
    parameters = {"min_depth": 2, "min_area": 2, "sea_level": -1}
    surface = water(z, **parameters)
    np.testing.assert_array_equal(water(np.rot90(z), **parameters), np.rot90(surface))
    np.testing.assert_array_equal(water(z.T, **parameters), surface.T)


@pytest.mark.parametrize("sea_level", [None, 0, 30])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64), (5, 1)])
def test_tiny_and_constant_land(shape, sea_level):
    surface = water(np.full(shape, 21.0), sea_level=sea_level)
    np.testing.assert_array_equal(surface, np.full(shape, max(21, sea_level or 0)))


def test_the_ground_is_not_written():
    z = two_hollows()
    before = z.copy()
    water(z, min_depth=0, min_area=0, sea_level=12)
    np.testing.assert_array_equal(z, before)


def stairs():
    """Three hollows, each of which spills into the next lower one, and the last into the sea.

    Seen from the west: 2 × 2 cells 4 deep at level 8, 1 cell 2 deep at 5, 2 cells 3 deep at 3.
    """
    z = np.full((6, 14), 20.0, np.float32)
    z[2:4, 1:3] = 4
    z[2, 3] = 8
    z[2, 4] = 3
    z[2, 5] = 5
    z[2, 6:8] = 0
    z[2, 8] = 3
    z[2, 9:12] = [2, 1, -1]
    z[2, 12:] = [-4, -6]
    return z


def test_lakes_in_a_chain_hold_what_geometry_says_and_spill_into_each_other():
    *_, lake, table = flood(stairs(), 10.0, sea_level=0, min_depth=0, min_area=0)
    assert table["id"].tolist() == [1, 2, 3]
    assert table["level"].tolist() == [8, 3, 5]
    assert table["area"].tolist() == [400, 200, 100]
    assert table["volume"].tolist() == [1600, 600, 200]
    assert table["max_depth"].tolist() == [4, 3, 2]
    assert table["joins"].tolist() == [3, 0, 2]
    assert table["end"].tolist() == [0, 1, 0]
    assert [divmod(cell, 14) for cell in table["outlet"].tolist()] == [(2, 3), (2, 8), (2, 5)]
    assert table["x"].tolist() == [-35, 15, -15]
    assert table["y"].tolist() == [5, 5, 5]
    assert lake[2].tolist() == [0, 1, 1, 0, 3, 0, 2, 2, 0, 0, 0, 0, 0, 0]


def test_an_overflow_passes_over_a_lake_that_is_left_out():
    *_, table = flood(stairs(), 10.0, sea_level=0, min_depth=0, min_area=150)
    assert table["level"].tolist() == [8, 3]
    assert table["joins"].tolist() == [2, 0]
    *_, table = flood(stairs(), 10.0, min_depth=0, min_area=150)
    assert table["end"].tolist() == [0, 2]  # without a sea it leaves by the map's edge


def test_hollows_in_a_hollow_are_one_lake():
    z = np.full((7, 9), 10.0, np.float32)
    z[1:6, 1:8] = 6
    z[2, 2] = z[3, 5] = 1
    z[0, 4] = 9
    surface, depth, lake, table = flood(z, 2.0, min_depth=0, min_area=0)
    assert table["volume"].tolist() == [4 * (35 * 3 + 2 * 5)]
    assert table["max_depth"].tolist() == [8]
    assert (lake > 0).sum() == 35
    np.testing.assert_array_equal(depth, surface - z)


@settings(max_examples=200, deadline=None)
@given(lands, st.integers(-5, 5))
def test_the_table_is_what_the_layers_show(z, sea_level):
    surface, depth, lake, table = flood(z, 3.0, sea_level=sea_level, min_depth=1, min_area=10)
    np.testing.assert_array_equal(np.unique(lake[lake > 0]), table["id"])
    assert (np.diff(table["area"]) <= 0).all()
    for row, number in enumerate(table["id"]):
        mine = lake == number
        assert (surface[mine] == table["level"][row]).all()
        assert mine.sum() * 9 == table["area"][row]
        assert depth[mine].sum() * 9 == table["volume"][row]
        out = divmod(int(table["outlet"][row]), z.shape[1])
        assert z[out] == table["level"][row]
        assert lake[out] != number
        assert mine[max(out[0] - 1, 0) : out[0] + 2, max(out[1] - 1, 0) : out[1] + 2].any()
        joins = table["joins"][row]
        assert (joins > 0) == (table["end"][row] == 0)
        assert joins == 0 or table["level"][joins - 1] <= table["level"][row]
        assert joins != number


def test_small_lakes_are_numbered_without_a_limit():
    z = np.zeros((101, 101), np.float32)
    z[1::2, 1::2] = -1
    *_, lake, table = flood(z, min_depth=0, min_area=0)
    assert len(table) == 2500
    assert table["volume"].sum() == 2500
    assert lake.max() == 2500
