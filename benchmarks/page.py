"""The page: figures in, Markdown out."""

import time
from collections.abc import Iterable
from typing import Any

import beside
import grown
from lands import CELL_SIZE
from machine import facts
from tables import figure, table

NOTE = """\
Written by `make bench`; every figure here was measured by it. Do not edit.

Read ratios rather than seconds: the machine is shared. Processor time (all threads of the process
together) suffers less from neighbours than wall time, and figures for several threads suffer most.
Asked {times} times along the way, the machine gave {threads} busy threads {least} to {most}
processors. Figures are medians of {repeats} unless a row says otherwise.
"""

STEPS = """\
Each step with its default parameters, called alone on arrays of {size} × {size} cells of
{cell:g} m (fractal noise as ground; what else it reads made by the steps themselves), in a process
of its own. The columns per number of threads read {threads}.

- *ns a cell*: processor time on {fewest} thread{s}, per cell of the map.
- *memory*: the resident high-water mark above what was there before the call, with the results,
  per cell of the map. *declared* is what the step states for the estimate before work starts.
  For it memory is given back to the system at once, which makes steps and presets slower here.
- *compile*: processor seconds of the first call minus the second, with an empty cache of kernels.
  A first use pays it once for each version; what several steps share is counted with the first.
"""


def per_thread(times: dict[str, Any], what: str) -> str:
    """Return milliseconds for each number of threads."""
    return " / ".join(figure(1000 * each[what]) for each in times.values())


def step_rows(found: dict[str, Any]) -> Iterable[list[str]]:
    cells = found["plan"].size ** 2
    for op, each in found["steps"].items():
        times = each["times"]
        speeds = (cells / each["wall"] / 1e6 for each in times.values())
        yield [
            f"`{op}`",
            figure(next(iter(times.values()))["processor"] / cells * 1e9),
            " / ".join(map(figure, speeds)),
            per_thread(times, "wall"),
            per_thread(times, "processor"),
            figure(each["memory"]),
            figure(each["declared"]),
            figure(each.get("compile")),
        ]


def steps(found: dict[str, Any], cell: float) -> str:
    plan = found["plan"]
    words = STEPS.format(
        size=plan.size,
        cell=cell,
        threads=" / ".join(map(str, plan.threads)),
        fewest=plan.threads[0],
        s="" if plan.threads[0] == 1 else "s",
    )
    head = ["step", "ns a cell", "Mcell/s", "wall [ms]", "processor [ms]"]
    head += ["memory [B a cell]", "declared", "compile [s]"]
    return f"## Steps\n\n{words}\n{table(head, step_rows(found))}"


def whole_presets(found: dict[str, Any]) -> str:
    threads = max(found["plan"].threads)
    rows = []
    for name, each in found["presets"].items():
        ny, nx = each["shape"]
        rows.append(
            [
                f"`{name}`",
                f"{ny} × {nx}",
                figure(each["wall"]),
                figure(each["processor"]),
                figure(each["processor"] / (ny * nx) * 1e9),
                figure(each["memory"]),
                figure(each["declared"]),
            ]
        )
    head = ["preset", "cells", "wall [s]", "processor [s]", "ns a cell"]
    head += ["memory [B a cell]", "declared"]
    words = f"From the recipe to the terrain in memory, {threads} threads, kernels ready, no files."
    return f"## Presets, whole\n\n{words}\n\n{table(head, rows)}"


def noise(found: dict[str, Any]) -> str:
    size, threads = found["plan"].scaled(4096), found["plan"].threads
    samples = size**2 * 6
    rows = [
        [
            lattice,
            figure(next(iter(times.values()))["processor"] / samples * 1e9),
            *[figure(each["wall"] / samples * 1e9) for each in times.values()],
        ]
        for lattice, times in found["noise"].items()
    ]
    head = ["lattice", "processor", *[f"wall, threads: {n}" for n in threads]]
    words = f"`fields.fbm`, six octaves, {size} × {size}: nanoseconds per sample and octave."
    return f"## Noise\n\n{words}\n\n{table(head, rows)}"


def flow(found: dict[str, Any]) -> str:
    size = found["plan"].scaled(4096)
    rows = [
        [f"`{name}`", figure(t["processor"]), figure(t["processor"] / size**2 * 1e9)]
        for name, t in found["flow"].items()
    ]
    words = f"The ground kernels under hydrology, one thread, {size} × {size} cells of noise."
    return f"## Flow of water\n\n{words}\n\n{table(['', 'processor [s]', 'ns a cell'], rows)}"


STARTS = {
    "python": "Python that does nothing",
    "import": "`import downcut`",
    "kernels": "`import downcut.recipe` (all steps, with numba)",
    "help": "`downcut --help`",
    "first": "`downcut generate alpine --size 64`, empty cache",
    "second": "the same again",
}


def start(found: dict[str, Any]) -> str:
    times = found["start"]
    rows = [
        [words, *[figure(times.get(name, {}).get(what)) for what in ("wall", "processor")]]
        for name, words in STARTS.items()
    ]
    if "first" in times:
        more = [times["first"][what] - times["second"][what] for what in ("wall", "processor")]
        rows.append(["so compiling all of `alpine` takes", *map(figure, more)])
    words = "Whole processes. With an empty cache once; the rest are medians."
    return f"## Start-up\n\n{words}\n\n{table(['', 'wall [s]', 'processor [s]'], rows)}"


def intro(found: dict[str, Any]) -> str:
    plan, given = found["plan"], found["granted"]
    note = NOTE.format(
        times=len(given),
        threads=max(plan.threads),
        least=figure(min(given)),
        most=figure(max(given)),
        repeats=f"{plan.few} or {plan.repeats} runs"
        if plan.repeats > 1
        else "a single run (--quick)",
    )
    day = time.strftime("%d %B %Y", time.localtime(found["began"]))
    what = {
        **facts(),
        "threads": " and ".join(map(str, plan.threads)),
        "date": day,
        "all of this took": f"{found['seconds']:.0f} s",
    }
    return f"# Performance\n\n{note}\n{table(['machine', ''], what.items())}"


def text(found: dict[str, Any]) -> str:
    """Return the page."""
    parts = [intro(found), beside.targets(found)]
    parts += [part(found) for part in beside.PARTS]
    parts += [steps(found, CELL_SIZE), whole_presets(found), noise(found), flow(found)]
    parts += [part(found) for part in (grown.pairs, grown.growth, start)]
    return "\n".join(parts)
