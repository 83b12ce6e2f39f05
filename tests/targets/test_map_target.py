"""The folder for web maps: everything in it belongs together and lies at the same place."""

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image
from pmtiles.reader import MemorySource, all_tiles

import downcut as dc
from downcut.errors import DowncutError
from downcut.export.height_codes import CODINGS
from downcut.export.placement import Placement
from downcut.handover.exporting import export_for

RECIPE = dc.Recipe.from_dict(
    {
        "title": "Wet hills",
        "seed": 5,
        "grid": {"ny": 180, "nx": 240, "cell_size": 20},
        "sea_level": -20,
        "steps": [
            {"op": "fields.fbm", "wavelength": 1500, "amplitude": 150, "octaves": 6},
            {"op": "hydrology.lakes", "min_depth": 0.5, "min_area": 2000},
            {"op": "hydrology.rivers", "channel_area": 60_000},
        ],
    }
)
SETS = ("terrarium", "terrain-rgb", "colour")


@pytest.fixture(scope="module")
def wet():
    return dc.generate(RECIPE)


@pytest.fixture(scope="module")
def folder(wet, tmp_path_factory):
    place = tmp_path_factory.mktemp("map") / "wet"
    export_for(wet, "map", place, place="8.5,46.5")
    return place


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def files_of(folder, name):
    """The tiles of a set by (z, x, y), as a server would send them."""
    found = {}
    for path in (folder / name).rglob("*.png"):
        z, x, y = path.relative_to(folder / name).with_suffix("").parts
        found[int(z), int(x), int(y)] = path.read_bytes()
    return found


def test_every_file_that_the_page_asks_for_is_there(folder):
    about = read(folder / "map.json")
    assert (about["format"], about["version"]) == ("downcut-map", 1)
    assert (folder / "index.html").is_file()
    for name in ("rivers", "lakes"):
        assert read(folder / about[name])["features"]
    for kind in ("elevation", "colour"):
        tiles = about[kind]
        there = files_of(folder, tiles["tiles"].split("/")[0])
        assert {z for z, _, _ in there} == set(range(tiles["minzoom"], tiles["maxzoom"] + 1))
    named = set(read(folder / "export.json")["files"]) | {"README.txt", "export.json"}
    assert named == {path.name for path in folder.iterdir()}
    assert about["recipe"] == RECIPE.digest


@pytest.mark.parametrize("name", SETS)
def test_folder_and_archive_hold_the_same_tiles(folder, name):
    archive = dict(all_tiles(MemorySource((folder / f"{name}.pmtiles").read_bytes())))
    assert archive == files_of(folder, name)
    description = read(folder / name / "tiles.json")
    assert description["bounds"] == read(folder / "map.json")["bounds"]
    assert dc.Recipe.from_dict(description["downcut"]["recipe"]) == RECIPE


def test_the_page_has_the_lands_numbers(wet, folder):
    about = read(folder / "map.json")
    assert about["range"] == list(wet.relief)
    assert about["sea_level"] == -20
    assert about["title"] == "Wet hills"
    assert about["bounds"] == list(Placement(8.5, 46.5).bounds(wet.grid))
    summit, *lakes = about["labels"]
    row, col = np.unravel_index(wet["elevation"].argmax(), wet.grid.shape)
    x, y = wet.grid.x[col], wet.grid.y[row]
    (lon,), (lat,) = Placement(8.5, 46.5).lonlat([x], [y])
    assert summit["at"] == pytest.approx([lon, lat], abs=1e-7)
    assert summit["text"] == f"{wet['elevation'].max():.0f} m"
    shores = read(folder / "lakes.geojson")["features"]
    for label, lake in zip(lakes, shores, strict=False):
        assert shapely.geometry.shape(lake["geometry"]).contains(shapely.Point(label["at"]))


