"""The live line: the newest question counts, watching is the batch, who leaves stops the work."""

import json
import time
from itertools import pairwise

import numpy as np
import psutil
import pytest

import downcut as dc
from downcut.export.blocks import read_block


@pytest.fixture
def line(studio):
    with studio.live() as talk:
        talk.until("engine")
        yield talk


def test_a_land_comes_coarse_first_and_is_the_librarys(line, land):
    line.say("grow", ask=1, recipe=land.rainy, sizes=[16, 32], layers=["elevation", "tint", "none"])
    for size in (16, 32):
        grown = line.until("grown", 1)
        alone = dc.generate(dc.Recipe.from_dict(land.rainy).changed(size=size))
        assert (grown["size"], grown["checksum"]) == (size, alone.checksum)
        assert grown["seconds"] >= 0
    last = {}
    while len(last) < 2:  # layers come when there is room, after what is said
        header, array = line.blocks.pop(0) if line.blocks else line.hear()
        last |= {header["layer"]: (header, array)} if header["size"] == 32 else {}
    header, elevation = last["elevation"]
    assert header["ask"] == 1
    np.testing.assert_array_equal(elevation, alone["elevation"])
    assert last["tint"][1].shape == (32, 32, 4)


def test_the_small_land_is_sent_whole_though_the_large_one_is_ready(line, land):
    line.say("grow", ask=4, recipe=land.plain, sizes=[16, 32], layers=["elevation", "tint"])
    done = 0
    while done < 2:  # taking nothing, as a page does that is busy drawing
        message = line.socket.recv(60)
        if isinstance(message, str):
            done += json.loads(message)["say"] == "grown"
        else:
            line.blocks.append(read_block(message))
    for _ in line.blocks:
        line.say("ready")
    while len(line.blocks) < 4:
        line.blocks.append(line.hear())
    sent = [(header["size"], header["layer"]) for header, _ in line.blocks]
    assert sent == [(16, "elevation"), (16, "tint"), (32, "elevation"), (32, "tint")]


def test_the_newest_question_ends_the_older_ones(line, land):
    line.say("grow", ask=1, recipe=land.long)
    line.until("progress", 1)
    asked = time.monotonic()
    line.say("grow", ask=2, recipe=land.plain)
    grown = line.until("grown")
    assert grown["ask"] == 2
    assert time.monotonic() - asked < 2


def test_watching_shows_the_rain_and_ends_as_the_batch_does(line, land):
    line.say("watch", ask=3, recipe=land.rainy, path="steps.1", speed=40)
    grown = line.until("grown", 3)
    assert grown["checksum"] == dc.generate(land.rainy).checksum
    fields = [array for header, array in line.blocks if header.get("part") == "live"]
    assert len(fields) > 5
    assert all((a != b).any() for a, b in pairwise(fields[:-1]))  # the step ends as its rain did
    paths = {header["path"] for header, _ in line.blocks if header.get("part") == "live"}
    assert paths == {"steps.1"}


def test_watching_begins_with_the_land_before_the_step_however_fast_it_goes(line, land):
    bare = dc.generate(land.plain)["elevation"]
    for ask in range(10, 15):
        line.blocks.clear()
        line.say("watch", ask=ask, recipe=land.rainy, path="steps.1", speed=240)
        line.until("grown", ask)
        first = next(each for each in line.blocks if each[0]["ask"] == ask)
        assert first[0]["number"] == 1
        np.testing.assert_array_equal(first[1], bare)


def test_a_step_that_shows_few_fields_is_seen_for_a_while(line, land):
    shower = {"op": "erosion.droplets", "rounds": 1}
    line.say("watch", ask=6, recipe=land.recipe(shower, size=96), path="steps.1", speed=30)
    while not isinstance(line.hear(), tuple):
        pass
    begun = time.monotonic()
    line.until("grown", 6)
    assert 1 < time.monotonic() - begun < 6


def test_a_lattices_field_is_shown_without_its_apron(line, land):
    river = {"op": "erosion.stream_power", "time_step": 1000, "feature_size": 40}
    line.say("watch", ask=7, recipe=land.recipe(river, size=64), path="steps.1", speed=240)
    line.until("grown", 7)
    shapes = {(tuple(h["shape"]), h["cell_size"]) for h, _ in line.blocks if "part" in h}
    assert shapes == {((32, 32), 40)}


def test_watching_pauses_goes_a_field_further_and_goes_on(line, land):
    line.say("watch", ask=4, recipe=land.rainy, path="steps.1", speed=20)
    first = line.hear()
    while not isinstance(first, tuple):
        first = line.hear()
    line.say("pause")
    numbers = _fields_within(line, 0.5)
    assert len(numbers) <= 2  # what was on its way
    assert _fields_within(line, 0.5) == []
    line.say("next")
    (further,) = _fields_within(line, 0.5)
    line.say("next")
    assert _fields_within(line, 0.5) == [further + 1]
    line.say("speed", value=240)
    line.say("play")
    assert line.until("grown", 4)["checksum"] == dc.generate(land.rainy).checksum


