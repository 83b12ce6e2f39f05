"""Rivers run on from window to window down to the sea, and a lake has one level."""

from dataclasses import replace

import numpy as np
import pytest

import downcut as dc
from downcut.grid import Grid

TILE = 48


class Patchwork:
    """A world read cell by cell, each from the window of 48 × 48 cells that it lies in."""

    def __init__(self, world):
        self.world, self.tiles = world, {}

    def read(self, name, x, y):
        cell = self.world.cell_size()
        row, col = int(np.floor(-y / cell)), int(np.floor(x / cell))
        tile = row // TILE, col // TILE
        if tile not in self.tiles:
            self.tiles[tile] = self.world.window(tile[0] * TILE, tile[1] * TILE, TILE, TILE)
        return self.tiles[tile][name][row % TILE, col % TILE]


@pytest.fixture(scope="module")
def patchwork(carved_world):
    return Patchwork(carved_world)


@pytest.fixture(scope="module")
def lines(carved_world):
    """All rivers of the provinces around the origin, whole; `wet` where they run through a lake."""
    near = carved_world.provinces.near(Grid(1400, 1400, carved_world.cell_size()), 0)
    return [
        replace(p.lines, points={**p.lines.points, "wet": p.wet})
        for p in (grown.province for grown in near)
    ]


def some(lines, count, seed):
    chance = np.random.default_rng(seed)
    for _ in range(count):
        of = lines[chance.integers(len(lines))]
        river = int(chance.integers(of.offsets.size - 1))
        part = slice(of.offsets[river], of.offsets[river + 1])
        yield of, river, {name: values[part] for name, values in of.points.items()}


def test_along_a_hundred_rivers_nothing_shrinks_and_no_bed_climbs(lines, patchwork):
    seen = 0
    for _, _, line in some(lines, 100, seed=1):
        for name in ("area", "discharge", "width", "order"):
            assert (np.diff(line[name]) >= 0).all()
        assert (np.diff(line["bed"]) <= 0).all()
        every = [patchwork.read("drainage_area", x, y)
                 for x, y in zip(line["x"][::3], line["y"][::3], strict=True)]  # fmt: skip
        assert (np.diff(every) >= 0).all()
        seen += len(every)
    assert seen > 500


def test_the_ground_of_a_river_is_its_bed(lines, patchwork):
    """But where a larger one takes over, and in lakes and the sea, which are deeper."""
    for of, _, line in some(lines, 30, seed=2):
        for n in range(0, line["x"].size - 1, 4):
            x, y = line["x"][n], line["y"][n]
            ground = patchwork.read("elevation", x, y)
            assert patchwork.read("channel", x, y) == 1
            first, last = max(n - 6, 0), min(n + 6, line["x"].size - 1)
            larger = patchwork.read("drainage_area", x, y) > line["area"][last]
            if not larger and patchwork.read("water_depth", x, y) == 0:
                assert ground <= line["bed"][first] + 0.01
                wet = line["wet"][first : last + 1].any()
                assert wet or ground >= line["bed"][last] - 0.01
        assert of.rivers["end"].max() <= 1


def test_every_river_ends_in_the_sea_or_in_a_larger_one(lines, patchwork):
    for of, river, line in some(lines, 40, seed=3):
        x, y = line["x"][-1], line["y"][-1]
        if of.rivers["joins"][river] == 0:
            assert patchwork.read("water_depth", x, y) > 0
            assert patchwork.read("water_surface", x, y) == 0
        else:
            trunk = int(np.flatnonzero(of.rivers["id"] == of.rivers["joins"][river])[0])
            part = slice(of.offsets[trunk], of.offsets[trunk + 1])
            away = np.hypot(of.points["x"][part] - x, of.points["y"][part] - y)
            assert away.min() < 1e-6
            assert of.points["area"][part].max() >= line["area"][-1]


def test_neighbouring_windows_tell_of_the_same_rivers(small_world):
    both = small_world.window(-150, -150, 300, 300)
    halves = [small_world.window(-150, -150, 300, 150), small_world.window(-150, 0, 300, 150)]
    crossing = 0
    names = ("province_row", "province_col", "river")

    def known(land):
        table = land.features["rivers"]
        return {tuple(int(table[n][i]) for n in names): float(table["discharge"][i])
                for i in range(len(table))}  # fmt: skip

    west, east = map(known, halves)
    assert {**west, **east} == known(both)
    for river in west.keys() & east.keys():
        assert west[river] == east[river]
        crossing += 1
    assert crossing > 0
    for name in ("discharge", "stream_order", "channel", "drainage_area", "elevation"):
        assert np.array_equal(np.hstack([land[name] for land in halves]), both[name])


def test_a_lake_has_one_level_in_all_windows(carved_world):
    land = carved_world.window(-500, -500, 1000, 1000)
    table = land.features["lakes"]
    assert len(table) > 0
    for number, level in zip(table["lake"], table["level"], strict=True):
        wet = land["lake"] == number
        assert np.unique(land["water_surface"][wet]).tolist() == [np.float32(level)]
        assert (land["elevation"][wet] < np.float32(level)).all()


def test_straits_lie_under_the_sea(small_world):
    """No land touches the rim of a province's box, and the strait between two is their rim."""
    for grown in small_world.provinces.near(Grid(1000, 1000, small_world.cell_size()), 0):
        height = grown.province.layers["elevation"]
        assert height.max() > 300
        assert not any(edge.any() for edge in (height[0], height[-1], height[:, 0], height[:, -1]))


def test_what_needs_the_whole_plane_is_refused_with_a_way_out(small_recipe):
    hills = {"op": "fields.fbm"}
    for step, way in (
        ({"op": "hydrology.lakes"}, "fields.continents"),
        ({"op": "erosion.stream_power"}, "fields.continents"),
        ({"op": "erosion.stream_power", "feature_size": 125}, "has no edge for rivers"),
        ({"op": "erosion.thermal", "passes": 1000}, "1024 is the limit"),
    ):
        with pytest.raises(dc.DowncutError, match=way):
            dc.World({"steps": [hills, step]})
    plain = small_recipe.model_dump(mode="json")
    plain["steps"].append({"op": "hydrology.basins"})
    with pytest.raises(dc.DowncutError, match=r"hydrology\.basins.*leave it out"):
        dc.World(plain)
    plain["steps"][-1] = {"op": "erosion.breach"}
    with pytest.raises(dc.DowncutError, match="give it a feature_size"):
        dc.World(plain)


def test_a_layer_that_is_not_gone_in_the_straits_is_refused(small_recipe):
    plain = small_recipe.model_dump(mode="json")
    plain["steps"].insert(3, {"op": "fields.constant", "into": "mask", "value": 1})
    plain["steps"][7]["mask"] = "mask"
    with pytest.raises(dc.DowncutError, match="the layer mask is not 0 in the straits"):
        dc.World(plain, disk=0).window(0, 0, 8, 8)
