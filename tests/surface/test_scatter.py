"""What stands on the land: how near, on what ground, the same from any window."""

import math

import numpy as np
import pytest

import downcut as dc
from downcut.features import KINDS, SPECIES
from downcut.flow.stream import stream_line
from downcut.grid import Grid
from downcut.run import Run
from downcut.surface import Meadow, Scatter
from downcut.surface.rooms import ROOM
from downcut.surface.thing import Thing

TREES = Thing(spacing=6, cover=1, patchiness=0)


def stood(step, elevation, grid, seed=3, **more):
    run = Run()
    grass = step(elevation, grid=grid, seed=seed, run=run, **more)
    return grass, run.features


def nearest(x, y):
    """The least distance between two of some places."""
    away = np.hypot(x[:, None] - x, y[:, None] - y)
    return away[~np.eye(x.size, dtype=bool)].min()


def cells(grid, table):
    row, col = np.floor(-table["y"] / grid.cell_size), np.floor(table["x"] / grid.cell_size)
    top, left = grid.corner
    return (row - top).astype(int), (col - left).astype(int)


@pytest.fixture(scope="module")
def hills():
    grid = Grid(200, 200, 2.0)
    elevation = dc.fields.Fbm(wavelength=150, amplitude=60, offset=60)(grid=grid, seed=5)
    water = np.maximum(40 - elevation, 0)
    return grid, elevation, water


@pytest.mark.parametrize("spacing", [1.0, 3.7, 12.0])
def test_no_two_are_nearer_than_the_spacing_and_few_gaps_are_left(spacing):
    grid = Grid(100, 100, 1.0)
    step = Scatter(things=[Thing(spacing=spacing, cover=1, patchiness=0)])
    _, tables = stood(step, np.zeros(grid.shape), grid)
    x, y = tables["plants"]["x"], tables["plants"]["y"]
    assert nearest(x, y) >= spacing
    places = np.random.default_rng(1).uniform(-40, 40, (2, 400))
    gap = np.hypot(places[0][:, None] - x, places[1][:, None] - y).min(axis=1)
    assert np.quantile(gap, 0.9) < spacing  # nearly everywhere another would be too near
    assert 0.55 < x.size * spacing**2 / 1e4 < 0.8  # as random parking fills a plane: 0.696


def test_no_kind_stands_in_another_and_the_larger_stays(hills):
    grid, elevation, water = hills
    rules = [
        TREES,
        Thing(kind="flower", spacing=1, cover=1, patchiness=0),
        Thing(kind="stone", spacing=3, cover=1, patchiness=0, steepest=90),
        Thing(kind="tree", spacing=5, cover=1, patchiness=0, steepest=20),
    ]
    _, tables = stood(Scatter(things=rules), elevation, grid, water_depth=water)
    _, alone = stood(Scatter(things=[TREES]), elevation, grid, water_depth=water)
    found = {}
    for table in tables.values():
        for number in np.unique(table["kind"]):
            mine = table["kind"] == number
            found[KINDS[number]] = table["x"][mine], table["y"][mine]
    assert {kind: places[0].size > 300 for kind, places in found.items()} == {
        "tree": True, "stone": True, "flower": True,
    }  # fmt: skip
    for kind, other in [("tree", "stone"), ("tree", "flower"), ("stone", "flower")]:
        (x, y), (east, north) = found[kind], found[other]
        gap = min(np.hypot(a - east, b - north).min() for a, b in zip(x, y, strict=True))
        assert gap >= ROOM[kind] + ROOM[other]
        assert gap < ROOM[kind] + ROOM[other] + 0.3, "and no more room than they need"
    assert nearest(*found["tree"]) >= 5
    old = set(alone["plants"]["x"].tolist())
    assert old < set(found["tree"][0].tolist()), "the first trees all stay"


def test_higher_up_other_species_grow_and_pines_by_the_sea():
    grid = Grid(300, 100, 4.0)
    slope = np.repeat(np.linspace(1, 1500, 300)[:, None], 100, axis=1).astype(np.float32)
    kinds = [TREES, Thing(kind="bush", spacing=6, cover=1, patchiness=0, steepest=90)]
    step = Scatter(things=[kinds[0].model_copy(update={"steepest": 90.0}), kinds[1]])
    _, tables = stood(step, slope, grid, sea_level=0.0)
    plants = tables["plants"]

    def share(kind, species, low, high):
        here = (plants["kind"] == KINDS.index(kind)) & (plants["elevation"] > low)
        here &= plants["elevation"] < high
        assert here.sum() > 50
        return (plants["species"][here] == SPECIES[kind].index(species)).mean()

    assert share("tree", "pine", 0, 15) > 0.5
    assert share("tree", "pine", 60, 1500) == 0
    assert share("tree", "conifer", 1200, 1400) > 0.9 > 0.4 > share("tree", "conifer", 60, 400)
    assert share("tree", "birch", 60, 400) > 0.05
    assert share("bush", "leafy", 0, 200) == 1
    assert share("bush", "tussock", 1300, 1500) > 0.9


