"""Where cells lie and how large they are: degrees, unequal edges, units, gaps, true slopes."""

import math

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

import downcut as dc
from downcut.errors import DowncutError
from downcut.importing import gdal, read

ROWS, COLS = np.mgrid[0:60, 0:80].astype(np.float32)


@pytest.fixture
def tiff(tmp_path):
    def tiff(array, name="a.tif", unit=None, scale=None, **profile):
        profile = {"driver": "GTiff", "dtype": array.dtype.name, "count": 1} | profile
        with rasterio.open(
            tmp_path / name, "w", height=array.shape[0], width=array.shape[1], **profile
        ) as file:
            file.write(array, 1)
            if unit:
                file.set_band_unit(1, unit)
            if scale:
                file.scales, file.offsets = (scale[0],), (scale[1],)
        return tmp_path / name

    return tiff


def slopes(found, margin=8):
    """Slope angles [°] away from the rim, as the normals of the surface tell them."""
    normals = dc.surface.Normals()(found.elevation, grid=found.grid)
    inner = slice(margin, -margin)
    return np.degrees(np.arccos(np.clip(normals[inner, inner, 2].astype(float), -1, 1)))


def square(cell, **more):
    return {"crs": "EPSG:32633", "transform": Affine(cell, 0, 5e5, 0, -cell, 6e6)} | more


@pytest.mark.parametrize(("cell", "angle"), [(1, 45.0), (30, 1.909)])
def test_the_slope_of_a_ramp_is_that_of_its_cells(cell, angle, tiff):
    found = read(tiff(COLS, **square(cell)))
    assert found.cell_size == cell
    np.testing.assert_allclose(slopes(found), angle, atol=0.0005)


def test_cells_of_30_by_10_become_squares_with_the_true_slope(tiff):
    found = read(tiff(ROWS, crs="EPSG:32633", transform=Affine(30, 0, 5e5, 0, -10, 6e6)))
    assert (found.cell_size, found.elevation.shape) == (10.0, (60, 240))
    np.testing.assert_allclose(slopes(found), 5.711, atol=0.001)
    assert "cells of 30 × 10 m were resampled to squares of 10 m" in found.notes
    across = read(tiff(COLS, "b.tif", crs="EPSG:32633", transform=Affine(30, 0, 5e5, 0, -10, 6e6)))
    np.testing.assert_allclose(slopes(across), 1.909, atol=0.001)


SECOND = 1 / 3600
DEGREES = [(0, 30.922, 30.715), (60, 15.500, 30.948), (80, 5.387, 31.017)]


@pytest.mark.parametrize(("latitude", "wide", "high"), DEGREES)
def test_seconds_of_arc_become_metres(latitude, wide, high, tiff):
    place = Affine(SECOND, 0, 8 - 40 * SECOND, 0, -SECOND, latitude + 30 * SECOND)
    for array, metres in ((COLS, wide), (ROWS, high)):
        found = read(tiff(array, crs="EPSG:4326", transform=place))
        assert found.cell_size == pytest.approx(min(wide, high), rel=1e-3)
        slope = slopes(found)
        assert slope.mean() == pytest.approx(math.degrees(math.atan(1 / metres)), abs=0.002)
        assert np.ptp(slope) < 0.02
        assert found.gaps == 0
    assert "(in degrees) were projected" in found.notes[0]


def test_at_60_north_the_slope_is_3_691(tiff):
    place = Affine(SECOND, 0, 8, 0, -SECOND, 60 + 30 * SECOND)
    slope = slopes(read(tiff(COLS, crs="EPSG:4326", transform=place)))
    assert slope.mean() == pytest.approx(3.691, abs=0.001)


def test_a_web_mercator_map_far_north_is_not_twice_as_large(tiff):
    place = Affine(30, 0, 1e6, 0, -30, 8_399_737)  # 60° north
    found = read(tiff(COLS, crs="EPSG:3857", transform=place))
    assert found.cell_size == pytest.approx(15, rel=0.01)
    assert slopes(found).mean() == pytest.approx(math.degrees(math.atan(1 / 15)), abs=0.05)


