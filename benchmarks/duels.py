"""Side by side: our work and a peer's on the same input, one after the other, round by round."""

import contextlib
import importlib
import io
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from lands import CELL_SIZE, SEED, make
from peers import flow, noise
from peers.node import SCRIPTS, Node, program

import downcut as dc
from downcut.export.glb import write_glb
from downcut.flow.accumulate import accumulate
from downcut.flow.drained import drain
from downcut.run import Run

Work = Callable[[], Any]
Found = dict[str, Any]
RELIEF = 24 / (1000 / 512)
"""Amplitude of `classic` in its cells: what the pipeline's noise is multiplied by."""


def alternate(works: dict[str, Work | None], repeats: int) -> Found:
    """Time works A B A B…; medians, and each one's ratio to the first, round by round.

    A work that measures itself returns its times; None is a peer that is not installed.
    """
    rounds: dict[str, list[Found]] = {name: [] for name, work in works.items() if work}
    for _ in range(repeats):
        for name, times in rounds.items():
            times.append(timed(works[name]))
    first = next(iter(rounds.values()))
    found: Found = dict.fromkeys(works)
    for name, times in rounds.items():
        found[name] = {kind: middle(each[kind] for each in times) for kind in times[0]}
        for kind in ("wall", "processor"):
            pairs = zip(first, times, strict=True)
            found[name][f"{kind}_ratio"] = middle(a[kind] / b[kind] for a, b in pairs)
    return found


def middle(values: Iterator[float]) -> float:
    return statistics.median(values)


def timed(work: Work) -> Found:
    wall, processor = time.perf_counter(), time.process_time()
    told = work()
    processor = time.process_time() - processor
    wall = time.perf_counter() - wall
    return told if isinstance(told, dict) else {"wall": wall, "processor": processor}


def peer(make_work: Callable[..., Work], *given: Any) -> Work | None:
    """Return a peer's work, None where it is not installed."""
    try:
        return make_work(*given)
    except ImportError:
        return None


def duel_noise(size: int, repeats: int) -> Found:
    """Simplex fBm of six octaves, on one thread."""
    grid, step = dc.Grid(size, size, CELL_SIZE), dc.fields.Fbm(octaves=6, wavelength=CELL_SIZE * 96)
    works: dict[str, Work | None] = {
        "downcut": lambda: step(grid=grid, seed=SEED, run=Run(threads=1))
    }
    for name, maker in noise.PEERS.items():
        works[name] = peer(maker, size, 96.0, 6)
        peer_warm(maker)
    step(grid=dc.Grid(8, 8))
    return alternate(works, repeats)


def peer_warm(maker: Callable[..., Work]) -> None:
    """Let a peer compile."""
    with contextlib.suppress(ImportError):
        maker(8, 96.0, 6)()


def duel_flow(size: int, repeats: int) -> Found:
    """Fill, D8 and accumulation; the largest sums are compared before anything is timed."""
    land, run = make("elevation", dc.Grid(size, size, CELL_SIZE)), Run(threads=1)
    works: dict[str, Work | None] = {
        "downcut": lambda: accumulate(drain(land, run).receivers),
        **{name: peer(maker, land) for name, maker in flow.FLOW.items()},
    }
    sums = {name: float(work().max()) for name, work in works.items() if work}
    return {"times": alternate(works, repeats), "largest": sums}


def duel_stream_power(size: int, repeats: int) -> Found:
    """One implicit step with depression routing: route, accumulate, erode."""
    grid, run = dc.Grid(size, size, CELL_SIZE), Run(threads=1)
    land, step = make("elevation", grid), dc.erosion.StreamPower(time_step=1000)
    law = step.model_dump()
    works: dict[str, Work | None] = {
        "downcut": lambda: step(land, grid=grid, run=run),
        "fastscapelib": peer(flow.fast_scape_step, land, CELL_SIZE, law),
    }
    made = {name: work() for name, work in works.items() if work}
    return {
        "times": alternate(works, repeats),
        "change": {name: float(np.mean(after - land)) for name, after in made.items()},
        "apart": [float(np.median(abs(after - made["downcut"]))) for after in made.values()][1:],
    }


@contextlib.contextmanager
def asking() -> Iterator[Callable[..., dict[str, Work | None]]]:
    """Yield what makes a request to each JavaScript a work that is warm; None without Node."""
    path = program()
    if path is None:
        yield lambda *_, **__: dict.fromkeys(SCRIPTS)
        return
    with contextlib.ExitStack() as stack:
        nodes = {name: stack.enter_context(Node(path, file)) for name, file in SCRIPTS.items()}

        def works(name: str, **request: Any) -> dict[str, Work | None]:
            for node in nodes.values():
                node.ask(name, **request)
            return {
                which: lambda node=node: node.ask(name, **request) for which, node in nodes.items()
            }

        yield works


def duel_droplets(size: int, droplets: int, threads: list[int], repeats: int) -> Found:
    """Droplets of at most 64 steps on one land, here and in JavaScript."""
    grid = dc.Grid(size, size, CELL_SIZE)
    land, step = make("elevation", grid), rain(size, droplets)
    works: dict[str, Work | None] = {
        f"downcut, {n}": lambda n=n: step(land, grid=grid, seed=SEED, run=Run(threads=n))
        for n in threads
    }
    for work in works.values():
        work()
    with tempfile.TemporaryDirectory() as folder, asking() as ask:
        file = Path(folder, "land.f32")
        (land / np.float32(CELL_SIZE)).tofile(file)
        request = {"file": str(file), "size": size, "droplets": droplets, "seed": SEED}
        return alternate({**ask("droplets", **request), **works}, repeats)


def rain(size: int, droplets: int) -> Any:
    return dc.erosion.Droplets(droplets_per_cell=droplets / size**2, lifetime=64)


def duel_pipeline(size: int | None, threads: list[int], repeats: int) -> Found:
    """`classic` with its mesh, and `alpine` without, beside the pipeline in JavaScript."""
    classic, alpine = (dc.preset(name, size=size) for name in ("classic", "alpine"))
    edge = classic.grid.grid.nx
    request = {"size": edge, "relief": RELIEF, "cell": 1000 / edge, "seed": 1}
    request |= {"batches": 100, "droplets": round(1000 * (edge / 512) ** 2)}
    works: dict[str, Work | None] = {}
    for n in threads:
        works[f"classic, {n}"] = lambda n=n: meshed(classic, n)
        works[f"alpine, {n}"] = lambda n=n: dc.generate(alpine, threads=n)
    for work in works.values():
        work()
    with asking() as ask:
        return alternate({**ask("pipeline", **request), **works}, repeats)


def meshed(recipe: dc.Recipe, threads: int) -> None:
    """Grow a land and write its mesh to memory."""
    write_glb(dc.generate(recipe, threads=threads), io.BytesIO())


def count_droplets(size: int, droplets: int, preset: int | None) -> Found:
    """Count what our droplets do, exactly: with kernels that tick, in a cache of their own."""
    ticks = importlib.import_module("ticks")
    grid = dc.Grid(size, size, CELL_SIZE)
    land = make("elevation", grid)
    found = {}
    with ticks.counting() as count:
        rain(size, droplets)(land, grid=grid, seed=SEED, run=Run(threads=1))
        found["droplets"] = count()
        dc.generate(dc.preset("classic", size=preset), threads=1)
        found["classic"] = count()
    return found
