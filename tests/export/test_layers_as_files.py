"""Layers as files: what a painter, an engine or a GIS makes of them."""

import json
import math

import numpy as np
import OpenEXR
import pytest
import rasterio
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.save import save
from downcut.grid import Grid
from downcut.layers import LAYERS
from downcut.shading import BIOMES, to_linear
from downcut.surface.normals import Normals
from downcut.surface.occlusion import Occlusion
from downcut.surface.splat import Splat
from downcut.terrain import Terrain

SHAPE = (9, 6)
GRID = Grid(*SHAPE, 10.0)


def land(**layers):
    row, col = np.mgrid[0:9, 0:6]
    elevation = (100 + 7 * col - 3 * row).astype(np.float32)  # rises to the east and the north
    return Terrain(GRID, {"elevation": elevation, **layers})


def saved(folder, terrain, layer, name="a.png", **options):
    """The samples that Pillow reads, and the side file."""
    path, side = save(terrain, folder / name, layer=layer, **options)
    with Image.open(path) as picture:
        samples = np.asarray(picture)
    return samples, json.loads(side.read_text(encoding="utf-8"))


# --- normal maps ---------------------------------------------------------------------------

SLOPE = np.array([-0.7, -0.3, 1]) / math.sqrt(0.7**2 + 0.3**2 + 1)


@pytest.mark.parametrize(("convention", "sign"), [("opengl", 1), ("directx", -1)])
def test_a_normal_map_turns_green_by_its_convention(convention, sign, tmp_path):
    terrain = land(normals=Normals()(land()["elevation"], grid=GRID))
    samples, facts = saved(tmp_path, terrain, "normals", convention=convention)
    assert samples.shape == (*SHAPE, 3)
    assert samples.dtype == np.uint8
    found = samples * facts["scale"] + facts["offset"]
    np.testing.assert_allclose(
        found, np.broadcast_to(SLOPE * [1, sign, 1], found.shape), atol=1 / 255
    )
    assert facts["convention"] == convention
    assert (facts["bands"], facts["dtype"]) == (3, "uint8")


def test_flat_ground_is_the_blue_that_everyone_knows(tmp_path):
    flat = Terrain(GRID, {"normals": Normals()(np.zeros(SHAPE), grid=GRID)})
    samples, _ = saved(tmp_path, flat, "normals")
    assert (samples == [128, 128, 255]).all()


def test_a_normal_map_of_16_bits_is_read_by_gdal(tmp_path):
    terrain = land(normals=Normals()(land()["elevation"], grid=GRID))
    path, side = save(terrain, tmp_path / "a.png", layer="normals", bits=16)
    with pytest.warns(rasterio.errors.NotGeoreferencedWarning):
        dataset = rasterio.open(path)
    with dataset:
        samples = np.moveaxis(dataset.read(), 0, -1)
        said = json.loads(dataset.tags()["downcut"])
    facts = json.loads(side.read_text())
    assert samples.dtype == np.uint16
    found = samples * facts["scale"] + facts["offset"]
    np.testing.assert_allclose(found, np.broadcast_to(SLOPE, found.shape), atol=1 / 65535)
    assert said == facts


# --- weights, shade, colours ---------------------------------------------------------------


def test_splat_weights_of_a_pixel_add_up_to_255(tmp_path, fractal):
    splat = Splat()(fractal(*SHAPE, relief=3000), grid=GRID, sea_level=100.0)
    samples, facts = saved(tmp_path, Terrain(GRID, {"splat": splat}), "splat")
    np.testing.assert_array_equal(samples, splat)
    assert (samples.sum(axis=2, dtype=int) == 255).all()
    assert facts["bands_are"] == ["grass", "rock", "sand", "snow"]
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.mode == "RGBA"


def test_shade_is_grey_of_8_bits_by_one_range_in_all_lands(tmp_path):
    shade = Occlusion(radius=30)(np.abs(np.mgrid[0:9, 0:6][1] * 20.0 - 50), grid=GRID)
    assert shade.min() > 0.1
    samples, facts = saved(tmp_path, Terrain(GRID, {"occlusion": shade}), "occlusion")
    assert samples.dtype == np.uint8
    assert (facts["offset"], facts["scale"]) == (0.0, 1 / 255)
    np.testing.assert_allclose(samples / 255, shade, atol=0.5 / 255 + 1e-6)
    deep, facts = saved(
        tmp_path, Terrain(GRID, {"occlusion": shade}), "occlusion", "b.png", bits=16
    )
    assert deep.dtype == np.uint16
    np.testing.assert_allclose(deep * facts["scale"], shade, atol=0.5 / 65535 + 1e-6)


def test_a_colour_map_is_srgb_and_exr_has_its_light(tmp_path):
    colour = np.random.default_rng(1).integers(0, 256, (*SHAPE, 3)).astype(np.uint8)
    terrain = land(colour=colour)
    samples, _ = saved(tmp_path, terrain, "colour")
    np.testing.assert_array_equal(samples, colour)
    assert b"sRGB" in (tmp_path / "a.png").read_bytes()[:20_000]
    save(terrain, tmp_path / "a.exr", layer="colour")
    file = OpenEXR.File(str(tmp_path / "a.exr"))
    np.testing.assert_array_equal(file.channels()["RGB"].pixels, to_linear(colour))


