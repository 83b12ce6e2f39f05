"""Places worth going to, where geometry says what they are."""

import numpy as np
import pytest

from downcut.export.walk import Limits
from downcut.features import Table
from downcut.grid import Grid
from downcut.walking.prominence import prominences
from downcut.walking.standing import Ground, stand
from downcut.walking.viewpoints import Sight, confluences, falls, lakes, peaks, sights

GRID = Grid(201, 301, 1.0)


def cones(*each):
    """The highest of some cones: (x, y, height, slope)."""
    x, y = GRID.x[None, :], GRID.y[:, None]
    return np.max([h - s * np.hypot(x - a, y - b) for a, b, h, s in each], axis=0).astype("f4")


def river(*lines):
    """A table of rivers: each a list of (x, y, surface) and its discharge."""
    points = np.concatenate([np.array(line, float) for line, _ in lines])
    counts = [len(line) for line, _ in lines]
    discharge = np.repeat([q for _, q in lines], counts)
    names = dict(zip(("x", "y", "surface"), points.T, strict=True)) | {"discharge": discharge}
    return Table({"id": np.arange(1, len(lines) + 1)}, {}, np.cumsum([0, *counts]), names)


# --- peaks -----------------------------------------------------------------------------------


def test_a_peak_is_as_prominent_as_the_way_down_to_higher_ground():
    # slopes of 1, 100 m apart: they meet where 100 − s = 60 − (100 − s), 30 m high
    land = cones((-50, 0, 100, 1), (50, 0, 60, 1))
    first, second = peaks(land, GRID)
    assert (first.x, first.y, second.x, second.y) == (-50, 0, 50, 0)
    assert first.size == pytest.approx(100 - land.min())
    assert second.size == pytest.approx(60 - 30, abs=1e-4)


def test_of_three_peaks_in_a_row_each_answers_to_the_next_higher():
    land = cones((-100, 0, 90, 1), (0, 0, 50, 1), (60, 0, 70, 1))
    found = {peak.x: peak.size for peak in peaks(land, GRID)}
    assert found[60.0] == pytest.approx(70 - 20, abs=1e-4)  # over the pass to the highest
    assert found[0.0] == pytest.approx(50 - 30, abs=1e-4)  # over the pass to its neighbour


def test_a_plane_has_one_summit_and_a_flat_top_counts_once():
    assert len(peaks(np.add.outer(GRID.y, GRID.x).astype("f4"), GRID)) == 1
    table = np.minimum(cones((0, 0, 50, 1)), 40)
    cells, prominence = prominences(table)
    assert (prominence > 0).sum() == 1
    assert table.reshape(-1)[cells[0]] == 40
    assert not peaks(np.full(GRID.shape, 7, "f4"), GRID)


def test_small_bumps_are_no_peaks():
    bumpy = cones((-50, 0, 100, 1), (80, 0, 3 - 30, 1))
    assert len(peaks(bumpy, GRID)) == 1


# --- rivers and lakes ------------------------------------------------------------------------


def test_a_fall_is_where_the_river_drops():
    x = np.arange(0.0, 201.0, 1.0)
    level = np.where(x < 100, 20 - 0.01 * x, 12 - 0.01 * x)  # 8 m down between 99 and 100
    found = falls(river((list(zip(x, 0 * x, level, strict=True)), 1e6)))
    highest = max(found, key=lambda sight: sight.size)
    assert highest.size == pytest.approx(8 + 0.12, abs=1e-6)
    assert 88 <= highest.x <= 99
    steady = 40 - 0.1 * x
    assert not falls(river((list(zip(x, 0 * x, steady, strict=True)), 1e6)))


def test_a_confluence_is_where_one_river_ends_on_another():
    main = [(x, 0, 10 - 0.01 * x) for x in range(-100, 101, 2)]
    side = [(0, y, 10 + 0.01 * y) for y in range(80, -1, -2)]
    away = [(-90, y, 12) for y in range(60, 30, -2)]
    (found,) = confluences(river((main, 9e6), (side, 2e6), (away, 1e6)))
    assert (found.x, found.y, found.size) == (0, 0, 2e6)


def test_lakes_are_found_by_their_area_and_puddles_are_not():
    lake = np.zeros(GRID.shape, np.int32)
    lake[40:60, 100:140] = 3
    lake[150:155, 10:20] = 8
    (found,) = lakes(lake, GRID)
    assert found.size == 20 * 40
    assert (found.x, found.y) == (GRID.x[100:140].mean(), GRID.y[40:60].mean())


def test_sights_keep_off_the_edge_and_tell_the_largest_first():
    land = cones((-50, 0, 100, 1), (50, 0, 60, 1), (140, 0, 90, 1))
    none = np.zeros(GRID.shape, np.int32)
    found = sights(land, GRID, None, none, margin=20)
    assert [(s.kind, s.x) for s in found] == [("peak", -50), ("peak", 50)]


# --- standing --------------------------------------------------------------------------------


def ground(elevation=None, depth=None):
    flat = np.zeros(GRID.shape, "f4")
    parts = (flat if part is None else part.astype("f4") for part in (elevation, depth))
    return Ground(*parts, GRID, Limits())


@pytest.mark.parametrize(
    ("east", "north", "heading"), [(0, 60, 0), (60, 0, 90), (0, -60, 180), (-60, 0, 270)]
)
def test_one_looks_at_what_one_has_come_to_see(east, north, heading):
    far = np.hypot(GRID.x[None, :] - east, GRID.y[:, None] - north)
    shore = ground(depth=np.where(far < 30, 2.0, 0.0))
    (place,) = stand(shore, [Sight("lake", east * 0.999, north * 0.999, 1)])
    assert 29 < np.hypot(place.x - east, place.y - north) < 32
    back = (place.heading - heading + 540) % 360 - 180
    assert abs(back) < 8


def test_nobody_stands_in_water_on_cliffs_or_at_the_edge():
    x = GRID.x[None, :] + 0 * GRID.y[:, None]
    steep = ground(elevation=np.where(x < 0, 0, 3 * x), depth=np.where(x < -50, 1.0, 0.0))
    for x0, y0 in ((100.0, 0.0), (-140.0, 20.0), (0.0, 500.0)):
        x, y = steep.nearest(x0, y0)
        assert -50 <= x < 1
        assert abs(y) <= 100 - Limits().margin
    assert ground(depth=np.ones(GRID.shape)).nearest(0, 0) is None


def test_from_a_summit_one_looks_where_the_land_falls_away():
    x = GRID.x[None, :] + 0 * GRID.y[:, None]
    (place,) = stand(ground(elevation=-0.1 * x), [Sight("peak", 0.0, 0.0, 1)])
    assert place.heading == 90
