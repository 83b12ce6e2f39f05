"""Heightmaps, GeoTIFFs and numpy files, read back by programs that are not ours."""

import io
import json

import numpy as np
import pytest
import rasterio
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.png import write_png
from downcut.export.raster import levels
from downcut.export.save import save
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

RECIPE = Recipe.from_dict(
    {"title": "Größe ≠ Höhe", "steps": [{"op": "fields.fbm"}], "sea_level": 3.5, "seed": "mountain"}
)
CORNERS = {(0, 0): -120.5, (0, -1): 40.25, (-1, 0): 900.0, (-1, -1): 2480.75}


def land(elevation, cell_size=30.0, recipe=RECIPE, **layers):
    elevation = np.asarray(elevation)
    return Terrain(Grid(*elevation.shape, cell_size), {"elevation": elevation, **layers},
                   recipe=recipe)  # fmt: skip


def cornered(ny=7, nx=5):
    """A land whose four corners differ, so that no flip or transpose goes unseen."""
    elevation = np.random.default_rng(1).uniform(0, 800, (ny, nx)).astype(np.float32)
    for place, value in CORNERS.items():
        elevation[place] = value
    return elevation


def read_heightmap(path):
    """Heights as a reader of the picture and its side file gets them."""
    facts = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    with Image.open(path) as picture:
        assert picture.mode == "I;16"
        grey = np.asarray(picture).astype(np.float64)
    low, high = facts["metres_of_0"], facts["metres_of_65535"]
    return low + grey * (high - low) / 65535, facts


def test_a_heightmap_comes_back_within_half_a_level(tmp_path):
    elevation = cornered()
    files = save(land(elevation), tmp_path / "land.png")
    assert [f.name for f in files] == ["land.png", "land.png.json"]
    heights, facts = read_heightmap(files[0])
    assert heights.shape == elevation.shape
    error = np.abs(heights - elevation).max()
    assert error <= np.ptp(elevation) / 131070 * (1 + 1e-9)
    for place, value in CORNERS.items():
        assert abs(heights[place] - value) <= 0.02
    assert facts["row_order"] == "north first"
    assert (facts["ny"], facts["nx"], facts["cell_size_m"]) == (7, 5, 30.0)
    assert facts["sea_level_m"] == 3.5


def test_both_files_carry_the_recipe_and_its_names(tmp_path):
    terrain = land(cornered())
    picture, side = save(terrain, tmp_path / "land.png")
    with Image.open(picture) as opened:
        note = dict(opened.info)
    facts = json.loads(side.read_text(encoding="utf-8"))
    assert json.loads(note["downcut"]) == facts
    assert note["downcut:digest"] == facts["digest"] == RECIPE.digest
    assert facts["checksum"] == terrain.checksum
    assert float(note["downcut:metres_of_65535"]) == facts["metres_of_65535"]
    for content in (json.loads(note["downcut:recipe"]), facts["recipe"]):
        assert Recipe.from_dict(content) == RECIPE


def test_all_65536_levels_stay_distinct():
    ramp = np.arange(65536, dtype=np.float32).reshape(256, 256)
    data = io.BytesIO()
    write_png(land(ramp), data)
    with Image.open(data) as picture:
        back = np.asarray(picture)
    assert back.dtype == np.uint16
    np.testing.assert_array_equal(back, ramp)


def test_the_highest_level_is_65535_not_65536(tmp_path):
    heights, _ = read_heightmap(save(land(np.array([[0.0, 14.0, 28.0]])), tmp_path / "a.png")[0])
    assert heights[0, 2] == 28.0


@pytest.mark.parametrize("value", [21.0, 0.0, -418.3])
def test_a_constant_land_comes_back(value, tmp_path):
    elevation = np.full((8, 8), value, np.float32)
    heights, _ = read_heightmap(save(land(elevation), tmp_path / "a.png")[0])
    np.testing.assert_array_equal(heights.astype(np.float32), elevation)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=50),
)
def test_levels_are_the_nearest(heights):
    elevation = np.array([heights], np.float32)
    low, high = float(elevation.min()), float(elevation.max())
    back = low + levels(elevation, low, high).astype(np.float64) * (high - low) / 65535
    assert np.abs(back - elevation).max() <= (high - low) / 131070 * (1 + 1e-6)


