"""Creep and coasts in windows: decided nearby, and the law that whole maps obey."""

import numpy as np
import pytest

import downcut as dc
from downcut.erosion.nearby_creep import NearbyCreep

HILLS = [
    {"op": "fields.fbm", "wavelength": 300, "amplitude": 60, "octaves": 6},
    {"op": "fields.fbm", "into": "soft", "wavelength": 200, "amplitude": 1, "offset": 0.5},
]
CREEP = {"op": "erosion.hillslope", "diffusivity": 0.02, "time_step": 12_000, "hold_border": False}


def world(*steps):
    return dc.World({"grid": {"cell_size": 10}, "steps": [*HILLS, *steps]}, disk=0)


@pytest.mark.parametrize("mask", [None, "soft"])
def test_a_window_of_creep_is_the_crop_of_a_larger_one(mask):
    step = CREEP | {"mask": mask}
    for row, col, ny, nx in ((-300, 10**7, 40, 50), (-5, -251, 9, 300), (0, 0, 1, 1)):
        part = world(step).window(row, col, ny, nx)
        whole = world(step).window(row - 33, col - 7, ny + 60, nx + 20)
        crop = whole["elevation"][33 : 33 + ny, 7 : 7 + nx]
        assert np.array_equal(part["elevation"], crop)
        assert not np.array_equal(part["elevation"], world().window(row, col, ny, nx)["elevation"])


def test_creep_in_windows_is_the_creep_of_a_whole_map():
    """Away from the map's edge, to what the implicit step itself errs: less with more substeps."""
    here = dc.World(dc.Recipe.from_dict({"grid": {"cell_size": 10}, "steps": [*HILLS, CREEP]}))
    near = here.window(-64, -64, 128, 128, layers=["elevation"])["elevation"][40:-40, 40:-40]
    away = []
    for substeps in (1, 30):
        grid = {"ny": 128, "nx": 128, "cell_size": 10}
        whole = dc.generate({"grid": grid, "steps": [*HILLS, CREEP | {"substeps": substeps}]})
        away.append(np.abs(whole["elevation"][40:-40, 40:-40] - near).max())
    assert away[1] < 0.2 * away[0]
    bare = world().window(-64, -64, 128, 128, layers=["elevation"])["elevation"][40:-40, 40:-40]
    assert np.abs(bare - near).max() > 5 * away[1]


def test_a_wave_decays_as_the_law_says_and_no_earth_is_lost():
    """z = sin kx becomes e^(−Dk²t) sin kx."""
    grid = dc.Grid(8, 256, 10.0)
    k = 2 * np.pi / 640
    wave = np.sin(k * grid.x)[None, :] * np.ones((8, 1))
    years = 40_000.0
    made = NearbyCreep(diffusivity=0.05, time_step=years)(100 * wave, grid=grid)
    ratio = made[4, 64:-64] @ wave[4, 64:-64] / (100 * wave[4, 64:-64] @ wave[4, 64:-64])
    assert ratio == pytest.approx(np.exp(-0.05 * k * k * years), rel=0.01)
    rough = dc.fields.Fbm(amplitude=50, wavelength=100)(grid=grid, seed=3)
    made = NearbyCreep(time_step=1e5)(rough, grid=grid)
    assert made.sum(dtype=float) == pytest.approx(rough.sum(dtype=float), abs=0.01)
    assert rough.min() <= made.min() < made.max() <= rough.max()
    mask = np.zeros(grid.shape)
    mask[:, 100:] = 1
    half = NearbyCreep(time_step=1e5, mask="soft")(rough, mask=mask, grid=grid)
    assert np.array_equal(half[:, :100], rough[:, :100])
    assert half.sum(dtype=float) == pytest.approx(rough.sum(dtype=float), abs=0.01)


def test_creep_for_too_long_is_refused():
    with pytest.raises(dc.DowncutError, match=r"1024 is the limit.*time_step of creep"):
        world(CREEP | {"time_step": 1e8})


COAST = {"op": "erosion.coast", "width": 200, "beach_angle": 1, "shelf_angle": 1}


@pytest.fixture(scope="module")
def shores(small_recipe, tmp_path_factory):
    """The small world with beaches, and bare of detail: two recipes, one land."""
    plain = small_recipe.model_dump(mode="json")
    coarse, dress = plain["steps"][:5], plain["steps"][-1:]
    folder = tmp_path_factory.mktemp("shores")
    return [dc.World(plain | {"steps": [*coarse, *more, *dress]}, folder=folder)
            for more in ([COAST], [])]  # fmt: skip


def coasts(world, row=-240, col=-240, ny=480, nx=480, level=0):
    return world.window(row, col, ny, nx, level, layers=["elevation"])["elevation"]


def test_beaches_lie_along_the_shores_of_the_sea_alone(shores):
    """Hollows below the sea have none, but for those within two cells of the lattice of it."""
    from scipy.ndimage import distance_transform_edt, label

    beach, bare = map(coasts, shores)
    changed = beach != bare
    assert changed.mean() > 0.01
    assert np.array_equal(beach > 0, bare > 0)
    parts, _ = label(bare <= 0, np.ones((3, 3)))
    rim = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    sea = np.isin(parts, rim[rim > 0])
    away = np.where(sea, distance_transform_edt(sea), distance_transform_edt(~sea))
    inner = (slice(9, -9), slice(9, -9))  # farther out a shore may lie beyond the window
    assert away[inner][changed[inner]].max() * 31.25 <= 200 + 31.25 + 2 * 125
    assert ((bare <= 0) & ~sea & (away * 31.25 > 500))[inner].any()
    land, water = changed & (bare > 0), changed & (bare < 0)
    assert (beach[land] < bare[land]).all()
    assert (beach[water] > bare[water]).all()


@pytest.mark.parametrize("level", [0, 1])
def test_a_window_of_a_coast_is_the_crop_of_a_larger_one(shores, small_recipe, level):
    whole = coasts(shores[0], level=level)
    assert (whole != coasts(shores[1], level=level)).any()
    recipe = shores[0].recipe
    for row, col, ny, nx in ((100, 130, 200, 90), (255, 0, 33, 300), (270, 180, 1, 17)):
        part = coasts(dc.World(recipe, disk=0), row - 240, col - 240, ny, nx, level)
        assert np.array_equal(part, whole[row : row + ny, col : col + nx])


def test_a_coast_where_nobody_knows_the_sea_is_refused():
    with pytest.raises(dc.DowncutError, match=r"erosion\.coast.*put fields\.continents"):
        world(COAST)