def test_the_moon_is_smaller_than_the_earth(tiff):
    moon = (
        'GEOGCS["Moon",DATUM["Moon",SPHEROID["Moon",1737400,0]],PRIMEM["Reference",0],'
        'UNIT["degree",0.0174532925199433]]'
    )
    place = Affine(0.01, 0, 0, 0, -0.01, 0.3)
    found = read(tiff(COLS, crs=rasterio.crs.CRS.from_wkt(moon), transform=place))
    assert found.cell_size == pytest.approx(math.radians(0.01) * 1_737_400, rel=1e-3)


def test_more_of_the_globe_than_a_flat_map_holds_is_refused(tiff):
    with pytest.raises(DowncutError, match=r"spans [\d,]+ km of a globe.*gdal_translate"):
        read(tiff(COLS, crs="EPSG:4326", transform=Affine(2, 0, -80, 0, -2, 60)))


def test_hgt_tells_its_place_by_its_name(tmp_path):
    heights = np.full((1201, 1201), 700, ">i2")
    heights[:, 600:] = 900
    heights[100:103, 200:203] = -32768
    (tmp_path / "N46E008.hgt").write_bytes(heights.tobytes())
    found = read(tmp_path / "N46E008.hgt")
    assert found.cell_size == pytest.approx(64.2, abs=0.3)  # 3 seconds, 46.5° north
    assert 1 <= found.gaps <= 40
    elevation = found.elevation
    assert np.nanmin(elevation[:, : elevation.shape[1] // 3]) == pytest.approx(700, abs=0.01)
    assert np.nanmax(elevation[:, -elevation.shape[1] // 3 :]) == pytest.approx(900, abs=0.01)
    assert read(tmp_path / "N46E008.hgt", fill_voids=True).gaps == 0


def test_without_rasterio_what_needs_it_says_so(tiff, monkeypatch, tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1.0, np.nan]]))
    monkeypatch.setitem(__import__("sys").modules, "rasterio", None)
    monkeypatch.setitem(__import__("sys").modules, "rasterio.fill", None)
    monkeypatch.setattr(gdal, "is_there", lambda: False)
    (tmp_path / "a.asc").write_text("ncols 1")
    for path, options in ((tmp_path / "a.asc", {}), (tmp_path / "a.npy", {"fill_voids": True})):
        with pytest.raises(DowncutError, match=r"needs rasterio: pip install 'downcut\[gis\]'"):
            read(path, **options)


# --- units, scales, gaps ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "metres"), [("ft", 0.3048), ("US survey foot", 1200 / 3937), ("km", 1000), ("dm", 0.1)]
)
def test_units_become_metres(unit, metres, tiff):
    found = read(tiff(COLS, unit=unit, **square(30)))
    np.testing.assert_allclose(found.elevation, COLS * metres, rtol=1e-6)
    assert f"heights in {unit} were turned into metres" in found.notes


def test_coordinates_in_feet_become_metres(tiff):
    found = read(tiff(COLS, crs="EPSG:2225", transform=Affine(100, 0, 6e6, 0, -100, 2e6)))
    assert found.cell_size == pytest.approx(100 * 1200 / 3937, rel=1e-9)


def test_scale_and_offset_are_applied_before_the_unit(tiff):
    found = read(tiff(COLS.astype(np.int16), unit="ft", scale=(0.5, 10), **square(30)))
    np.testing.assert_allclose(found.elevation, (COLS * 0.5 + 10) * 0.3048, rtol=1e-6)


@pytest.mark.parametrize(
    ("dtype", "nodata"), [("i2", -32768), ("u1", 255), ("f4", -3.4e38), ("f8", -9999)]
)
def test_nodata_becomes_a_gap(dtype, nodata, tiff):
    holed = (COLS + 1).astype(dtype)
    holed[5:8, 10:14] = nodata
    found = read(tiff(holed, nodata=nodata, **square(30)))
    assert found.gaps == 12
    assert np.isnan(found.elevation[5:8, 10:14]).all()
    asked = read(tiff(holed, "b.tif", **square(30)), nodata=nodata)
    assert asked.gaps == 12


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf, -3.4e38, 1e32])
def test_what_is_no_height_is_a_gap(strange, tiff):
    holed = COLS.copy()
    holed[0, 0] = strange
    assert read(tiff(holed, **square(30))).gaps == 1


