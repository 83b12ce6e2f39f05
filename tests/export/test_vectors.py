"""Rivers, lakes and basins as GeoJSON and GeoPackage, read back by GDAL and judged by shapely."""

import itertools
import json
import warnings

import numpy as np
import pyogrio
import pytest
import shapely
from pyogrio.raw import read
from rasterio.crs import CRS
from rasterio.warp import transform

import downcut as dc
from downcut.errors import DowncutError
from downcut.export.info import describe
from downcut.export.placement import Placement
from downcut.export.save import save
from downcut.export.shapes import reaches, shapes
from downcut.features import Table
from downcut.grid import Grid
from downcut.terrain import Terrain

RECIPE = dc.Recipe.from_dict(
    {
        "title": "Wet",
        "seed": 5,
        "grid": {"ny": 90, "nx": 120, "cell_size": 40},
        "sea_level": -20,
        "steps": [
            {"op": "fields.fbm", "wavelength": 1500, "amplitude": 150, "octaves": 6},
            {"op": "hydrology.lakes", "min_depth": 0.5, "min_area": 2000},
            {"op": "hydrology.rivers", "channel_area": 60_000},
            {"op": "hydrology.basins"},
        ],
    }
)
NAMES = ("rivers", "lakes", "basins")


@pytest.fixture(scope="module")
def wet():
    return dc.generate(RECIPE)


def ringed(labels, cell_size=10.0):
    """A land whose lakes are the given labels."""
    labels = np.asarray(labels, np.int32)
    count = int(labels.max())
    grid = Grid(*labels.shape, cell_size)
    table = Table({"id": np.arange(1, count + 1), "level": np.full(count, 2.5)}, {"level": "m"})
    layers = {"elevation": np.zeros(labels.shape, np.float32), "lake": labels}
    return Terrain(grid, layers, features={"lakes": table})


