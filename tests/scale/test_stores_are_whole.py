"""A store is whole or refused, by every reader there is; and no two builds share a folder."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

import downcut as dc
from downcut.cli import call
from downcut.importing.store import counted, refuse_incomplete
from downcut.importing.stored import named, opened

zarr = pytest.importorskip("zarr")
RECIPE = dc.preset("rolling", size=(70, 280))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return dc.build(RECIPE, folder / "land.zarr", tile=64, workers=0).path


@pytest.fixture
def store(whole, tmp_path):
    import shutil

    return shutil.copytree(whole, tmp_path / "land.zarr")


READERS = {
    "open_store": lambda path: dc.open_store(path),
    "opened": lambda path: opened(path),
    "verify": lambda path: dc.verify(path),
    **{
        name: lambda path, line=line: _called([*line, str(path)])
        for name, line in {
            "info": ["info"], "measure": ["measure"], "downcut verify": ["verify"],
            "generate": ["generate"], "studio": ["studio", "--no-browser"],
            "export": ["export", "-o", "a.tif"],
        }.items()
    },
}  # fmt: skip


def _called(line):
    """Run a command in a process of its own; what it says when it refuses is the error."""
    ran = subprocess.run([sys.executable, "-m", "downcut", *line], capture_output=True, text=True)
    assert ran.returncode == 2, ran.stderr
    raise dc.DowncutError(ran.stderr)


def without_marker(path):
    content = json.loads((path / "zarr.json").read_text())
    del content["attributes"]["downcut"]["complete"]
    (path / "zarr.json").write_text(json.dumps(content))


def with_a_hole(path):
    next((path / "0" / "elevation").glob("c/*/*")).unlink()


def with_a_hole_in_a_coarser_level(path):
    next((path / "1" / "lake").glob("c/*/*")).unlink()


def cut_off(path):
    shard = next((path / "0" / "channel").glob("c/*/*"))
    shard.write_bytes(shard.read_bytes()[:-9])


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_refuses_what_was_not_finished(reader, store):
    without_marker(store)
    with pytest.raises(dc.DowncutError, match="no Zarr store that downcut finished"):
        READERS[reader](store)


@pytest.mark.parametrize("harm", [with_a_hole, with_a_hole_in_a_coarser_level, cut_off])
@pytest.mark.parametrize("reader", ["open_store", "opened", "verify"])
def test_every_reader_finds_what_is_lost(reader, harm, store):
    harm(store)
    with pytest.raises(dc.DowncutError, match="lost some of its chunks"):
        READERS[reader](store)


def test_to_others_a_hole_is_no_height(store):
    """A reader that knows nothing of downcut sees NaN, not the plausible height 0 m."""
    with_a_hole(store)
    seen = zarr.open_group(store, mode="r")["0/elevation"][:]
    assert np.isnan(seen).any()
    assert (seen != 0).all()


def test_each_value_is_read_as_it_was_written(whole):
    land, grown = opened(whole, dc.Recipe.from_dict), dc.generate(RECIPE)
    assert land.checksum == named(land) == grown.checksum
    assert land.relief == pytest.approx(grown.relief)
    part = land.window(30, 40, 25, 41)
    assert part.grid == grown.grid.window(30, 40, 25, 41)
    for name, values in grown.layers.items():
        np.testing.assert_array_equal(part.read()[name], values[30:55, 40:81])
    for name, table in grown.features.items():
        assert land.features[name].units == table.units
        for key, values in {**table.columns, **table.points}.items():
            there = {**land.features[name].columns, **land.features[name].points}[key]
            np.testing.assert_array_equal(there, values)


def test_too_large_for_memory_is_a_sentence(whole, monkeypatch):
    import psutil

    monkeypatch.setattr(psutil, "virtual_memory", lambda: type("", (), {"available": 10_000}))
    land = opened(whole)
    with pytest.raises(dc.DowncutError, match=r"70 × 280 cells of elevation take .* coarser level"):
        land.read()["elevation"]
    assert land.window(0, 0, 8, 8).read()["elevation"].shape == (8, 8)


def test_what_a_store_says_of_itself(whole, capsys):
    assert call(["info", str(whole), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["kind"] == "land (Zarr store)"
    assert (said["ny"], said["nx"], said["levels"]) == (70, 280, [0, 1])
    assert said["digest"] == RECIPE.digest
    assert said["bytes"] == refuse_incomplete(whole)["complete"]["bytes"]


def test_measured_like_the_land(whole, capsys):
    assert call(["measure", str(whole), "--json", "--quiet"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert call(["measure", "rolling", "--size", "70x280", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"] == said["figures"]
    assert "level 0 of the store was measured: 70 × 280 cells" in said["notes"][0]


def test_verified_byte_for_byte(whole, store):
    assert dc.verify(whole).agrees
    array = zarr.open_array(store / "0" / "elevation", mode="r+")
    array[3, 4] += np.float32(0.25)
    content = json.loads((store / "zarr.json").read_text())
    content["attributes"]["downcut"]["complete"] = counted(store)  # whoever changed it hid it well
    (store / "zarr.json").write_text(json.dumps(content))
    verdict = dc.verify(store)
    assert not verdict.agrees
    assert "another checksum" in verdict.sentence


def test_two_builds_do_not_share_a_folder(tmp_path):
    line = [sys.executable, "-c", HOLDER, str(tmp_path / "a.zarr.building")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(dc.DowncutError, match="another build is at work"):
            dc.build(RECIPE, tmp_path / "a.zarr", tile=64, workers=0)
        holder.kill()
    time.sleep(0.1)
    assert dc.build(RECIPE, tmp_path / "a.zarr", tile=64, workers=0).facts["checksum"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.zarr"]


HOLDER = """
import sys, time
from pathlib import Path
from downcut.scale.journal import Journal
with Journal(Path(sys.argv[1])).alone():
    print("held", flush=True)
    time.sleep(60)
"""
