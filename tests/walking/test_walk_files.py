"""What the walk page is given: the ground to a centimetre, water, things, places to stand."""

import json

import numpy as np
import pytest

import downcut as dc
from downcut.errors import DowncutError
from downcut.export.blocks import read_block
from downcut.export.walk import walk_files
from downcut.grid import Grid
from downcut.terrain import Terrain
from downcut.walking.window import Asked, suited, walk


class Read:
    """The files of a walk, read as the page reads them."""

    def __init__(self, made):
        self.files = walk_files(made)
        self.told = json.loads(self.files["walk.json"])
        self.grid = self.told["grid"]

    def layer(self, name):
        return read_block(self.files[self.told["layers"][name]["file"]])[1]

    def table(self, told):
        header, rows = read_block(self.files[told["file"]])
        assert header["shape"] == [told["count"], len(told["columns"])]
        return dict(zip(told["columns"], rows.T.astype(float), strict=True))

    def things(self, kind):
        return self.table(next(each for each in self.told["scatter"] if each["kind"] == kind))

    def at(self, layer, x, z):
        """The value of the cell that a place lies in."""
        cell = self.grid["cell_size"]
        row = np.floor(np.asarray(z) / cell + self.grid["ny"] / 2).astype(int)
        return layer[row, np.floor(np.asarray(x) / cell + self.grid["nx"] / 2).astype(int)]


@pytest.fixture(scope="module")
def glade():
    return Read(walk(dc.generate(suited(dc.preset("glade")))))


@pytest.fixture(scope="module")
def valley():
    """A land of 20 m cells: a valley with a lake in it that a river leaves."""
    grid = Grid(96, 96, 20.0)
    x, y = grid.x[None, :], grid.y[:, None]
    elevation = 60 + 0.05 * y + np.abs(x) * 0.35 + 12 * np.sin(x / 150) * np.sin(y / 170)
    elevation -= 25 * np.exp(-(x**2 + (y - 300) ** 2) / 150**2)
    return Terrain(grid, {"elevation": elevation.astype(np.float32)})


@pytest.fixture(scope="module")
def valley_walk(valley):
    return Read(walk(valley, Asked(at=(0.0, 100.0), extent=500.0)))


def test_every_file_that_is_named_is_there_and_no_other(glade, valley_walk):
    for read in (glade, valley_walk):
        named = [each["file"] for each in read.told["layers"].values()]
        named += [each["file"] for each in read.told["scatter"]]
        named += [read.told[key]["file"] for key in ("rivers", "grass_patch") if read.told[key]]
        around = read.told["around"] or {"layers": {}}
        named += [each["file"] for each in around["layers"].values()]
        assert sorted([*named, "walk.json"]) == sorted(read.files)
        assert read.told["format"] == "downcut-walk"


def test_the_ground_is_the_height_function_to_a_centimetre_where_she_walks(glade):
    """Between the cells' middles too, in either of the two triangles of each square."""
    ground, cell = glade.layer("elevation").astype(float), glade.grid["cell_size"]
    rng = np.random.default_rng(2)
    r, angle = 26 * np.sqrt(rng.random(20_000)), 2 * np.pi * rng.random(20_000)
    x, z = r * np.cos(angle), r * np.sin(angle)
    col, row = x / cell + glade.grid["nx"] / 2 - 0.5, z / cell + glade.grid["ny"] / 2 - 0.5
    i, j = row.astype(int), col.astype(int)
    s, t = row - i, col - j
    a, b, c, d = ground[i, j], ground[i, j + 1], ground[i + 1, j], ground[i + 1, j + 1]
    falling = np.where(s + t < 1, a + t * (b - a) + s * (c - a),
                       d + (1 - t) * (c - d) + (1 - s) * (b - d))  # fmt: skip
    rising = np.where(s < t, a + t * (b - a) + s * (d - b), a + s * (c - a) + t * (d - c))
    true = dc.fields.Glade().height(x, z)
    assert np.abs(falling - true).max() < 0.01
    assert np.abs(rising - true).max() < 0.01


