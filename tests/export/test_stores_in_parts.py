"""What is written of a store part by part is what is written of the land in memory."""

import io
import json
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import downcut as dc

pytest.importorskip("zarr")
rasterio = pytest.importorskip("rasterio")
shapely = pytest.importorskip("shapely")
RECIPE = dc.preset("rolling", size=(330, 290))


@pytest.fixture(scope="module")
def lands(tmp_path_factory):
    """A land in memory, and in a store whose strips are so narrow that lakes are cut."""
    path = tmp_path_factory.mktemp("store") / "land.zarr"
    dc.build(RECIPE, path, tile=96, workers=0)
    return dc.generate(RECIPE), dc.open_land(path)


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    for module in ("importing.stored_layer", "export.geotiff_parts"):
        monkeypatch.setattr(f"downcut.{module}.STRIP", 32)


@pytest.mark.parametrize("name", ["land.tif", "land.cog.tif"])
@pytest.mark.parametrize("layer", ["elevation", "lake", "drainage_area", "channel"])
def test_geotiff(name, layer, lands, tmp_path):
    """The same cells, overviews, coordinates and words."""
    paths = []
    for place, land in zip(("memory", "store"), lands, strict=True):
        file, side = dc.save(land, tmp_path / place / name, layer=layer)
        paths.append((file, json.loads(side.read_text())))
    (one, told), (other, told_there) = paths
    assert told == told_there
    with rasterio.open(one) as a, rasterio.open(other) as b:
        assert a.read().tobytes() == b.read().tobytes()
        assert a.overviews(1) == b.overviews(1)
        assert (a.tags(), a.crs, a.transform) == (b.tags(), b.crs, b.transform)
        assert a.descriptions == b.descriptions
        levels = range(len(a.overviews(1)))
    for level in levels:
        with (
            rasterio.open(one, overview_level=level) as a,
            rasterio.open(other, overview_level=level) as b,
        ):
            assert a.read().tobytes() == b.read().tobytes()


def tiles_of(path):
    from pmtiles.reader import MmapSource, all_tiles

    with path.open("rb") as file:
        found = dict(all_tiles(MmapSource(file)))
    return {key: np.asarray(Image.open(io.BytesIO(data))) for key, data in found.items()}


def heights(tile):
    red, green, blue = (tile[..., band].astype(float) for band in range(3))
    return red * 256 + green + blue / 256 - 32768


def test_map_tiles(lands, tmp_path):
    """Near zooms are the same to the bit; far ones look at a coarser level, and agree nearly."""
    pytest.importorskip("pmtiles")
    near, far = (
        tiles_of(dc.save(land, tmp_path / name / "land.pmtiles")[0])
        for name, land in zip(("memory", "store"), lands, strict=True)
    )
    assert near.keys() == far.keys()
    finest = max(zoom for zoom, _, _ in near)
    relief = np.ptp(lands[0]["elevation"])
    for key in near:
        apart = np.abs(heights(near[key]) - heights(far[key]))
        if key[0] >= finest - 1:
            assert apart.max() == 0
        assert np.median(apart[apart > 0] if (apart > 0).any() else 0) < relief / 200
        assert apart.max() < relief / 20


def test_outlines_that_strips_cut_are_whole(lands, tmp_path):
    """A lake over many strips is one shape, with the corners that it has in memory."""
    from downcut.export.shapes import shapes

    mine, there = (shapes(land, "lakes").shapes for land in lands)
    assert max(np.ptp(np.flatnonzero((lands[0]["lake"] == i).any(axis=1))) for i in (1, 2)) > 40
    assert shapely.equals(mine, there).all()
    assert (shapely.get_num_coordinates(mine) == shapely.get_num_coordinates(there)).all()


@pytest.mark.parametrize("name", ["rivers.geojson", "land.png", "land.npz", "land.json"])
def test_other_formats_are_the_same_files(name, lands, tmp_path):
    made = [
        dc.save(land, tmp_path / place / name)[0].read_bytes()
        for place, land in zip(("memory", "store"), lands, strict=True)
    ]
    if name == "land.npz":  # which lists its layers in the order of making
        one, other = (np.load(io.BytesIO(data)) for data in made)
        assert all((one[key] == other[key]).all() for key in lands[0].layers)
    else:
        assert made[0] == made[1]


def test_a_full_disk_leaves_nothing(lands, tmp_path):
    """What GDAL does not say is found when the file is read back."""
    line = [sys.executable, "-c", LIMITED, str(tmp_path / "a.tif")]
    path = next(layer.array for layer in lands[1].layers.values()).store.root.parents[0]
    ran = subprocess.run([*line, str(path)], capture_output=True, text=True)
    assert ran.returncode == 2, ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list(tmp_path.iterdir())


LIMITED = """
import resource, sys
from downcut.cli import call
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
sys.exit(call(["export", sys.argv[2], "-o", sys.argv[1], "--quiet"]))
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="the most memory a process held is Linux's word"
)
def test_memory_does_not_grow_with_the_land(tmp_path):
    """A land eight times as long is written in as many more strips, each as large as before."""
    taken = []
    for ny in (1024, 8192):
        noise = np.random.default_rng(ny).uniform(0, 900, (ny, 1024)).astype(np.float32)
        land = dc.Terrain(dc.Grid(ny, 1024), {"elevation": noise})
        path = dc.save(land, tmp_path / f"{ny}.zarr")[0]
        line = [sys.executable, "-c", MEASURED, str(path), str(tmp_path / f"{ny}.tif")]
        ran = subprocess.run(line, capture_output=True, text=True, check=True)
        taken.append(int(ran.stdout))
    assert taken[1] - taken[0] < 10e6, taken  # its heights alone take 29 MB more


MEASURED = """
import sys
import downcut as dc
from downcut.export import geotiff_parts
from downcut.importing import stored_layer
stored_layer.STRIP, geotiff_parts.STRIP, geotiff_parts.CACHE = 64, 64, 2**20
dc.save(dc.open_land(sys.argv[1]), sys.argv[2])
told = open("/proc/self/status").read()  # getrusage counts the process that started this one
print(int(told.split("VmHWM:")[1].split()[0]) * 1024)
"""
