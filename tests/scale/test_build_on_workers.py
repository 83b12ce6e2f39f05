"""Builds on several processes: workers and whole builds are killed, and the land is the same."""

import json
import os
import random
import subprocess
import sys
import time

import psutil
import pytest

import downcut as dc
from downcut.importing.store import refuse_incomplete

pytest.importorskip("zarr")
pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by POSIX signals")

SIZE, TILE = 200, 64


def start(target, *more, workers=2):
    line = [
        sys.executable, "-m", "downcut", "build", "rolling", "--size", str(SIZE),
        "--tile", str(TILE), "--workers", str(workers), "-o", str(target), "--json", *more,
    ]  # fmt: skip
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def tasks_done(target):
    return len(list((target.parent / f"{target.name}.building").glob("*/*.done.json")))


def wait_for(build, target, count):
    """Wait until so many units are done, or the build is over."""
    until = time.monotonic() + 120
    while build.poll() is None and tasks_done(target) < count and time.monotonic() < until:
        time.sleep(0.01)


def kill_a_worker(build):
    """Kill one process that does units, not one that watches over it."""
    found = psutil.Process(build.pid).children(recursive=True)
    ours = ("forkserver", "spawn_main")
    workers = [
        p for p in found if any(n in " ".join(p.cmdline()) for n in ours) and not p.children()
    ]
    if workers:
        random.choice(workers).kill()
    return bool(workers)


def end(build, target, checksum):
    out, err = build.communicate(timeout=300)
    assert build.returncode == 0, err
    assert json.loads(out)["checksum"] == checksum
    assert refuse_incomplete(target)["checksum"] == checksum
    assert "Traceback" not in err
    assert not (target.parent / f"{target.name}.building").exists()


@pytest.fixture(scope="module")
def checksum():
    return dc.generate(dc.preset("rolling", size=SIZE)).checksum


def test_a_worker_that_dies_is_replaced(tmp_path, checksum):
    target = tmp_path / "a.zarr"
    build = start(target)
    wait_for(build, target, 30)
    assert kill_a_worker(build)
    end(build, target, checksum)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
def test_twenty_workers_die(number, tmp_path, checksum):
    target = tmp_path / "a.zarr"
    build = start(target)
    wait_for(build, target, random.randint(1, 200))
    kill_a_worker(build)
    end(build, target, checksum)


@pytest.mark.slow
def test_the_whole_build_dies_twenty_times(tmp_path, checksum):
    target = tmp_path / "a.zarr"
    for _ in range(20):
        build = start(target, "--resume", workers=0)
        wait_for(build, target, tasks_done(target) + random.randint(1, 15))
        build.kill()
        build.communicate()
        if target.exists():
            break
    end(start(target, "--resume", *(["--force"] if target.exists() else [])), target, checksum)


@pytest.mark.slow
def test_no_scheduler_is_a_sentence(tmp_path):
    with pytest.raises(dc.DowncutError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        dc.build("island", tmp_path / "a.zarr", scheduler="tcp://127.0.0.1:9")


@pytest.mark.slow
def test_a_scheduler_that_is_lost_is_a_sentence_and_it_goes_on(tmp_path, checksum):
    address = "tcp://127.0.0.1:18786"
    line = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "18786",
            "--dashboard-address", ":0", "--host", "127.0.0.1"]  # fmt: skip
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1",
              "--local-directory", str(tmp_path), "--death-timeout", "5"]  # fmt: skip
    target = tmp_path / "a.zarr"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": {**os.environ}}
    scheduler = subprocess.Popen(line, **quiet)
    helper = subprocess.Popen(worker, **quiet)
    try:
        time.sleep(5)
        build = start(target, "--scheduler", address)
        wait_for(build, target, 30)
        scheduler.kill()
        _, err = build.communicate(timeout=120)
        assert build.returncode == 2, err
        assert "is gone" in err
        assert "--resume" in err
    finally:
        for each in (scheduler, helper):
            each.kill()
            each.wait()
    end(start(target, "--resume", workers=0), target, checksum)
