"""The command line says what the library does, and mends what a person mistypes."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import downcut as dc
from downcut import cli, commands, presets, request
from downcut.memory import check_memory

RECIPE = {
    "title": "a test",
    "grid": {"ny": 40, "nx": 56, "cell_size": 20.0},
    "seed": "5",
    "steps": [{"op": "fields.fbm"}, {"op": "erosion.thermal"}],
}
HEAVY = {"op": "erosion.droplets", "droplets_per_cell": 64, "lifetime": 512}


@pytest.fixture
def land(tmp_path, monkeypatch):
    """A folder to work in, with a small recipe in it."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "land.json"
    path.write_text(json.dumps(RECIPE), "utf-8")
    return path


@pytest.fixture
def run(capsys):
    """Run the command line in this process: (exit code, stdout, stderr)."""

    def run(*arguments):
        code = cli.call([str(each) for each in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def start(*arguments, **more):
    """Start the command line as a person does, in a process of its own."""
    command = [sys.executable, "-m", "downcut", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def left_in(folder):
    return sorted(path.name for path in folder.iterdir())


# --- what it says ---------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--help"], ["generate", "--help"], ["--version"], []])
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys; from downcut.cli import call; code = call(sys.argv[1:]);"
        "heavy = {'numba', 'numpy', 'rich', 'PIL', 'downcut.step'} & set(sys.modules);"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "downcut" in done.stdout


def test_the_first_help_does_without_pydantic():
    code = (
        "import sys; from downcut.cli import call; call(['--help']);"
        "sys.exit('pydantic' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode
        == 0
    )


def test_presets_are_listed_without_waking_numba():
    code = (
        "import sys; from downcut.cli import call; call(['presets']);"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in presets.names())


def test_json_says_what_the_library_gives(land, run):
    code, out, _ = run("generate", land, "--json", "-o", "made/land.tif")
    said = json.loads(out)
    terrain = dc.generate(dc.Recipe.from_dict(RECIPE))
    assert code == 0
    assert said["digest"] == terrain.recipe.digest
    assert said["checksum"] == terrain.checksum
    assert said["size"] == {"ny": 40, "nx": 56, "cell_size": 20.0}
    assert (said["relief"]["lowest"], said["relief"]["highest"]) == terrain.relief
    assert [step["op"] for step in said["steps"]] == [step["op"] for step in RECIPE["steps"]]
    assert said["ledger"]["eroded"] == terrain.ledger.eroded > 0
    for file in said["files"]:
        assert Path(file["path"]).stat().st_size == file["bytes"]


def test_changes_on_the_line_are_the_librarys(land, run):
    changed = ("--size", "24x32", "--cell-size", "50", "--set", "steps.1.passes=3")
    code, out, err = run("generate", land, *changed, "--json", "--seed", "9")
    recipe = dc.Recipe.from_dict(RECIPE).changed(
        size=(24, 32), cell_size=50, seed=9, settings={"steps.1.passes": 3}
    )
    assert code == 0, err
    assert json.loads(out)["digest"] == recipe.digest
    assert json.loads(out)["checksum"] == dc.generate(recipe).checksum


def test_threads_do_not_change_the_land(land, run):
    said = [
        json.loads(run("generate", land, "--threads", n, "--json", "-o", f"{n}.tif")[1])
        for n in (1, 2, 4)
    ]
    assert len({each["checksum"] for each in said}) == 1


def test_the_table_names_everything(land, run):
    code, out, _ = run("generate", land)
    assert code == 0
    for word in ("40 × 56", "relief", "seed", "fields.fbm", "erosion.thermal", "files"):
        assert word in out
    for sum_of_earth in ("uplifted", "eroded", "deposited", "carried out", "clamped"):
        assert sum_of_earth in out
    assert dc.Recipe.from_dict(RECIPE).digest in out
    assert (Path("out") / "land" / "recipe.json").is_file()


def test_quiet_still_names_the_seed(land, run):
    code, out, err = run("generate", land, "--quiet", "--seed", "mountain")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 1
    assert "mountain" in out


def test_a_recipe_comes_in_by_stdin(tmp_path):
    process = start("generate", "-", "--json", stdin=subprocess.PIPE, cwd=tmp_path)
    out, err = process.communicate(json.dumps(RECIPE))
    assert process.returncode == 0, err
    assert json.loads(out)["digest"] == dc.Recipe.from_dict(RECIPE).digest


def test_schema_is_the_recipes(run):
    code, out, _ = run("schema")
    assert code == 0
    assert json.loads(out) == dc.Recipe.model_json_schema()


@pytest.mark.parametrize("name", ["erosion.thermal", "thermal"])
def test_schema_explains_a_step(run, name):
    code, out, _ = run("schema", name)
    assert code == 0
    for parameter in set(dc.erosion.Thermal.model_fields) - {"op", "algorithm"}:
        assert parameter in out


def test_schema_explains_repeat_although_it_may_hold_itself(run):
    code, out, _ = run("schema", "repeat")
    assert code == 0
    for parameter in set(dc.Repeat.model_fields) - {"op", "algorithm"}:
        assert parameter in out


def test_info_tells_the_recipe(land, run):
    run("generate", land, "-o", "land.tif")
    code, out, _ = run("info", "land.tif", "--json")
    assert code == 0
    digest = dc.Recipe.from_dict(RECIPE).digest
    assert digest in out
    assert json.loads(out)
    assert digest in run("info", "land.tif")[1]


# --- seeds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["0", str(2**32 + 1), str(2**64 - 1), "mountain", "ⅷ 山"])
def test_any_seed_is_kept_and_told(land, run, seed):
    code, out, err = run("generate", land, "--json", "--seed", seed)
    assert code == 0, err
    assert json.loads(out)["seed"] == seed


@pytest.mark.parametrize("seed", [str(2**64), "-1", "", "  ", "a" * 201])
def test_no_seed_is_bent_silently(land, run, seed):
    code, out, err = run("generate", land, "--seed", seed)
    assert (code, out) == (2, "")
    assert "2^64-1" in err


def test_a_word_gives_the_same_file_in_two_processes(land):
    hashes = set()
    for number in "12":
        process = start(
            "generate", land, "--seed", "mountain", "-o", f"{number}.tif", "--quiet",
            env={**os.environ, "PYTHONHASHSEED": number},
        )  # fmt: skip
        assert process.communicate()[1] == ""
        hashes.add(hashlib.sha256(Path(f"{number}.tif").read_bytes()).hexdigest())
    assert len(hashes) == 1


def test_a_random_seed_can_be_used_again(land, run):
    first = json.loads(run("generate", land, "--seed", "random", "--json", "-o", "a.tif")[1])
    other = json.loads(run("generate", land, "--seed", "random", "--json", "-o", "b.tif")[1])
    again = json.loads(run("generate", land, "--seed", first["seed"], "--json", "-o", "c.tif")[1])
    assert first["seed"] != other["seed"]
    assert first["checksum"] == again["checksum"] != other["checksum"]


# --- mistakes -------------------------------------------------------------------------------

MISTAKES = {
    "preset misspelt": (["generate", "alpin"], ["'alpin'", "did you mean 'alpine'?"]),
    "no such file": (["generate", "nowhere/land.json"], ["nowhere/land.json", "not there"]),
    "a folder": (["generate", "."], ["folder"]),
    "size a word": (["generate", "land.json", "--size", "big"], ["'big'", "512x1024"]),
    "size of three": (["generate", "land.json", "--size", "1x2x3"], ["'1x2x3'"]),
    "size of nothing": (["generate", "land.json", "--size", "0"], ["0", "greater than"]),
    "size beyond bounds": (["generate", "land.json", "--size", "2000000"], ["1000000"]),
    "cell size": (["generate", "land.json", "--cell-size", "-3"], ["cell_size", "-3", "0"]),
    "cell size NaN": (["generate", "land.json", "--cell-size", "nan"], ["cell_size"]),
    "cell size a word": (["generate", "land.json", "--cell-size", "x"], ["--cell-size", "'x'"]),
    "option misspelt": (["generate", "land.json", "--sede", "3"], ["--sede", "--seed"]),
    "command misspelt": (["generat"], ["generat"]),
    "nothing to grow": (["generate"], ["RECIPE"]),
    "set without value": (["generate", "land.json", "--set", "steps.1"], ["PLACE=VALUE"]),
    "set misspelt": (
        ["generate", "land.json", "--set", "steps.1.talus_angel=3"],
        ["steps.1", "did you mean 'talus_angle'?"],
    ),
    "set beyond the end": (["generate", "land.json", "--set", "steps.7.x=3"], ["steps", "'7'"]),
    "set out of bounds": (
        ["generate", "land.json", "--set", "steps.1.talus_angle=1000"],
        ["steps.1.talus_angle", "1000", "85"],
    ),
    "threads": (["generate", "land.json", "--threads", "-1"], ["-1", "1024"]),
    "threads a word": (["generate", "land.json", "--threads", "all"], ["--threads", "'all'"]),
    "unknown suffix": (["generate", "land.json", "-o", "land.xyz"], [".xyz"]),
    "unwritable": (["generate", "land.json", "-o", "land.json/a.tif"], ["land.json"]),
    "no such step": (["schema", "erosion.droplet"], ["did you mean 'erosion.droplets'?"]),
    "info of nothing": (["info", "nowhere.tif"], ["nowhere.tif"]),
    "info of a stranger": (["info", cli.__file__], ["cli.py", "raster"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_writes_nothing(land, run, mistake):
    arguments, words = MISTAKES[mistake]
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert len(err.splitlines()) == 1
    for word in words:
        assert word in err
    assert left_in(land.parent) == ["land.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"steps": []}', '{"stps": []}', "\x00", "[" * 100_000]
)
def test_a_broken_recipe_is_one_sentence(land, run, text):
    land.write_text(text, "utf-8")
    code, out, err = run("generate", land)
    assert (code, out, len(err.splitlines())) == (2, "", 1)


def test_a_huge_recipe_is_refused_unread(land, run, monkeypatch):
    monkeypatch.setattr(request, "LARGEST_RECIPE", 10)
    assert run("generate", land)[0] == 2


def test_nothing_is_replaced_without_force(land, run):
    Path("a.tif").write_bytes(b"precious")
    code, out, err = run("generate", land, "-o", "a.tif")
    assert (code, out) == (2, "")
    assert "a.tif" in err
    assert "--force" in err
    assert Path("a.tif").read_bytes() == b"precious"
    assert run("generate", land, "-o", "a.tif", "--force")[0] == 0
    assert Path("a.tif").read_bytes() != b"precious"


def test_all_places_are_checked_before_the_work(land, run, monkeypatch):
    monkeypatch.setattr(
        commands.generate, "grow_shown", lambda *_: pytest.fail("the work was begun")
    )
    Path("b.tif").touch()
    assert run("generate", land, "-o", "a.tif", "-o", "b.tif")[0] == 2


def test_what_cannot_fit_is_refused_with_a_size_that_does(land, run):
    code, out, err = run("generate", land, "--size", "1000000")
    assert (code, out) == (2, "")
    size = int(re.search(r"--size (\d+)", err)[1])
    check_memory(dc.Recipe.from_dict(RECIPE).changed(size=size))


def test_a_fault_of_ours_is_one_line_unless_asked(run, monkeypatch):
    def fail(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(request, "source", fail)
    code, _, err = run("generate", "alpine")
    assert code == 1
    assert len(err.splitlines()) == 1
    assert "a bug" in err
    assert "Traceback" in run("--debug", "generate", "alpine")[2]


# --- being stopped --------------------------------------------------------------------------


def stopped(number, folder, wait_for, **env):
    """Start heavy work, send a signal when it says `wait_for`: (code, stderr, seconds)."""
    recipe = {**RECIPE, "steps": [RECIPE["steps"][0], HEAVY]}
    (folder / "heavy.json").write_text(json.dumps(recipe), "utf-8")
    process = start(
        "generate", "heavy.json", "--size", "2048", cwd=folder, env={**os.environ, **env}
    )
    while wait_for not in (line := process.stderr.readline()):
        assert line, "the work ended without a word"
    time.sleep(0.3)
    process.send_signal(number)
    sent = time.perf_counter()
    err = process.communicate(timeout=60)[1]
    return process.returncode, err, time.perf_counter() - sent


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_is_heard_at_once(tmp_path, number, code):
    ended, err, seconds = stopped(number, tmp_path, "erosion.droplets")
    assert ended == code
    assert err.splitlines()[-1] == "stopped; nothing was written"
    assert "Traceback" not in err
    assert seconds < 2
    assert left_in(tmp_path) == ["heavy.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_signal_is_heard_while_kernels_compile(tmp_path):
    cache = tmp_path / "cache"
    folder = tmp_path / "work"
    folder.mkdir()
    code, err, seconds = stopped(
        signal.SIGINT, folder, "compiling kernels", DOWNCUT_CACHE=str(cache)
    )
    assert code == 130
    assert "Traceback" not in err
    assert seconds < 2
    assert left_in(folder) == ["heavy.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_reader_that_leaves_is_no_error():
    process = start("schema")
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() in (0, 141)
