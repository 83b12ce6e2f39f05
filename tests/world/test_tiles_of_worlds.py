"""A world as map tiles: windows as they are, each drawn once, for whoever may come in."""

import asyncio
import io
import subprocess
import sys

import httpx
import numpy as np
import pytest
from PIL import Image

from downcut.errors import DowncutError
from downcut.server.atlas import Atlas
from downcut.server.globe import create_globe
from downcut.world.cache import Disk
from downcut.world.tiles import COARSEST, EDGE, Tiles

PORT = 8421


@pytest.fixture(scope="module")
def tiles(small_world):
    return Tiles(small_world)


@pytest.fixture
def atlas(tiles, tmp_path):
    yield (made := Atlas(tiles, Disk.of(tiles.world.recipe.digest, tmp_path, 2**30)))
    made.close()


def pixels(png):
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image).astype(np.int64)


def ask(atlas, *paths, **headers):
    """The answers of the server, all asked at once."""
    transport = httpx.ASGITransport(create_globe(atlas, port=PORT))

    async def all_of_them():
        address = f"http://127.0.0.1:{PORT}"
        async with httpx.AsyncClient(transport=transport, base_url=address, timeout=None) as client:
            return await asyncio.gather(*(client.get(path, headers=headers) for path in paths))

    return asyncio.run(all_of_them())


def middle(tiles, down=0):
    """The tile south-east of the origin, so many zooms above the highest."""
    zoom = tiles.maxzoom - down
    return zoom, 2 ** (zoom - 1), 2 ** (zoom - 1)


@pytest.mark.parametrize("down", [0, 2])
def test_a_pixel_is_a_cell(tiles, small_world, down):
    z, x, y = middle(tiles, down)
    drawn = tiles.draw(z, x - 1, y)
    heights = small_world.window(0, -EDGE, EDGE, EDGE, down)["elevation"].astype(float)
    red, green, blue = np.moveaxis(pixels(drawn["terrarium"]), -1, 0)
    assert np.abs(red * 256 + green + blue / 256 - 32768 - heights).max() <= 1 / 512 + 1e-9
    red, green, blue = np.moveaxis(pixels(drawn["terrain-rgb"]), -1, 0)
    coded = (red * 65536 + green * 256 + blue) * 0.1 - 10000
    assert np.abs(coded - heights).max() <= 0.05 + 1e-9
    assert heights.std() > 1


def test_colours_have_no_seams(tiles, small_world):
    z, x, y = middle(tiles, 1)
    west, east = (pixels(tiles.draw(z, x + side, y)["colour"]) for side in (-1, 0))
    both = tiles.paint(small_world.window(-1, -EDGE - 1, EDGE + 2, 2 * EDGE + 2, 1), 1)[1:-1, 1:-1]
    np.testing.assert_array_equal(np.hstack([west, east]), both)
    assert both.std() > 10


@pytest.mark.parametrize("disk", [True, False])
def test_a_crowd_that_wants_one_tile_has_it_drawn_once(atlas, disk):
    if not disk:  # then nothing but the crowd's own patience keeps it from being drawn again
        atlas.disk = Disk(None, 0)
    z, x, y = middle(atlas.tiles, 2)
    kinds = ("terrarium", "terrain-rgb", "colour")
    answers = ask(atlas, *[f"/{kinds[n % 3]}/{z}/{x}/{y}.png" for n in range(1000)])
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 3
    assert atlas.drawn == 1


def test_what_was_drawn_is_kept_for_the_next_time(atlas):
    z, x, y = middle(atlas.tiles, 2)
    (first,) = ask(atlas, path := f"/terrarium/{z}/{x}/{y}.png")
    again = Atlas(atlas.tiles, atlas.disk)
    (second,) = ask(again, path)
    assert (first.content, again.drawn) == (second.content, 0)
    (third,) = ask(again, path, **{"if-none-match": first.headers["etag"]})
    assert (third.status_code, third.content) == (304, b"")


def test_tiles_that_are_none_say_so(atlas):
    top = atlas.tiles.maxzoom
    answers = ask(
        atlas,
        f"/terrarium/{top + 1}/0/0.png",
        f"/terrarium/{top - COARSEST - 1}/0/0.png",
        f"/terrarium/{top}/{2**top}/0.png",
        f"/terrarium/{top}/-1/0.png",
        f"/relief/{top}/0/0.png",
        f"/terrarium/{top}/0/north.png",
    )
    assert [answer.status_code for answer in answers] == [404, 404, 404, 404, 404, 422]
    assert "there are zooms" in answers[0].json()["error"]
    assert atlas.drawn == 0


def test_only_this_machine_comes_in(atlas):
    (rebound,) = ask(atlas, "/map.json", host="evil.example")
    (foreign,) = ask(atlas, "/map.json", origin="https://evil.example")
    assert (rebound.status_code, foreign.status_code) == (403, 403)


def test_tilejson_and_the_page_lead_to_tiles(atlas):
    described, listed, page = ask(atlas, "/map.json", "/terrain-rgb/tiles.json", "/")
    told, tilejson = described.json(), listed.json()
    assert (tilejson["encoding"], tilejson["tileSize"]) == ("mapbox", EDGE)
    z, x, y = middle(atlas.tiles, 2)
    url = tilejson["tiles"][0].format(z=z, x=x, y=y)
    (tile,) = ask(atlas, url)
    assert pixels(tile.content).shape == (EDGE, EDGE, 3)
    longitude, latitude = told["start"]["at"]
    across = EDGE * 2**atlas.tiles.maxzoom / 360
    col, row = int(longitude * across), int(-latitude * across)  # near the equator: all but linear
    seen = atlas.tiles.world.window(row - 40, col - 40, 80, 80)["elevation"]
    assert seen.max() > 0.9 * told["range"][1] > 0
    assert b'<main id="map">' in page.content


def test_a_land_that_is_no_world_is_refused():
    command = [sys.executable, "-m", "downcut", "serve", "alpine", "--no-browser", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "fields.continents" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_highest_zoom_has_cells_of_about_a_pixel(tiles):
    assert 0.7 < tiles.stretch < 1.5
    with pytest.raises(DowncutError, match="zooms"):
        tiles.window(tiles.maxzoom + 1, 0, 0)
