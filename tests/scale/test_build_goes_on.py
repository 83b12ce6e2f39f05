"""Cut short anywhere, a build goes on where it stopped; what is not whole is not there."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import downcut as dc

zarr = pytest.importorskip("zarr")
RECIPE = dc.preset("rolling", size=70)


def built(folder, **options):
    return dc.build(RECIPE, folder / "a.zarr", tile=32, workers=0, **options)


def cut_short(folder, share, **options):
    """Stop a build once so much of it is done."""
    stop = threading.Event()

    def hear(told):
        if told.share >= share:
            stop.set()

    with pytest.raises(dc.Cancelled):
        built(folder, on_progress=hear, stop=stop, **options)


def marks(folder):
    found = (folder / "a.zarr.building").glob("*/*.done.json")
    return {path: path.stat().st_mtime_ns for path in found}


@pytest.fixture(scope="module")
def checksum():
    return dc.generate(RECIPE).checksum


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_it_goes_on_and_ends_with_the_same_checksum(share, tmp_path, checksum):
    cut_short(tmp_path, share)
    assert not (tmp_path / "a.zarr").exists()
    before = marks(tmp_path)
    again = {}
    there = built(tmp_path, resume=True, on_progress=lambda _: again.update(marks(tmp_path)))
    assert there.facts["checksum"] == checksum
    assert {path: again[path] for path in before} == before  # nothing was done twice
    assert len(again) > len(before)


def test_a_damaged_tile_is_made_again(tmp_path, checksum):
    cut_short(tmp_path, 0.3)
    victim = next((tmp_path / "a.zarr.building").glob("*/elevation.0.0.npy"))
    victim.write_bytes(victim.read_bytes()[:200])
    assert built(tmp_path, resume=True).facts["checksum"] == checksum


def test_without_resume_nothing_is_lost_by_accident(tmp_path):
    cut_short(tmp_path, 0.5)
    with pytest.raises(dc.DowncutError, match="--resume"):
        built(tmp_path)


def test_another_recipe_or_tile_is_refused(tmp_path, checksum):
    cut_short(tmp_path, 0.5)
    with pytest.raises(dc.DowncutError, match="tiles of 32, and now it is 48"):
        dc.build(RECIPE, tmp_path / "a.zarr", tile=48, workers=0, resume=True)
    with pytest.raises(dc.DowncutError, match="recipe"):
        dc.build(RECIPE.changed(seed=5), tmp_path / "a.zarr", tile=32, workers=0, resume=True)
    there = dc.build(RECIPE, tmp_path / "a.zarr", tile=48, workers=0, force=True)
    assert there.facts["checksum"] == checksum


def test_a_store_is_not_replaced_unasked(tmp_path):
    built(tmp_path)
    with pytest.raises(dc.DowncutError, match="--force"):
        built(tmp_path)
    built(tmp_path, force=True)
    (tmp_path / "b.zarr").mkdir()
    (tmp_path / "b.zarr" / "mine.txt").write_text("mine")
    with pytest.raises(dc.DowncutError, match="something else"):
        dc.build(RECIPE, tmp_path / "b.zarr", workers=0, force=True)


def test_names_and_numbers_are_asked_for(tmp_path):
    with pytest.raises(dc.DowncutError, match=r"end it in \.zarr"):
        dc.build(RECIPE, tmp_path / "a.tif", workers=0)
    with pytest.raises(dc.DowncutError, match="tile is 3"):
        dc.build(RECIPE, tmp_path / "a.zarr", tile=3, workers=0)
    with pytest.raises(dc.DowncutError, match="workers is -1"):
        dc.build(RECIPE, tmp_path / "a.zarr", workers=-1)


def test_every_tile_is_in_files_of_its_own(tmp_path):
    """No two tasks ever write into one file of the store: each tile is a shard."""
    there = built(tmp_path)
    shards = sorted(p.relative_to(there.path) for p in (there.path / "0/elevation").glob("c/*/*"))
    assert len(shards) == 9
    array = zarr.open_group(there.path, mode="r")["0/elevation"]
    assert array.shards == (32, 32)


def test_a_tile_that_fails_is_named_with_its_place_and_the_seed(tmp_path, monkeypatch):
    from downcut.surface.hillshade import Hillshade

    def fail(self, *arrays, grid, key, run):
        raise dc.DowncutError("the ground is too steep")

    monkeypatch.setattr(Hillshade, "apply", fail)
    with pytest.raises(dc.DowncutError, match=r"hillshade in the tile 0\.0 .*seed 4.*too steep"):
        dc.build(RECIPE.changed(seed=4), tmp_path / "a.zarr", tile=32, workers=0)


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
from downcut.cli import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX")
def test_a_full_disk_is_a_sentence_and_it_goes_on(tmp_path):
    target = str(tmp_path / "a.zarr")
    line = ["build", "island", "--size", "90", "--tile", "32", "--workers", "0", "-o", target]
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, *line, "--quiet"], capture_output=True, text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_DISABLE_JIT": "0"},
    )  # fmt: skip
    assert ran.returncode == 2, ran.stderr
    assert "File too large" in ran.stderr
    assert "--resume" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not Path(target).exists()
    from downcut.cli import call

    assert call([*line, "--resume", "--quiet"]) == 0
    store = zarr.open_group(target, mode="r")
    land = dc.generate(dc.preset("island", size=90))
    np.testing.assert_array_equal(store["0/elevation"][:], land["elevation"])