def test_voids_are_filled_from_around(tiff):
    holed = COLS.astype(np.float32)
    holed[20:40, 20:60] = -9999
    filled = read(tiff(holed, nodata=-9999, **square(30)), fill_voids=True)
    assert np.abs(filled.elevation - COLS)[20:40, 20:60].max() < 12
    assert (filled.elevation[:20] == COLS[:20]).all()
    assert "800 of 4,800 cells had no data and were filled" in filled.notes


def test_a_hole_larger_than_the_first_look_is_filled_too(tmp_path):
    heights = np.full((700, 30), np.nan, np.float32)
    heights[0] = 5.0
    np.save(tmp_path / "a.npy", heights)
    assert (read(tmp_path / "a.npy", fill_voids=True).elevation == 5).all()
    np.save(tmp_path / "b.npy", heights * np.nan)
    with pytest.raises(DowncutError, match="no cell has data"):
        read(tmp_path / "b.npy", fill_voids=True)


def test_gaps_stay_gaps_when_cells_are_made_square(tiff):
    holed = ROWS.copy()
    holed[20:30, 20:30] = np.nan
    found = read(tiff(holed, crs="EPSG:32633", transform=Affine(30, 0, 5e5, 0, -10, 6e6)))
    assert 100 * 3 * 0.5 < found.gaps < 100 * 3 * 2
    assert np.isfinite(found.elevation[:15]).all()


@pytest.mark.parametrize("size", [0, -1, math.nan, math.inf, 1e-9])
def test_a_cell_that_is_none_is_refused_by_its_value(size, tmp_path):
    np.save(tmp_path / "a.npy", COLS)
    with pytest.raises(DowncutError, match=rf"cell_size is {size:g}"):
        read(tmp_path / "a.npy", cell_size=size)


@pytest.mark.parametrize("size", ["0", "-1", "nan", "inf"])
def test_a_grid_with_such_cells_is_refused(size, tmp_path):
    rows = "\n".join("1 2 3" for _ in range(3))
    head = f"ncols 3\nnrows 3\nxllcorner 1\nyllcorner 2\ncellsize {size}\n"
    (tmp_path / "a.asc").write_text(head + rows)
    with pytest.raises(DowncutError, match=r"cell_size is|cannot be read"):
        read(tmp_path / "a.asc")


def test_a_turned_map_keeps_its_cell_size_and_says_so(tiff):
    across, up = 25 * math.cos(0.5), 25 * math.sin(0.5)
    turned = Affine(across, up, 5e5, up, -across, 5.2e6)
    found = read(tiff(COLS, crs="EPSG:32632", transform=turned))
    assert found.cell_size == pytest.approx(25)
    assert "rows are turned by 28.6°" in found.notes[0]


@pytest.mark.parametrize("angle", [0.0, 20.0, 200.0])
def test_a_map_whose_rows_go_north_is_no_mirror_image(angle, tiff):
    across, up = 25 * math.cos(math.radians(angle)), 25 * math.sin(math.radians(angle))
    mirrored = Affine(across, -up, 5e5 + 60 * up, up, across, 5.2e6 - 60 * across)
    found = read(tiff(ROWS[::-1].copy(), crs="EPSG:32632", transform=mirrored))
    assert (found.elevation == ROWS).all()
    assert found.corner == pytest.approx((5e5, 5.2e6))


def test_skewed_cells_are_refused(tiff):
    with pytest.raises(DowncutError, match=r"skewed cells: gdalwarp"):
        read(tiff(COLS, crs="EPSG:32632", transform=Affine(30, 10, 5e5, 0, -30, 5.2e6)))
