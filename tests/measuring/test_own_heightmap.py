"""A heightmap of ours is measured in its metres, not in its levels."""

import pytest

import downcut as dc


def test_the_png_measures_as_the_land_does(tmp_path):
    land = dc.generate(dc.preset("old-hills", size=128))
    dc.save(land, tmp_path / "land.png")
    dc.save(land, tmp_path / "land.tif")
    png, tif = (dc.measure_file(tmp_path / f"land.{suffix}") for suffix in ("png", "tif"))
    assert png.cell_size == tif.cell_size == land.grid.cell_size
    for name in ("slope_median", "hypsometric_integral", "slope_variation"):
        assert png[name].value == pytest.approx(tif[name].value, rel=0.01)
