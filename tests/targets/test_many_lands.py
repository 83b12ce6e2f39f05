"""Many lands of one recipe: the same bits as one by one, in order, in bounds, and resumable."""

import csv
import itertools
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import downcut as dc
from downcut import cli
from downcut.errors import Cancelled, DowncutError
from downcut.handover import many
from downcut.handover.batch import Batch
from downcut.handover.many import generate_many

SMALL = dc.preset("sine-hills", size=24)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_is_the_land_that_generate_gives(workers: int) -> None:
    seeds = [3, 1, "mountain", 2**64 - 1, 1]
    lands = list(generate_many(SMALL, seeds, workers=workers))
    alone = [dc.generate(SMALL.changed(seed=seed)) for seed in seeds]
    assert [land.checksum for land in lands] == [land.checksum for land in alone]
    assert [land.recipe.digest for land in lands] == [land.recipe.digest for land in alone]


def test_an_endless_row_of_seeds_is_read_only_as_far_as_needed() -> None:
    taken: list[int] = []

    def seeds() -> itertools.count:
        for seed in itertools.count():
            taken.append(seed)
            yield seed

    lands = generate_many(SMALL, seeds(), workers=2)
    first = [next(lands).recipe.seed for _ in range(4)]
    assert first == [0, 1, 2, 3]
    time.sleep(0.2)  # nobody takes any: nothing more is grown
    assert len(taken) <= 4 + 2
    lands.close()


def test_stop_ends_it() -> None:
    stop = threading.Event()
    lands = generate_many(SMALL, itertools.count(), workers=2, stop=stop)
    next(lands)
    stop.set()
    with pytest.raises(Cancelled):
        list(itertools.islice(lands, 10))


def test_a_bad_recipe_is_refused_before_the_first_land_is_asked_for() -> None:
    with pytest.raises(DowncutError, match="no preset"):
        generate_many("alpin", [1])
    with pytest.raises(DowncutError, match="memory"):
        generate_many(SMALL.changed(size=8192, cell_size=1), [1], workers=1000)


@pytest.mark.parametrize("text", ["", "5:", "9:3", "0:10:0", "a", "-3", "1:2:3:4", "1.5", "9" * 30])
def test_seeds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(DowncutError, match="--seeds"):
        many.seed_range(text)


def rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "index.csv").read_text("utf-8").splitlines()))


def run(*words: object) -> int:
    return cli.call(["generate", "sine-hills", "--size", "24", "--quiet", *map(str, words)])


def test_a_folder_has_a_file_and_a_row_for_each_seed(tmp_path: Path) -> None:
    folder = tmp_path / "lands"
    assert run("--seeds", "2:6", "-o", folder) == 0
    assert [row["seed"] for row in rows(folder)] == ["2", "3", "4", "5"]
    for row in rows(folder):
        land = dc.generate(SMALL.changed(seed=int(row["seed"])))
        with np.load(folder / row["file"]) as archive:
            assert (archive["elevation"] == land["elevation"]).all()
        assert (row["digest"], row["checksum"]) == (land.recipe.digest, land.checksum)
        assert (float(row["low_m"]), float(row["high_m"])) == land.relief
        assert float(row["mean_m"]) == pytest.approx(land["elevation"].mean(), rel=1e-5)


def test_another_run_grows_only_what_is_missing(tmp_path: Path) -> None:
    assert run("--seeds", "0:3", "-o", tmp_path) == 0
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*.npz")}
    (tmp_path / "1.npz").unlink()
    assert run("--seeds", "0:5", "-o", tmp_path) == 0
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("*.npz")}
    assert sorted(after) == ["0.npz", "1.npz", "2.npz", "3.npz", "4.npz"]
    assert after["0.npz"] == before["0.npz"]
    assert after["2.npz"] == before["2.npz"]
    assert len(rows(tmp_path)) == 5


def test_lands_of_another_recipe_are_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert run("--seeds", "0:2", "-o", tmp_path) == 0
    assert run("--seeds", "0:2", "-o", tmp_path, "--set", "steps.0.amplitude=9") == 2
    assert "another recipe" in capsys.readouterr().err
    assert run("--seeds", "0:2", "-o", tmp_path, "--format", "npy") == 2
    (tmp_path / "index.csv").unlink()
    assert run("--seeds", "0:2", "-o", tmp_path) == 2
    assert run("--seeds", "0:2", "-o", tmp_path, "--force") == 0


def test_a_format_with_a_side_file_brings_it(tmp_path: Path) -> None:
    assert run("--seeds", "7", "-o", tmp_path, "--format", "png") == 0
    assert {file.name for file in tmp_path.iterdir()} == {"7.png", "7.png.json", "index.csv"}


def test_a_damaged_index_is_said(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "index.csv").write_text("seed,file\n1,2\n")
    assert run("--seeds", "0:2", "-o", tmp_path) == 2
    assert "is damaged" in capsys.readouterr().err


def test_a_stopped_batch_has_an_index_of_whole_files(tmp_path: Path) -> None:
    stop = threading.Event()
    batch = Batch(SMALL, list(range(1000)), tmp_path)
    with pytest.raises(Cancelled):
        batch.grow({}, 2, lambda _, share: stop.set() if share > 0.02 else None, stop)
    listed = {row["file"] for row in rows(tmp_path)}
    assert 20 <= len(listed) < 1000
    assert {file.name for file in tmp_path.iterdir()} == listed | {"index.csv"}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a child on Windows")
def test_ctrl_c_ends_a_run_of_many(tmp_path: Path) -> None:
    import signal

    line = ["generate", "sine-hills", "--size", "64", "--seeds", "0:100000", "-o", str(tmp_path)]
    child = subprocess.Popen([sys.executable, "-m", "downcut", *line, "--quiet"])
    while len(list(tmp_path.glob("*.npz"))) < 3:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.wait(5) == 130
    assert {row["file"] for row in rows(tmp_path)} == {f.name for f in tmp_path.glob("*.npz")}
    assert not list(tmp_path.glob(".*"))
