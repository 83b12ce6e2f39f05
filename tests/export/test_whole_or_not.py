"""A file is absent, old, or complete: after kills, Ctrl-C, full disks and errors."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from downcut.errors import DowncutError
from downcut.export.files import SUFFIX, Delivery, sweep, temporary_name

WRITER = """
    import sys, numpy as np
    from downcut.export.save import save
    from downcut.grid import Grid
    from downcut.terrain import Terrain
    value = float(sys.argv[2])
    land = Terrain(Grid(700, 700), {"elevation": np.full((700, 700), value, np.float32)})
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


@posix
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill", "ctrl-c"])
def test_a_file_is_never_half_written(number, tmp_path):
    chance = random.Random(1)
    target = tmp_path / "land.npy"
    for attempt in range(6):
        child = start(WRITER, target, attempt)
        assert child.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.01, 0.15))
        child.send_signal(number)
        child.communicate(timeout=30)
        assert child.returncode != 0
        if target.exists():
            whole = np.load(target)
            assert whole.shape == (700, 700)
            assert len(np.unique(whole)) == 1
        if number == signal.SIGINT:
            assert temporaries(tmp_path) == []
    assert target.exists()
    sweep(tmp_path)
    assert temporaries(tmp_path) == []


@posix
def test_a_full_disk_leaves_nothing_and_says_what_it_needs(tmp_path):
    child = start(
        """
        import resource, sys, numpy as np
        from downcut.errors import DowncutError
        from downcut.export.save import save
        from downcut.grid import Grid
        from downcut.terrain import Terrain
        rng = np.random.default_rng(1)
        land = Terrain(Grid(700, 700), {"elevation": rng.normal(size=(700, 700))})
        save(land, sys.argv[1] + "/warm-up/")  # what is compiled or cached may be large
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        for name in ("a.png", "a.tif", "a.glb", "a.npy", "a.npz", "set/"):
            try:
                save(land, f"{sys.argv[1]}/{name}")
            except DowncutError as error:
                print(error)
        """,
        tmp_path,
    )
    said, trouble = child.communicate(timeout=60)
    assert child.returncode == 0, trouble
    lines = said.splitlines()
    assert len(lines) == 6
    for name, line in zip(["a.png", "a.tif", "a.glb", "a.npy", "a.npz", "set"], lines, strict=True):
        assert str(tmp_path / name) in line
        assert "bytes and they do not fit" in line
    assert [path.name for path in tmp_path.iterdir()] == ["warm-up"]


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
