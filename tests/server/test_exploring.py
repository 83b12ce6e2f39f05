"""Chunks of a world over HTTP: the library's land to the bit, without seams, for whoever asks."""

import json
import struct
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

import downcut as dc
from downcut.errors import Cancelled
from downcut.export.blocks import read_blocks
from downcut.server.exploring import BATCH, NEWS, WARMING, Sought, explore
from downcut.server.studio import Studio
from downcut.server.worlds import BORDER, CHUNK, Explored

LANDS = {
    "grid": {"ny": 64, "nx": 64, "cell_size": 50},
    "seed": "3",
    "sea_level": 0,
    "steps": [
        {"op": "fields.fbm", "wavelength": 4000, "amplitude": 200, "offset": 120},
        {"op": "fields.continents", "province_size": 8000, "strait": 400,
         "shore": 1500, "rim": -80},
        {"op": "repeat", "times": 4, "feature_size": 100, "steps": [
            {"op": "erosion.stream_power", "time_step": 20000, "erodibility": 1e-4}]},
    ],
}  # fmt: skip
"""Provinces that grow in a moment."""
HILLS = {
    "grid": {"ny": 64, "nx": 64, "cell_size": 20},
    "seed": "3",
    "sea_level": 0,
    "steps": [{"op": "fields.fbm", "wavelength": 900, "amplitude": 260, "offset": 60}],
}


@pytest.fixture
def client(studio):
    return studio.client


def opened(client, recipe=HILLS):
    job = client.post("/api/explore", json={"recipe": recipe}).json()
    while job["state"] in ("waiting", "running"):
        time.sleep(0.02)
        job = client.get(f"/api/jobs/{job['job']}").json()
    return job["result"]


def frames(data):
    """Cut an answer into its chunks, by their places and as their layers by name, and its news."""
    chunks, news = {}, []
    while data:
        (said,) = struct.unpack("<I", data[:4])
        frame, data = data[4 : 4 + said % NEWS], data[4 + said % NEWS :]
        if said >= NEWS:
            news.append(json.loads(frame))
            continue
        blocks = list(read_blocks(frame))
        header = blocks[0][0]
        place = header["level"], header["row"], header["col"]
        chunks[place] = {header["layer"]: array for header, array in blocks}
    return chunks, news


def answered(client, places, recipe=HILLS):
    """Return the chunks of some places and the news on the way."""
    body = {"world": opened(client, recipe)["world"], "chunks": places}
    answer = client.post("/api/explore/chunks", json=body)
    assert answer.status_code == 200, answer.text
    return frames(answer.content)


def fetched(client, places, recipe=HILLS):
    """Return the chunks of some places, each as its layers by name."""
    chunks, _ = answered(client, places, recipe)
    assert set(chunks) == set(places)
    return [chunks[place] for place in places]


@pytest.mark.parametrize("place", [(0, 0, 0), (0, -3, 5), (3, -1, 0), (0, -(2**17), 2**17)])
def test_a_chunk_is_the_library_s_window_with_a_border(client, place):
    level, row, col = place
    (chunk,) = fetched(client, [place])
    edge = CHUNK + 2 * BORDER
    window = dc.World(HILLS).window(CHUNK * row - BORDER, CHUNK * col - BORDER, edge, edge, level)[
        "elevation"
    ]
    assert chunk["elevation"].tobytes() == window.tobytes()


def test_neighbours_are_coloured_alike_where_they_meet(client):
    west, east = fetched(client, [(0, 0, 0), (0, 0, 1)])
    inner = slice(1, -1)  # the outermost cells do not know the slope beyond
    shared = slice(CHUNK + 1, CHUNK + 2 * BORDER - 1), slice(1, 2 * BORDER - 1)
    a, b = west["tint"][inner, shared[0]], east["tint"][inner, shared[1]]
    assert a.std() > 0
    np.testing.assert_array_equal(a, b)


