"""Drainage and rivers as steps: units, edges, and what a channel promises."""

import numpy as np
import pytest

from downcut.errors import DowncutError
from downcut.flow.routing import receivers
from downcut.grid import Grid
from downcut.hydrology.drainage import Drainage
from downcut.hydrology.rivers import Rivers

SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64), (5, 1), (33, 47)]


def rough(shape, seed=11):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("cell_size", [1.0, 30.0, 0.25])
@pytest.mark.parametrize("shape", SHAPES)
def test_outlets_together_drain_the_whole_map(shape, cell_size):
    z = rough(shape)
    area = Drainage()(z, grid=Grid(*shape, cell_size))
    assert area.shape == shape
    assert area.dtype == np.float64
    outlet = receivers(z) == np.arange(z.size).reshape(shape)
    assert area[outlet].sum() == z.size * cell_size**2
    assert area.min() == cell_size**2


def test_doubling_the_cell_size_quadruples_the_area():
    z = rough((20, 20))
    small, large = (Drainage()(z, grid=Grid(20, 20, size)) for size in (10.0, 20.0))
    np.testing.assert_array_equal(large, 4 * small)


def test_any_dtype_and_layout_gives_the_same_drainage():
    z = np.random.default_rng(0).integers(0, 200, (24, 36)).astype(np.uint8)
    grid = Grid(24, 36)
    expected = Drainage()(z, grid=grid)
    frozen = z.astype(np.float32)
    frozen.flags.writeable = False
    for other in (z.astype(">f8"), np.asfortranarray(z), z.astype(np.int16), frozen):
        np.testing.assert_array_equal(Drainage()(other, grid=grid), expected)


def test_channels_begin_at_the_channel_area():
    channel, _, _ = Rivers(channel_area=200)([[5, 4, 3, 2]], grid=Grid(1, 4, 10.0))
    assert channel.dtype == np.uint8
    assert channel.tolist() == [[0, 1, 1, 1]]


def test_downstream_of_a_channel_there_is_always_a_channel():
    z = rough((80, 60))
    grid = Grid(80, 60)
    channel = Rivers(channel_area=30)(z, grid=grid)[0].ravel()
    np.testing.assert_array_equal(channel, Drainage()(z, grid=grid).ravel() >= 30)
    assert 0 < channel.sum() < channel.size
    assert (channel[receivers(z).ravel()] >= channel).all()


@pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf])
def test_a_channel_area_that_makes_no_sense_is_refused(bad):
    with pytest.raises(ValueError, match="channel_area"):
        Rivers(channel_area=bad)


def test_nan_is_refused_with_a_count():
    z = rough((8, 8))
    z[3, 3] = np.nan
    with pytest.raises(DowncutError, match="1 of 64"):
        Drainage()(z, grid=Grid(8, 8))