def _fields_within(line, seconds):
    """The numbers of the fields that come within a time."""
    numbers, end = [], time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            message = line.hear(left)
        except TimeoutError:
            break
        if isinstance(message, tuple):
            numbers.append(message[0]["number"])
    return numbers


def test_others_get_their_turn_while_one_only_looks(line, studio, land):
    line.say("watch", ask=5, recipe=land.rainy, path="steps.1", speed=1)
    line.hear()
    line.say("pause")
    time.sleep(1.5)
    with studio.live() as other:
        other.say("grow", ask=1, recipe=land.recipe(seed=77))
        assert other.until("grown", 1)
    line.say("stop")
    assert line.until("stopped", 5)


def test_a_droplet_falls_on_the_land_that_is_shown(line, land):
    line.say("grow", ask=6, recipe=land.rainy)
    line.until("grown", 6)
    line.say("drop", ask=7, recipe=land.rainy, x=10.0, y=-20.0)
    points = line.until("path", 7)["points"]
    grown = dc.generate(land.rainy)
    step = grown.recipe.steps[1]
    path = step.trace(grown["elevation"], 10, -20, grid=grown.grid).line(0)
    names = ("x", "y", "elevation", "water", "speed", "sediment")
    np.testing.assert_array_equal(points, np.column_stack([path[name] for name in names]))
    for wrong in ({"x": 1e9, "y": 0}, {"x": 0}, {"x": "a", "y": 0}, {"x": True, "y": 0}):
        line.say("drop", ask=8, recipe=land.rainy, **wrong)
        assert line.until("error", 8)["text"]
    line.say("drop", ask=9, recipe=land.recipe(seed=3), x=0, y=0)
    assert "not kept" in line.until("error", 9)["text"]


def test_who_leaves_stops_the_work_within_a_second(studio, land):
    with studio.live() as leaver:
        leaver.say("grow", ask=1, recipe=land.long)
        leaver.until("progress", 1)
    process = psutil.Process(studio.process.pid)
    time.sleep(1)
    before = sum(process.cpu_times()[:2])
    time.sleep(1)
    assert sum(process.cpu_times()[:2]) - before < 0.5
    job = studio.client.post("/api/jobs", json={"kind": "grow", "recipe": land.plain}).json()
    asked = time.monotonic()
    while studio.client.get(f"/api/jobs/{job['job']}").json()["state"] != "done":
        assert time.monotonic() - asked < 5
        time.sleep(0.02)


def test_only_the_steps_after_a_change_run_again(line, land):
    slow = land.recipe({"op": "erosion.thermal", "passes": 300}, size=512)
    light = {"op": "surface.hillshade"}
    line.say("grow", ask=1, recipe=slow | {"steps": [*slow["steps"], light]})
    first = line.until("grown", 1)["seconds"]
    line.say("grow", ask=2, recipe=slow | {"steps": [*slow["steps"], light | {"altitude": 30}]})
    assert line.until("grown", 2)["seconds"] < first / 3


@pytest.mark.parametrize(
    "message",
    [
        {"do": "grow"},
        {"do": "grow", "ask": -1},
        {"do": "grow", "ask": 1, "recipe": []},
        {"do": "grow", "ask": 1, "recipe": {}, "sizes": "big"},
        {"do": "grow", "ask": 1, "recipe": {}, "sizes": [1, 2, 3, 4, 5]},
        {"do": "grow", "ask": 1, "recipe": {}, "layers": [1]},
        {"do": "watch", "ask": 1, "recipe": {}, "speed": 0},
        {"do": "play"},
        {"do": ["grow"]},
        {"do": "make coffee"},
        {},
    ],
    ids=str,
)
def test_a_mistake_is_answered_by_a_sentence_and_the_line_stays(line, message):
    line.say(**{"do": None, **message})
    said = line.until("error")
    assert 5 < len(said["text"]) < 600
    assert "Traceback" not in said["text"]
    line.say("stop")
    line.say("nothing")
    assert "nothing" in line.until("error")["text"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"grow"', "[" * 5000, "NaN", '{"do": 1e999}']
)
def test_words_that_are_no_message_are_answered_too(line, text):
    line.socket.send(text)
    assert line.until("error")["text"]


def test_the_studio_closes_quietly_while_a_page_watches(start, land):
    with start() as own, own.live() as line:
        line.say("watch", ask=1, recipe=land.rainy, path="steps.1", speed=5)
        line.hear()
        begun = time.monotonic()
        said = own.close()
        assert time.monotonic() - begun < 5
    assert said == "closed\n"