@pytest.mark.parametrize("dtype", ["i2", ">u2", "f8", ">f4", "?", "f2"])
def test_any_dtype_and_stride_is_written_and_left_alone(dtype, tmp_path):
    elevation = (np.arange(40).reshape(8, 5) % 11).astype(dtype)[::-1, ::-1]
    before = elevation.copy()
    for name in ("a.png", "a.tif", "a.npy", "a.glb"):
        save(land(elevation), tmp_path / name)
    heights, _ = read_heightmap(tmp_path / "a.png")
    np.testing.assert_allclose(heights, elevation.astype(float), atol=1e-3)
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), before.astype("f4"))
    np.testing.assert_array_equal(elevation, before)


def test_a_geotiff_is_exact_and_lies_where_the_grid_does(tmp_path):
    elevation, grid = cornered(), Grid(7, 5, 30.0)
    path, _ = save(land(elevation), tmp_path / "land.tif")
    with rasterio.open(path) as dataset:
        np.testing.assert_array_equal(dataset.read(1), elevation)
        assert dataset.dtypes == ("float32",)
        assert dataset.units == ("m",)
        for row, col in [(0, 0), (0, 4), (6, 0), (6, 4)]:
            assert dataset.xy(row, col) == (grid.x[col], grid.y[row])
        assert dataset.crs.to_wkt().startswith("LOCAL_CS")  # nowhere on Earth
        assert 'UNIT["metre",1' in dataset.crs.to_wkt()
        assert dataset.tags(ns="IMAGE_STRUCTURE")["PREDICTOR"] == "3"
        tags = dataset.tags()
        assert tags["AREA_OR_POINT"] == "Area"
    about = json.loads(tags["DOWNCUT"])
    assert about["digest"] == RECIPE.digest
    assert Recipe.from_dict(about["recipe"]) == RECIPE


def test_a_geotiff_whose_corner_is_the_origin_keeps_its_place(tmp_path):
    terrain = Terrain(Grid(3, 4, 1.0, row=0, col=0), {"elevation": np.zeros((3, 4))})
    path, _ = save(terrain, tmp_path / "land.tif")
    with rasterio.open(path) as dataset:
        assert dataset.xy(2, 3) == (3.5, -2.5)


def test_a_geotiff_of_many_blocks_keeps_every_cell(tmp_path):
    elevation = np.random.default_rng(2).normal(size=(300, 515)).astype(np.float32)
    path, _ = save(land(elevation), tmp_path / "land.tiff")
    with rasterio.open(path) as dataset:
        np.testing.assert_array_equal(dataset.read(1), elevation)


def test_npz_holds_every_layer_and_the_recipe_without_pickle(tmp_path):
    colour = np.arange(105, dtype=np.uint8).reshape(7, 5, 3)
    area = np.random.default_rng(1).random((7, 5))
    (path,) = save(land(cornered(), colour=colour, drainage_area=area), tmp_path / "land.npz")
    with np.load(path, allow_pickle=False) as data:
        np.testing.assert_array_equal(data["elevation"], cornered())
        np.testing.assert_array_equal(data["colour"], colour)
        assert data["drainage_area"].dtype == np.float64
        np.testing.assert_array_equal(data["drainage_area"], area)
        assert Recipe.from_json(str(data["recipe.json"])) == RECIPE


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.npz", "a.glb", "a.npy", "a.json"])
def test_the_same_land_gives_the_same_bytes(name, tmp_path):
    first = save(land(cornered()), tmp_path / "one" / name)
    second = save(land(cornered()), tmp_path / "two" / name)
    assert [f.read_bytes() for f in first] == [f.read_bytes() for f in second]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.glb", "a.npy", "set/"])
def test_a_land_with_a_hole_is_refused_with_a_count(name, bad, tmp_path):
    elevation = cornered()
    elevation[3, 2] = bad
    with pytest.raises(DowncutError, match="1 of 35 cells"):
        save(land(elevation), f"{tmp_path}/{name}")
    assert list(tmp_path.iterdir()) == []
