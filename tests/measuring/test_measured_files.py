"""Reading DEMs: the same figures as from the array, and a sentence for what cannot be measured."""

import math

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

import downcut as dc
from downcut.errors import DowncutError
from downcut.measuring import measure, measure_file
from downcut.measuring.reading import read_dem

GRID = dc.Grid(96, 128, cell_size=25.0)


@pytest.fixture(scope="module")
def land():
    return dc.fields.Fbm(amplitude=300, wavelength=1500)(grid=GRID, seed=9)


@pytest.fixture
def write(tmp_path):
    def write(array, name="dem.tif", cell=(25.0, 25.0), crs="EPSG:32632", unit=None, **profile):
        path = tmp_path / name
        place = Affine(cell[0], 0, 500_000, 0, -cell[1], 5_200_000)
        profile = {"driver": "GTiff", "count": 1, "dtype": array.dtype, "transform": place} | {
            **({"crs": crs} if crs else {}),
            **profile,
        }
        with rasterio.open(path, "w", height=len(array), width=array.shape[1], **profile) as file:
            file.write(array, 1)
            if unit:
                file.set_band_unit(1, unit)
        return path

    return write


def test_a_file_gives_the_figures_of_its_array(land, write):
    from_file, from_array = measure_file(write(land)), measure(land, GRID, name="dem")
    assert from_file == from_array


def test_our_own_geotiff_is_measured(land, tmp_path):
    terrain = dc.Terrain(GRID, {"elevation": land})
    dc.save(terrain, tmp_path / "ours.tif")
    assert measure_file(tmp_path / "ours.tif").figures == measure(terrain).figures


def test_cells_without_data_are_left_out(land, write):
    heights = np.round(land).astype(np.int16)
    heights[10:20, 30:50] = -9999
    report = measure_file(write(heights, nodata=-9999))
    assert report.left_out == 200
    assert "200 of 12,288" in report.notes[0]


def test_infinite_heights_count_as_no_data(land, write):
    strange = land.copy()
    strange[5, 5] = np.inf
    assert measure_file(write(strange)).left_out == 1


@pytest.mark.parametrize(("crs", "zone"), [("EPSG:4326", 32600), ("EPSG:4258", 32700)])
def test_degrees_are_refused_with_the_command_that_helps(land, write, crs, zone):
    south = zone == 32700
    place = Affine(0.0003, 0, 8.0, 0, -0.0003, -33.0 if south else 46.0)
    with pytest.raises(DowncutError, match=f"degrees.*gdalwarp -t_srs EPSG:{zone + 32}"):
        measure_file(write(land, crs=crs, transform=place))


def test_cells_that_are_not_square_are_refused(land, write):
    with pytest.raises(DowncutError, match=r"25 × 30.*-tr 25 25"):
        measure_file(write(land, cell=(25.0, 30.0)))


def test_feet_become_metres_in_height_and_plan(land, write):
    feet = 1200 / 3937
    tall = measure_file(write(land, crs="EPSG:2225", unit="US survey foot"))
    assert tall.cell_size == pytest.approx(25 * feet)
    np.testing.assert_allclose(
        read_dem(write(land, "b.tif", unit="ft")).elevation, land * 0.3048, rtol=1e-6
    )
    assert len(tall.notes) == 2


def test_scale_and_offset_are_applied(land, write):
    counts = np.round(land).astype(np.int16)
    path = write(counts)
    with rasterio.open(path, "r+") as file:
        file.scales, file.offsets = (0.1,), (500.0,)
    np.testing.assert_allclose(read_dem(path).elevation, counts * 0.1 + 500, rtol=1e-6)


def test_a_turned_map_keeps_its_cell_size(land, write):
    across, up = 25 * math.cos(0.5), 25 * math.sin(0.5)
    turned = Affine(across, up, 500_000, up, -across, 5_200_000)
    assert read_dem(write(land, transform=turned)).grid.cell_size == pytest.approx(25)


def test_without_coordinates_it_says_what_it_assumes(land, write):
    report = measure_file(write(land, crs=None))
    assert "taken for metres" in report.notes[0]


def test_other_files_are_refused(land, write, tmp_path):
    with pytest.raises(DowncutError, match="not there"):
        measure_file(tmp_path / "nothing.tif")
    text = tmp_path / "text.tif"
    text.write_text("hills")
    with pytest.raises(DowncutError, match="cannot be read as a raster"):
        measure_file(text)
    with pytest.raises(DowncutError, match="complex"):
        measure_file(write(land.astype(np.complex64), "complex.tif"))


def test_a_file_larger_than_memory_is_refused_by_its_header(tmp_path):
    path = tmp_path / "huge.vrt"
    path.write_text(
        '<VRTDataset rasterXSize="2000000" rasterYSize="2000000"><SRS>EPSG:32632</SRS>'
        "<GeoTransform>0,10,0,0,0,-10</GeoTransform>"
        '<VRTRasterBand dataType="Float32" band="1"/></VRTDataset>'
    )
    with pytest.raises(DowncutError, match=r"GB of memory.*gdal_translate"):
        measure_file(path)


def test_nobodys_warnings_filter_is_changed(land, write):
    import warnings

    before = list(warnings.filters)
    measure_file(write(land, crs=None))
    assert warnings.filters == before
