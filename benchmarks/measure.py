"""How things are measured: medians of wall and processor time, and the memory's high-water mark."""

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil

CLEAR, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def median_times(work: Callable[[], object], repeats: int) -> dict[str, float]:
    """Return the medians of wall and processor seconds (all threads together)."""
    walls, processors = [], []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.process_time()
        work()
        processors.append(time.process_time() - processor)
        walls.append(time.perf_counter() - wall)
    return {"wall": statistics.median(walls), "processor": statistics.median(processors)}


def peak_memory(work: Callable[[], object]) -> int:
    """Return by how many bytes the resident memory rose above what it was, at most."""
    process = psutil.Process()
    if not _reset_high_water():
        return _sampled(work, process)
    before = process.memory_info().rss
    work()
    return max(0, _high_water() - before)


def _reset_high_water() -> bool:
    """Let the high-water mark begin anew, where the system can (Linux)."""
    try:
        CLEAR.write_text("5")
    except OSError:
        return False
    return True


def _high_water() -> int:
    lines = STATUS.read_text().splitlines()
    (mark,) = (line for line in lines if line.startswith("VmHWM:"))
    return int(mark.split()[1]) * 1024


def _sampled(work: Callable[[], object], process: psutil.Process) -> int:
    """Look every millisecond: kernels hold no lock, so this thread gets to see them."""
    before = highest = process.memory_info().rss
    done = threading.Event()

    def look() -> None:
        nonlocal highest
        while not done.wait(0.001):
            highest = max(highest, process.memory_info().rss)

    watcher = threading.Thread(target=look)
    watcher.start()
    work()
    done.set()
    watcher.join()
    return highest - before


def child_times(command: list[str], repeats: int, env: Mapping[str, str]) -> dict[str, float]:
    """Return the medians of wall and processor seconds of a command."""
    walls, processors = [], []
    for _ in range(repeats):
        wall, spent = time.perf_counter(), os.times()
        subprocess.run(command, env=env, capture_output=True, check=True)
        walls.append(time.perf_counter() - wall)
        now = os.times()
        processors.append(
            now.children_user + now.children_system - spent.children_user - spent.children_system
        )
    return {"wall": statistics.median(walls), "processor": statistics.median(processors)}
