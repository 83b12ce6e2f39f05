"""Command lines that mean harm, or nothing: one sentence, exit code 2, and no file."""

import signal
import subprocess
import sys

import pytest

from downcut import cli


@pytest.mark.parametrize(
    "arguments",
    [
        ["--set", "steps.²=1"],
        ["--set", f"steps.{'9' * 5000}=1"],
        ["--set", f"steps.0={'[' * 60_000}"],
        ["--set", f"steps.0.octaves={'9' * 5000}"],
        ["--seed", "\udcff"],
        ["--cell-size", "1e-320"],
        ["-o", "a.npy", "-o", "a.npy"],
        ["-o", "a.npy", "-o", "./b/../a.npy", "--force"],
        ["-o", "set", "-o", "set/terrain.tif"],
        ["-o", "a.png", "-o", "a.png.json"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30].encode("ascii", "replace").decode(),
)
def test_what_cannot_be_is_refused_before_the_work(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.call(["generate", "sine-hills", "--size", "8", *arguments]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.startswith("error: ")
    assert len(told.err) < 1000
    assert "\n" not in told.err.strip()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_python_closes_comes_too_late(number):
    program = f"""
import atexit, os, sys
from downcut import cli
atexit.register(os.kill, os.getpid(), {int(number)})
sys.argv = ["downcut", "--version"]
cli.main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"downcut ")
    assert not done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes streams")
@pytest.mark.parametrize(
    ("closed", "what", "code"),
    [("1>&-", "sine-hills", 0), ("2>&-", "sine-hills", 0), ("0<&-", "-", 2)],
)
def test_a_closed_stream_is_an_empty_one(closed, what, code, tmp_path):
    line = f"exec '{sys.executable}' -m downcut generate {what} --size 8 -o a.npy {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == code
    files = ["a.npy", "a.npy.json"] if code == 0 else []
    assert sorted(each.name for each in tmp_path.iterdir()) == files
    assert b"inside downcut" not in done.stderr


def test_a_files_own_words_do_not_steer_the_terminal(tmp_path, capsys):
    from downcut import report

    report.say({"kind": "heightmap", "version": "1\x1b[31m\x07red"}, report.facts, as_json=False)
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "red" in said
