"""What is measured in a process of its own: `jobs.py NAME '{"size": 512, …}'` prints JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duels
import growth
import numpy as np
import pairs
from lands import CELL_SIZE, SEED, kept, make
from measure import median_times, peak_memory

import downcut as dc
from downcut.flow.accumulate import accumulate
from downcut.flow.depressions import fill
from downcut.flow.routing import order, receivers
from downcut.layers import layer
from downcut.memory import memory_needed
from downcut.run import Run
from downcut.step import Step
from downcut.steps import STEPS, op_of

WARM_UP = 64
"""Cells along the edge of the land that compiles a kernel, or loads it, before it is timed."""

Result = dict[str, Any]
OTHERS = (
    duels.duel_noise,
    duels.duel_flow,
    duels.duel_stream_power,
    duels.duel_droplets,
    duels.duel_pipeline,
    duels.count_droplets,
    growth.time_growth,
    pairs.time_pair,
)


def step_of(op: str) -> Step:
    (kind,) = (kind for kind in STEPS if op_of(kind) == op)
    return kind()


def caller(step: Step, folder: str, size: int, threads: int) -> Callable[[], object]:
    """Return the call of a step on the kept land, ready to be timed."""
    arrays = kept(step, Path(folder), size)
    if isinstance(step, dc.fields.Heightmap):  # a file of coarser cells, so that it interpolates
        file = str(Path(folder, "elevation.npy"))
        step = step.model_copy(update={"file": file, "cell_size": 2 * CELL_SIZE})
    grid = dc.Grid(size, size, CELL_SIZE)
    return lambda: step(**arrays, grid=grid, seed=SEED, run=Run(threads=threads))


def time_steps(ops: list[str], **land: Any) -> Result:
    """Time steps one after the other."""
    return {op: time_step(step_of(op), **land) for op in ops}


def time_step(step: Step, folder: str, size: int, threads: list[int], repeats: int) -> Result:
    """Time a step with each number of threads; memory first, while the heap is fresh."""
    caller(step, folder, min(size, WARM_UP), 1)()
    memory = peak_memory(caller(step, folder, size, max(threads)))
    times = {n: median_times(caller(step, folder, size, n), repeats) for n in threads}
    results = sum(
        np.dtype(layer(name).dtype).itemsize * layer(name).bands for name in step.outputs()
    )
    declared = results + step.working_bytes
    return {"times": times, "memory": memory / size**2, "declared": declared}


def compile_steps(ops: list[str], folder: str, size: int) -> Result:
    """Return how much more each first call costs than the second; the cache is empty."""
    found = {}
    for op in ops:
        call = caller(step_of(op), folder, min(size, WARM_UP), 1)
        first = median_times(call, 1)["processor"]
        found[op] = {"compile": first - median_times(call, 1)["processor"]}
    return found


def time_presets(names: list[str], **run: Any) -> Result:
    """Time recipes one after the other."""
    return {name: time_preset(name, **run) for name in names}


def time_preset(name: str, size: int | None, threads: int, repeats: int) -> Result:
    """Time a recipe that ships, from the recipe to the Terrain in memory."""
    recipe = dc.preset(name, size=size)
    dc.generate(recipe, threads=threads)  # what kernels take when they are loaded is no land's
    memory = peak_memory(lambda: dc.generate(recipe, threads=threads))
    times = median_times(lambda: dc.generate(recipe, threads=threads), repeats)
    cells = recipe.grid.grid.cells
    return {
        **times,
        "shape": recipe.grid.grid.shape,
        "memory": memory / cells,
        "declared": memory_needed(recipe) / cells,
    }


def time_noise(size: int, threads: list[int], repeats: int) -> Result:
    """Time fBm of six octaves on each lattice."""
    grid = dc.Grid(size, size, CELL_SIZE)
    found: Result = {}
    for lattice in ("simplex", "perlin"):
        step = dc.fields.Fbm(octaves=6, noise=lattice)
        step(grid=dc.Grid(8, 8))
        found[lattice] = {
            n: median_times(lambda n=n, step=step: step(grid=grid, run=Run(threads=n)), repeats)
            for n in threads
        }
    return found


def time_flow(size: int, repeats: int) -> Result:
    """Time each ground kernel of the flow of water on one thread."""
    grid, run = dc.Grid(size, size, CELL_SIZE), Run(threads=1)
    land = make("elevation", grid)
    to = receivers(land, run)
    works = {
        "fill": lambda: fill(land, run),
        "receivers": lambda: receivers(land, run),
        "order": lambda: order(to),
        "accumulate": lambda: accumulate(to),
        "stream power step": lambda: dc.erosion.StreamPower()(land, grid=grid, run=run),
    }
    for work in works.values():
        work()
    return {name: median_times(work, repeats) for name, work in works.items()}


def time_thermal(size: int, repeats: int) -> Result:
    """Time a pass of sliding on one thread: to all over-steep neighbours, or to the steepest."""
    grid = dc.Grid(size, size, CELL_SIZE)
    land = make("elevation", grid)
    found: Result = {}
    for sharing in ("all", "steepest"):
        one, many = (dc.erosion.Thermal(passes=n, sharing=sharing) for n in (1, 11))
        one(land[:8, :8], grid=dc.Grid(8, 8))
        few, more = (
            median_times(lambda step=step: step(land, grid=grid, run=Run(threads=1)), repeats)
            for step in (one, many)
        )
        found[sharing] = {"once": few["processor"]}
        found[sharing]["pass"] = (more["processor"] - few["processor"]) / 10
    return found


OWN = (time_steps, compile_steps, time_presets, time_noise, time_flow, time_thermal)


def main() -> None:
    """Do the job that the first argument names and print what it returns."""
    jobs = {each.__name__: each for each in (*OWN, *OTHERS)}
    name, arguments = sys.argv[1:]
    print(json.dumps(jobs[name](**json.loads(arguments))))


if __name__ == "__main__":
    main()
