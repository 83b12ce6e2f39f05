"""Two threads against two processes of one thread each, side by side: what threads cost.

`pairs.py NAME SIZE` is a worker: for each line "THREADS" it does the work once and says so.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from lands import CELL_SIZE, SEED, inputs

import downcut as dc
from downcut.run import Run
from downcut.step import Step

STEPS: dict[str, Callable[[int], Step]] = {
    "noise": lambda size: dc.fields.Fbm(octaves=6),
    "droplets": lambda size: dc.erosion.Droplets(droplets_per_cell=0.4, lifetime=64),
    "thermal": lambda size: dc.erosion.Thermal(passes=10),
    "hillslope": lambda size: dc.erosion.Hillslope(),
    "hillshade": lambda size: dc.surface.Hillshade(),
}
SIZES = {"noise": 4096, "droplets": 512, "thermal": 1024, "hillslope": 2048}
SIZES |= {"hillshade": 2048, "alpine, 512²": 512, "alpine, 2048²": 2048}
TIMES = {"hillshade": 4, "hillslope": 4}
"""How often a short work is done in one go."""


def work_of(name: str, size: int) -> Callable[[int], Any]:
    """Return what does the named work with so many threads."""
    if name.startswith("alpine"):
        recipe = dc.preset("alpine", size=size)
        return lambda threads: dc.generate(recipe, threads=threads)
    step, grid = STEPS[name](size), dc.Grid(size, size, CELL_SIZE)
    arrays = inputs(step, grid)

    def work(threads: int) -> None:
        for _ in range(TIMES.get(name, 1)):
            step(**arrays, grid=grid, seed=SEED, run=Run(threads=threads))

    return work


def serve(name: str, size: int) -> None:
    """Do the work whenever asked: first once to warm up."""
    work = work_of(name, size)
    work(1)
    print("ready", flush=True)
    for line in sys.stdin:
        work(int(line))
        print("done", flush=True)


class Worker:
    """A process that does one work."""

    def __init__(self, name: str, size: int) -> None:
        command, pipe = [sys.executable, __file__, name, str(size)], subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def begin(self, threads: int) -> None:
        self.process.stdin.write(f"{threads}\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """Wait until the work is done."""
        if not self.process.stdout.readline():
            raise RuntimeError("the worker has ended early")

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def time_pair(name: str, size: int, repeats: int) -> dict[str, float]:
    """Compare the throughput of two threads with that of two processes, round by round."""
    workers = [Worker(name, size), Worker(name, size)]
    try:
        for worker in workers:
            worker.end()
        rounds = [compare(workers) for _ in range(repeats)]
    finally:
        for worker in workers:
            worker.close()
    ones, twos, pairs = zip(*rounds, strict=True)
    return {
        "one": median(ones),
        "two": median(twos),
        "pair": median(pairs),
        "share": median(pair / (2 * two) for _, two, pair in rounds),
    }


def compare(workers: list[Worker]) -> tuple[float, float, float]:
    """Return the wall seconds of one thread, of two, and of two processes that begin together."""
    return (
        elapsed(workers[:1], 1),
        elapsed(workers[:1], 2),
        elapsed(workers, 1),
    )


def elapsed(workers: list[Worker], threads: int) -> float:
    began = time.perf_counter()
    for worker in workers:
        worker.begin(threads)
    for worker in workers:
        worker.end()
    return time.perf_counter() - began


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
