"""What is said of a build: before it, what it would take, and after it, what it took."""

from typing import Any

from rich import box
from rich.table import Table

from downcut.scale.building import Built
from downcut.scale.estimate import Estimate


def summary(built: Built) -> dict[str, Any]:
    """Return what is said of a build that is over, ready for JSON."""
    facts = built.facts
    said = {name: facts[name] for name in ("ny", "nx", "cell_size_m", "digest", "checksum")}
    steps = [step | {"seconds": round(step["seconds"], 3)} for step in built.steps]
    return {
        "path": str(built.path), **said, "layers": facts["layers"], "steps": steps,
        "seconds": round(built.seconds, 3), "peak_memory": built.peak_memory,
    }  # fmt: skip


def ending(said: dict[str, Any]) -> Table:
    """Return the table that ends a build."""
    table = _table(
        f"{said['path']}: {said['ny']} × {said['nx']} cells of {said['cell_size_m']:g} m"
    )
    for column in ("tasks", "moved", "time"):
        table.add_column(column, justify="right")
    for step in said["steps"]:
        took = f"{step['seconds']:.2f} s"
        table.add_row(step["title"], f"{step['units']:,}", megabytes(step["bytes"]), took)
    table.add_section()
    table.add_row("all", "", "", f"{said['seconds']:.2f} s")
    table.add_row("memory of all processes, at most", "", megabytes(said["peak_memory"]), "")
    table.add_row("digest", said["digest"], "", "")
    table.add_row("checksum", said["checksum"], "", "")
    return table


def forecast(found: Estimate) -> dict[str, Any]:
    """Return what a build would take, ready for JSON."""
    return {
        "tiles": found.tiles, "tasks": found.tasks, "memory_of_a_worker": found.memory,
        "memory_allowed": found.allowed, "disk": found.disk, "seconds": round(found.seconds),
        "passes": [
            {"title": title, "tasks": units, "memory": need} for title, units, need in found.passes
        ],
    }  # fmt: skip


def estimated(said: dict[str, Any]) -> Table:
    """Return the table of what a build would take."""
    table = _table("What it would take")
    for column in ("tasks", "memory of one"):
        table.add_column(column, justify="right")
    for each in said["passes"]:
        table.add_row(each["title"], f"{each['tasks']:,}", megabytes(each["memory"]))
    table.add_section()
    table.add_row("tiles, tasks", f"{said['tiles']:,}, {said['tasks']:,}", "")
    table.add_row("a worker, at most", "", megabytes(said["memory_of_a_worker"]))
    table.add_row("it may take", "", megabytes(said["memory_allowed"]))
    table.add_row("disk, at most", "", megabytes(said["disk"]))
    table.add_row("time, about", f"{said['seconds']:,} s", "")
    return table


def _table(title: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("")
    return table


def megabytes(count: int) -> str:
    """Return bytes as a person reads them.

    >>> megabytes(1_500_000), megabytes(40_000_000_000)
    ('1.5 MB', '40,000.0 MB')
    """
    return f"{count / 1e6:,.1f} MB"