def test_trees_follow_rivers_through_a_desert(hills):
    grid, _, _ = hills
    biome = np.full(grid.shape, 3, np.uint8)
    distance = np.repeat(np.abs(grid.x)[None, :], grid.ny, axis=0).astype(np.float32)
    elevation = np.zeros(grid.shape)
    _, tables = stood(Scatter(), elevation, grid, biome=biome, water_distance=distance)
    trees = tables["plants"]["kind"] == KINDS.index("tree")
    away = np.abs(tables["plants"]["x"][trees])
    assert (away < 16).sum() > 30
    assert (away > 20).sum() / 360 < 0.2 * (away < 16).sum() / 32, "by the metre across"
    assert "cactus" in {SPECIES["bush"][n] for n in tables["plants"]["species"][~trees]}


def test_things_obey_their_rules(hills):
    grid, elevation, water = hills
    rules = [TREES, Thing(kind="reed", spacing=2, cover=1, farthest_water=6, deepest=0.5)]
    step = Scatter(things=[*rules, Thing(kind="stone", flattest=25, steepest=60, spacing=2)])
    distance = dc.hydrology.DistanceToWater()(None, water, grid=grid)
    _, tables = stood(step, elevation, grid, water_depth=water, water_distance=distance)
    steep = np.degrees(np.arctan(np.hypot(*np.gradient(elevation.astype(float), 2.0))))
    plants = tables["plants"]
    row, col = cells(grid, plants)
    tree = plants["kind"] == KINDS.index("tree")
    reed = plants["kind"] == KINDS.index("reed")
    assert tree.sum() > 500
    assert (water[row, col][tree] == 0).all()
    assert steep[row, col][tree].max() <= TREES.steepest
    assert reed.sum() > 50
    assert water[row, col][reed].max() <= 0.5
    assert distance[row, col][reed].max() <= 6
    stone_row, stone_col = cells(grid, tables["stones"])
    assert stone_row.size > 20
    assert steep[stone_row, stone_col].min() >= 25


def test_nothing_grows_in_the_sea_nor_above_its_height(hills):
    grid, elevation, _ = hills
    step = Scatter(things=[TREES.model_copy(update={"highest": 40.0})])
    grass, tables = stood(step, elevation, grid, sea_level=30.0)
    ground = elevation[cells(grid, tables["plants"])]
    assert ground.min() > 30
    assert ground.max() <= 70
    assert (grass[elevation < 30] == 0).all()
    assert grass[elevation > 31].max() == 255


def test_biomes_decide_what_grows(hills):
    grid, _, _ = hills
    biome = np.full(grid.shape, 6, np.uint8)  # forest …
    biome[:, 100:] = 9  # … and rock
    grass, tables = stood(Scatter(things=[TREES]), np.zeros(grid.shape), grid, biome=biome)
    assert tables["plants"]["x"].size > 1000
    assert tables["plants"]["x"].max() < 0
    assert (grass[:, 100:] == 0).all()


def test_a_window_with_its_halo_has_the_things_of_the_whole(hills):
    grid, elevation, water = hills
    step = Scatter()
    _, whole = stood(step, elevation, grid, water_depth=water)
    halo = step.halo(grid)
    top, left, ny, nx = 50, 70, 60, 41
    rows, cols = slice(top - halo, top + ny + halo), slice(left - halo, left + nx + halo)
    assert rows.start > 0
    assert cols.stop < 200
    window = grid.window(rows.start, cols.start, ny + 2 * halo, nx + 2 * halo)
    _, part = stood(step, elevation[rows, cols], window, water_depth=water[rows, cols])
    for name in ("plants", "stones"):
        sides = []
        for table, there in ((whole[name], grid), (part[name], window)):
            row, col = cells(grid, table)
            core = (row >= top) & (row < top + ny) & (col >= left) & (col < left + nx)
            names = [n for n in table.columns if n != "id"]
            sides.append([table[n][core].tolist() for n in names])
            assert there is grid or core.sum() < len(table)
        assert sides[0] == sides[1]
        assert sides[0][0]


def test_the_same_seed_is_the_same_forest_and_another_is_another(hills):
    grid, elevation, _ = hills
    forests = [stood(Scatter(), elevation, grid, seed=s)[1]["plants"]["x"] for s in (1, 1, 2)]
    assert forests[0].tolist() == forests[1].tolist()
    assert forests[0].tolist() != forests[2].tolist()


