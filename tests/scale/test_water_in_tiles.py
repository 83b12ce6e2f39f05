"""Water knows no tiles: lands full of ties, flats and depressions, cut anywhere, drain the same."""

import numpy as np
import pytest

import downcut as dc

zarr = pytest.importorskip("zarr")
CELL = 10.0


def recipe_of(z, folder, sea=None, channel_area=3000.0):
    np.save(folder / "heights.npy", z.astype(np.float32))
    return dc.Recipe.from_dict({
        "grid": {"ny": z.shape[0], "nx": z.shape[1], "cell_size": CELL},
        "sea_level": sea,
        "steps": [
            {"op": "fields.heightmap", "file": str(folder / "heights.npy"), "cell_size": CELL},
            {"op": "hydrology.lakes", "min_depth": 0.5, "min_area": 300},
            {"op": "hydrology.drainage"},
            {"op": "hydrology.rivers", "channel_area": channel_area},
        ],
    })  # fmt: skip


def both(z, folder, tile, sea=None, **more):
    """Return the land in memory and the store, once they are known to be the same."""
    recipe = recipe_of(z, folder, sea, **more)
    land = dc.generate(recipe)
    there = dc.build(recipe, folder / "a.zarr", tile=tile, workers=0, force=True)
    store = zarr.open_group(there.path, mode="r")
    for name, values in land.layers.items():
        assert store["0"][name][:].tobytes() == values.tobytes(), name
    for name, table in land.features.items():
        for where, columns in (("", table.columns), ("points/", table.points)):
            for key, values in columns.items():
                found = store[f"features/{name}/{where}{key}"][:]
                np.testing.assert_array_equal(found, values, err_msg=f"{name} {key}")
    return land, store


def rough(fractal, seed, step=None):
    """A land with pits everywhere; its heights are whole multiples of `step`, so ties abound."""
    noise = np.random.default_rng(seed).uniform(0, 12, (97, 110)).astype(np.float32)
    z = fractal(97, 110, seed=seed) + noise
    return z if step is None else np.round(z / step) * step


@pytest.mark.parametrize(("step", "sea", "tile"), [
    (None, None, 32), (1.0, 140.5, 48), (4.0, None, 32), (16.0, 200.5, 33),
])  # fmt: skip
def test_ties_and_flats_over_seams(step, sea, tile, fractal, tmp_path):
    land, _ = both(rough(fractal, 3, step), tmp_path, tile, sea)
    assert len(land.features["lakes"]) > 10
    assert len(land.features["rivers"]) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_many_lands(seed, fractal, tmp_path):
    for step in (None, 0.5, 3.0, 20.0):
        for tile, sea in ((16, None), (31, 180.25), (64, 60.0)):
            both(rough(fractal, seed, step), tmp_path, tile, sea)


def test_a_pit_on_a_seam_is_one_pit(tmp_path):
    """Two slopes that meet at a seam: what tiles name apart is one basin, and one lake."""
    z = np.full((40, 64), 50.0)
    z[5:35, 5:59] = np.abs(np.arange(5, 59) - 31.5)[None, :]
    land, store = both(z, tmp_path, 32)
    assert len(land.features["lakes"]) == 1
    lake = store["0/lake"][:]
    assert lake[20, 31] == lake[20, 32] == 1
    assert set(np.unique(lake)) == {0, 1}


def test_a_valley_through_three_tiles(tmp_path):
    """What gathers along the valley never shrinks downstream, over all seams."""
    x, y = np.arange(195), np.arange(65) - 32
    _, store = both(np.abs(y)[:, None] - 0.01 * x[None, :] + 10, tmp_path, 65)
    along = store["0/drainage_area"][32, :]
    assert (np.diff(along) > 0).all()
    assert along[-1] > 0.9 * 195 * 65 * CELL**2
    assert store["0/channel"][32, 100:].all()


def test_a_river_that_crosses_each_seam_many_times(tmp_path):
    """A ditch that winds from tile to tile and back drains to one outlet, and counts every cell."""
    z = np.full((48, 96), 1000.0)
    height, row, col, way = 900.0, 1, 1, 1
    while row < 46:
        z[row, col] = height
        height -= 0.125
        if not 1 <= col + way <= 94:
            z[row + 1, col], z[row + 2, col] = height, height - 0.125
            row, way, height = row + 2, -way, height - 0.25
        col += way
        if not 1 <= col <= 94:
            break
    z[row, col if 0 <= col < 96 else 0] = 0
    land, _ = both(z, tmp_path, 16)
    assert land["drainage_area"].max() > 0.5 * z.size * CELL**2


def test_a_flat_wider_than_its_tile(tmp_path):
    """Water crosses a plain by the fewest cells, wherever seams lie."""
    z = np.full((60, 60), 9.0)
    z[10:50, 10:50] = 5.0
    z[30, 0:10] = 4.0
    land, _ = both(z, tmp_path, 20)
    assert land["drainage_area"][30, 0] >= 40 * 40 * CELL**2


def test_a_plain_without_end_is_refused_by_name(tmp_path):
    z = np.full((200, 200), 9.0)
    z[1:-1, 1:-1] = 5.0
    z[100, 0] = 4.0
    recipe = recipe_of(z, tmp_path)
    with pytest.raises(dc.DowncutError, match=r"descent in the tile .* a flat goes on"):
        dc.build(recipe, tmp_path / "a.zarr", tile=16, workers=0)


def test_the_sea_is_let_in_through_a_gap_in_another_tile(tmp_path):
    z = np.full((64, 64), 20.0)
    z[10:60, 40:60] = -5.0
    z[10:14, 0:41] = -3.0  # a sound from the western edge
    z[40:50, 5:15] = -5.0  # a hollow below the sea that it does not reach
    land, store = both(z, tmp_path, 16, sea=0.0)
    depth = store["0/water_depth"][:]
    assert (depth[10:60, 41:60] == 5).all()
    assert store["0/lake"][45, 10] == 1
    assert len(land.features["lakes"]) == 1


@pytest.mark.parametrize("shape", [(17, 1), (2, 35), (33, 17)])
def test_odd_shapes(shape, tmp_path):
    z = np.random.default_rng(5).uniform(0, 30, shape)
    both(z, tmp_path, 16)
