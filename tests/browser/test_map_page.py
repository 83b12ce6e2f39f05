"""The map page in a real browser, with a slope whose every height is known."""

import json
import re
import shutil

import mercantile
import numpy as np
import pytest
from PIL import Image

from downcut.pages import page

ZOOMS = (8, 9, 10, 11)
BOUNDS = (10.0, -0.06, 10.12, 0.06)
WEST, EAST = 100.0, 1300.0
PIXEL = (EAST - WEST) * 360 / 256 / 2 ** ZOOMS[-1] / 0.12
"""What the slope climbs within a pixel of its finest tiles [m]."""


def height(lon):
    """A slope that climbs from west to east."""
    return WEST + (EAST - WEST) * (lon - BOUNDS[0]) / (BOUNDS[2] - BOUNDS[0])


def terrarium(metres):
    return bytes_of(np.round((metres + 32768) * 256).astype(np.int64))


def terrain_rgb(metres):
    return bytes_of(np.round((metres + 10000) * 10).astype(np.int64))


def bytes_of(code):
    return np.stack([code >> 16, code >> 8 & 255, code & 255], -1).astype(np.uint8)


def write_tiles(folder, paint):
    """Write a pyramid: paint(longitudes of a tile's pixels) is its picture."""
    for tile in mercantile.tiles(*BOUNDS, zooms=ZOOMS):
        west, _, east, _ = mercantile.bounds(tile)
        lon = west + (np.arange(256) + 0.5) / 256 * (east - west)
        path = folder / str(tile.z) / str(tile.x) / f"{tile.y}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(paint(np.tile(lon, (256, 1)))).save(path)


def write_shape(path, kind, coordinates):
    geometry = {"type": kind, "coordinates": coordinates}
    feature = {"type": "Feature", "properties": {"width": 20}, "geometry": geometry}
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))


PYRAMID = {"tile_size": 256, "minzoom": ZOOMS[0], "maxzoom": ZOOMS[-1]}
SLOPE = {
    "format": "downcut-map",
    "version": 1,
    "title": "Slope & <b>Sons</b>",
    "bounds": BOUNDS,
    "range": [WEST, EAST],
    "sea_level": None,
    "exaggeration": 1,
    "elevation": {"tiles": "heights/{z}/{x}/{y}.png", "encoding": "terrarium", **PYRAMID},
    "recipe": "5f0c0123456789abcdef0123456789ab",
    "made_by": "downcut 0.0",
}
SOUTH_WALL = (0x80, 0x70, 0x5F)
MIDDLE = "#10/0/10.06"
"""The part of an address that looks straight down on the middle of the land."""


@pytest.fixture
def land(tmp_path, serve):
    """land(**changes of map.json) puts the slope's map under a sub-path; returns its address."""

    def write(code=terrarium, **changes):
        folder = tmp_path / "some" / "where"
        shutil.copytree(page("map"), folder)
        write_tiles(folder / "heights", lambda lon: code(height(lon)))
        write_tiles(folder / "colour", lambda lon: np.full((*lon.shape, 3), (40, 160, 60), "u1"))
        lake = [[10.04, -0.02], [10.08, -0.02], [10.08, 0.02], [10.04, 0.02], [10.04, -0.02]]
        write_shape(folder / "lakes.geojson", "Polygon", [lake])
        write_shape(folder / "rivers.geojson", "LineString", [[10.08, 0.0], [10.12, 0.0]])
        (folder / "map.json").write_text(json.dumps(SLOPE | changes))
        return serve(tmp_path) + "some/where/?still"

    return write


def text(opened, selector):
    return opened.locator(selector).inner_text().replace("\xa0", " ").replace("−", "-")


def reading(opened, where):
    """The number of the elevation that the page names [m], once it is said to be that place's."""
    opened.wait_for_function(f"document.getElementById('where').textContent.includes({where!r})")
    return float(re.match(r"[-\d.]+", text(opened, "#elevation"))[0])


def test_shows_the_land_as_it_is(land, visit, look):
    label = {"text": "1250 m", "kind": "summit", "at": [10.115, 0.0]}
    colour = {"tiles": "colour/{z}/{x}/{y}.png", **PYRAMID}
    files = {"rivers": "rivers.geojson", "lakes": "lakes.geojson"}
    opened = visit(land(labels=[label], colour=colour, **files) + MIDDLE)

    assert opened.title() == "Slope & <b>Sons</b> · downcut"
    assert text(opened, "h1") == "Slope & <b>Sons</b>"
    assert text(opened, "#facts") == "13.4 × 13.4 km · 100 m to 1300 m"
    assert "downcut 0.0 from recipe 5f0c0123456789abcdef0123456789ab" in text(opened, "#origin")
    assert text(opened, ".maplibregl-ctrl-scale").endswith("km")
    assert text(opened, ".label.summit") == "1250 m"

    picture = look(opened).astype(int)
    red, green, blue = np.moveaxis(picture, -1, 0)
    assert blue[210, 300] > red[210, 300] + 30, "a lake in the middle"
    meadow = (green > red + 30) & (green > blue + 30)
    rows, cols = np.nonzero(meadow)
    assert (rows.min() + rows.max()) / 2 == pytest.approx(210, abs=8), "green lies around it"
    opened.get_by_label("Rivers and lakes").uncheck()
    opened.get_by_label("Colour by height").check()
    assert text(opened, "#low") == "100 m"
    assert text(opened, "#high") == "1300 m"
    red, green, blue = look(opened)[210].astype(int).T
    assert blue[300] < red[300], "the lake is gone"
    assert red[cols.max() - 4] > red[300] > red[260] - 60
    assert red[cols.max() - 4] > 200, "the highest ground is white"