def test_a_river_runs_where_the_tiles_have_its_valley(wet, folder):
    """Its water lies at the height that the tile has there, within a cell's slope."""
    tiles, level = files_of(folder, "terrarium"), read(folder / "map.json")["elevation"]
    zoom = level["maxzoom"]
    rivers = read(folder / "rivers.geojson")["features"]
    largest = max((f for f in rivers if f["geometry"]), key=lambda f: f["properties"]["width"])
    for lon, lat, surface in largest["geometry"]["coordinates"][:-1]:
        x = (lon + 180) / 360 * 2**zoom
        y = (1 - np.arcsinh(np.tan(np.radians(lat))) / np.pi) / 2 * 2**zoom
        path = folder / "terrarium" / str(zoom) / str(int(x)) / f"{int(y)}.png"
        assert (zoom, int(x), int(y)) in tiles
        red, green, blue = Image.open(path).getpixel((int(x % 1 * 256), int(y % 1 * 256)))
        assert red * 256 + green + blue / 256 - 32768 <= surface + 8
    assert {"width", "order", "discharge", "river"} <= set(largest["properties"])


def test_the_archive_can_be_what_the_page_reads(wet, tmp_path):
    export_for(wet, "map", tmp_path / "a", options={"reads": "archive", "maxzoom": 12})
    about = read(tmp_path / "a" / "map.json")
    assert about["elevation"]["archive"] == "terrarium.pmtiles"
    assert "tiles" not in about["elevation"]
    assert about["colour"]["maxzoom"] == 12
    assert (about["bounds"][0] + about["bounds"][2], about["labels"][0]["kind"]) == (0, "summit")


def test_another_land_takes_its_place_only_when_told_to(wet, tmp_path):
    export_for(wet, "map", tmp_path / "a", place="8.5,46.5")
    before = files_of(tmp_path / "a", "terrarium")
    with pytest.raises(DowncutError, match="not empty"):
        export_for(wet, "map", tmp_path / "a", place="1,2")
    assert files_of(tmp_path / "a", "terrarium") == before
    export_for(wet, "map", tmp_path / "a", place="1,2", force=True)
    after = files_of(tmp_path / "a", "terrarium")
    assert after
    assert not set(after) & set(before)


def test_a_folder_of_something_else_is_never_replaced(wet, tmp_path):
    (tmp_path / "colour").mkdir()
    (tmp_path / "colour" / "mine.txt").write_text("mine")
    with pytest.raises(DowncutError, match="folder of something else"):
        export_for(wet, "map", tmp_path, force=True)
    assert [p.name for p in tmp_path.iterdir()] == ["colour"]
    assert Path(tmp_path, "colour", "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "place", "says"),
    [
        ({"maxzoom": 23}, None, "option maxzoom of map is 23: give 0 to 22"),
        ({"exaggeration": 9.0}, None, "option exaggeration of map is 9"),
        ({"reads": "both"}, None, "tiles, archive"),
        ({}, "46.5,88", "within ±80"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(wet, options, place, says, tmp_path):
    with pytest.raises(DowncutError, match=says):
        export_for(wet, "map", tmp_path / "a", options=options, place=place)
    assert not (tmp_path / "a").exists()


def test_a_land_without_water_has_a_map(tmp_path):
    dry = dc.generate({"grid": {"ny": 40, "nx": 30}, "steps": [{"op": "fields.sines"}]})
    export_for(dry, "map", tmp_path / "a", options={"layers": "none"})
    about = read(tmp_path / "a" / "map.json")
    assert "rivers" not in about
    assert not (tmp_path / "a" / "rivers.geojson").exists()
    assert len(about["labels"]) == 1
    assert set(CODINGS) | {"colour"} <= {p.name for p in (tmp_path / "a").iterdir()}


def test_a_map_verifies(folder):
    verdict = dc.verify(folder)
    assert verdict.agrees
    compared = {Path(check.file).name for check in verdict.checks if check.compared}
    assert {
        "rivers.geojson",
        "lakes.geojson",
        "terrarium.pmtiles",
        "terrain-rgb.pmtiles",
    } <= compared
    assert dc.verify(folder / "terrarium.pmtiles").sentence.endswith("byte for byte")
