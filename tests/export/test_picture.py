"""The picture: what must be so whatever one's taste."""

import io
import time

import numpy as np
import pytest
from PIL import Image

from downcut.export.picture import hillshade, hillshade_png, notebook_png, preview
from downcut.export.tints import SNOW, Scene, tints
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.shading import BIOMES, to_linear, to_srgb
from downcut.terrain import Terrain

SEA = Recipe.from_dict({"steps": [{"op": "fields.fbm"}], "sea_level": 0.0})


def hills(ny=64, nx=80, relief=1500.0):
    row, col = np.mgrid[0:ny, 0:nx]
    return ((1 + np.sin(row / 9) * np.cos(col / 11)) * relief / 2).astype(np.float32)


def land(elevation, recipe=None, cell_size=30.0, **layers):
    grid = Grid(*elevation.shape, cell_size)
    return Terrain(grid, {"elevation": elevation, **layers}, recipe=recipe)


def brightness(picture):
    return to_linear(picture) @ np.array([0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 64), (3, 3), (70, 1)])
@pytest.mark.parametrize("recipe", [None, SEA])
def test_tiny_and_constant_lands_are_one_colour(shape, recipe):
    for value in (-5.0, 0.0, 21.0):
        picture = preview(land(np.full(shape, value), recipe))
        assert picture.shape == (*shape, 3)
        assert picture.dtype == np.uint8
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 1


def test_slopes_towards_the_sun_are_brighter():
    row, col = np.mgrid[0:48, 0:48]
    cone = 900 - 20.0 * np.hypot(row - 23.5, col - 23.5)
    light = brightness(preview(land(cone)))
    north_west, south_east = light[8:20, 8:20].mean(), light[28:40, 28:40].mean()
    assert north_west > 1.5 * south_east


def test_a_cliff_throws_its_shadow_away_from_the_sun():
    plateau = np.zeros((64, 64))
    plateau[:20, :20] = 400.0
    light = brightness(preview(land(plateau)))
    assert light[23, 23] < 0.7 * light[50, 50]  # both on the flat, the first below the corner


def test_valleys_see_less_of_the_sky():
    trench = np.full((40, 64), 300.0)
    trench[:, 30:34] = 0.0
    light = brightness(preview(land(trench, colour=np.full((40, 64, 3), 128, np.uint8))))
    assert light[20, 32] < 0.8 * light[20, 5]


def test_the_sea_is_blue_and_darker_where_it_is_deep():
    shore = np.tile(np.linspace(-600, 600, 96), (32, 1))
    picture = preview(land(shore, SEA)).astype(int)
    sea, ground = picture[16, :46], picture[16, 52:]
    assert (sea[:, 2] > sea[:, 0] + 20).all()
    assert (ground[:, 2] < ground[:, 0] + 20).all()
    assert sea[4].sum() < sea[45].sum() - 60


def test_lakes_are_drawn_and_dry_ground_keeps_its_colour():
    ground = hills()
    surface = np.maximum(ground, 300.0)
    dry, wet = preview(land(ground)), preview(land(ground, water_surface=surface))
    deep, high = ground < 200, ground > 1000
    assert (wet[deep][:, 2].astype(int) > wet[deep][:, 0]).all()
    assert not (dry[deep][:, 2].astype(int) > dry[deep][:, 0]).all()
    np.testing.assert_array_equal(
        wet[high & (np.arange(80) > 20)], dry[high & (np.arange(80) > 20)]
    )


def test_rivers_widen_with_the_ground_they_drain():
    ground = np.tile(np.linspace(300, 0, 256), (256, 1)).T
    area, channel = np.zeros((256, 256)), np.zeros((256, 256), np.uint8)
    channel[:, 128] = 1
    area[:, 128] = np.linspace(0.001, 1, 256) ** 2 * 256 * 256 * 900
    blank = preview(land(ground))
    drawn = preview(land(ground, drainage_area=area, channel=channel))
    changed = (np.abs(drawn.astype(int) - blank).max(axis=2) > 20).sum(axis=1)
    assert 1 <= changed[90] < changed[240]
    assert (changed[20:] < 8).all()


def test_the_colour_layer_is_the_lands_colour():
    colour = np.random.default_rng(1).integers(0, 256, (64, 80, 3), dtype=np.uint8)
    scene = Scene.of(land(hills(), colour=colour))
    np.testing.assert_array_equal(to_srgb(tints(scene, 10, 30)), colour[10:30])


def test_the_biome_layer_is_coloured_by_its_legend():
    biome = np.repeat(np.arange(8, dtype=np.uint8), 10)[None].repeat(64, axis=0)
    scene = Scene.of(land(hills(), biome=biome))
    middle = to_srgb(tints(scene, 0, 64))[:, 5::10]
    np.testing.assert_array_equal(middle[30], [tone.rgb for tone in BIOMES[:8]])


def test_only_mountains_have_snow():
    def whitest(relief):
        scene = Scene.of(land(hills(relief=relief), cell_size=relief))
        return to_srgb(tints(scene, 0, 64)).min(axis=2).max()

    assert whitest(3000.0) >= min(SNOW.rgb) - 2
    assert whitest(100.0) < 180


def test_colours_do_not_depend_on_which_rows_are_painted_together():
    layers = {"drainage_area": np.random.default_rng(2).random((64, 80)) * 1e5}
    scene = Scene.of(land(hills(), SEA, **layers))
    whole = tints(scene, 0, 64)
    parts = [tints(scene, start, start + 8) for start in range(0, 64, 8)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_the_plain_hillshade_is_180_on_the_flat():
    assert set(hillshade(land(np.full((8, 8), 21.0))).ravel()) == {180}
    with Image.open(io.BytesIO(hillshade_png(land(hills())))) as picture:
        assert (picture.mode, picture.size) == ("L", (80, 64))


@pytest.mark.parametrize(("shape", "size"), [((40, 60), (60, 40)), ((400, 1600), (768, 192))])
def test_a_notebooks_picture_is_at_most_768_pixels_long(shape, size):
    with Image.open(io.BytesIO(notebook_png(land(hills(*shape))))) as picture:
        assert (picture.mode, picture.size) == ("RGB", size)


def test_layers_are_left_as_they_were():
    ground = hills()
    before = ground.copy()
    ground.flags.writeable = False
    preview(land(ground, SEA, moisture=np.full(ground.shape, 0.5)))
    np.testing.assert_array_equal(ground, before)


@pytest.mark.slow
def test_a_million_cells_are_painted_within_a_second():
    terrain = land(hills(1024, 1024))
    preview(terrain)
    start = time.perf_counter()
    preview(terrain)
    assert time.perf_counter() - start < 1.0
