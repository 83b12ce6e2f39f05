"""Time every step, every preset and what lies beneath, and write docs/performance.md.

    python benchmarks/run.py [--size 1024] [--threads 1,2] [--quick] [-o PAGE]

Steps are found by looping over the recipe's union, presets by looping over the package: a new one
is measured without a word here. Each is measured in a process of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lands
import page
import pairs
from machine import granted
from measure import child_times
from plan import Plan
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn

from downcut import presets
from downcut._jit import CACHE, cache_folder
from downcut.run import all_threads
from downcut.steps import STEPS, op_of

HERE = Path(__file__).parent
TIDY = ("time_steps", "time_presets", "time_growth")
"""Jobs that measure memory."""


def job(task: str, /, *, cache: str | None = None, **arguments: Any) -> dict[str, Any]:
    """Do a job of jobs.py in a process of its own; `cache` is a folder for its kernels."""
    command = [sys.executable, str(HERE / "jobs.py"), task, json.dumps(arguments)]
    done = subprocess.run(
        command, env=surroundings(cache, tidy=task in TIDY), stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


def surroundings(cache: str | None, tidy: bool = False) -> dict[str, str]:
    """Return the environment of a job.

    Peers that would take all processors (OpenMP, numba's parallel loops) take one. To be `tidy`,
    memory is given back at once, so that peaks are true; that costs time.
    """
    more = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    if tidy:
        more |= {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    return {**os.environ, **more, **({"DOWNCUT_CACHE": cache} if cache else {})}


def measure_steps(ops: list[str], folder: str, plan: Plan) -> dict[str, Any]:
    """Time steps in one process."""
    land = {"folder": folder, "size": plan.size}
    return job("time_steps", ops=ops, threads=plan.threads, repeats=plan.few, **land)


def measure_compiling(ops: list[str], folder: str, plan: Plan) -> dict[str, Any]:
    """Time the compiling of each step, in one process that begins with nothing."""
    if plan.quick:
        return {op: {} for op in ops}
    with tempfile.TemporaryDirectory() as cache:
        return job("compile_steps", cache=cache, ops=ops, folder=folder, size=plan.size)


def measure_presets(names: list[str], plan: Plan) -> dict[str, Any]:
    """Time presets at the size they ship in."""
    size, threads = 64 if plan.quick else None, max(plan.threads)
    return job("time_presets", names=names, size=size, threads=threads, repeats=plan.repeats)


def measure_start(plan: Plan) -> dict[str, dict[str, float]]:
    """Time how soon a person sees something, with kernels to compile and with none."""
    python, program = [sys.executable, "-c"], [sys.executable, "-m", "downcut"]
    commands = {
        "python": [*python, "pass"],
        "import": [*python, "import downcut"],
        "kernels": [*python, "import downcut.recipe"],
        "help": [*program, "--help"],
    }
    found = {
        name: child_times(command, plan.repeats, surroundings(None))
        for name, command in commands.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        grow = [*program, "generate", "alpine", "--size", "64", "--quiet", "--force"]
        grow += ["-o", str(Path(folder, "land"))]
        cold = surroundings(str(Path(folder, "cache")))
        if not plan.quick:
            found["first"] = child_times(grow, 1, cold)
            found["second"] = child_times(grow, plan.repeats, cold)
    return found


def measure(plan: Plan, bar: Progress) -> dict[str, Any]:
    """Do everything, with a bar that says what is being measured."""
    ops, names = [op_of(kind) for kind in STEPS], presets.names()
    task = bar.add_task("making the land", total=len(ops) + len(names) + len(specials(plan)))
    most = max(plan.threads)
    found: dict[str, Any] = {"plan": plan, "began": time.time(), "granted": [granted(most)]}
    with tempfile.TemporaryDirectory() as folder:
        lands.keep(Path(folder), plan.size)
        found["steps"] = in_turn(
            ops, lambda some: measure_steps(some, folder, plan), plan, bar, task
        )
        for op, compiled in measure_compiling(ops, folder, plan).items():
            found["steps"][op] |= compiled
    found["granted"].append(granted(most))
    found["presets"] = in_turn(names, lambda some: measure_presets(some, plan), plan, bar, task)
    for name, work in specials(plan).items():
        bar.update(task, description=name)
        found["granted"].append(granted(most))
        found[name] = work()
        bar.advance(task)
    return found | {"seconds": time.time() - found["began"]}


def in_turn(
    names: list[str],
    work: Callable[[list[str]], dict[str, Any]],
    plan: Plan,
    bar: Progress,
    task: TaskID,
) -> dict[str, Any]:
    """Work on each name in a process of its own, or to be quick on all in one."""
    found: dict[str, Any] = {}
    for some in [names] if plan.quick else [[name] for name in names]:
        bar.update(task, description=", ".join(some) if len(some) == 1 else f"{len(some)} at once")
        found |= work(some)
        bar.advance(task, len(some))
    return found


def specials(plan: Plan) -> dict[str, Any]:
    """Return the measurements that have a unit of their own."""
    threads, repeats = plan.threads, plan.repeats
    works = {
        "noise": lambda: job(
            "time_noise", size=plan.scaled(4096), threads=threads, repeats=repeats
        ),
        "flow": lambda: job("time_flow", size=plan.scaled(4096), repeats=plan.few),
        "thermal": lambda: job("time_thermal", size=plan.scaled(2048), repeats=repeats),
        "start": lambda: measure_start(plan),
    }
    return {**duels(plan), **works, **measure_growth(plan), **measure_pairs(plan)}


def duels(plan: Plan) -> dict[str, Any]:
    """Return the measurements beside peers."""
    drops, some = plan.droplets, {"threads": sorted({1, *plan.threads}), "repeats": plan.few}
    preset, large, small = 64 if plan.quick else None, plan.scaled(2048), plan.scaled(512)
    few = {"repeats": plan.few}
    return {
        "count": lambda: count(size=small, droplets=drops, preset=preset),
        "droplets": lambda: job("duel_droplets", size=small, droplets=drops, **some),
        "pipeline": lambda: job("duel_pipeline", size=preset, **some),
        "noise peers": lambda: job("duel_noise", size=large, **few),
        "flow peers": lambda: job("duel_flow", size=large, **few),
        "stream power": lambda: {
            n: job("duel_stream_power", size=n, **few) for n in (small, large)
        },
    }


def count(**what: Any) -> dict[str, Any]:
    """Count droplets and their steps with kernels that are compiled for it."""
    with tempfile.TemporaryDirectory() as cache:
        return job("count_droplets", cache=cache, **what)


def measure_growth(plan: Plan) -> dict[str, Any]:
    """Return the measurement of alpine's steps on lands of growing size."""
    sizes = [64, 128] if plan.quick else [512, 1024, 2048, 4096, 8192]
    return {"growth": lambda: {n: job("time_growth", size=n, repeats=plan.times(n)) for n in sizes}}


def measure_pairs(plan: Plan) -> dict[str, Any]:
    """Return the measurement of two threads against two processes."""

    def pair(name: str, size: int) -> dict[str, Any]:
        size = max(64, size // 16) if plan.quick else size
        return job("time_pair", name=name, size=size, repeats=plan.few)

    return {"pairs": lambda: {name: pair(name, size) for name, size in pairs.SIZES.items()}}


def asked() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, help="edge of the land of the steps (1024)")
    counts = sorted({1, min(2, all_threads())})
    parser.add_argument(
        "--threads",
        type=lambda text: sorted(map(int, text.split(","))),
        default=counts,
        help="numbers of threads, as 1,2",
    )
    parser.add_argument("--quick", action="store_true", help="small lands, once: a smoke test")
    parser.add_argument(
        "-o", "--output", type=Path, default=HERE.parent / "docs" / "performance.md"
    )
    return parser.parse_args()


def main() -> None:
    """Measure and write the page."""
    wish = asked()
    plan = Plan(wish.size or (256 if wish.quick else 1024), wish.threads, wish.quick)
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        found = measure(plan, bar)
    wish.output.write_text(page.text(found), encoding="utf-8")
    if cache_folder() != CACHE:
        console.print("the sources changed while they were measured: run it again")
    console.print(f"{wish.output.name} is written ({found['seconds']:.0f} s)")


if __name__ == "__main__":
    main()