def test_the_glade_gives_its_stream_its_limits_and_a_dry_start(glade):
    told = glade.told
    rivers = glade.table(told["rivers"])
    assert told["rivers"]["lines"] == 1
    assert np.ptp(rivers["surface"]) == 0
    assert rivers["z"].min() == -120
    assert rivers["z"].max() == 120
    assert told["limits"]["circle"] == {"x": 0, "z": 0, "radius": 26}
    assert told["limits"]["clearance"] == 4.4
    assert glade.at(glade.layer("water_depth"), rivers["x"][5:-5], rivers["z"][5:-5]).min() > 0.85
    for place in [told["start"], *told["viewpoints"]]:
        away = np.hypot(rivers["x"] - place["x"], rivers["z"] - place["z"]).min()
        assert away > 4.4
        assert np.hypot(place["x"], place["z"]) <= 26


def test_the_same_land_gives_the_same_bytes_and_the_glade_is_walked_whole():
    land = dc.generate(suited(dc.preset("glade")))
    one, other = walk(land), walk(land, Asked(at=(50.0, 0.0), extent=100.0))
    assert walk_files(one) == walk_files(other)


def test_a_coarse_land_gets_fine_ground_that_keeps_to_it(valley, valley_walk):
    ground = valley_walk.layer("elevation")
    assert valley_walk.grid == {"ny": 500, "nx": 500, "cell_size": 1.0}
    assert valley_walk.told["place"] == {"x": 0.0, "y": 100.0}
    rows, cols = slice(31, 55), slice(36, 60)
    coarse = valley["elevation"][rows, cols]
    mean = ground[10:490, 10:490].reshape(24, 20, 24, 20).mean(axis=(1, 3))
    dry = valley_walk.layer("water_depth")[10:490, 10:490].reshape(24, 20, 24, 20).max((1, 3)) == 0
    assert np.abs(mean - coarse)[dry].mean() < 1.0
    assert ground.std() > coarse.std() * 0.9


def test_water_lies_in_its_bed_and_flows_down(valley_walk):
    rivers = valley_walk.table(valley_walk.told["rivers"])
    for line in range(valley_walk.told["rivers"]["lines"]):
        mine = rivers["line"] == line
        assert (np.diff(rivers["surface"][mine]) <= 0).all()
        step = np.hypot(np.diff(rivers["x"][mine]), np.diff(rivers["z"][mine]))
        assert step.max() < 3
    depth, ground = valley_walk.layer("water_depth"), valley_walk.layer("elevation")
    surface = valley_walk.layer("water_surface")
    assert (depth >= 0).all()
    assert np.array_equal(surface, np.maximum(surface, ground))
    inside = (np.abs(rivers["x"]) < 249) & (np.abs(rivers["z"]) < 249)
    assert valley_walk.at(depth, rivers["x"][inside], rivers["z"][inside]).min() > 0
    lake = depth > 2
    assert lake.sum() > 2000
    assert np.ptp(surface[lake]) == 0  # it is level


def test_nothing_grows_in_water_and_places_can_be_stood_on(valley_walk):
    depth = valley_walk.layer("water_depth")
    trees = valley_walk.things("tree")
    assert trees["x"].size > 100
    assert valley_walk.at(depth, trees["x"], trees["z"]).max() == 0
    told = valley_walk.told
    kinds = {place["kind"] for place in told["viewpoints"]}
    assert "lake" in kinds
    steep = np.degrees(np.arctan(np.hypot(*np.gradient(valley_walk.layer("elevation")))))
    for place in [told["start"], *told["viewpoints"]]:
        assert valley_walk.at(depth, place["x"], place["z"]) <= told["limits"]["wade"]
        assert valley_walk.at(steep, place["x"], place["z"]) < told["limits"]["climb"]