def geojson(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_land_has_what_the_tests_need(wet):
    assert [len(wet.features[name]) for name in NAMES] > [10, 3, 10]
    assert wet["lake"].max() >= 3
    assert (wet["basin"] == 0).any()


@pytest.mark.parametrize(("name", "layer"), [("lakes", "lake"), ("basins", "basin")])
def test_outlines_are_valid_and_as_large_as_their_cells(wet, name, layer):
    found = shapes(wet, name)
    assert shapely.is_valid(found.shapes).all()
    cells = np.bincount(wet[layer].ravel(), minlength=len(found.shapes) + 1)[1:]
    np.testing.assert_allclose(shapely.area(found.shapes), cells * 1600.0, rtol=1e-12)
    np.testing.assert_allclose(shapely.area(found.shapes), found.columns["area"], rtol=1e-12)
    east, north = np.meshgrid(wet.grid.x, wet.grid.y)
    for i, shape in enumerate(found.shapes[:5]):
        within = shapely.contains_xy(shape, east.ravel(), north.ravel()).reshape(east.shape)
        np.testing.assert_array_equal(within, wet[layer] == i + 1)


def test_a_lake_with_islands_and_corners_has_holes_and_parts():
    """A ring around an island with a pond on it, and a cell that touches by a corner alone."""
    found = shapes(ringed([
        [0, 0, 0, 0, 0, 0, 0],
        [0, 1, 1, 1, 1, 1, 0],
        [0, 1, 0, 0, 0, 1, 0],
        [0, 1, 0, 2, 0, 1, 0],
        [0, 1, 0, 0, 0, 1, 0],
        [0, 1, 1, 1, 1, 1, 0],
        [1, 0, 0, 0, 0, 0, 0],
    ]), "lakes").shapes  # fmt: skip
    ring, pond = found
    assert shapely.is_valid(found).all()
    assert ring.area == 17 * 100
    assert pond.area == 100
    assert len(ring.geoms) == 2
    large = max(ring.geoms, key=lambda part: part.area)
    assert len(large.interiors) == 1
    assert shapely.Polygon(large.interiors[0]).contains(pond)


def test_outlines_of_any_cells_are_valid(fractal):
    rng = np.random.default_rng(3)
    for _ in range(60):
        labels = (rng.random((11, 14)) < rng.uniform(0.2, 0.8)).astype(np.int32)
        labels *= rng.integers(1, 4, labels.shape, dtype=np.int32)
        labels[0, :3] = 1, 2, 3
        found = shapes(ringed(labels), "lakes").shapes
        assert shapely.is_valid(found).all()
        np.testing.assert_allclose(shapely.area(found), 100 * np.bincount(labels.ravel())[1:])


@pytest.mark.parametrize("name", NAMES)
def test_geojson_follows_its_standard(wet, name, tmp_path):
    (path,) = save(wet, tmp_path / f"{name}.geojson", at="8.5,46.5")
    content, table = geojson(path), wet.features[name]
    assert content["type"] == "FeatureCollection"
    assert "crs" not in content  # as RFC 7946 wants it
    assert [f["id"] for f in content["features"]] == table["id"].tolist()
    assert dc.Recipe.from_dict(content["downcut"]["recipe"]) == RECIPE
    west, south, east, north = content["bbox"]
    assert west < 8.5 < east
    assert south < 46.5 < north
    located = [f["geometry"] for f in content["features"] if f["geometry"]]
    assert len(located) > 0.8 * len(table)
    for geometry in located:
        shape = shapely.geometry.shape(geometry)
        assert shape.is_valid
        assert shapely.box(west, south, east, north).buffer(1e-7).contains(shape)
        for polygon in getattr(shape, "geoms", []):
            assert polygon.exterior.is_ccw
            assert not any(hole.is_ccw for hole in polygon.interiors)
        for number in shapely.get_coordinates(shape).ravel().tolist():
            assert number == round(number, 7)


@pytest.mark.parametrize("place", [(8.5, 46.5), (-70.0, -33.0), (0.0, 0.0)])
@pytest.mark.parametrize("name", NAMES)
def test_gdal_reads_the_geojson_at_the_place(wet, name, place, tmp_path):
    (path,) = save(wet, tmp_path / f"{name}.geojson", at=place)
    meta, _, geometry, columns = read(path)
    assert meta["crs"] in ("EPSG:4326", "EPSG:4979")  # the latter for lines with heights
    found = shapely.from_wkb(geometry)
    expected = shapes(wet, name)
    assert len(found) == len(expected.shapes)
    lon, lat = shapely.get_coordinates(found).T
    crs = CRS.from_wkt(Placement(*place).wkt)
    x, y = transform(CRS.from_epsg(4326), crs, lon, lat)
    theirs = shapely.get_coordinates(expected.shapes)
    np.testing.assert_allclose(np.stack([x, y], 1), theirs, rtol=0, atol=0.012)  # 7 decimals
    fields = dict(zip(meta["fields"], columns, strict=True))
    for key in set(expected.columns) - {"end"}:
        np.testing.assert_allclose(fields[key].astype(float), expected.columns[key], rtol=1e-15)


def test_a_land_without_a_place_says_that_its_metres_are_none_of_the_earths(wet, tmp_path):
    (path,) = save(wet, tmp_path / "rivers.geojson")
    content, table = geojson(path), wet.features["rivers"]
    assert "metres" in content["coordinate_system"]
    assert "nowhere on the Earth" in content["coordinate_system"]
    assert "bbox" not in content
    line = np.array(content["features"][0]["geometry"]["coordinates"])
    for column, name in enumerate(("x", "y", "surface")):
        np.testing.assert_allclose(line[:, column], table.line(0)[name], rtol=0, atol=5.1e-4)
    assert content["units"]["discharge"] == "m³/yr"


def test_rivers_have_their_columns_and_words(wet, tmp_path):
    (path,) = save(wet, tmp_path / "alps-rivers.geojson", at=(0, 0))
    table = wet.features["rivers"]
    for row, feature in enumerate(geojson(path)["features"]):
        properties = feature["properties"]
        for name in ("order", "discharge", "width", "depth", "length", "joins"):
            assert properties[name] == table[name][row]
        assert properties["end"] == ("river", "sea", "edge")[table["end"][row]]
        if properties["joins"]:
            below = geojson(path)["features"][properties["joins"] - 1]["geometry"]
            end = shapely.Point(feature["geometry"]["coordinates"][-1][:2])
            assert shapely.geometry.shape(below).distance(end) < 2e-7
            break


def test_reaches_make_up_the_rivers_and_have_one_order_each(wet):
    rivers = wet.features["rivers"]
    parts = reaches(rivers)
    assert len(parts) > len(rivers)
    for river in rivers["id"]:
        mine = np.flatnonzero(parts["river"] == river)
        lines = [np.stack([parts.line(i)["x"], parts.line(i)["y"]], 1) for i in mine]
        for above, below in itertools.pairwise(lines):
            np.testing.assert_array_equal(above[-1], below[0])
        whole = np.concatenate([lines[0], *(line[1:] for line in lines[1:])])
        own = rivers.line(river - 1)
        np.testing.assert_array_equal(whole, np.stack([own["x"], own["y"]], 1))
        assert (np.diff(parts["order"][mine]) > 0).all()
        assert parts["order"][mine[-1]] == rivers["order"][river - 1]
        for i in mine:
            inside = parts.line(i)["order"][:-1]
            assert (inside == parts["order"][i]).all()


def test_a_geopackage_holds_all_tables_and_the_same_bytes_each_time(wet, tmp_path):
    (path,) = save(wet, tmp_path / "wet.gpkg", at="8.5,46.5")
    kinds = dict(pyogrio.list_layers(path))
    assert kinds == {"rivers": "LineString Z", "lakes": "MultiPolygon", "basins": "MultiPolygon"}
    for name in NAMES:
        expected = shapes(wet, name)
        meta, _, geometry, columns = read(path, layer=name)
        found = shapely.from_wkb(geometry)
        assert shapely.is_valid(found[found != None]).all()  # noqa: E711 - each of them
        np.testing.assert_array_equal(
            shapely.get_coordinates(found, include_z=name == "rivers"),
            shapely.get_coordinates(expected.shapes, include_z=name == "rivers"),
        )
        crs = CRS.from_wkt(meta["crs"]) if "[" in meta["crs"] else CRS.from_string(meta["crs"])
        (lon,), (lat,) = transform(crs, CRS.from_epsg(4326), [0.0], [0.0])
        assert (lon, lat) == pytest.approx((8.5, 46.5), abs=1e-9)
        fields = dict(zip(meta["fields"], columns, strict=True))
        np.testing.assert_array_equal(fields["area_m2"], expected.columns["area"])
    assert {"length_m", "discharge_m3_per_yr", "order", "slope", "end"} <= set(
        pyogrio.read_info(path, layer="rivers")["fields"]
    )
    about = json.loads(pyogrio.read_info(path, layer="rivers")["dataset_metadata"]["DOWNCUT"])
    assert dc.Recipe.from_dict(about["recipe"]) == RECIPE
    (again,) = save(wet, tmp_path / "again.gpkg", at="8.5,46.5")
    assert again.read_bytes() == path.read_bytes()


def test_a_geopackage_without_a_place_is_in_metres_of_nowhere(wet, tmp_path):
    (path,) = save(wet, tmp_path / "wet.gpkg")
    meta, _, geometry, _ = read(path, layer="lakes")
    assert meta["crs"].startswith(("LOCAL_CS", "ENGCRS"))
    area = shapely.area(shapely.from_wkb(geometry)).sum()
    assert area == pytest.approx(np.count_nonzero(wet["lake"]) * 1600.0, rel=1e-12)


def test_the_same_land_gives_the_same_geojson(wet, tmp_path):
    (one,) = save(wet, tmp_path / "lakes.geojson", at="8.5,46.5")
    (two,) = save(dc.generate(RECIPE), tmp_path / "my-lakes.geojson", at="8.5,46.5")
    assert one.read_bytes() == two.read_bytes()


def test_a_river_of_one_place_has_no_shape_but_its_row(tmp_path):
    points = {"x": [0.0, 5.0, 5.0, 5.0, 6.0], "y": [0.0, 1.0, 1.0, 1.0, 2.0]}
    points["surface"] = [3.0, 2.0, 2.0, 2.0, 1.0]
    table = Table({"id": [1, 2, 3]}, offsets=[0, 2, 3, 5], points=points)
    single = Terrain(Grid(4, 4), {"elevation": np.zeros((4, 4))}, features={"rivers": table})
    (path,) = save(single, tmp_path / "rivers.geojson")
    features = geojson(path)["features"]
    assert [f["geometry"] and len(f["geometry"]["coordinates"]) for f in features] == [2, None, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (path,) = save(single, tmp_path / "one.gpkg", at=(0, 0))
    assert [g is None for g in read(path)[2]] == [False, True, False]


def test_tables_without_rows_are_written(tmp_path):
    dry = Terrain(
        Grid(3, 3),
        {"elevation": np.zeros((3, 3)), "lake": np.zeros((3, 3), np.int32)},
        features={
            "lakes": Table({"id": np.zeros(0, np.int64)}),
            "rivers": Table({"id": np.zeros(0, np.int64)}, offsets=[0], points={
                "x": np.zeros(0), "y": np.zeros(0), "order": np.zeros(0, np.uint8)}),
        },
    )  # fmt: skip
    assert len(reaches(dry.features["rivers"])) == 0
    for name in ("lakes", "rivers"):
        (path,) = save(dry, tmp_path / f"{name}.geojson")
        assert geojson(path)["features"] == []
    (path,) = save(dry, tmp_path / "dry.gpkg")
    assert pyogrio.read_info(path, layer="lakes")["features"] == 0


@pytest.mark.parametrize("cell", [0.01, 0.5])
def test_small_cells_do_not_melt_together(cell, tmp_path):
    land = ringed([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 2, 0]], cell)
    (path,) = save(land, tmp_path / "lakes.geojson", at="8.5,46.5")
    for feature in geojson(path)["features"]:
        shape = shapely.geometry.shape(feature["geometry"])
        assert shape.is_valid
        assert shape.area > 0


def test_what_there_is_not_is_said_in_one_sentence(wet, tmp_path):
    for name, layer in (("land.geojson", None), ("rivers.geojson", "elevation")):
        with pytest.raises(DowncutError, match="there are: lakes, rivers, basins"):
            save(wet, tmp_path / name, layer=layer)
    bare = Terrain(Grid(2, 2), {"elevation": np.zeros((2, 2))})
    with pytest.raises(DowncutError, match=r"hydrology\.rivers"):
        save(bare, tmp_path / "rivers.geojson")
    with pytest.raises(DowncutError, match=r"hydrology\.rivers"):
        save(bare, tmp_path / "land.gpkg")
    with pytest.raises(DowncutError, match="longitude"):
        save(wet, tmp_path / "rivers.geojson", at="there")
    assert not list(tmp_path.iterdir())


def test_info_and_verify_read_what_is_inside(wet, tmp_path):
    paths = [tmp_path / name for name in ("rivers.geojson", "lakes.geojson", "wet.gpkg")]
    for path in paths:
        save(wet, path, at="8.5,46.5", **({"reaches": True} if "rivers" in path.name else {}))
        told = describe(path)
        assert told["digest"] == RECIPE.digest
        assert (told["ny"], told["nx"], told["cell_size_m"]) == (90, 120, 40)
        assert dc.verify(path).agrees
    assert len(geojson(paths[0])["features"]) > len(wet.features["rivers"])
    paths[1].write_text(paths[1].read_text("utf-8").replace(".5", ".6", 1), "utf-8")
    assert not dc.verify(paths[1]).agrees


@pytest.mark.parametrize("name", ["a.geojson", "a.gpkg", "a.pmtiles"])
@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"downcut": 3, "features": [\n]}', b"PMTiles" * 40]
)
def test_what_is_not_ours_is_refused_in_one_sentence(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DowncutError, match=name):
        describe(tmp_path / name)
