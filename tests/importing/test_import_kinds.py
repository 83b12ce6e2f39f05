"""Every kind of file, dtype and byte order: shape, four different corners, values, no surprises."""

import itertools
import json

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import Affine

from downcut.errors import DowncutError
from downcut.importing import read

SHAPE = (5, 8)
HEIGHTS = np.arange(40).reshape(SHAPE) * 3  # whole, below 256, four different corners
CORNERS = (0, 21, 96, 117)


def corners(elevation):
    return tuple(elevation[r, c] for r, c in ((0, 0), (0, -1), (-1, 0), (-1, -1)))


def as_npy(path, array):
    np.save(path, array)


def as_fortran_npy(path, array):
    np.save(path, np.asfortranarray(array))


def as_npz(path, array):
    np.savez_compressed(path, elevation=array, other=np.zeros(3))


def as_tiff(path, array, **profile):
    profile = {
        "driver": "GTiff",
        "crs": "EPSG:32632",
        "transform": Affine(30, 0, 5e5, 0, -30, 5e6),
    } | {**profile}
    with rasterio.open(
        path,
        "w",
        height=array.shape[0],
        width=array.shape[1],
        count=1,
        dtype=array.dtype.name,
        **profile,
    ) as file:
        file.write(array, 1)


def as_exr(path, array):
    import OpenEXR

    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, {"Y": np.ascontiguousarray(array)}) as file:
        file.write(str(path))


NUMBERS = ["u1", "u2", "u4", "i2", "i4", "f4", "f8"]


