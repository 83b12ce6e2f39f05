"""The benchmark runs on every step there is and writes a page of figures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from downcut import presets
from downcut.steps import STEPS, op_of

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"


@pytest.mark.slow
def test_the_benchmark_measures_every_step_and_preset(tmp_path):
    page = tmp_path / "page.md"
    command = [sys.executable, str(RUN), "--quick", "--size", "64", "-o", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    text = page.read_text("utf-8")
    for name in (*map(op_of, STEPS), *presets.names()):
        assert f"| `{name}` |" in text
    for peer in ("Node", "pyfastnoiselite", "opensimplex", "richdem", "pyflwdir", "fastscapelib"):
        assert peer in text  # with figures, or as not installed
    assert not re.search(r"\b(nan|inf)\b", text)


@pytest.mark.slow
def test_worlds_are_measured_and_a_crowd_has_its_tile_drawn_once():
    command = [sys.executable, str(RUN.with_name("worlds.py")), "--quick"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures = dict(re.findall(r"^\| (.+) \| ([\d.,]+) \|$", text, re.MULTILINE))
    assert float(figures["100 requests at once for one new tile: drawn [times]"]) == 1
    assert float(figures["`endless`, halo of an eroded window [cells]"]) <= 540
    assert float(figures["an eroded window of 256² that is a chunk, provinces known [s]"]) < 1
