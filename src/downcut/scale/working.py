"""What a worker does: one unit of one pass, named by a few words, and a mark once it is whole."""

import time
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Any

from downcut.errors import Cancelled, DowncutError
from downcut.scale.blueprint import blueprint
from downcut.scale.journal import Journal
from downcut.scale.memory import peak
from downcut.scale.parts import put_json
from downcut.scale.passes import Work

Mark = dict[str, Any]


def do(folder: str, number: int, unit: str, threads: int, stop: Event | None = None) -> Mark:
    """Do a unit of a pass, unless it is done already, and return its mark.

    Raises
    ------
    DowncutError
        Naming the place and the seed, if the step fails or the disk is full.
    """
    start, spent = time.perf_counter(), time.process_time()
    journal = Journal(Path(folder))
    plan = blueprint(journal.about["recipe"], journal.about["tile"])
    parts = plan.parts(journal.folder)
    if mark := journal.done(number, unit, parts):
        return mark
    work = Work(plan.recipe, plan.way, parts, threads, stop or Event())
    try:
        plan.passes[number].do(unit, work)
        mark = {
            "unit": unit,
            "seconds": time.perf_counter() - start,
            "processor": time.process_time() - spent,
            "written": parts.written,
            "bytes": work.moved + sum((journal.folder / n).stat().st_size for n in parts.written),
            "ledgers": {path: asdict(ledger) for path, ledger in work.ledgers.items()},
            "notes": work.notes,
            "peak": peak(),
        }
        put_json(journal.of(number, unit), mark)
    except (Cancelled, MemoryError):
        raise
    except DowncutError as error:
        raise DowncutError(f"{_place(plan, number, unit)}: {error}") from None
    except OSError as error:
        raise DowncutError(
            f"{_place(plan, number, unit)}: {error.filename or folder}: {error.strerror or error}; "
            "once that is mended, go on with --resume"
        ) from error
    return mark


def _place(plan: Any, number: int, unit: str) -> str:
    """Return where a unit lies, for a person."""
    title, seed = plan.passes[number].title, plan.recipe.seed
    if "." not in unit:
        return f"{title} (seed {seed})"
    row, col = (int(n) * plan.tile for n in unit.split("."))
    grid = plan.way.grid
    x, y = grid.x[min(col, grid.nx - 1)], grid.y[min(row, grid.ny - 1)]
    where = f"row {row}, column {col}: {x:.6g} m east, {y:.6g} m north"
    return f"{title} in the tile {unit} (from {where}; seed {seed})"