def test_a_world_tells_where_to_begin(client):
    told = opened(client)
    assert (told["cell_size"], told["span"], told["sea_level"]) == (20, 1280, 0)
    east, north = told["home"]
    col, row = int(np.floor(east / 20)), int(np.floor(-north / 20))
    high = dc.World(HILLS).window(row - 2, col - 2, 5, 5)["elevation"].max()
    low, top = told["range"]
    assert low == 0
    assert high > 0.5 * top


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"op": "erosion.stream_power"}, "depends on the whole map"),
        ({"op": "fields.heightmap", "file": "/etc/passwd"}, "use noise in its place"),
    ],
)
def test_a_recipe_that_makes_no_world_is_refused_with_a_way_out(client, step, words):
    recipe = {**HILLS, "steps": [*HILLS["steps"], step]}
    answer = client.post("/api/explore", json={"recipe": recipe})
    assert answer.status_code == 422
    assert words in answer.json()["error"]


@pytest.mark.parametrize(
    "chunks",
    [
        [],
        [[0, 0, 0]] * (BATCH + 1),
        [[17, 0, 0]],
        [[-1, 0, 0]],
        [[0, 2**24 + 1, 0]],
        [[0, 0, 10**30]],
        [[0, 0.5, 0]],
        [[0, 0]],
        "all",
        [None],
    ],
)
def test_what_is_no_batch_of_places_is_refused(client, chunks):
    world = opened(client)["world"]
    answer = client.post("/api/explore/chunks", json={"world": world, "chunks": chunks})
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_the_farthest_place_is_land_too(client):
    (chunk,) = fetched(client, [(0, 2**24, -(2**24))])
    assert np.isfinite(chunk["elevation"]).all()


def test_a_world_that_is_not_open_is_not_found(client):
    answer = client.post("/api/explore/chunks", json={"world": "x", "chunks": [[0, 0, 0]]})
    assert answer.status_code == 404
    assert "open it again" in answer.json()["error"]


def test_whoever_waits_for_the_engine_is_told_so(monkeypatch):
    state, go_on = Studio(), threading.Event()
    state.warmth.is_busy = True
    monkeypatch.setattr(Explored, "told", lambda _self: {"seen": go_on.wait(30)})
    request = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(studio=state)))
    job = state.desk.job(explore(Sought(recipe=HILLS), request)["job"])
    while job.told().get("op") != WARMING:
        assert not job.ended.wait(0.01)
    go_on.set()
    assert job.ended.wait(30)
    assert job.result == {"seen": True}
    state.close()


def test_worlds_need_the_key(client):
    wrong = {"cookie": "", "x-downcut-token": "wrong"}
    assert client.post("/api/explore", headers=wrong).status_code == 401


@pytest.fixture
def nothing_kept(tmp_path, monkeypatch):
    """No province is on the disk."""
    monkeypatch.setattr("downcut.world.world.default_folder", lambda: tmp_path)


def test_it_tells_of_provinces_that_grow_and_only_once(client):
    places = [(0, 12, col) for col in (12, 13, 14)]  # far from what opening it looks at
    hardly_higher = {**LANDS["steps"][0], "offset": 120 + 1e-9 * time.time_ns() % 1e-3}
    never_seen = {**LANDS, "steps": [hardly_higher, *LANDS["steps"][1:]]}  # the disk keeps others
    chunks, news = answered(client, places, never_seen)
    assert set(chunks) == set(places)
    assert {"grows": 100.0} in news
    _, again = answered(client, places, never_seen)
    assert again == []


def test_a_province_that_nobody_waits_for_any_more_is_given_up(nothing_kept):
    world, stop, cells = Explored(dc.Recipe.from_dict(LANDS)), threading.Event(), []

    def tell(cell):
        cells.append(cell)
        stop.set()

    with world.watched(stop, tell), pytest.raises(Cancelled):
        world.chunk(0, 0, 0)
    assert cells == [100.0]
    again = world.chunk(0, 0, 0)
    assert again == Explored(dc.Recipe.from_dict(LANDS)).chunk(0, 0, 0)
