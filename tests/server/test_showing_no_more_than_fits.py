"""A page is sent no more cells than it can show; lines stay whole."""

import numpy as np

import downcut as dc
from downcut.server.showing import seen


def land_with_a_river(size):
    heights = np.add.outer(np.arange(size), np.arange(size)).astype(np.float32)
    channel = np.eye(size, dtype=np.uint8)[::-1]  # from corner to corner, a cell wide
    grid = dc.Grid(size, size, cell_size=10)
    return dc.Terrain(grid, {"elevation": heights, "channel": channel})


def test_a_land_that_fits_is_sent_as_it_is():
    land = land_with_a_river(50)
    assert seen(land, most=50) is land


def test_a_larger_one_is_sent_coarser_over_the_same_ground():
    land = land_with_a_river(99)
    coarse = seen(land, most=50)
    assert coarse.grid.shape == (50, 50)
    assert coarse.grid.cell_size == 20
    np.testing.assert_array_equal(coarse["elevation"], land["elevation"][::2, ::2])


def test_a_river_is_not_torn():
    coarse = seen(land_with_a_river(100), most=50)["channel"]
    assert coarse.any(axis=0).all()
    assert coarse.any(axis=1).all()
