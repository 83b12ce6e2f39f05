"""Rivers run on from window to window down to the sea, and a lake has one level."""

from dataclasses import replace

import numpy as np
import pytest

import downcut as dc
from downcut.grid import Grid

TILE = 48


class Patchwork:
    """A world read cell by cell, each from the square window that it lies in.

    Windows share their last row and column with the next, where `meet` compares them.
    """

    def __init__(self, world, tile=TILE):
        self.world, self.tile, self.tiles = world, tile, {}

    def read(self, name, x, y):
        cell, edge = self.world.cell_size(), self.tile
        row, col = int(np.floor(-y / cell)), int(np.floor(x / cell))
        tile = row // edge, col // edge
        if tile not in self.tiles:
            grown = self.world.window(tile[0] * edge, tile[1] * edge, edge + 1, edge + 1)
            self.tiles[tile] = {n: a for n, a in grown.layers.items() if n != "normals"}
        return self.tiles[tile][name][row % edge, col % edge]

    def meet(self):
        """Compare all neighbours in all layers; return how many rivers cross between them."""
        crossing = 0
        for (row, col), one in self.tiles.items():
            for down, right in ((0, 1), (1, 0)):
                other = self.tiles.get((row + down, col + right))
                for name in one if other else ():
                    last = one[name][-1] if down else one[name][:, -1]
                    first = other[name][0] if down else other[name][:, 0]
                    assert np.array_equal(last, first), (row, col, name)
                    crossing += int((last != 0).any()) if name == "channel" else 0
        return crossing

    def lakes(self):
        """Return the levels that each lake has, by its number, over all windows."""
        levels = {}
        for tile in self.tiles.values():
            for lake in np.unique(tile["lake"][tile["lake"] > 0]):
                found = np.unique(tile["water_surface"][tile["lake"] == lake])
                levels.setdefault(int(lake), set()).update(found.tolist())
        return levels


@pytest.fixture(scope="module")
def patchwork(carved_world):
    return Patchwork(carved_world)


def whole_rivers(world, cells):
    """All rivers of the provinces on a square, whole; `wet` where they run through a lake."""
    near = world.provinces.near(Grid(cells, cells, world.cell_size()), 0)
    return [
        replace(p.lines, points={**p.lines.points, "wet": p.wet})
        for p in (grown.province for grown in near)
    ]


@pytest.fixture(scope="module")
def lines(carved_world):
    return whole_rivers(carved_world, 1400)


def some(lines, count, seed):
    chance = np.random.default_rng(seed)
    for _ in range(count):
        of = lines[chance.integers(len(lines))]
        river = int(chance.integers(of.offsets.size - 1))
        part = slice(of.offsets[river], of.offsets[river + 1])
        yield of, river, {name: values[part] for name, values in of.points.items()}


def a_hundred(lines):
    return (line for _, _, line in some(lines, 100, seed=5))


def longest(lines):
    """The longest river of the first land."""
    ends = lines[0].offsets
    part = slice(*ends[np.argmax(np.diff(ends)) :][:2])
    yield {name: values[part] for name, values in lines[0].points.items()}


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


@pytest.mark.parametrize(
    ("pick", "cells", "crossings"),
    [(longest, 10, 5), pytest.param(a_hundred, 4000, 150, marks=pytest.mark.slow)],
)
@pytest.mark.timeout(3600)
def test_rivers_of_endless_grow_to_the_sea_over_all_windows(pick, cells, crossings):
    """Area and order never fall, beds never climb, borders agree, each lake has one level."""
    world = dc.World("endless", disk=0)
    patches = Patchwork(world, 128)
    for line in pick(whole_rivers(world, cells)):
        assert (np.diff(line["bed"]) <= 0).all()
        places = list(zip(line["x"], line["y"], strict=True))[::2]
        for name in ("drainage_area", "stream_order", "discharge"):
            every = [float(patches.read(name, x, y)) for x, y in places]
            assert (np.diff(every) >= 0).all(), name
        dry = [patches.read("water_depth", x, y) == 0 for x, y in places]
        bed = [float(patches.read("elevation", x, y)) for x, y in places]
        # a cell is as much as its diagonal farther down or up than the point in it
        slack = np.abs(np.diff(line["bed"])).max() * 4 + 0.01
        climb = np.maximum(np.array(bed) - np.minimum.accumulate(bed), 0)
        assert (climb[np.array(dry)] <= slack).all()
    assert patches.meet() >= crossings
    assert all(len(levels) == 1 for levels in patches.lakes().values())


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


def test_a_lake_has_one_level_and_one_number_in_all_windows(carved_world):
    patches, cell = Patchwork(carved_world), carved_world.cell_size()
    for row in range(-480, 480, TILE):
        for col in range(-480, 480, TILE):
            patches.read("lake", (col + 0.5) * cell, -(row + 0.5) * cell)
    patches.meet()
    levels = patches.lakes()
    assert levels
    assert all(len(found) == 1 for found in levels.values())
    whole = carved_world.window(-480, -480, 960, 960)
    table = whole.features["lakes"]
    told = {int(lake): {float(np.float32(level))}
            for lake, level in zip(table["lake"], table["level"], strict=True)}  # fmt: skip
    assert told == levels
    for number, (level,) in levels.items():
        assert (whole["elevation"][whole["lake"] == number] < level).all()
    several = [n for n in levels if sum((t["lake"] == n).any() for t in patches.tiles.values()) > 1]
    assert several


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
