"""Every raster format read back by a program that is not ours: shape, corners, values, place."""

import json
import os
import sys
import warnings

import numpy as np
import OpenEXR
import pytest
import rasterio
import zarr
from PIL import Image
from rasterio.errors import NotGeoreferencedWarning

from downcut.errors import DowncutError
from downcut.export.save import save
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

RECIPE = Recipe.from_dict(
    {"title": "Größe ≠ Höhe", "steps": [{"op": "fields.fbm"}], "sea_level": 3.5, "seed": "mountain"}
)
CORNERS = {(0, 0): -120.5, (0, -1): 40.25, (-1, 0): 900.0, (-1, -1): 2480.75}


def cornered(ny=7, nx=5):
    """A land whose four corners differ, so that no flip or transpose goes unseen."""
    elevation = np.random.default_rng(1).uniform(0, 800, (ny, nx)).astype(np.float32)
    for place, value in CORNERS.items():
        elevation[place] = value
    return elevation


def land(elevation, grid=None, **layers):
    elevation = np.asarray(elevation)
    grid = grid or Grid(*elevation.shape, 30.0)
    return Terrain(grid, {"elevation": elevation, **layers}, recipe=RECIPE)


def side(path):
    return json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))


def by_pillow(path):
    with Image.open(path) as picture:
        return np.asarray(picture)


def by_gdal(path):
    with warnings.catch_warnings(), rasterio.open(path) as dataset:
        return dataset.read(1)


def by_gdal_unplaced(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        return by_gdal(path)


def by_numpy_raw(path):
    facts = side(path)
    kind = np.dtype("u2").newbyteorder({"little": "<", "big": ">"}[facts["byte_order"]])
    rows = np.fromfile(path, kind).reshape(facts["ny"], facts["nx"])
    return rows if facts["row_order"] == "north first" else rows[::-1]


def by_openexr(path):
    channels = OpenEXR.File(str(path), separate_channels=True).channels()
    return next(iter(channels.values())).pixels


def by_zarr(path):
    return zarr.open_group(path, mode="r")["0"]["elevation"][:]


def by_numpy_text(path):
    return np.loadtxt(path, skiprows=6, ndmin=2)


READERS = [
    ("a.png", {}, by_pillow),
    ("a.png", {}, by_gdal_unplaced),
    ("a.r16", {}, by_numpy_raw),
    ("a.raw", {"byte_order": "big", "row_order": "south first"}, by_numpy_raw),
    ("a.tif", {}, by_gdal),
    ("a.tif", {"compression": "none"}, by_gdal),
    ("a.tif", {"compression": "zstd"}, by_gdal),
    ("a.tif", {"cloud_optimized": True}, by_gdal),
    ("a.cog.tif", {}, by_gdal),
    ("a.exr", {}, by_openexr),
    ("a.exr", {"channels": "RGB", "compression": "zip"}, by_openexr),
    ("a.npy", {}, np.load),
    ("a.zarr", {}, by_zarr),
    ("a.asc", {}, by_numpy_text),
    ("a.asc", {}, by_gdal),
    ("a.asc", {"decimals": 0}, by_numpy_text),
]
ids = [
    f"{name}-{'-'.join(map(str, more.values())) or read.__name__}" for name, more, read in READERS
]
every_format = pytest.mark.parametrize(("name", "more", "read"), READERS, ids=ids)


def heights(path, read):
    """Values by the side file's own rule, and how far they may be off."""
    facts, samples = side(path), np.asarray(read(path))
    found = facts["offset"] + samples.astype(np.float64) * facts["scale"]
    if facts["dtype"] == "uint16":
        return found, facts["scale"] / 2 * (1 + 1e-6)
    return found, 0.5 * 10.0 ** -facts["decimals"] * 1.001 + 1e-4 if "decimals" in facts else 0.0


@every_format
def test_heights_come_back_in_their_places(name, more, read, tmp_path):
    elevation = cornered()
    path = save(land(elevation), tmp_path / name, **more)[0]
    found, error = heights(path, read)
    assert found.shape == (7, 5)
    for place, value in CORNERS.items():
        assert abs(found[place] - value) <= max(error, 1e-9)
    assert np.abs(found - elevation).max() <= error


@every_format
def test_the_side_file_says_what_the_file_is(name, more, read, tmp_path):
    terrain = land(cornered())
    path = save(terrain, tmp_path / name, **more)[0]
    facts = side(path)
    assert facts["kind"] == "downcut heightmap"
    assert (facts["ny"], facts["nx"], facts["bands"], facts["cell_size_m"]) == (7, 5, 1, 30.0)
    assert (facts["layer"], facts["unit"], facts["sea_level_m"]) == ("elevation", "m", 3.5)
    assert (facts["west_m"], facts["north_m"]) == (-75.0, 105.0)
    assert (facts["low_m"], facts["high_m"]) == (-120.5, 2480.75)
    assert facts["row_order"] == more.get("row_order", "north first")
    assert facts["digest"] == RECIPE.digest
    assert facts["checksum"] == terrain.checksum
    assert Recipe.from_dict(facts["recipe"]) == RECIPE


@every_format
@pytest.mark.parametrize("value", [21.0, -418.25])
def test_a_constant_land_comes_back_as_its_value(name, more, read, value, tmp_path):
    path = save(land(np.full((8, 6), value)), tmp_path / name, **more)[0]
    found, error = heights(path, read)
    np.testing.assert_allclose(found, value, atol=0.5 if more.get("decimals") == 0 else 0)
    assert more.get("decimals") == 0 or (found == value).all()
    assert error < 1


@every_format
@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (1, 64), (65, 17)], ids=str)
def test_tiny_and_odd_lands_come_back(name, more, read, shape, tmp_path):
    elevation = np.random.default_rng(3).normal(size=shape).astype(np.float32) * 90
    path = save(land(elevation), tmp_path / name, **more)[0]
    found, error = heights(path, read)
    assert found.shape == shape
    assert np.abs(found - elevation).max() <= error + 1e-9