def test_a_land_without_colours_is_painted_by_nature(tmp_path):
    heights = np.full(SHAPE, -300.0, np.float32)
    heights[:, 3:] = np.linspace(0, 2500, 9)[:, None]
    samples, facts = saved(tmp_path, Terrain(GRID, {"elevation": heights}), "colour")
    assert samples.shape == (*SHAPE, 3)
    assert len(np.unique(samples.reshape(-1, 3), axis=0)) > 3
    assert facts["bands"] == 3


# --- numbers of things ---------------------------------------------------------------------


def test_biomes_keep_their_numbers_and_bring_their_legend(tmp_path):
    biome = np.arange(54, dtype=np.uint8).reshape(SHAPE) % len(BIOMES)
    terrain = land(biome=biome)
    samples, facts = saved(tmp_path, terrain, "biome")
    np.testing.assert_array_equal(samples, biome)
    assert [row["name"] for row in facts["legend"]] == [tone.name for tone in BIOMES]
    assert [row["value"] for row in facts["legend"]] == list(range(len(BIOMES)))
    path = save(terrain, tmp_path / "a.tif", layer="biome")[0]
    with rasterio.open(path) as dataset:
        assert dataset.dtypes == ("uint8",)
        np.testing.assert_array_equal(dataset.read(1), biome)


def test_numbers_beyond_the_bits_are_refused_with_a_way_out(tmp_path):
    basin = np.full(SHAPE, 70_000, np.int32)
    for name in ("a.png", "a.r16"):
        with pytest.raises(DowncutError, match=r"70000, and 16 bits hold 0 to 65535.*\.tif"):
            save(land(basin=basin), tmp_path / name, layer="basin")
    path = save(land(basin=basin), tmp_path / "a.tif", layer="basin")[0]
    with rasterio.open(path) as dataset:
        np.testing.assert_array_equal(dataset.read(1), basin)
    with pytest.raises(DowncutError, match=r"beyond 16777216.*float32"):
        save(land(basin=basin * 1000), tmp_path / "a.exr", layer="basin")


def test_large_whole_numbers_of_ones_own_layer_are_not_rounded_in_silence(tmp_path):
    mine = np.full(SHAPE, 2**24 + 1, np.int64)
    with pytest.raises(DowncutError, match=r"mine has whole numbers beyond 2\^24"):
        save(land(mine=mine), tmp_path / "a.tif", layer="mine")


# --- what water gathers --------------------------------------------------------------------


def test_flow_is_even_in_its_logarithm_and_says_so(tmp_path):
    area = np.logspace(2, 10, 54).reshape(SHAPE)
    area[0, 0] = 0.0
    samples, facts = saved(tmp_path, land(drainage_area=area), "drainage_area")
    assert samples.dtype == np.uint16
    assert facts["law"] == "value = 10^(offset + scale * sample) - 1"
    found = 10 ** (facts["offset"] + facts["scale"] * samples.astype(float)) - 1
    assert found[0, 0] == 0
    np.testing.assert_allclose(found + 1, area + 1, rtol=facts["scale"] / 2 * math.log(10) * 1.01)
    assert "metres_of_0" not in facts
    plain, facts = saved(
        tmp_path, land(drainage_area=area), "drainage_area", "b.png", law="linear", high=2e10
    )
    np.testing.assert_allclose(plain * facts["scale"], area, atol=2e10 / 131070 * 1.001)


@pytest.mark.parametrize("name", ["a.npy", "a.tif", "a.zarr", "a.asc", "a.exr"])
def test_every_layer_there_is_can_be_saved(name, tmp_path):
    rng = np.random.default_rng(1)
    for number, (layer, declared) in enumerate(LAYERS.items()):
        shape = SHAPE if declared.bands == 1 else (*SHAPE, declared.bands)
        values = rng.integers(0, 9, shape).astype(declared.dtype)
        terrain = Terrain(GRID, {layer: values})
        if name == "a.asc" and declared.bands > 1:
            with pytest.raises(DowncutError, match="several bands"):
                save(terrain, tmp_path / f"{number}{name}", layer=layer)
            continue
        path = save(terrain, tmp_path / f"{number}{name}", layer=layer)[0]
        if path.suffix == ".tif":
            with rasterio.open(path) as dataset:
                found = dataset.read()
            expected = np.moveaxis(values, -1, 0) if declared.bands > 1 else values[None]
            assert dataset.dtypes[0] == np.dtype(declared.dtype).name
            np.testing.assert_array_equal(found, expected)
        facts = json.loads((path.parent / f"{path.name}.json").read_text("utf-8"))
        assert (facts["layer"], facts["unit"]) == (layer, declared.unit)


@pytest.mark.parametrize("layer", [name for name, known in LAYERS.items() if known.bands == 1])
def test_every_layer_of_one_band_is_a_picture_and_raw(layer, tmp_path):
    values = np.random.default_rng(1).integers(0, 2, SHAPE).astype(LAYERS[layer].dtype)
    for name in ("a.png", "a.r16"):
        path, side = save(Terrain(GRID, {layer: values}), tmp_path / name, layer=layer)
        facts = json.loads(side.read_text("utf-8"))
        if name == "a.png":
            with Image.open(path) as picture:
                samples = np.asarray(picture)
        else:
            samples = np.fromfile(path, "<u2").reshape(SHAPE)
        found = facts["offset"] + facts["scale"] * samples.astype(float)
        found = 10**found - 1 if "law" in facts else found
        np.testing.assert_allclose(found, values, atol=1e-6)