def test_tiles_and_threads_change_no_table():
    recipe = dc.Recipe.from_dict({
        "grid": {"ny": 150, "nx": 170, "cell_size": 3},
        "steps": [
            {"op": "fields.fbm", "wavelength": 200, "amplitude": 40},
            {"op": "surface.scatter"},
        ],
    })  # fmt: skip
    one, other = dc.generate(recipe, threads=1), dc.generate(recipe, threads=2, tile=64)
    for name, table in one.features.items():
        assert len(table) > 0
        for column in table.columns:
            assert table[column].tolist() == other.features[name][column].tolist()


# --- the glade -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def glade():
    return dc.generate(dc.preset("glade"))


def to_the_stream(x, y):
    """Distance to the centre line, walked along in steps of a centimetre."""
    z = np.arange(-75, 75, 0.01)
    line = np.stack([8 + 2.6 * np.sin(0.045 * z) + 1.3 * np.sin(0.11 * z + 1.3), z])
    return np.array([np.hypot(line[0] - a, line[1] + b).min() for a, b in zip(x, y, strict=True)])


def test_the_meadow_has_its_blades_and_none_is_near_the_stream(glade):
    blades = glade.features["blades"]
    assert len(blades) == 25_000
    r = np.hypot(blades["x"], blades["y"])
    assert r.max() <= 58
    east = np.abs(blades["x"] - stream_line(-blades["y"]))
    near = east < 6
    assert near.sum() > 100
    assert to_the_stream(blades["x"][near], blades["y"][near]).min() >= 4.6
    assert blades["scale"].min() >= 0.6
    assert blades["scale"].max() <= 1.7


def test_blades_are_spread_evenly_by_area(glade):
    blades = glade.features["blades"]
    west = blades["x"] < 0  # the stream is in the east
    r2 = (blades["x"][west] ** 2 + blades["y"][west] ** 2) / 58**2
    counts = np.histogram(r2, 10, (0, 1))[0]
    assert counts.min() > 0.9 * counts.mean()
    assert counts.max() < 1.1 * counts.mean()


def test_the_glade_has_its_trees_pebbles_and_stones(glade):
    plants, stones = glade.features["plants"], glade.features["stones"]
    counts = {kind: int((plants["kind"] == n).sum()) for n, kind in enumerate(KINDS)}
    assert (counts["great_tree"], counts["tree"], counts["far_tree"]) == (1, 6, 90)
    trees = plants["kind"] <= KINDS.index("tree")
    assert nearest(plants["x"][trees], plants["y"][trees]) >= 9
    assert to_the_stream(plants["x"][trees], plants["y"][trees]).min() > 7
    far = plants["kind"] == KINDS.index("far_tree")
    r = np.hypot(plants["x"][far], plants["y"][far])
    assert r.min() > 54
    assert r.max() < 98
    pebble = stones["kind"] == KINDS.index("pebble")
    assert (pebble.sum(), (~pebble).sum()) == (160, 70)
    d = np.abs(stones["x"] - stream_line(-stones["y"]))
    assert d[pebble].max() <= 3
    assert d[~pebble].min() >= 3.2
    assert d[~pebble].max() <= 5.6


def test_what_stands_there_stands_on_the_ground(glade):
    step = dc.fields.Glade()
    for name in ("plants", "stones"):
        table = glade.features[name]
        ground = step.height(table["x"], -table["y"])
        assert np.abs(table["elevation"] - ground).max() < 0.04


def test_a_part_of_the_meadow_has_the_part_of_its_things():
    whole, part = {}, {}
    for tables, n in ((whole, 480), (part, 60)):
        run = Run()
        Meadow()(np.zeros((n, n)), grid=Grid(n, n, 0.5), run=run)
        tables |= run.features
    inside = (np.abs(whole["blades"]["x"]) < 15) & (np.abs(whole["blades"]["y"]) < 15)
    assert part["blades"]["x"].tolist() == whole["blades"]["x"][inside].tolist()
    assert 1000 < len(part["blades"]) < 2200  # 25 000 · 900 / (π 58²) less the stream's


def test_the_stream_is_a_river(glade):
    river = glade.features["rivers"].line(0)
    assert np.ptp(river["surface"]) == 0
    ground = dc.fields.Glade().height(river["x"], -river["y"])
    assert np.allclose(ground, river["bed"], atol=1e-4)  # the line runs along the deepest bed
    shore = dc.fields.Glade().height(river["x"] + river["width"] / 2, -river["y"])
    assert np.abs(shore - river["surface"]).max() < 0.02
    assert math.isclose(river["surface"][0] - river["bed"][0], river["depth"][0])
