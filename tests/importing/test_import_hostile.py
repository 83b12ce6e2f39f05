"""Files that lie, swell, point elsewhere or end too soon: one sentence, before any cell is read."""

import contextlib
import io
import json
import math
import os
import pickle
import struct
import time
import zipfile
import zlib

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from rasterio.transform import Affine

import downcut as dc
from downcut.errors import DowncutError
from downcut.importing import read

HUGE = 400_000


def refused(path, **options):
    """The sentence, which comes at once."""
    start = time.perf_counter()
    with pytest.raises(DowncutError) as told:
        read(path, **options)
    assert time.perf_counter() - start < 0.5  # a process's first of a kind imports its reader
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 600
    return str(told.value)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(nx, ny, bits=16, colours=0, data=b""):
    head = struct.pack(">IIBBBBB", nx, ny, bits, colours, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def npy(shape, dtype="<f4", data=b""):
    head = io.BytesIO()
    about = {"descr": dtype, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, about)
    return head.getvalue() + data


def sparse_tiff(path, size=HUGE):
    with rasterio.open(
        path, "w", driver="GTiff", height=size, width=size, count=1, dtype="float32",
        sparse_ok=True, tiled=True, blockxsize=4096, blockysize=4096, crs="EPSG:32632",
        transform=Affine(2, 0, 0, 0, -2, 0), bigtiff="YES",
    ):  # fmt: skip
        pass


def sparse(path, size):
    path.touch()
    os.truncate(path, size)


def big_files(folder):
    (folder / "a.png").write_bytes(png(HUGE, HUGE, data=bytes(10**6)))
    (folder / "b.npy").write_bytes(npy((HUGE, HUGE)))
    sparse(folder / "b.npy", HUGE * HUGE * 4 + 1000)
    sparse_tiff(folder / "c.tif")
    sparse(folder / "d.r16", HUGE * HUGE * 2)
    with zipfile.ZipFile(folder / "e.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("elevation.npy", npy((40_000, 40_000), "|u1", bytes(10**7)))
    head = "ncols 400000\nnrows 400000\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
    (folder / "f.asc").write_text(head + "1 2 3\n")
    return sorted(folder.iterdir())


def test_big_files_are_refused_at_once_unread(tmp_path):
    files = big_files(tmp_path)
    for path in files:  # so that what they import is there
        refused(path)
    for path in files:
        start = time.perf_counter()
        told = refused(path)
        assert time.perf_counter() - start < 0.1, path
        assert "limit_cells" in told or "cut off" in told or "too short" in told, told


def test_the_limit_is_raised_by_its_option(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((30, 40)))
    told = refused(tmp_path / "a.npy", limit_cells=1199)
    assert "30 × 40 cells, and limit_cells is 1,199" in told
    assert read(tmp_path / "a.npy", limit_cells=1200).elevation.shape == (30, 40)


def test_what_projecting_would_make_of_a_file_is_limited_too(tmp_path):
    with rasterio.open(
        tmp_path / "a.tif", "w", driver="GTiff", height=10, width=10, count=1, dtype="uint8",
        crs="EPSG:32632", transform=Affine(1e6, 0, 0, 0, -1, 0),
    ) as file:  # fmt: skip
        file.write(np.zeros((1, 10, 10), np.uint8))
    assert "limit_cells" in refused(tmp_path / "a.tif") or "globe" in refused(tmp_path / "a.tif")


def test_more_than_the_memory_holds_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("downcut.importing.reading.WORKING_BYTES", 10**9)
    np.save(tmp_path / "a.npy", np.zeros((300, 400)))
    assert "GB of memory" in refused(tmp_path / "a.npy")


# --- bombs and lies --------------------------------------------------------------------------


class Loud:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def liars(folder):
    (folder / "many.png").write_bytes(png(16_000, 16_000, data=bytes(1000)))
    (folder / "short.png").write_bytes(png(300, 300, data=bytes(1000)))
    (folder / "header.png").write_bytes(png(300, 300)[:20])
    (folder / "deep.png").write_bytes(png(3, 3, colours=2, data=bytes(3 * 19)))
    (folder / "paletted.png").write_bytes(png(3, 3, 8, 3))
    Image.fromarray(np.dstack([np.eye(9) * 255] * 2 + [np.eye(9)]).astype("u1")).save(
        folder / "colour.png"
    )
    (folder / "short.npy").write_bytes(npy((30, 30), data=bytes(3599)))
    (folder / "negative.npy").write_bytes(npy((-3, 3), data=bytes(36)))
    (folder / "empty.npy").write_bytes(npy((0, 5)))
    (folder / "cube.npy").write_bytes(npy((3, 3, 3), data=bytes(108)))
    (folder / "complex.npy").write_bytes(npy((3, 3), "<c8", bytes(72)))
    (folder / "text.npy").write_bytes(npy((3, 3), "<U4", bytes(144)))
    np.save(folder / "pickle.npy", np.array([[Loud()]]), allow_pickle=True)
    np.savez(folder / "pickle.npz", elevation=np.array([[Loud()]], object))
    (folder / "raw.npz").write_bytes(pickle.dumps(Loud()))
    np.savez(folder / "two.npz", one=np.zeros((3, 3)), other=np.zeros((3, 3)))
    with zipfile.ZipFile(folder / "short.npz", "w") as archive:
        archive.writestr("elevation.npy", npy((300, 300), data=bytes(100)))
    with zipfile.ZipFile(folder / "about.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json.npy", bytes(2**25))
        archive.writestr("elevation.npy", npy((2, 2), data=bytes(16)))
    with zipfile.ZipFile(folder / "many.npz", "w") as archive:
        for number in range(1001):
            archive.writestr(f"{number}.npy", b"")
    with rasterio.open(
        folder / "complex.tif", "w", driver="GTiff", height=2, width=2, count=1, dtype="complex64",
        transform=Affine(2, 0, 0, 0, -2, 0),
    ) as file:  # fmt: skip
        file.write(np.zeros((1, 2, 2), np.complex64))
    head = "ncols 3\nnrows 3\nxllcorner 1\nyllcorner 2\ncellsize 5\n"
    (folder / "short.asc").write_text(head + "1 2 3\n4 5 6\n7 8")
    (folder / "words.asc").write_text(head + "1 2 3\n4 hills 6\n7 8 9")
    (folder / "nan.asc").write_text(head + "1 2 3\n4 nan 6\n7 8 9")
    (folder / "side.r16").write_bytes(bytes(18))
    (folder / "side.r16.json").write_text("[]")
    (folder / "order.r16").write_bytes(bytes(18))
    (folder / "order.r16.json").write_text(json.dumps({"byte_order": "middle"}))
    (folder / "damaged.r16").write_bytes(bytes(18))
    (folder / "damaged.r16.json").write_text(json.dumps({"offset": "x"}))
    for name, number in (("cell_size_m", 10**400), ("offset", 10**400), ("scale", math.inf)):
        (folder / f"{name}.r16").write_bytes(bytes(18))
        (folder / f"{name}.r16.json").write_text(json.dumps({name: number}))
    (folder / "bits.r16").write_bytes(bytes(16))
    (folder / "bits.r16.json").write_text(json.dumps({"bpp": [16], "width": True}))
    (folder / "long.r16").write_bytes(bytes(18))
    (folder / "long.r16.json").write_bytes(b" " * (2**24 + 1))
    for suffix in (".png", ".tif", ".npy", ".npz", ".exr", ".asc", ".hgt", ".raw", ".dem", ""):
        (folder / f"nothing{suffix}").write_bytes(b"")
        (folder / f"words{suffix}x").write_bytes(b"hills and dales")
    return [p for p in sorted(folder.iterdir()) if p.suffix != ".json"]


def test_files_that_lie_get_one_sentence(tmp_path):
    files = liars(tmp_path)
    assert len(files) > 35
    for path in files:
        assert path.name in refused(path)
        with pytest.raises(DowncutError):
            dc.recipe_of(path)


def test_numbers_beyond_float32_are_gaps_and_no_warning(tmp_path):
    np.save(tmp_path / "a.npy", [[1.0, 1e300], [-1e300, 4.0]])
    found = read(tmp_path / "a.npy").elevation
    np.testing.assert_array_equal(found, np.array([[1, np.nan], [np.nan, 4]], np.float32))
    np.save(tmp_path / "b.npy", np.full((2, 2), 1e300))
    with pytest.raises(DowncutError, match="has no cell with data"):
        dc.recipe_of(tmp_path / "b.npy")


def test_a_grid_of_text_is_counted_across_the_pieces_it_is_read_in(tmp_path, monkeypatch):
    monkeypatch.setattr("downcut.importing.texts.CHUNK", 7)
    heights = np.arange(-30.0, 30, 0.5).reshape(10, 12)
    rows = "\n".join(" ".join(f"{height:g}" for height in row) for row in heights)
    (tmp_path / "a.asc").write_text(
        "ncols 12\nnrows 10\nxllcorner 0\nyllcorner 0\ncellsize 5\n" + rows
    )
    assert (read(tmp_path / "a.asc").elevation == heights).all()


def test_a_picture_that_points_elsewhere_is_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((3, 3)))
    (tmp_path / "a.vrt").write_text(
        '<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Float32" band="1">'
        "<SimpleSource><SourceFilename>/etc/passwd</SourceFilename></SimpleSource>"
        "</VRTRasterBand></VRTDataset>"
    )
    assert "only points to other files" in refused(tmp_path / "a.vrt")
    (tmp_path / "b.tif").write_bytes((tmp_path / "a.vrt").read_bytes())  # the same, disguised
    assert "not recognized" in refused(tmp_path / "b.tif")
    (tmp_path / "c.xml").write_text("<GDAL_WMS><Service name='WMS'><ServerUrl>http://127.0.0.1:9/")
    assert "not recognized" in refused(tmp_path / "c.xml")


def test_links_folders_and_what_is_not_there_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((3, 3)))
    (tmp_path / "link.npy").symlink_to(tmp_path / "a.npy")
    assert "is a link" in refused(tmp_path / "link.npy")
    (tmp_path / "dangling.npy").symlink_to(tmp_path / "none.npy")
    assert "is a link" in refused(tmp_path / "dangling.npy")
    assert "is a folder" in refused(tmp_path)
    assert "is not there" in refused(tmp_path / "none.npy")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_devices_and_pipes_are_refused(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    for path in (tmp_path / "a.npy", "/dev/zero", "/dev/null"):
        assert "is a device or a pipe" in refused(path)


@pytest.fixture(scope="module")
def good_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    land = dc.Terrain(dc.Grid(6, 9, 5.0), {"elevation": np.arange(54.0).reshape(6, 9)})
    for name in ("a.png", "a.tif", "a.npy", "a.npz", "a.exr", "a.asc", "a.r16"):
        dc.save(land, folder / name)
    return folder


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.npy", "a.npz", "a.exr", "a.asc", "a.r16"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_are_read_or_refused_in_a_sentence(name, good_files, tmp_path, data):
    good = (good_files / name).read_bytes()
    cut = data.draw(st.integers(0, len(good)))
    bad = bytearray(good[:cut] if data.draw(st.booleans()) else good)
    for place in data.draw(st.lists(st.integers(0, 600), max_size=4)):
        if place < len(bad):
            bad[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path / name
    path.write_bytes(bad)
    with contextlib.suppress(DowncutError):  # and nothing else
        assert read(path, limit_cells=10**6).elevation.size <= 10**6
    with contextlib.suppress(DowncutError):
        dc.recipe_of(path, limit_cells=10**6)


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.npy", "a.npz", "a.exr", "a.asc", "a.r16"])
def test_a_file_that_is_cut_off_is_refused(name, good_files, tmp_path):
    data = (good_files / name).read_bytes()
    side = good_files / f"{name}.json"
    if side.exists():
        (tmp_path / side.name).write_bytes(side.read_bytes())
    cut = {"a.tif": len(data) // 8, "a.png": len(data) - 40, "a.asc": len(data) - 20}.get(
        name, len(data) - 3
    )
    (tmp_path / name).write_bytes(data[:cut])
    with pytest.raises(DowncutError, match=name):
        read(tmp_path / name)


def test_a_large_tiff_that_is_cut_off_is_refused(tmp_path):
    heights = np.random.default_rng(1).random((1, 600, 500), dtype=np.float32)
    with rasterio.open(
        tmp_path / "a.tif", "w", driver="GTiff", height=600, width=500, count=1, dtype="float32",
        crs="EPSG:32632", transform=Affine(2, 0, 0, 0, -2, 0),
    ) as file:  # fmt: skip
        file.write(heights)
    data = (tmp_path / "a.tif").read_bytes()
    (tmp_path / "a.tif").write_bytes(data[: len(data) // 2])
    with pytest.raises(DowncutError, match="cannot be read"):
        read(tmp_path / "a.tif")
