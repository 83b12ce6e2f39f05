"""Reading DEMs: the same figures as from the array, and a sentence for what cannot be measured."""

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

import downcut as dc
from downcut.errors import DowncutError
from downcut.measuring import measure, measure_file

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


def test_degrees_are_measured_once_projected_and_it_says_so(land, write):
    place = Affine(0.0003, 0, 8.0, 0, -0.0003, 46.0)
    report = measure_file(write(land, crs="EPSG:4326", transform=place))
    assert report.cell_size == pytest.approx(23.2, abs=0.1)
    assert "(in degrees) were projected to squares of 23.2" in report.notes[0]


def test_cells_that_are_not_square_are_made_so_and_it_says_so(land, write):
    report = measure_file(write(land, cell=(25.0, 30.0)))
    assert report.cell_size == 25.0
    assert "cells of 25 × 30 m were resampled" in report.notes[0]


def test_feet_become_metres_in_height_and_plan(land, write):
    tall = measure_file(write(land, crs="EPSG:2225", unit="US survey foot"))
    assert tall.cell_size == pytest.approx(25 * 1200 / 3937)
    assert "heights in US survey foot were turned into metres" in tall.notes[0]


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


def test_a_file_larger_than_memory_is_refused_by_its_header(land, write, monkeypatch):
    monkeypatch.setattr("downcut.measuring.reading.WORKING_BYTES", 1e9)
    with pytest.raises(DowncutError, match=r"GB of memory.*gdal_translate"):
        measure_file(write(land))


def test_nobodys_warnings_filter_is_changed(land, write):
    import warnings

    before = list(warnings.filters)
    measure_file(write(land, crs=None))
    assert warnings.filters == before