@pytest.mark.parametrize(("name", "code"), [("terrarium", terrarium), ("terrain-rgb", terrain_rgb)])
def test_names_the_elevation_of_a_place(land, visit, name, code):
    elevation = SLOPE["elevation"] | {"encoding": name}
    opened = visit(land(code, elevation=elevation) + MIDDLE)
    middle = (WEST + EAST) / 2
    assert reading(opened, "in the middle") == pytest.approx(middle, abs=PIXEL + 1)
    east = 40
    opened.mouse.move(300 + east, 210)
    longitude = 10.06 + east * 360 / 512 / 2**10
    assert reading(opened, "the pointer") == pytest.approx(height(longitude), abs=2 * PIXEL + 1)
    opened.mouse.move(598, 200)
    opened.wait_for_function("document.getElementById('where').textContent === 'beside the land'")
    opened.locator("canvas").focus()
    opened.keyboard.press("ArrowRight")
    opened.wait_for_function("location.hash !== '" + MIDDLE + "'")
    assert float(opened.url.split("/")[-1]) > 10.06 or "10.06" not in opened.url


def test_heights_rise_with_the_slider(land, visit, look):
    opened = visit(land())

    def wall():
        """Pixels in the colour of the wall that looks south."""
        return (np.abs(look(opened).astype(int) - SOUTH_WALL).max(-1) < 8).sum()

    before, said = wall(), text(opened, "#elevation")
    opened.locator("#exaggeration").focus()
    opened.keyboard.press("End")
    assert text(opened, "#factor") == "× 5.0"
    assert wall() > 1.5 * before > 0
    assert text(opened, "#elevation") == said, "the ground is as high as before"


def test_the_sea_covers_what_lies_below_it(land, visit, look):
    opened = visit(land(sea_level=1000.0) + MIDDLE)
    assert text(opened, "#elevation").endswith(" m deep")
    depth = 1000 - (WEST + EAST) / 2
    assert reading(opened, "in the middle") == pytest.approx(depth, abs=PIXEL + 1)
    red, _, blue = look(opened)[210].astype(int).T
    assert blue[300] > red[300] + 30
    shore = round((10.09 - 10.06) / 360 * 512 * 2**10)
    assert blue[300 + shore - 8] > red[300 + shore - 8] + 30
    assert blue[300 + shore + 8] < red[300 + shore + 8] + 10


def test_is_dark_and_narrow_where_the_person_wants_it(land, visit, look):
    telephone = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
    opened = visit(land(), color_scheme="dark", **telephone)
    assert look(opened)[120, 180].max() < 60
    for part in (".title", ".panel", "#origin", ".maplibregl-ctrl-zoom-in"):
        box = opened.locator(part).bounding_box()
        assert min(box["x"], box["y"]) >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 640
    opened.touchscreen.tap(180, 260)
    assert WEST < reading(opened, "where you pointed") < EAST
    opened.emulate_media(color_scheme="light")
    assert look(opened)[120, 180].min() > 200


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_moves_at_the_start_only_for_those_who_like_it(land, visit, motion, moves):
    address = land().removesuffix("?still")
    small = {"width": 160, "height": 120}
    opened = visit(address, ready="[data-shown]", reduced_motion=motion, viewport=small)
    needle = opened.locator(".maplibregl-ctrl-compass .maplibregl-ctrl-icon")
    first = needle.get_attribute("style")
    opened.wait_for_timeout(1500)
    assert (needle.get_attribute("style") != first) is moves


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rivers": "https://example.com/rivers.geojson"}, "rivers leaves the page's folder"),
        ({"lakes": "../lakes.geojson"}, "lakes leaves the page's folder"),
        ({"version": 2}, "it is no downcut-map of version 1"),
    ],
)
def test_says_what_is_wrong_with_a_description(serve, visit, tmp_path, changes, sentence):
    shutil.copytree(page("map"), tmp_path / "map")
    (tmp_path / "map" / "map.json").write_text(json.dumps(SLOPE | changes))
    opened = visit(serve(tmp_path) + "map/", ready="#trouble:not([hidden])")
    assert sentence in text(opened, "#trouble")


def test_says_that_there_is_no_description(serve, visit):
    opened = visit(serve(page("map")), ready="#trouble:not([hidden])", expected="404")
    assert "map.json cannot be read: the server answers 404" in text(opened, "#trouble")


def test_the_libraries_licences_come_along():
    licences = (page("map") / "THIRD-PARTY-LICENSES.txt").read_text("utf-8")
    for words in ("MapLibre contributors", "Protomaps LLC", "Mapbox", "Gary Court"):
        assert words in licences
