"""What stands on a world: any window has the things of the whole that lie on it."""

import numpy as np
import pytest

import downcut as dc

THINGS = [
    {"kind": "tree", "spacing": 9, "cover": 0.9, "patch": 40},
    {"kind": "stone", "spacing": 14, "cover": 1, "steepest": 90, "patchiness": 0},
]
WOOD = {
    "grid": {"ny": 64, "nx": 64, "cell_size": 5},
    "seed": "8",
    "sea_level": 0,
    "steps": [
        {"op": "fields.fbm", "wavelength": 300, "amplitude": 40, "offset": 20},
        {"op": "surface.scatter", "things": THINGS},
    ],
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return dc.World(WOOD, folder=tmp_path_factory.mktemp("worlds"))


def rows(land, name, box):
    table, (top, bottom, left, right) = land.features[name], box
    row, col = np.floor(-table["y"] / 5), np.floor(table["x"] / 5)
    here = (row >= top) & (row < bottom) & (col >= left) & (col < right)
    names = [n for n in table.columns if n != "id"]
    return list(zip(*(table[n][here].tolist() for n in names), strict=True))


@pytest.mark.parametrize("place", [(0, 0), (-300, 7000), (10**6, -(10**6))])
def test_windows_share_their_forest(world, place):
    row, col = place
    whole = world.window(row, col, 90, 110)
    part = world.window(row + 25, col + 30, 50, 60)
    box = (row + 25, row + 75, col + 30, col + 90)
    for name in ("plants", "stones"):
        mine = rows(part, name, box)
        assert len(mine) == len(part.features[name])
        assert mine == rows(whole, name, box)
    assert len(part.features["stones"]) > 50
    assert part.features["plants"]["id"].tolist() == [*range(1, len(part.features["plants"]) + 1)]


def test_neighbours_hold_their_distance_over_the_seam(world):
    west, east = (world.window(0, col, 80, 80).features["stones"] for col in (-80, 0))
    x, y = (np.concatenate([west[n], east[n]]) for n in ("x", "y"))
    away = np.hypot(x[:, None] - x, y[:, None] - y)
    np.fill_diagonal(away, np.inf)
    assert away.min() >= 14
    near = np.abs(x) < 20
    assert near.sum() > 10


def test_a_window_of_the_world_has_the_forest_that_a_land_has(world):
    """But near the land's edge, beyond which it knows nothing."""
    land = dc.generate(dc.Recipe.from_dict(WOOD))
    there = world.window(-32, -32, 64, 64)
    box = (-12, 12, -12, 12)
    assert rows(land, "plants", box) == rows(there, "plants", box)
    assert len(rows(land, "stones", box)) > 20
