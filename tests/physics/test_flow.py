"""Water on land whose drainage is known: by geometry, or by what tools got wrong before."""

import numpy as np
import pytest

from downcut.errors import DowncutError
from downcut.flow.accumulate import accumulate
from downcut.flow.depressions import fill
from downcut.flow.descent import index_dtype
from downcut.flow.routing import order, receivers
from downcut.grid import Grid
from downcut.hydrology.drainage import Drainage


def outlets(flow):
    return flow == np.arange(flow.size).reshape(flow.shape)


def test_a_basin_that_spills_at_one_edge_cell():
    z = np.full((7, 7), 9, np.float32)
    z[1:-1, 1:-1] = 2
    z[3, 0] = 5
    filled = fill(z)
    assert (filled[1:-1, 1:-1] == 5).all()
    assert (filled - z).sum() == 75
    sums = accumulate(receivers(z))
    assert sums[3, 0] >= 26
    assert sums[outlets(receivers(z))].sum() == 49


def test_a_constant_land_drains_completely():
    flow = receivers(np.full((5, 5), 7, np.float32))
    inner = flow[1:-1, 1:-1]
    assert (inner != np.arange(25).reshape(5, 5)[1:-1, 1:-1]).all()
    assert accumulate(flow)[outlets(flow)].sum() == 25


def test_a_pit_above_its_outlet_only_fills_to_the_way_out():
    z = np.array(
        [[5, 5, 5, 5, 5], [5, 4, 4, 4, 5], [5, 4, 1, 4, 5], [5, 4, 4, 4, 5], [5, 5, 3, 5, 5]],
        np.float32,
    )
    expected = z.copy()
    expected[2, 2] = 4
    np.testing.assert_array_equal(fill(z), expected)
    assert (fill(z) - z).sum() == 3


@pytest.mark.parametrize("cells", [70_000, 16_777_220])
def test_a_long_ramp_counts_every_cell(cells):
    ramp = (cells // 2 - np.arange(cells)).astype(np.float32)[None]
    assert (np.diff(ramp) == -1).all(), "float32 holds every height of it"
    assert accumulate(receivers(ramp))[0, -1] == cells


def test_directions_that_run_in_a_circle_are_refused_not_followed():
    east, west = 1, 0
    with pytest.raises(DowncutError, match="cell"):
        order(np.array([[east, west]]))
    with pytest.raises(DowncutError, match="cell"):
        accumulate(np.array([[east, west]]))


def test_indices_are_wide_enough_for_what_they_number():
    assert np.iinfo(index_dtype(46_341 * 46_341)).max >= 46_341 * 46_341
    assert index_dtype(46_340 * 46_340) is np.int32  # and no wider than they need be


def test_a_tilted_plane_drains_along_its_columns():
    """Each column is a stream: the area grows by one cell a row, whatever the cell's size."""
    row = np.mgrid[0:40, 0:30][0]
    area = Drainage()(-0.2 * row, grid=Grid(40, 30, 10.0))
    np.testing.assert_array_equal(area, (row + 1) * 100.0)


def test_a_v_shaped_valley_gathers_both_its_sides():
    """z = |y| − 0.01 x: cells drain straight down the sides, the axis drains all above it."""
    y, x = np.mgrid[-32:33, 0:195].astype(float)
    area = accumulate(receivers((abs(y) - 0.01 * x).astype(np.float32)))
    axis = area[32]
    assert (np.diff(axis) > 0).all()
    np.testing.assert_array_equal(axis, 65 * (np.arange(195) + 1))


def test_a_cone_drains_outward_with_the_symmetry_of_the_square():
    n = 101
    y, x = np.mgrid[-50:51, -50:51]
    cone = (200 - np.hypot(x, y)).astype(np.float32)
    np.testing.assert_array_equal(fill(cone), cone)
    flow = receivers(cone)
    to_y, to_x = np.divmod(flow, n)
    farther = np.hypot(to_x - 50, to_y - 50) > np.hypot(x, y)
    assert (farther | outlets(flow)).all()
    # Only the top, and where the rays due north, east, south and west meet the edge of the map,
    # have equal ways to choose from: let it rain between these rays.
    sums = accumulate(flow, ((x != 0) & (y != 0)).astype(float))
    np.testing.assert_array_equal(sums, np.rot90(sums))
    np.testing.assert_array_equal(sums, sums.T)
    assert sums[0, 0] == 50 * 50


def test_a_crater_lake_spills_over_the_lowest_point_of_its_rim():
    y, x = np.mgrid[-30:31, -30:31]
    crater = (-abs(np.hypot(x, y) - 15)).astype(np.float32)
    crater[30, 42:] = np.minimum(crater[30, 42:], -3)  # a notch through the rim, due east
    filled = fill(crater)
    inside = np.hypot(x, y) < 12
    assert (filled[inside] == np.maximum(crater[inside], filled[30, 30])).all()
    assert filled[30, 30] == -3
    sums = accumulate(receivers(crater))
    assert sums[30, 45] >= inside.sum(), "all the lake's water leaves by the notch"
