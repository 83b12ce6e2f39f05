"""Basins: every cell in one, areas that add up, crests between the large ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from downcut.flow.drained import drain
from downcut.grid import Grid
from downcut.hydrology.basins import Basins
from downcut.hydrology.drainage import Drainage
from downcut.run import Run

lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
    elements=st.integers(-4, 6).map(float),
)


def basins(z, cell_size=1.0, sea_level=None, **parameters):
    z, run = np.asarray(z, np.float32), Run()
    grid = Grid(*z.shape, cell_size)
    layers = Basins(**parameters)(z, grid=grid, sea_level=sea_level, run=run)
    return *layers, run.features["basins"]


@settings(max_examples=200, deadline=None)
@given(lands, st.none() | st.integers(-5, 7))
def test_basins_and_sea_cover_the_map_and_each_drains_to_its_outlet(z, sea_level):
    basin, _, table = basins(z, 3.0, sea_level)
    drained = drain(z, Run(sea_level=sea_level))
    sea = np.zeros(z.shape, bool) if drained.sea is None else drained.sea
    np.testing.assert_array_equal(basin == 0, sea)
    assert table["area"].sum() + 9 * sea.sum() == 9 * z.size
    assert (np.diff(table["area"]) <= 0).all()
    flow, flat = drained.receivers.ravel(), basin.ravel()
    land = np.flatnonzero(flat > 0)
    inside = ~sea.ravel()[flow[land]]
    assert (flat[flow[land]] == flat[land])[inside].all()
    assert (flat[table["outlet"]] == table["id"]).all()
    area = Drainage()(z, grid=Grid(*z.shape, 3.0), sea_level=sea_level).ravel()
    np.testing.assert_array_equal(area[table["outlet"]], table["area"])
    for row, number in enumerate(table["id"]):
        mine = z[basin == number]
        assert (table["highest"][row], table["lowest"][row]) == (mine.max(), mine.min())
    leaves = flow[table["outlet"]] == table["outlet"]
    assert ((table["end"] == 2) == leaves).all()


def test_a_ridge_parts_two_basins_and_is_marked_once():
    """Two valleys that fall south, with one ridge between."""
    y, x = np.mgrid[0:40, 0:41]
    z = np.abs(np.abs(x - 20) - 10) * -1.0 + 20 - 0.01 * y
    z = 20 - z
    z[:, [0, -1]] += 50
    _, divide, table = basins(z, 10.0, divide_area=40 * 15 * 100)
    assert (divide[:, 20] == 1).all()
    assert divide[1:-1].sum() == 38
    assert (table["area"][:2] >= 40 * 15 * 100).all()
    assert (table["relief"][:2] > 9).all()
    _, none, _ = basins(z, 10.0, divide_area=1e9)
    assert not none.any()


def test_an_island_drains_to_its_coast():
    y, x = np.mgrid[-20:21, -20:21]
    cone = 10 - np.hypot(x, y)
    basin, _, table = basins(cone, 1.0, sea_level=0)
    assert (basin == 0).sum() == (cone < 0).sum()
    assert set(table["end"]) == {1}
    assert len(table) > 8
    quarter = [basin[20 + 3, 20 + 3], basin[20 - 3, 20 - 3], basin[20 + 3, 20 - 3]]
    assert len(set(quarter)) == 3


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64)])
def test_tiny_and_drowned_land(shape):
    basin, divide, table = basins(np.full(shape, 21.0), sea_level=30)
    assert not basin.any()
    assert not divide.any()
    assert len(table) == 0
    _, _, table = basins(np.full(shape, 21.0))
    assert table["area"].sum() == np.prod(shape)