@pytest.mark.parametrize("dtype", [*NUMBERS, "f2", "i8", "u8", "i1"])
@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("write", [as_npy, as_fortran_npy, as_npz])
def test_arrays_of_every_dtype_and_byte_order(write, dtype, order, tmp_path):
    path = tmp_path / ("a.npz" if write is as_npz else "a.npy")
    write(path, HEIGHTS.astype(np.dtype(dtype).newbyteorder(order)) // (1 + (dtype == "i1")))
    found = read(path, cell_size=2)
    expected = HEIGHTS // (1 + (dtype == "i1"))
    assert found.elevation.dtype == np.float32
    assert found.elevation.flags.c_contiguous
    assert (found.elevation == expected).all()
    assert found.notes == ()


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("endianness", ["LITTLE", "BIG"])
def test_geotiff_of_every_dtype_and_byte_order(dtype, endianness, tmp_path):
    as_tiff(tmp_path / "a.tif", HEIGHTS.astype(dtype), endianness=endianness)
    found = read(tmp_path / "a.tif")
    assert (found.elevation == HEIGHTS).all()
    assert (found.cell_size, found.corner, found.notes) == (30.0, (5e5, 5e6), ())
    assert "UTM zone 32N" in found.crs


@pytest.mark.parametrize(
    ("dtype", "order"),
    [*itertools.product(["u2", "i2", "u4", "i4", "f2", "f4", "f8"], "<>"), ("u1", "|")],
)
def test_raw_of_every_dtype_and_byte_order(dtype, order, tmp_path):
    (tmp_path / "a.raw").write_bytes(HEIGHTS.astype(order + dtype).tobytes())
    top = np.iinfo(dtype).max if dtype[0] in "ui" else 1
    found = read(
        tmp_path / "a.raw", shape=SHAPE, dtype=np.dtype(dtype).name, cell_size=5,
        byte_order="big" if order == ">" else "little", height_range=(0, top),
    )  # fmt: skip
    np.testing.assert_allclose(found.elevation, HEIGHTS, rtol=1e-6, atol=1e-5)
    assert found.notes == ()


@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_exr_of_half_and_float(dtype, tmp_path):
    as_exr(tmp_path / "a.exr", HEIGHTS.astype(dtype))
    assert (read(tmp_path / "a.exr").elevation == HEIGHTS).all()


def test_exr_of_three_equal_channels(tmp_path):
    as_exr(tmp_path / "one.exr", HEIGHTS.astype("f4"))
    import OpenEXR

    plane = np.ascontiguousarray(HEIGHTS, np.float32)
    header = {"compression": OpenEXR.NO_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, dict.fromkeys("RGB", plane)) as file:
        file.write(str(tmp_path / "three.exr"))
    assert (read(tmp_path / "three.exr").elevation == HEIGHTS).all()


def test_png_of_16_bits_keeps_all_its_levels(tmp_path):
    levels = np.array([[0, 1, 255, 256, 32767, 32768, 65535]], np.uint16)
    Image.fromarray(levels).save(tmp_path / "a.png")
    found = read(tmp_path / "a.png", height_range=(0, 65535), cell_size=1)
    assert (found.elevation == levels).all()
    assert found.notes == ()
    ramp = np.arange(65536, dtype=np.uint16).reshape(256, 256)
    Image.fromarray(ramp).save(tmp_path / "ramp.png")
    heights = read(tmp_path / "ramp.png", height_range=(0, 28)).elevation
    assert len(np.unique(heights)) == 65536
    assert heights.max() == 28.0  # dividing by 65536 gives 27.99957


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA"])
def test_png_of_8_bits_says_that_there_are_256_levels(mode, tmp_path):
    grey = Image.fromarray(HEIGHTS.astype(np.uint8)).convert(mode)
    grey.save(tmp_path / "a.png")
    found = read(tmp_path / "a.png", height_range=(0, 255), cell_size=1)
    assert corners(found.elevation) == CORNERS
    assert "256 levels" in found.notes[0]


def test_a_picture_without_metres_says_what_it_assumed(tmp_path):
    Image.fromarray(np.array([[0, 65535]], np.uint16)).save(tmp_path / "a.png")
    found = read(tmp_path / "a.png")
    assert found.elevation.tolist() == [[0.0, 1000.0]]
    assert (found.cell_size, found.knows_cell) == (30.0, False)
    assert "0 to 65535 became 0 to 1000 m" in found.notes[0]
    assert "nothing tells its cells: 30 m" in found.notes[1]
    assert read(tmp_path / "a.png", height_range=(None, 50)).elevation.max() == 50
    assert read(tmp_path / "a.png", height_range=(500, None)).elevation.min() == 500


def test_numbers_with_a_point_may_be_shares_of_a_range(tmp_path):
    np.save(tmp_path / "a.npy", [[0.0, 0.25, 1.0]])
    assert read(tmp_path / "a.npy", height_range=(-100, 300)).elevation.tolist() == [[-100, 0, 300]]


def test_an_esri_grid_has_its_rows_from_the_north(tmp_path):
    rows = "\n".join(" ".join(map(str, row)) for row in HEIGHTS)
    head = "ncols 8\nnrows 5\nxllcorner 1000\nyllcorner 2000\ncellsize 12.5\nNODATA_value 3\n"
    (tmp_path / "a.asc").write_text(head + rows)
    found = read(tmp_path / "a.asc")
    assert corners(found.elevation) == CORNERS
    assert (found.cell_size, found.gaps) == (12.5, 1)
    assert np.isnan(found.elevation[0, 1])


def test_a_grid_whose_rows_go_north_is_turned(tmp_path):
    as_tiff(tmp_path / "a.tif", HEIGHTS.astype("f4"), transform=Affine(30, 0, 5e5, 0, 30, 5e6))
    found = read(tmp_path / "a.tif")
    assert (found.elevation == HEIGHTS[::-1]).all()
    assert found.corner == (5e5, 5e6 + 150)


def test_raw_from_the_south_is_turned_when_asked(tmp_path):
    (tmp_path / "a.r16").write_bytes(HEIGHTS.astype("<u2").tobytes())
    found = read(tmp_path / "a.r16", shape=(None, 8), south_first=True, height_range=(0, 65535))
    assert (found.elevation == HEIGHTS[::-1]).all()


@pytest.mark.parametrize("far", [(5e8, -5e8), (-1e7, 1e7)])
def test_far_from_the_origin_the_heights_are_the_same(far, tmp_path):
    as_tiff(
        tmp_path / "a.tif",
        HEIGHTS.astype("f4"),
        crs=None,
        transform=Affine(0.25, 0, far[0], 0, -0.25, far[1]),
    )
    found = read(tmp_path / "a.tif")
    assert (found.elevation == HEIGHTS).all()
    assert found.cell_size == 0.25


def test_a_plain_tiff_is_read_without_gdal_too(tmp_path, monkeypatch):
    from downcut.importing import gdal

    monkeypatch.setattr(gdal, "is_there", lambda: False)
    for kind in ("f4", "u2", "u1", "i4"):
        Image.fromarray(HEIGHTS.astype(kind)).save(tmp_path / "a.tif")
        top = np.iinfo(kind).max if kind[0] in "ui" else 1
        found = read(tmp_path / "a.tif", height_range=(0, top), cell_size=1)
        np.testing.assert_allclose(found.elevation, HEIGHTS, rtol=1e-6)
    as_tiff(tmp_path / "b.tif", HEIGHTS.astype("f4"))
    with pytest.raises(DowncutError, match=r"names a place on Earth.*downcut\[gis\]"):
        read(tmp_path / "b.tif")


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (3, 3), (1, 64)])
def test_tiny_and_constant_files_come_in_as_they_are(shape, tmp_path):
    flat = np.full(shape, 21.0, np.float32)
    np.save(tmp_path / "a.npy", flat)
    as_tiff(tmp_path / "a.tif", flat)
    as_exr(tmp_path / "a.exr", flat)
    for name in ("a.npy", "a.tif", "a.exr"):
        assert (read(tmp_path / name, fill_voids=True).elevation == flat).all()
        assert read(tmp_path / name).elevation.shape == shape


