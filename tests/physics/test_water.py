"""Water as a whole: nothing is lost on its way, and steps agree about where it goes."""

import numpy as np
import pytest

import downcut as dc
from downcut.errors import DowncutError
from downcut.flow.drained import drain
from downcut.flow.routing import order
from downcut.grid import D8_DISTANCE, Grid
from downcut.hydrology import Basins, Drainage, Lakes, Rivers, Wetness
from downcut.run import Run


@pytest.fixture(scope="module")
def land(fractal):
    """Rough ground with many hollows, in cells of 20 m."""
    return fractal(120, 150, relief=300, roughness=1.8, seed=4), Grid(120, 150, 20.0)


@pytest.mark.parametrize("sea_level", [None, 90.0])
def test_what_leaves_the_map_is_all_the_ground_and_all_the_rain(land, sea_level):
    z, grid = land
    drained = drain(z, Run(sea_level=sea_level))
    flow = drained.receivers.ravel()
    outlets = flow == np.arange(flow.size)
    area = Drainage()(z, grid=grid, sea_level=sea_level)
    assert area.ravel()[outlets].sum() == grid.cells * grid.cell_area
    rain = np.random.default_rng(1).random(grid.shape)
    step = Rivers(channel_area=400, rain="rain", runoff=0.8)  # every cell of land is a river
    channel, _, discharge = step(z, rain, grid=grid, sea_level=sea_level)
    fallen = rain[channel > 0].astype(np.float32).sum(dtype=np.float64) * 400 * 0.8
    last = (channel.ravel() > 0) & (outlets | outlets[flow] & (channel.ravel()[flow] == 0))
    assert discharge.ravel()[last].sum(dtype=np.float64) == pytest.approx(fallen, rel=1e-5)


def test_the_drained_land_never_climbs_and_has_no_cycle(land):
    for z in (land[0], np.round(land[0] / 20) * 20):
        for sea_level in (None, 60.0, 500.0):
            drained = drain(z, Run(sea_level=sea_level))
            flow, level = drained.receivers, drained.level.ravel()
            assert (level[flow.ravel()] <= level).all()
            assert order(flow).size == z.size
            assert sea_level is None or (drained.sea is not None)


def test_lakes_rivers_and_basins_tell_one_story(land):
    z, grid = land
    run = Run()
    _, depth, lake = Lakes(min_depth=0, min_area=0)(z, grid=grid, sea_level=60, run=run)
    basin, _ = Basins()(z, grid=grid, sea_level=60, run=run)
    channel, *_ = Rivers(channel_area=40_000)(z, grid=grid, sea_level=60, run=run)
    lakes, rivers = run.features["lakes"], run.features["rivers"]
    assert len(lakes) > 10
    assert len(rivers) > 10
    assert not (channel & (basin == 0)).any()
    for row, number in enumerate(lakes["id"]):
        assert len(np.unique(basin[lake == number])) == 1  # a lake lies in one basin
        if lakes["joins"][row]:
            inside = lake == lakes["joins"][row]
            assert basin[inside][0] == basin[lake == number][0]
    assert depth[lake > 0].sum(dtype=np.float64) * 400 == pytest.approx(lakes["volume"].sum())
    for row in range(len(rivers)):  # along a river its basin stays the same, up to the sea
        line = rivers.line(row)
        cells = (
            np.rint(grid.y[0] / 20 - line["y"] / 20).astype(int),
            np.rint((line["x"] - grid.x[0]) / 20).astype(int),
        )
        assert len(set(basin[cells]) - {0}) == 1


def test_a_valley_keeps_its_river_from_end_to_end():
    """One river, ever wider, whatever the map is cut into for the steps before it."""
    x = np.arange(195)[None, :]
    valley = 2.0 * np.abs(np.arange(-32, 33))[:, None] - 0.01 * x
    run, grid = Run(threads=2), Grid(65, 195, 30.0)
    area = Drainage()(valley, grid=grid)[32]
    assert (np.diff(area) >= 0).all()
    Rivers(channel_area=1e6)(valley, grid=grid, run=run)
    table = run.features["rivers"]
    assert len(table) == 1
    assert (np.diff(table.line(0)["width"]) > 0).all()


