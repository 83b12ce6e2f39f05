"""Walking on without an edge: windows of a world fit together."""

import numpy as np
import pytest

import downcut as dc
from downcut.walking.endless import Endless, is_endless
from downcut.walking.window import Asked

HILLS = {
    "grid": {"ny": 64, "nx": 64, "cell_size": 12},
    "seed": "5",
    "sea_level": 0,
    "steps": [
        {"op": "fields.fbm", "wavelength": 500, "amplitude": 60, "offset": 12},
        {"op": "erosion.thermal", "passes": 2},
    ],
}


@pytest.fixture(scope="module")
def world():
    return Endless(dc.Recipe.from_dict(HILLS))


def window(world, x, y, extent=240.0):
    return world.walk(Asked((x, y), extent))


def test_lands_that_go_on_are_told_from_those_with_a_middle():
    told = {name: is_endless(dc.preset(name)) for name in dc.presets.names()}
    assert [name for name, endless in told.items() if endless] == ["chunks", "endless"]
    assert is_endless(dc.Recipe.from_dict(HILLS))


@pytest.mark.parametrize("start", [(0.0, 0.0), (-7200.0, 960_000.0)])
def test_ground_and_water_are_the_same_where_windows_overlap(world, start):
    one, other = window(world, *start).land, window(world, start[0] + 96, start[1] - 48).land
    assert np.ptp(one["elevation"]) > 10
    for name in ("elevation", "water_depth", "water_surface"):
        if name in one.layers and name in other.layers:
            np.testing.assert_array_equal(one[name][48:, 96:], other[name][:-48, :-96])


def test_what_stands_there_stays_when_one_walks_on(world):
    stood = []
    for x in (0.0, 96.0):
        plants = window(world, x, 0.0, 360.0).land.features["plants"]
        inside = (np.abs(plants["x"] - 48) < 60) & (np.abs(plants["y"]) < 110)
        names = ("kind", "x", "y")
        stood.append(set(zip(*(plants[n][inside].tolist() for n in names), strict=True)))
    assert len(stood[0]) > 200
    assert stood[0] == stood[1]


def test_the_horizon_is_the_land_that_one_comes_to(world):
    made = window(world, 0.0, 0.0)
    around = made.around
    assert around.grid.nx * around.grid.cell_size > 10 * made.land.grid.nx
    there = window(world, 2400.0, 0.0).land["elevation"].mean()
    row, col = (np.abs(around.grid.y).argmin(), np.abs(around.grid.x - 2400).argmin())
    near = around["elevation"][row - 1 : row + 2, col - 1 : col + 2].mean()
    assert abs(there - near) < 25


def test_one_begins_on_dry_land_by_the_middle(world):
    made = world.walk(Asked(extent=240.0))
    grid = made.land.grid
    assert np.hypot(made.start.x - grid.x.mean(), made.start.y - grid.y.mean()) < 60
    row, col = (np.abs(grid.y - made.start.y).argmin(), np.abs(grid.x - made.start.x).argmin())
    assert made.land["elevation"][row, col] > 0
    assert made.start.name == "Where you begin"


def test_land_without_an_edge_has_no_bounds_and_summits_far_away(world):
    made = window(world, 0.0, 0.0)
    assert made.bounds is None
    away = [max(abs(place.x), abs(place.y)) for place in made.sights if place.kind == "peak"]
    assert away
    assert max(away) > 1000
