"""Rivers as lines: known trees, where they end, and beds on which no water climbs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import downcut as dc
from downcut.flow.depressions import fill
from downcut.flow.routing import receivers
from downcut.grid import Grid
from downcut.hydrology.rivers import Rivers
from downcut.run import Run

lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14),
    elements=st.integers(-6, 9).map(float),
)


def rivers(z, cell_size=1.0, sea_level=None, **parameters):
    """The layers, and the table."""
    z, run = np.asarray(z, np.float32), Run()
    grid = Grid(*z.shape, cell_size)
    layers = Rivers(**parameters)(z, grid=grid, sea_level=sea_level, run=run)
    return *layers, run.features["rivers"]


def carved(paths, shape):
    """A high plateau with gorges: lists of (row, col) from source to mouth, each falling."""
    z = np.full(shape, 1000.0, np.float32)
    for path, top in paths:
        for step, cell in enumerate(path):
            z[cell] = min(z[cell], top - step)
    return z


WALLS = np.array([[50.0], [0.0], [50.0]])

TRUNK = [(r, 6) for r in range(1, 15)]
WEST = [(2 + i, 2 + i) for i in range(5)]  # meets the trunk in (6, 6)
EAST = [(6 + i, 10 - i) for i in range(5)]  # meets it in (10, 6)
TWIG = [(5, 12), (5, 11), (6, 10)]  # joins the head of EAST


def tree():
    """Sources at the trunk, WEST and TWIG-EAST: orders as on paper.

    Only gorges fall: the plateau around them is flat and drains into them by the shortest way.
    """
    return carved([(TRUNK, 50), (WEST, 49), (EAST, 44), (TWIG, 47)], (15, 15))


def test_strahlers_order_on_a_tree_known_by_hand():
    z = tree()
    channel, order, _, table = rivers(z, channel_area=1)
    assert channel.all()  # every cell is a stream: the order of the gorges is that of the forest
    flow = receivers(z).ravel()
    by_hand = np.zeros(z.size, int)

    def strahler(cell):
        upstream = [c for c in np.flatnonzero(flow == cell) if c != cell]
        orders = sorted(strahler(c) for c in upstream)
        by_hand[cell] = 1
        if orders:
            by_hand[cell] = orders[-1] + (len(orders) > 1 and orders[-2] == orders[-1])
        return by_hand[cell]

    for outlet in np.flatnonzero(flow == np.arange(z.size)):
        strahler(outlet)
    np.testing.assert_array_equal(order.ravel(), by_hand)
    sources = np.bincount(flow[flow != np.arange(z.size)], minlength=z.size) == 0
    assert len(table) == sources.sum()


def test_orders_rise_where_equals_meet_and_not_where_a_lesser_one_joins():
    y = np.array(
        [[9, 9, 9, 9, 9], [9, 5, 9, 5, 9], [9, 9, 3, 9, 9], [9, 9, 2, 9, 9], [9, 9, 1, 9, 9]]
    )
    _, order, _, table = rivers(y, channel_area=3)
    assert order[1, 1] == order[1, 3] == 1
    assert order[2:, 2].tolist() == [2, 2, 2]
    assert sorted(table["order"].tolist()) == [1, 2]
    assert table["joins"].tolist() == [0, 1]


def test_a_v_valley_has_one_river_that_widens_all_the_way():
    y, x = np.mgrid[-32:33, 0:195]
    valley = np.abs(y) - 0.01 * x
    channel, _, discharge, table = rivers(valley, 5.0, channel_area=65 * 25 * 2, runoff=1)
    assert channel.sum() == channel[32].sum() > 190
    assert len(table) == 1
    line = table.line(0)
    assert (np.diff(line["x"]) == 5).all()
    assert (line["y"] == 0).all()
    assert (np.diff(line["area"]) > 0).all()
    assert (np.diff(discharge[32][channel[32] > 0]) > 0).all()
    assert table["area"][0] == 65 * 195 * 25
    assert table["discharge"][0] == table["area"][0]
    assert table["slope"][0] == pytest.approx(0.01 / 5, rel=1e-4)
    assert table["length"][0] == (len(line["x"]) - 1) * 5
    assert table["end"][0] == 2


def test_width_and_depth_follow_hydraulic_geometry():
    ramp = np.tile(np.arange(1000, 0, -1.0), (3, 1)) + WALLS
    _, _, _, table = rivers(ramp, 1000.0, channel_area=1e7, runoff=1, width_coefficient=5)
    line = table.line(0)
    cumecs = line["discharge"] / (365.25 * 24 * 3600)
    np.testing.assert_allclose(line["width"], 5 * np.sqrt(cumecs))
    np.testing.assert_allclose(line["depth"], 0.27 * cumecs**0.4)
    np.testing.assert_allclose(line["surface"] - line["bed"], line["depth"])
    assert 94 < cumecs[-1] < 96  # 3000 km² that give a metre a year


def test_rain_feeds_the_river_and_a_dry_land_has_none_in_it():
    z = np.tile(np.arange(40, 0, -1.0), (3, 1)) + WALLS
    rain = np.zeros((3, 40))
    rain[:, 10] = 4
    run, grid = Run(), Grid(3, 40)
    channel, _, discharge = Rivers(channel_area=5, runoff=0.5, rain="rain")(
        z, rain, grid=grid, run=run
    )
    assert channel[1].all() == (discharge[1] > 0).all() or discharge[1, :10].max() == 0
    assert (discharge[1, 12:] == 3 * 4 * 0.5).all()


def test_rivers_end_at_the_coast():
    z = np.tile(np.arange(10, -10, -1.0), (3, 1)) + WALLS
    channel, _, _, table = rivers(z, sea_level=0, channel_area=4)
    assert channel[1, :11].any()
    assert not channel[z < 0].any()
    assert table["end"].tolist() == [1]
    assert table.line(0)["surface"][-1] == 0
    assert table.line(0)["x"][-1] == Grid(3, 20).x[10]  # where the ground is at 0


def test_no_river_is_no_row():
    *_, table = rivers(np.zeros((4, 5)), channel_area=1e6)
    assert len(table) == 0
    assert table.offsets.tolist() == [0]


@settings(max_examples=150, deadline=None)
@given(lands, st.none() | st.integers(-7, 9), st.integers(0, 3), st.integers(1, 9))
def test_rivers_run_downhill_from_source_to_end(z, sea_level, smoothing, area):
    parts = {"sea_level": sea_level, "smoothing": smoothing, "channel_area": area}
    channel, order, _, table = rivers(z, 1.0, **parts)
    assert ((order > 0) == (channel > 0)).all()
    assert table["id"].tolist() == list(range(1, len(table) + 1))
    assert (np.diff(table["area"]) <= 0).all()
    for row in range(len(table)):
        line = table.line(row)
        for name in ("surface", "bed"):
            assert (np.diff(line[name]) <= 0).all(), name
        for name in ("area", "width", "depth", "discharge", "order"):
            assert (np.diff(line[name]) >= 0).all(), name
        assert (line["bed"] <= line["surface"]).all()
        joins = table["joins"][row]
        assert (joins > 0) == (table["end"][row] == 0)
        if joins:
            assert joins < row + 1  # into one that drains more, or came first
            other = table.line(joins - 1)
            here = (other["x"] == line["x"][-1]) & (other["y"] == line["y"][-1])
            assert here.any()


@settings(max_examples=80, deadline=None)
@given(lands)
def test_every_channel_cell_is_on_one_river(z):
    channel, _, _, table = rivers(z, channel_area=2)
    own = sum(len(table.line(row)["x"]) - (table["end"][row] != 2) for row in range(len(table)))
    assert own == channel.sum()


def test_a_river_runs_level_through_a_lake():
    z = np.tile(np.arange(30, 0, -1.0), (5, 1)) + np.array([[60], [30], [0], [30], [60]])
    z[2, 10:14] = 2
    *_, table = rivers(z, channel_area=10)
    line = table.line(0)
    surface = fill(z.astype(np.float32))[2]
    np.testing.assert_array_equal(line["surface"], surface[-len(line["surface"]) :])
    assert (line["surface"] == 16).sum() == 5  # the lake and its outlet


def test_smoothing_moves_points_by_less_than_a_cell_and_keeps_the_ends():
    z = np.random.default_rng(4).random((40, 40)).cumsum(0)
    *_, plain = rivers(z, channel_area=20)
    *_, smooth = rivers(z, channel_area=20, smoothing=4)
    assert plain.offsets.tolist() == smooth.offsets.tolist()
    moved = np.hypot(*(plain.points[n] - smooth.points[n] for n in "xy"))
    assert 0 < moved.max() < 2
    assert moved[plain.offsets[:-1]].max() == 0
    last = plain.offsets[1:] - 1
    assert moved[last[smooth["end"] != 0]].max() == 0
    for row in np.flatnonzero(smooth["end"] == 0):  # a river still ends on the one it joins
        other = smooth.line(smooth["joins"][row] - 1)
        point = [smooth.points[n][last[row]] for n in "xy"]
        assert ((other["x"] == point[0]) & (other["y"] == point[1])).any()


def test_features_reach_the_terrain_and_do_not_depend_on_threads_or_tiles():
    recipe = {
        "grid": {"ny": 48, "nx": 64, "cell_size": 20},
        "sea_level": 100,
        "steps": [
            {"op": "fields.fbm", "amplitude": 200, "offset": 120, "wavelength": 600},
            {"op": "hydrology.lakes", "min_depth": 0, "min_area": 0},
            {"op": "hydrology.rivers", "channel_area": 8000},
        ],
    }
    whole = dc.generate(recipe, threads=1)
    tiled = dc.generate(recipe, threads=3, tile=16)
    assert set(whole.features) == {"rivers", "lakes"}
    assert len(whole.features["rivers"]) > 3
    assert len(whole.features["lakes"]) > 1
    assert (whole.features["rivers"]["end"] == 1).any()  # the recipe's sea, said once
    assert whole.checksum == tiled.checksum
    for name, table in whole.features.items():
        other = tiled.features[name]
        for kind in ("columns", "points"):
            for column, values in getattr(table, kind).items():
                np.testing.assert_array_equal(values, getattr(other, kind)[column])