def test_a_cone_sheds_its_rivers_evenly_all_round():
    y, x = np.mgrid[-40:41, -40:41]
    run = Run()
    step, grid = Rivers(channel_area=20), Grid(81, 81)
    step(100 - np.hypot(x, y), grid=grid, sea_level=62, run=run)
    table = run.features["rivers"]
    assert (table["end"] == 1).sum() >= 8
    assert (table["slope"][table["length"] > 8] > 0.9).all()
    last = (table.offsets[1:] - 1)[table["end"] == 1]
    azimuth = np.sort(np.degrees(np.arctan2(table.points["y"][last], table.points["x"][last])))
    assert np.diff(azimuth).max() < 50


def test_a_tilted_plane_drains_in_parallel():
    z = np.tile(np.arange(60, 0, -1.0), (20, 1))
    run = Run()
    channel, order_, _ = Rivers(channel_area=10)(z, grid=Grid(20, 60), run=run)
    table = run.features["rivers"]
    assert len(table) == 20
    assert (table["joins"] == 0).all()
    assert (order_[channel > 0] == 1).all()
    assert (table["length"] == 50).all()
    assert (table["slope"] == 1).all()


def test_diagonal_rivers_are_longer_by_the_root_of_two():
    i = np.arange(30)
    z = np.full((30, 30), 100.0)
    z[i, i] = 50 - i
    run = Run()
    Rivers(channel_area=200 * 25)(z, grid=Grid(30, 30, 5.0), run=run)
    table = run.features["rivers"]
    points = len(table.line(0)["x"])
    assert table["length"][0] == pytest.approx((points - 1) * 5 * np.sqrt(2))
    assert table["slope"][0] == pytest.approx(1 / (5 * np.sqrt(2)))
    assert D8_DISTANCE.max() == np.sqrt(2)


def test_wetness_does_not_change_with_a_higher_datum(land):
    z, grid = land
    z = np.round(z)
    np.testing.assert_allclose(
        Wetness()(z, grid=grid), Wetness()(z + 512, grid=grid), rtol=1e-6, atol=1e-6
    )


def test_the_sea_is_said_once_and_heard_by_every_step():
    steps = [
        {"op": "fields.fbm", "amplitude": 120, "offset": 10, "wavelength": 700},
        {"op": "erosion.stream_power"},
        {"op": "erosion.breach"},
        {"op": "erosion.carve_rivers", "channel_area": 5000},
        {"op": "erosion.coast"},
        {"op": "hydrology.drainage"},
        {"op": "hydrology.lakes"},
        {"op": "hydrology.rivers", "channel_area": 5000},
        {"op": "hydrology.basins"},
        {"op": "hydrology.wetness"},
        {"op": "surface.biomes"},
    ]
    recipe = dc.Recipe.from_dict(
        {"grid": {"ny": 64, "nx": 64, "cell_size": 20}, "sea_level": 5, "steps": steps}
    )
    wet = dc.generate(recipe)
    sea = (wet["basin"] == 0) & (wet["elevation"] < 5)
    assert 0.05 < sea.mean() < 0.95
    np.testing.assert_array_equal(wet["water_surface"][sea], 5)
    assert (wet["biome"][sea] <= 1).all()
    assert not wet["channel"][sea].any()
    dry = dc.generate(recipe.changed(settings={"sea_level": None}))
    assert dry["basin"].min() == 1
    assert (dry["elevation"] != wet["elevation"]).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e6])
def test_a_sea_that_makes_no_sense_is_refused(bad):
    with pytest.raises(DowncutError, match="sea_level is"):
        Drainage()(np.zeros((3, 3)), grid=Grid(3, 3), sea_level=bad)


def test_layers_of_whole_numbers_refuse_what_they_cannot_hold():
    step, grid = dc.hydrology.DistanceToWater(), Grid(1, 3)
    for bad, message in (([[0, 1, np.nan]], "1 of 3 cells"), ([[0, 1, 300]], "give 0 to 255")):
        with pytest.raises(DowncutError, match=message):
            step(bad, grid=grid)


def test_a_step_inside_a_lattice_gives_no_features_of_its_own():
    recipe = {
        "grid": {"ny": 40, "nx": 40, "cell_size": 10},
        "steps": [
            {"op": "fields.fbm", "amplitude": 100},
            {"op": "erosion.carve_rivers", "channel_area": 4000, "feature_size": 20},
            {"op": "hydrology.rivers", "channel_area": 4000},
        ],
    }
    land = dc.generate(recipe)
    assert list(land.features) == ["rivers"]
    x = land.features["rivers"].points["x"]
    assert np.isin(x, land.grid.x).all()