def test_a_place_is_the_same_in_any_window_that_holds_it(valley):
    """But near its edges: things are decided by what lies around them."""
    one, other = (walk(valley, Asked(at=at, extent=300.0)).land for at in ((0, 0), (60, 40)))
    apart = one["elevation"][:-40, 60:] == other["elevation"][40:, :-60]
    assert apart.all()
    trees = []
    for land in (one, other):
        plants = land.features["plants"]
        inside = (np.abs(plants["x"] - 30) < 40) & (np.abs(plants["y"] - 20) < 50)
        trees.append({(k, x, y) for k, x, y in zip(*(plants[n][inside].tolist() for n in
                      ("kind", "x", "y")), strict=True)})  # fmt: skip
    assert len(trees[0]) > 100
    assert trees[0] == trees[1]


def test_a_larger_window_has_larger_cells_and_the_same_rivers(valley):
    one, other = (walk(valley, Asked(at=(0.0, 0.0), extent=each)).land for each in (400, 1900))
    assert (one.grid.cell_size, other.grid.cell_size) == (1.0, 1900 / 1024)
    points = [land.features["rivers"].points for land in (one, other)]
    inside = [(np.abs(p["x"]) < 150) & (np.abs(p["y"]) < 150) for p in points]
    lines = [np.stack([p["x"][i], p["y"][i]]) for p, i in zip(points, inside, strict=True)]
    away = np.hypot(*(lines[0][:, :, None] - lines[1][:, None, :])).min(axis=1)
    assert away.max() < 2


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Asked(at=(5000.0, 0.0)), "place is 5000,0: the land reaches from -960 to 960 m"),
        (Asked(extent=1e5), "extent is 100000: give 16 to 2048 m"),
        (Asked(cell_size=0.01), r"a cell of 0\.01 m: give 0\.5 to 20 m"),
    ],
)
def test_a_window_that_is_none_is_refused(valley, asked, message):
    with pytest.raises(DowncutError, match=message):
        walk(valley, asked)


def test_blades_on_the_square_are_evenly_spread_however_thinned():
    told = Read(walk(Terrain(Grid(64, 64, 1.0), {"elevation": np.zeros((64, 64), np.float32)})))
    patch = told.table(told.told["grass_patch"])
    edge = told.told["grass_patch"]["edge"]
    for share in (1.0, 0.25):
        mine = patch["rank"] < share
        x, z = patch["x"][mine], patch["z"][mine]
        away = [np.abs(a[:, None] - a) for a in (x, z)]
        away = np.hypot(*(np.minimum(a, edge - a) for a in away))
        np.fill_diagonal(away, np.inf)
        by_chance = 0.5 / np.sqrt(x.size / edge**2)  # the mean of places by chance alone
        assert away.min(axis=1).mean() > 1.4 * by_chance
        assert away.min() > 0.6 * by_chance


def test_a_river_has_the_same_points_in_any_window(valley):
    points = []
    for at in ((0.0, 100.0), (48.0, 64.0)):
        rivers = walk(valley, Asked(at=at, extent=300.0)).land.features["rivers"].points
        inside = (np.abs(rivers["x"] - 24) < 100) & (np.abs(rivers["y"] - 80) < 100)
        points.append(np.stack([rivers[n][inside] for n in ("x", "y", "surface", "width")], axis=1))
    assert len(points[0]) > 50
    np.testing.assert_array_equal(*(each[np.lexsort(each.T)] for each in points))


def test_a_walk_tells_where_the_land_ends_and_what_lies_beyond_the_window(valley):
    told = walk_files(walk(valley, Asked(at=(300.0, 100.0), extent=300.0)), "../{x},{y}/walk.json")
    about = json.loads(told["walk.json"])
    assert about["bounds"] == [-960, -960, 960, 960]
    lake = next(each for each in about["sights"] if each["kind"] == "lake")
    assert lake["x"] == pytest.approx(-300, abs=40)  # it lies south of 0, 300
    assert lake["z"] == pytest.approx(-150, abs=80)
    assert about["around"]["grid"]["cell_size"] == 20


def test_land_that_is_walked_whole_has_a_horizon_too():
    told = Read(walk(Terrain(Grid(64, 64, 1.0), {"elevation": np.zeros((64, 64), np.float32)})))
    assert told.told["around"]["grid"] == {"ny": 4, "nx": 4, "cell_size": 16.0}
