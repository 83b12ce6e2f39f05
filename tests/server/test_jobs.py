"""Jobs run one after another, are told of, can be stopped, and fail in one sentence."""

import threading
import time

import pytest

from downcut.errors import DowncutError
from downcut.server.jobs import MOST_KEPT, MOST_WAITING, BusyError, Desk


def ended(job):
    assert job.ended.wait(20)
    return job.state


def wait_for(studio, job):
    """The last that is told of a job, however long it takes."""
    while job["state"] in ("waiting", "running"):
        time.sleep(0.02)
        job = studio.client.get(f"/api/jobs/{job['job']}").json()
    return job


def ask(studio, kind, recipe, **more):
    answer = studio.client.post("/api/jobs", json={"kind": kind, "recipe": recipe, **more})
    assert answer.status_code == 202, answer.text
    return answer.json()


def test_one_at_a_time_in_the_order_of_asking():
    desk, running, order = Desk(), [], []
    most = []

    def work(number):
        def go(_job):
            running.append(number)
            most.append(len(running))
            order.append(number)
            time.sleep(0.01)
            running.remove(number)

        return go

    jobs = [desk.take("count", work(n)) for n in range(12)]
    assert {ended(job) for job in jobs} == {"done"}
    assert max(most) == 1
    assert order == list(range(12))


def test_the_queue_has_an_end_and_so_has_the_memory_of_what_is_done():
    desk, gate = Desk(), threading.Event()
    jobs = [desk.take("wait", lambda _: gate.wait(20)) for _ in range(MOST_WAITING + 1)]
    with pytest.raises(BusyError, match="try again"):
        desk.take("wait", lambda _: None)
    gate.set()
    assert {ended(job) for job in jobs} == {"done"}
    for _ in range(2 * MOST_KEPT):
        ended(desk.take("quick", lambda _: None))
    assert len(desk._jobs) <= MOST_KEPT + 1


def test_a_job_that_waits_is_stopped_without_having_begun():
    desk, gate, begun = Desk(), threading.Event(), []
    first = desk.take("wait", lambda _: gate.wait(20))
    second = desk.take("never", lambda _: begun.append(1))
    desk.stop(second)
    assert ended(second) == "stopped"
    gate.set()
    assert ended(first) == "done"
    assert not begun


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DowncutError("seed is -1: give 0 or more"), "seed is -1: give 0 or more"),
        (MemoryError(), "memory ran out"),
        (KeyError("x"), "a fault of downcut's own: KeyError"),
    ],
)
def test_a_failure_is_a_sentence_and_the_next_job_runs(error, said):
    def fail(_job):
        raise error

    desk = Desk()
    job = desk.take("fail", fail)
    assert ended(job) == "failed"
    assert said in job.told()["error"]
    assert "\n" not in job.error
    assert ended(desk.take("next", lambda _: None)) == "done"


def test_who_waits_for_a_person_gives_the_turn_away_and_gets_it_back():
    desk, gate, order = Desk(), threading.Event(), []

    def patient(job):
        with desk.lent(job):
            assert gate.wait(20)
        order.append("patient")

    def other(_job):
        order.append("other")
        gate.set()

    first, second = desk.take("watch", patient), desk.take("grow", other)
    assert (ended(first), ended(second)) == ("done", "done")
    assert order == ["other", "patient"]


# --- by requests ---


