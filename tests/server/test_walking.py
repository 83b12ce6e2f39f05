"""Walking in the studio: a window of the land that is shown, made when a page asks for it."""

import asyncio
import json
import time

import httpx
import numpy as np
import pytest

from downcut.export.blocks import read_block
from downcut.server.app import create_app
from downcut.server.walking import FIRST

LAND = {
    "grid": {"ny": 64, "nx": 64, "cell_size": 25},
    "seed": "3",
    "steps": [{"op": "fields.fbm", "wavelength": 900, "amplitude": 90, "offset": 100}],
}


@pytest.fixture(scope="module")
def grown(studio):
    job = studio.client.post("/api/jobs", json={"kind": "grow", "recipe": LAND}).json()
    while (told := studio.client.get(f"/api/jobs/{job['job']}").json())["state"] != "done":
        assert told["state"] in ("waiting", "running"), told
        time.sleep(0.05)
    return told["result"]["digest"]


def get(studio, land, place, file="walk.json"):
    return studio.client.get(f"/api/walk/{land}/{place}/{file}")


def test_a_page_walks_anywhere_on_the_land_that_is_shown(studio, grown):
    answer = get(studio, grown, "200,-150,300")
    assert answer.status_code == 200
    told = answer.json()
    assert told["place"] == {"x": 200.0, "y": -150.0}
    assert told["onward"] == "../{x},{y},300/walk.json"  # as large as this one
    assert told["grid"] == {"ny": 300, "nx": 300, "cell_size": 1.0}
    assert abs(told["start"]["x"]) < 150
    file = told["layers"]["elevation"]["file"]
    _, ground = read_block(get(studio, grown, "200,-150,300", file).content)
    assert ground.shape == (300, 300)
    land = read_block(studio.client.get(f"/api/lands/{grown}/layers/elevation").content)[1]
    cell = land[32 + 6, 32 + 8]  # north-west of 200, -150
    assert abs(float(ground[137, 162]) - float(cell)) < 8
    assert np.isfinite(ground).all()


def test_the_same_place_is_the_same_walk(studio, grown):
    first, again = (get(studio, grown, "0,0,200").content for _ in range(2))
    assert first == again
    assert json.loads(first)["digest"] == grown


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere", "place is 'nowhere': give EAST,NORTH"),
        ("1,nan", "place is '1,nan': give EAST,NORTH"),
        ("9000,0", "place is 9000,0: the land reaches from -800 to 800 m"),
        ("0,0,1e9", "extent is 1e+09: give 16 to 2048 m"),
    ],
)
def test_a_place_that_is_none_is_refused_in_a_sentence(studio, grown, place, message):
    answer = get(studio, grown, place)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(message)


def test_what_is_not_there_is_not_found(studio, grown):
    assert get(studio, "0" * 32, "0,0").status_code == 404
    assert get(studio, grown, "1,2", "layers/elevation.bin").status_code == 404
    get(studio, grown, "0,0,200")
    assert get(studio, grown, "0,0,200", "layers/nothing.bin").status_code == 404
    assert get(studio, "opened", "start").status_code == 404  # it was started without a land


def test_strangers_do_not_walk_here(studio, grown):
    answer = httpx.get(f"{studio.address}/api/walk/{grown}/0,0/walk.json")
    assert answer.status_code == 401


def test_a_studio_that_was_started_to_walk_opens_the_walk():
    door = httpx.ASGITransport(create_app(port=8420, token="key", opens=FIRST))

    async def opened():
        async with httpx.AsyncClient(transport=door, base_url="http://127.0.0.1:8420") as client:
            return await client.get("/?token=key")

    answer = asyncio.run(opened())
    assert answer.status_code == 303
    assert answer.headers["location"] == FIRST