@pytest.mark.parametrize("name", ["a.png", "a.r16", "a.tif", "a.exr", "a.npy", "a.zarr", "a.asc"])
@pytest.mark.parametrize("dtype", ["?", "u1", ">i2", "<u2", "i4", "u8", "f2", ">f4", "f8"])
def test_any_dtype_and_stride_is_written_and_left_alone(name, dtype, tmp_path):
    elevation = (np.arange(40).reshape(8, 5) % 11).astype(dtype)[::-1, ::-1]
    before = elevation.copy()
    path = save(land(elevation), tmp_path / name)[0]
    read = next(reader for known, _, reader in READERS if known == name)
    found, error = heights(path, read)
    assert np.abs(found - before.astype(float)).max() <= error
    np.testing.assert_array_equal(elevation, before)


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
@every_format
def test_a_land_with_a_hole_is_refused_with_a_count(name, more, read, bad, tmp_path):
    elevation = cornered()
    elevation[3, 2] = bad
    with pytest.raises(DowncutError, match="1 of 35 cells"):
        save(land(elevation), tmp_path / name, **more)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", [(10**7, -(10**7)), (-(2.0**40), 2.0**40), (0, 0)])
@pytest.mark.parametrize("name", ["a.tif", "a.cog.tif", "a.asc", "a.zarr"])
def test_far_from_the_origin_a_land_lies_where_it_lies(name, place, tmp_path):
    grid = Grid(7, 5, 0.5, *place)
    elevation = cornered()
    path = save(land(elevation, grid), tmp_path / name)[0]
    if name == "a.zarr":
        group = zarr.open_group(path, mode="r")["0"]
        np.testing.assert_array_equal(group["x"][:], grid.x)
        np.testing.assert_array_equal(group["y"][:], grid.y)
        a, _, c, _, e, f = group.attrs["spatial:transform"]
        assert (c + a / 2, f + e / 2) == (grid.x[0], grid.y[0])
        return
    with rasterio.open(path) as dataset:
        for row, col in [(0, 0), (0, 4), (6, 0), (6, 4)]:
            assert dataset.xy(row, col) == (grid.x[col], grid.y[row])
        assert np.abs(dataset.read(1) - elevation).max() <= 6e-4


