"""Lands as datasets of xarray: out, back, and from the store of a build on any level."""

import numpy as np
import pytest

import downcut as dc

xarray = pytest.importorskip("xarray")


@pytest.fixture(scope="module")
def land():
    return dc.generate(dc.preset("island", size=(40, 30)))


def test_out_and_back(land):
    dataset = land.to_xarray()
    assert dataset.elevation.dims == ("y", "x")
    assert dataset.normals.dims == ("y", "x", "band")
    assert dataset.elevation.attrs["units"] == "m"
    assert dc.Recipe.from_json(dataset.attrs["recipe"]).digest == land.recipe.digest
    back = dc.Terrain.from_xarray(dataset)
    assert back.grid == land.grid
    assert back.checksum == land.checksum == dataset.attrs["checksum"]


def test_a_part_keeps_its_place(land):
    part = dc.Terrain.from_xarray(
        land.to_xarray()[["elevation"]].isel(y=slice(3, 9), x=slice(5, 8))
    )
    assert part.grid == land.grid.window(3, 5, 6, 3)
    np.testing.assert_array_equal(part["elevation"], land["elevation"][3:9, 5:8])


def test_a_store_is_read_on_every_level(tmp_path):
    pytest.importorskip("zarr")
    recipe = dc.preset("island", size=600)
    built = dc.build(recipe, tmp_path / "a.zarr", tile=256, workers=0)
    whole, half, quarter = (dc.open_store(built.path, level) for level in range(3))
    land = dc.Terrain.from_xarray(whole)
    assert land.checksum == built.facts["checksum"]
    assert land.grid == recipe.grid.grid
    assert half.elevation.shape == (300, 300)
    mean = whole.elevation.coarsen(y=4, x=4).mean()
    np.testing.assert_allclose(quarter.elevation, mean, rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(quarter.x, mean.x)
    np.testing.assert_allclose(quarter.y, mean.y)
    part = dc.Terrain.from_xarray(whole.isel(y=slice(250, 300), x=slice(500, 600)))
    assert part.grid == land.grid.window(250, 500, 50, 100)
    with pytest.raises(dc.DowncutError, match=r"level is 3: .* has 0 to 2"):
        dc.open_store(built.path, 3)
    next((built.path / "1" / "elevation").glob("c/*/*")).unlink()
    with pytest.raises(dc.DowncutError, match="lost some of its chunks"):
        dc.open_store(built.path)


def test_what_is_no_land_is_refused_by_name(land):
    dataset = land.to_xarray()
    with pytest.raises(dc.DowncutError, match="north first"):
        dc.Terrain.from_xarray(dataset.isel(y=slice(None, None, -1)).drop_attrs(deep=False))
    with pytest.raises(dc.DowncutError, match="elevation has the axes x, y"):
        dc.Terrain.from_xarray(dataset[["elevation"]].transpose("x", "y"))
    with pytest.raises(dc.DowncutError, match="no y"):
        dc.Terrain.from_xarray(dataset[["elevation"]].drop_vars("y"))