def test_a_side_file_tells_what_raw_samples_are(tmp_path):
    (tmp_path / "a.raw").write_bytes(HEIGHTS.astype(">u2").tobytes())
    side = {"width": 8, "height": 5, "bpp": 16, "byte_order": "big"}
    (tmp_path / "a.raw.json").write_text(json.dumps(side))
    assert corners(read(tmp_path / "a.raw", height_range=(0, 65535)).elevation) == CORNERS


# --- sizes that tell, and those that do not --------------------------------------------------


def test_a_square_file_of_samples_tells_its_shape(tmp_path):
    (tmp_path / "a.r16").write_bytes(np.full((513, 513), 0x1234, "<u2").tobytes())
    found = read(tmp_path / "a.r16", height_range=(0, 65535))
    assert found.elevation.shape == (513, 513)
    assert (found.elevation == 0x1234).all()
    assert any("513 × 513" in note for note in found.notes)
    swapped = read(tmp_path / "a.r16", height_range=(0, 65535), byte_order="big")
    assert (swapped.elevation == 0x3412).all()


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (526_339, r"526,339 bytes.*no whole number.*513 × 513 \(526,338 bytes\) and 514 × 514"),
        (257 * 513 * 2, "263,682 bytes.*257 × 513"),
        (300 * 300 * 4, "600 × 600 of uint8, 300 × 300 of float32"),
        (0, "the file is empty"),
    ],
)
def test_a_size_that_tells_no_shape_lists_those_that_fit(size, told, tmp_path):
    (tmp_path / "a.raw").write_bytes(bytes(size))
    with pytest.raises(DowncutError, match=told):
        read(tmp_path / "a.raw")


def test_a_shape_that_does_not_fit_lists_those_that_do(tmp_path):
    (tmp_path / "a.raw").write_bytes(bytes(80))
    with pytest.raises(DowncutError, match=r"80 bytes, not the 96 of 6 × 8 .*5 × 8"):
        read(tmp_path / "a.raw", shape=(6, 8))


@pytest.mark.parametrize("side", ["[]", "{", '{"version": 3, "offset": "x"}'])
def test_a_side_file_of_another_program_is_left_alone(side, tmp_path):
    as_tiff(tmp_path / "a.tif", HEIGHTS.astype("f4"))
    (tmp_path / "a.tif.json").write_text(side)
    assert (read(tmp_path / "a.tif").elevation == HEIGHTS).all()