@pytest.mark.parametrize("name", ["a.r16", "a.exr", "a.cog.tif", "a.zarr", "a.asc"])
def test_the_same_land_gives_the_same_bytes(name, tmp_path):
    for place in ("one", "two"):
        save(land(cornered()), tmp_path / place / name)
    files = [p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*") if p.is_file()]
    assert len(files) >= 2
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


# --- what each format has of its own -------------------------------------------------------


def test_raw_has_the_bytes_that_engines_expect(tmp_path):
    grid = Grid(513, 513)
    elevation = np.full(grid.shape, float(0x1234), np.float32)
    span = {"low": 0.0, "high": 65535.0}
    little = save(land(elevation, grid), tmp_path / "a.r16", **span)[0].read_bytes()
    big = save(land(elevation, grid), tmp_path / "b.r16", byte_order="big", **span)[0].read_bytes()
    assert len(little) == len(big) == 526_338
    assert (little[:2], big[:2]) == (b"\x34\x12", b"\x12\x34")
    assert side(tmp_path / "b.r16")["byte_order"] == "big"


def test_a_given_range_puts_the_sea_where_unreal_has_it(tmp_path):
    elevation = np.array([[0.0, -256.0, 100.0]], np.float32)
    for name, read in (("a.r16", by_numpy_raw), ("a.png", by_pillow)):
        path = save(land(elevation), tmp_path / name, low=-256.0, high=-256 + 65535 / 128)[0]
        assert read(path).tolist() == [[32768, 0, 45568]]
        assert side(path)["metres_of_0"] == -256.0
        assert side(path)["metres_of_65535"] == -256 + 65535 / 128


@pytest.mark.parametrize("span", [{"low": 0.0}, {"high": 2000.0}, {"low": np.nan}])
def test_a_range_that_does_not_hold_the_land_is_refused(span, tmp_path):
    for name in ("a.png", "a.r16"):
        with pytest.raises(DowncutError, match=r"does not hold elevation.*-120\.5 to 2480\.75 m"):
            save(land(cornered()), tmp_path / name, **span)


@pytest.mark.parametrize(
    ("name", "more", "what"),
    [
        ("a.r16", {"byte_order": "middle"}, "byte_order is 'middle': give little, big"),
        ("a.raw", {"row_order": "up"}, "row_order is 'up': give north first, south first"),
        ("a.png", {"bits": 12}, "bits is 12: give 8, 16"),
        ("a.png", {"law": "cubic"}, "law is 'cubic': give linear, log"),
        ("a.png", {"law": "log"}, "goes down to -120.5: law='log' takes 0 and more"),
        ("a.exr", {"channels": "XYZ"}, "channels is 'XYZ'"),
        ("a.tif", {"compression": "jpeg"}, "compression is 'jpeg'"),
        ("a.asc", {"decimals": 10}, "decimals is 10: give 0 to 9"),
        ("a.zarr", {"chunk": 1}, "chunk is 1: give 16 to 8192"),
        ("a.npy", {"layer": "snow"}, "no layer 'snow' here; there are elevation"),
    ],
)
def test_an_option_out_of_bounds_is_refused_by_name(name, more, what, tmp_path):
    with pytest.raises(DowncutError, match=what):
        save(land(cornered()), tmp_path / name, **more)
    assert list(tmp_path.iterdir()) == []


def test_no_header_of_exr_loses_the_recipe(tmp_path):
    path = save(land(cornered()), tmp_path / "a.exr", channels="RGB")[0]
    file = OpenEXR.File(str(path), separate_channels=True)
    header = file.header()
    assert Recipe.from_json(header["downcutRecipe"]) == RECIPE
    assert header["downcutDigest"] == RECIPE.digest
    assert json.loads(header["downcut"]) == side(path)
    channels = file.channels()
    assert sorted(channels) == ["B", "G", "R"]
    for channel in channels.values():
        assert channel.pixels.dtype == np.float32
        np.testing.assert_array_equal(channel.pixels, cornered())


def test_heights_that_half_floats_lose_are_kept(tmp_path):
    elevation = np.array([[2049.0, 4097.5, 8848.86]], np.float32)  # half floats: 2048, 4096, 8848
    path = save(land(elevation), tmp_path / "a.exr")[0]
    np.testing.assert_array_equal(by_openexr(path), elevation)


def test_a_cog_has_its_overviews_in_front_and_every_cell(tmp_path):
    elevation = np.random.default_rng(2).normal(size=(1100, 1300)).astype(np.float32)
    path = save(land(elevation), tmp_path / "a.cog.tif")[0]
    with rasterio.open(path) as dataset:
        assert dataset.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG"
        assert dataset.tags(ns="IMAGE_STRUCTURE")["PREDICTOR"] == "3"
        assert dataset.overviews(1) == [2, 4]
        np.testing.assert_array_equal(dataset.read(1), elevation)
        assert json.loads(dataset.tags()["DOWNCUT"])["digest"] == RECIPE.digest
    with rasterio.open(path, overview_level=0) as half:
        means = elevation.reshape(550, 2, 650, 2).mean(axis=(1, 3))
        np.testing.assert_allclose(half.read(1), means, atol=1e-5)


def test_ascii_keeps_its_no_data_number_apart(tmp_path):
    elevation = np.array([[-9999.0, -123456.5], [0.0, 3.25]], np.float32)
    path = save(land(elevation), tmp_path / "a.asc")[0]
    with rasterio.open(path) as dataset:
        assert dataset.nodata < -123457
        np.testing.assert_array_equal(dataset.read(1, masked=True).filled(0), elevation)


@pytest.mark.parametrize("decimals", [0, 1, 3, 6])
def test_ascii_rounds_as_python_does(decimals, tmp_path):
    values = [[0.0, -0.0004, 9.9996, -999.9996], [0.05, -0.5, 123456.789, -7.0]]
    path = save(land(np.float64(values)), tmp_path / "a.asc", decimals=decimals)[0]
    rows = [line.split() for line in path.read_text().splitlines()[6:]]
    for row, heights_of in zip(rows, np.float32(values).tolist(), strict=True):
        for word, value in zip(row, heights_of, strict=True):
            assert abs(float(word) - value) <= 0.5 * 10.0**-decimals + 1e-10
            assert word == f"{float(word) + 0.0:.{decimals}f}"


# --- Zarr ----------------------------------------------------------------------------------


def dressed():
    rng = np.random.default_rng(4)
    return land(
        cornered(600, 530),
        drainage_area=rng.random((600, 530)) * 1e9,
        biome=rng.integers(0, 11, (600, 530)).astype(np.uint8),
        normals=rng.random((600, 530, 3)).astype(np.float32),
    )


def test_zarr_holds_every_layer_and_xarray_knows_its_axes(tmp_path):
    import xarray

    terrain = dressed()
    path = save(terrain, tmp_path / "a.zarr")[0]
    with xarray.open_zarr(path, group="0", consolidated=False) as data:
        for name, layer in terrain.layers.items():
            assert data[name].dims == ("y", "x", "band")[: layer.ndim]
            assert data[name].dtype == layer.dtype
            np.testing.assert_array_equal(data[name].values, layer)
        np.testing.assert_array_equal(data.x.values, terrain.grid.x)
        assert data.elevation.attrs["units"] == "m"
        assert float(data.elevation.sel(x=terrain.grid.x[-1], y=terrain.grid.y[0])) == 40.25
    root = zarr.open_group(path, mode="r")
    assert root.metadata.zarr_format == 3
    assert root["0"]["elevation"].chunks == (512, 512)
    assert Recipe.from_dict(root.attrs["downcut"]["recipe"]) == RECIPE
    assert root.attrs["downcut"]["layers"] == list(terrain.layers)


def test_a_zarr_of_one_layer_holds_no_other(tmp_path):
    path = save(dressed(), tmp_path / "a.zarr", layer="biome", chunk=100)[0]
    group = zarr.open_group(path, mode="r")["0"]
    assert sorted(group.array_keys()) == ["biome", "x", "y"]
    assert group["biome"].chunks == (100, 100)
    assert group["biome"].attrs["legend"][3]["name"] == "desert"


def test_a_store_that_lost_a_chunk_or_its_mark_is_known(tmp_path):
    from downcut.importing.store import refuse_incomplete

    path = save(dressed(), tmp_path / "a.zarr")[0]
    assert refuse_incomplete(path)["digest"] == RECIPE.digest
    next((path / "0" / "elevation" / "c").rglob("1")).joinpath("0").unlink()
    with pytest.raises(DowncutError, match="has lost some of its chunks"):
        refuse_incomplete(path)
    marker = json.loads((path / "zarr.json").read_text())
    del marker["attributes"]["downcut"]
    (path / "zarr.json").write_text(json.dumps(marker))
    with pytest.raises(DowncutError, match="no Zarr store that downcut finished"):
        refuse_incomplete(path)


@pytest.mark.skipif(sys.platform == "win32", reason="the driver's paths differ")
def test_gdal_reads_zarr(tmp_path):
    path = save(dressed(), tmp_path / "a.zarr")[0]
    if tuple(map(int, rasterio.__gdal_version__.split(".")[:2])) < (3, 11):
        for about in (path / "0").rglob("zarr.json"):  # which knows that codec by its older name
            about.write_text(about.read_text().replace('"bytes"', '"endian"'))
    for layer in ("elevation", "drainage_area", "biome"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of older drivers' leftovers, and of no coordinates
            with rasterio.open(f'ZARR:"{os.fspath(path)}":/0/{layer}') as dataset:
                found, place = dataset.read(1), dataset.transform
        np.testing.assert_array_equal(found, dressed()[layer])
        assert (place.a, place.e, place.c, place.f) == (30.0, -30.0, -7950.0, 9000.0)