def test_a_land_is_grown_described_and_sent_layer_by_layer(studio, land):
    import numpy as np

    import downcut as dc
    from downcut.export.blocks import read_block

    told = wait_for(studio, ask(studio, "grow", land.rainy))
    grown = dc.generate(land.rainy)
    result = told["result"]
    assert (told["state"], told["share"]) == ("done", 1.0)
    assert result["checksum"] == grown.checksum
    assert result["reports"][1]["op"] == "erosion.droplets"
    place = f"/api/lands/{result['digest']}/layers/elevation"
    header, array = read_block(studio.client.get(place).content)
    assert header["unit"] == "m"
    np.testing.assert_array_equal(array, grown["elevation"])
    coarse, every_third = read_block(studio.client.get(f"{place}?step=3").content)
    np.testing.assert_array_equal(every_third, grown["elevation"][::3, ::3])
    assert coarse["cell_size"] == 60
    assert studio.client.get(f"/api/lands/{result['digest']}/layers/tint").status_code == 200
    assert studio.client.get(f"{place}?step=0").status_code == 422
    assert studio.client.get(place.replace("elevation", "nothing")).status_code == 404
    assert studio.client.get("/api/lands/nothing").status_code == 404


def test_a_long_job_tells_how_far_it_is_and_stops_within_a_second(studio, land):
    job = ask(studio, "grow", land.long)
    shares = []
    while len(set(shares)) < 3:
        shares.append(studio.client.get(f"/api/jobs/{job['job']}").json()["share"])
        time.sleep(0.05)
    assert shares == sorted(shares)
    asked = time.monotonic()
    assert studio.client.delete(f"/api/jobs/{job['job']}").status_code == 200
    assert wait_for(studio, job | {"state": "running"})["state"] == "stopped"
    assert time.monotonic() - asked < 1


def test_what_cannot_be_done_is_said_in_a_sentence(studio, land):
    bad = [
        {"recipe": land.plain | {"steps": []}},
        {"recipe": land.plain | {"steps": [{"op": "fields.nothing"}]}},
        {"recipe": land.plain | {"seed": -5}},
        {"recipe": {"a": 1}},
        {"recipe": land.plain, "size": 5000},
        {"recipe": land.plain, "size": 0},
        {"recipe": [1]},
        {"recipe": land.plain, "surprise": 1},
        {"recipe": land.plain, "kind": "rule the world"},
    ]
    for body in bad:
        answer = studio.client.post("/api/jobs", json={"kind": "grow", **body})
        assert answer.status_code == 422, body
        said = answer.json()["error"]
        assert 10 < len(said) < 600
        assert "\n" not in said


def test_a_recipe_of_a_stranger_reads_no_file_of_this_machine(studio):
    steps = [{"op": "fields.heightmap", "file": "/etc/passwd"}]
    recipe = {"grid": {"ny": 8, "nx": 8, "cell_size": 10}, "steps": steps}
    told = wait_for(studio, ask(studio, "grow", recipe))
    assert told["state"] == "failed"
    assert "did not come with the recipe" in told["error"]


def test_an_upload_becomes_a_land_and_a_land_becomes_files(studio, tmp_path):
    import io
    import zipfile

    import numpy as np

    heights = np.add.outer(np.arange(40.0), np.arange(40.0)).astype(np.float32)
    data = io.BytesIO()
    np.save(data, heights)
    sent = studio.client.post("/api/uploads?name=hill.npy", content=data.getvalue())
    assert sent.status_code == 201, sent.text
    recipe = sent.json()["recipe"]
    made = wait_for(studio, ask(studio, "export", recipe, format=".asc", name="../my hill"))
    assert made["state"] == "done", made
    assert made["result"]["file"].startswith("my-hill")
    got = studio.client.get(f"/api/exports/{made['result']['export']}")
    assert len(got.content) == made["result"]["bytes"]
    bundle = wait_for(studio, ask(studio, "export", recipe, target="unity"))
    assert bundle["state"] == "done", bundle
    got = studio.client.get(f"/api/exports/{bundle['result']['export']}")
    names = zipfile.ZipFile(io.BytesIO(got.content)).namelist()
    assert any(name.endswith("README.txt") for name in names)


def test_measuring_gives_figures_beside_those_of_real_land(studio, land):
    told = wait_for(studio, ask(studio, "measure", land.recipe(size=64)))
    assert told["state"] == "done", told
    assert told["result"]
