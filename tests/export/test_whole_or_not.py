"""A file is absent, old, or complete: after kills, Ctrl-C, full disks and errors."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
import rasterio
import zarr

from downcut.errors import DowncutError
from downcut.export.files import Delivery
from downcut.export.temporary import SUFFIX, sweep, temporary_name
from downcut.importing.store import refuse_incomplete

WRITER = """
    import sys, numpy as np
    from downcut.export.save import save
    from downcut.grid import Grid
    from downcut.terrain import Terrain
    value = float(sys.argv[2])
    land = Terrain(Grid(700, 700), {"elevation": np.full((700, 700), value, np.float32)})
    save(land, sys.argv[1], force=True)
    print("ready", flush=True)
    while True:
        save(land, sys.argv[1], force=True)
"""
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals or limits")


def start(code, *arguments):
    """Run code in a child process with this one's way of finding the package."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip


def temporaries(folder):
    return [path.name for path in folder.iterdir() if path.name.endswith(SUFFIX)]


def check_whole(target):
    """Fail unless a file, or a store, is a whole land of one value."""
    if target.suffix == ".zarr":
        refuse_incomplete(target)
        heights = zarr.open_group(target, mode="r")["0"]["elevation"][:]
    elif target.suffix == ".npy":
        heights = np.load(target)
    else:
        with rasterio.open(target) as dataset:
            heights = dataset.read(1)
    assert heights.shape == (700, 700)
    assert len(np.unique(heights)) == 1
    return float(heights[0, 0])


def kill_writers(target, number, attempts, seed):
    """Interrupt writers at random moments; the target is absent, old or complete ever after."""
    chance = random.Random(seed)
    for attempt in range(1, attempts + 1):
        child = start(WRITER, target, attempt)
        assert child.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.01, 0.3))
        child.send_signal(number)
        child.communicate(timeout=60)
        assert child.returncode != 0
        if target.exists():
            assert check_whole(target) == attempt
            facts = json.loads(target.with_name(target.name + ".json").read_text())
            assert (facts["ny"], facts["low_m"]) == (700, attempt)
        if number == signal.SIGINT:
            assert temporaries(target.parent) == []
    assert target.exists()
    sweep(target.parent)
    assert temporaries(target.parent) == []


signals = pytest.mark.parametrize(
    "number", [signal.SIGINT, getattr(signal, "SIGKILL", None)], ids=["ctrl-c", "kill"]
)


@posix
@signals
@pytest.mark.parametrize("name", ["land.npy", "land.zarr"])
def test_a_file_or_store_is_never_half_written(name, number, tmp_path):
    kill_writers(tmp_path / name, number, 2, 1)


@posix
@signals
@pytest.mark.slow
@pytest.mark.parametrize("name", ["land.npy", "land.tif", "land.zarr", "land.asc"])
def test_of_many_kills_none_leaves_a_broken_file(name, number, tmp_path):
    kill_writers(tmp_path / name, number, 40, 2)


FULL = [
    "a.png", "a.tif", "a.cog.tif", "a.exr", "a.r16", "a.asc", "a.zarr", "a.glb", "a.npy", "a.npz",
    "set/",
]  # fmt: skip

FILL = """
    import resource, sys, numpy as np
    from downcut.errors import DowncutError
    from downcut.export.save import save
    from downcut.grid import Grid
    from downcut.terrain import Terrain
    folder, limit, *names = sys.argv[1:]
    rng = np.random.default_rng(1)
    land = Terrain(Grid(700, 700), {"elevation": rng.normal(size=(700, 700))})
    if int(limit):
        for name in names:  # what is compiled or cached may be large
            save(land, f"{folder}/warm-up/{name}")
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    for name in names:
        try:
            save(land, f"{folder}/{name}")
        except DowncutError as error:
            print(error)
"""


def check_refused(folder, names, said):
    lines = said.splitlines()
    assert len(lines) == len(names)
    for name, line in zip(names, lines, strict=True):
        assert str(folder / name) in line
        assert "bytes and they do not fit" in line


@posix
def test_a_full_disk_leaves_nothing_and_says_what_it_needs(tmp_path):
    child = start(FILL, tmp_path, 200_000, *FULL)
    said, trouble = child.communicate(timeout=120)
    assert child.returncode == 0, trouble
    check_refused(tmp_path, FULL, said)
    assert [path.name for path in tmp_path.iterdir()] == ["warm-up"]


@pytest.fixture
def small_disk(tmp_path):
    """A disk of half a megabyte, where this user may make one."""
    place = tmp_path / "disk"
    place.mkdir()
    if not shutil.which("mount"):
        pytest.skip("no disks to mount here")
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", str(place)],
        capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("this user may not mount a disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@posix
def test_a_disk_that_really_is_full_leaves_nothing(small_disk):
    child = start(FILL, small_disk, 0, *FULL)
    said, trouble = child.communicate(timeout=120)
    assert child.returncode == 0, trouble
    check_refused(small_disk, FULL, said)
    assert list(small_disk.iterdir()) == []


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, RuntimeError, SystemExit])
def test_an_error_or_interrupt_while_writing_leaves_the_old_files(trouble, tmp_path):
    (tmp_path / "old").write_text("old")
    with pytest.raises(trouble):
        _deliver_two(tmp_path / "old", tmp_path / "deep" / "new", trouble)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


def _deliver_two(first, second, trouble):
    with Delivery(force=True) as delivery:
        with delivery.file(first, 3) as file:
            file.write(b"new")
        with delivery.file(second, 3) as file:
            file.write(b"ne")
            raise trouble


def test_a_file_that_appears_meanwhile_is_kept(tmp_path):
    delivery = Delivery()
    with delivery.file(tmp_path / "a", 3) as file:
        file.write(b"new")
    (tmp_path / "a").write_text("someone else's")
    with pytest.raises(DowncutError, match="exists"):
        delivery.__exit__(None, None, None)
    assert (tmp_path / "a").read_text() == "someone else's"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_files_are_readable_as_others_made_here(tmp_path):
    (tmp_path / "plain").write_text("")
    with Delivery() as delivery, delivery.file(tmp_path / "ours", 1) as file:
        file.write(b"x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_only_orphans_of_the_dead_are_swept(tmp_path):
    living = tmp_path / temporary_name("land.png")
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    dead = tmp_path / temporary_name("land.png").replace(f".{os.getpid()}.", f".{child.pid}.")
    elsewhere = tmp_path / f".land.png.00000000.1.aa{SUFFIX}"
    old = tmp_path / f".land.png.00000001.1.aa{SUFFIX}"
    foreign = tmp_path / f"notes{SUFFIX}"
    for path in (living, dead, elsewhere, old, foreign):
        path.write_text("")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    sweep(tmp_path)
    assert set(tmp_path.iterdir()) == {living, elsewhere, foreign}
