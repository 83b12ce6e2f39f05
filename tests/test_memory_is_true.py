"""What a recipe is said to need is what it takes: measured in a process that gives memory back."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import downcut as dc
from downcut import presets
from downcut.memory import memory_needed

CLEAR = Path("/proc/self/clear_refs")
GROW = """
import sys
from pathlib import Path
import downcut as dc
name, size = sys.argv[1], int(sys.argv[2])
def resident(mark):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(mark))
recipe = dc.preset(name, size=size)
dc.generate(recipe, threads=2)
before = resident("VmRSS:")
Path("/proc/self/clear_refs").write_text("5")
dc.generate(recipe, threads=2)
print(resident("VmHWM:") - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not CLEAR.exists(), reason="needs Linux's high-water mark")
@pytest.mark.parametrize("size", [512, 1024])
@pytest.mark.parametrize("name", presets.names())
def test_a_preset_takes_no_more_than_said_and_not_much_less(name, size):
    if name == "sine-hills":
        pytest.skip("its land is so small that all else weighs more")
    tidy = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    command = [sys.executable, "-c", GROW, name, str(size)]
    ran = subprocess.run(
        command, env={**os.environ, **tidy}, capture_output=True, text=True, check=True
    )
    taken, said = int(ran.stdout), memory_needed(dc.preset(name, size=size))
    assert taken <= said <= 1.5 * taken
