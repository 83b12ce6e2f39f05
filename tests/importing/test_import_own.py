"""Our own exports come back: the recipe, the metres, the sea; and a picture drawn in is told."""

import json

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

import downcut as dc
from downcut.errors import DowncutError
from downcut.handover.source import recipe_of, source
from downcut.importing import read

RECIPE = dc.Recipe.from_dict(
    {
        "grid": {"ny": 40, "nx": 56, "cell_size": 12.5},
        "seed": "own",
        "sea_level": -3.5,
        "steps": [{"op": "fields.fbm", "amplitude": 300}, {"op": "erosion.thermal"}],
    }
)
LEVELS = {"a.png", "a.r16", "a.raw"}


@pytest.fixture(scope="module")
def land():
    return dc.generate(RECIPE)


@pytest.fixture(scope="module")
def files(land, tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    for name in ("a.png", "a.tif", "a.npz", "a.npy", "a.r16", "a.exr", "a.asc", "a.glb", "a.json"):
        dc.save(land, folder / name)
    dc.save(land, folder / "a.raw", byte_order="big", row_order="south first")
    dc.save(land, folder / "set")
    return folder


RASTERS = ["a.png", "a.tif", "a.npz", "a.npy", "a.r16", "a.raw", "a.exr"]


@pytest.mark.parametrize("name", RASTERS)
def test_a_raster_gives_back_metres_and_recipe(name, files, land):
    found = read(files / name)
    low, high = land.relief
    within = (high - low) / 131070 * 1.001 + 2e-5 if name in LEVELS else 0  # float32 below 1 km
    assert np.abs(found.elevation - land["elevation"]).max() <= within
    assert (found.cell_size, found.sea_level, found.notes) == (12.5, -3.5, ())
    assert dc.Recipe.from_dict(found.recipe).digest == RECIPE.digest


@pytest.mark.parametrize("name", [*RASTERS, "a.glb", "set/preview.png", "a.png.json", "a.json"])
def test_any_of_our_files_is_a_source_of_its_recipe(name, files, tmp_path, capsys):
    from downcut import request

    _, content = request.source(str(files / name))
    assert request.recipe(content, None, {}).digest == RECIPE.digest
    assert capsys.readouterr().err == ""


def test_without_its_side_file_a_png_still_knows_itself_and_a_raw_does_not(files, tmp_path):
    for name in ("a.png", "a.r16"):
        (tmp_path / name).write_bytes((files / name).read_bytes())
    assert read(tmp_path / "a.png").recipe is not None
    with pytest.raises(DowncutError, match="40 × 56"):
        read(tmp_path / "a.r16")


def test_an_ascii_grid_gives_its_heights(files, land):
    found = read(files / "a.asc")
    assert np.abs(found.elevation - land["elevation"]).max() < 0.001
    assert "not quite those" in " ".join(found.notes)


def redrawn(path, target, change):
    """The picture with other samples and the same text chunks, as an editor leaves it."""
    with Image.open(path) as picture:
        samples = np.array(picture)
        note = PngImagePlugin.PngInfo()
        for key, text in picture.text.items():
            note.add_itxt(key, text, zip=True)
    Image.fromarray(change(samples)).save(target, pnginfo=note)


def brighter(samples):
    samples[7, 11] ^= 1
    return samples


def test_a_picture_someone_drew_in_is_taken_as_heights_and_it_says_so(files, land, tmp_path):
    redrawn(files / "a.png", tmp_path / "a.png", brighter)
    found = read(tmp_path / "a.png")
    assert found.recipe is None
    assert "the recipe is left aside" in found.notes[-1]
    assert np.abs(found.elevation - land["elevation"]).max() < 0.1
    recipe = recipe_of(tmp_path / "a.png")
    assert [step.op for step in recipe.steps] == ["fields.heightmap"]
    assert (recipe.sea_level, recipe.grid) == (-3.5, RECIPE.grid)
    assert (dc.generate(recipe)["elevation"] == found.elevation).all()


def test_a_picture_resaved_untouched_is_still_its_recipe(files, tmp_path):
    redrawn(files / "a.png", tmp_path / "a.png", lambda samples: samples)
    assert recipe_of(tmp_path / "a.png").digest == RECIPE.digest


def test_a_picture_that_was_cropped_does_not_keep_its_metres(files, tmp_path):
    redrawn(files / "a.png", tmp_path / "a.png", lambda samples: samples[:30, :30])
    found = read(tmp_path / "a.png")
    assert found.elevation.shape == (30, 30)
    assert "wrote it as 40 × 56 cells" in found.notes[0]
    assert found.recipe is None


def test_another_range_takes_the_heights_and_not_the_recipe(files):
    recipe = recipe_of(files / "a.png", low=0, high=100)
    assert [step.op for step in recipe.steps] == ["fields.heightmap"]
    elevation = dc.generate(recipe)["elevation"]
    assert (elevation.min(), elevation.max()) == (0, 100)


def test_a_layer_that_is_not_the_ground_gives_no_recipe(tmp_path):
    land = dc.generate(
        RECIPE.changed(settings={"steps": [{"op": "fields.fbm"}, {"op": "hydrology.wetness"}]})
    )
    dc.save(land, tmp_path / "w.tif", layer="wetness")
    found = read(tmp_path / "w.tif")
    assert found.recipe is None
    np.testing.assert_array_equal(found.elevation, land["wetness"])


def test_constant_land_comes_back(tmp_path):
    for height in (21.0, 0.0):
        flat = dc.Terrain(dc.Grid(8, 8, 3.0), {"elevation": np.full((8, 8), height, np.float32)})
        for name in RASTERS:
            dc.save(flat, tmp_path / name, force=True)
            found = read(tmp_path / name)
            assert (found.elevation == height).all()
            assert found.cell_size == 3


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 3)])
@pytest.mark.parametrize("name", RASTERS)
def test_the_smallest_lands_come_back(name, shape, tmp_path):
    heights = np.arange(np.prod(shape), dtype=np.float32).reshape(shape) * 100
    dc.save(dc.Terrain(dc.Grid(*shape, 4.0), {"elevation": heights}), tmp_path / name)
    np.testing.assert_allclose(read(tmp_path / name).elevation, heights, atol=700 / 131070)


def test_a_mesh_of_a_land_without_a_recipe_is_no_source(tmp_path):
    land = dc.Terrain(dc.Grid(8, 8, 3.0), {"elevation": np.zeros((8, 8), np.float32)})
    dc.save(land, tmp_path / "a.glb")
    with pytest.raises(DowncutError, match="without a recipe"):
        source(tmp_path / "a.glb")


def test_the_side_file_names_the_samples(files):
    facts = json.loads((files / "a.r16.json").read_text())
    assert facts["samples"].startswith("crc32:")
