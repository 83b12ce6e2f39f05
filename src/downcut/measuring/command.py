"""What `downcut measure` does, once its words are read: measure, and deliver the picture."""

import importlib.util
import threading
from pathlib import Path
from typing import Any

import psutil

from downcut.errors import DowncutError
from downcut.export.files import Delivery, refuse_taken
from downcut.handover.source import step_for
from downcut.importing.reading import header
from downcut.importing.store import is_store
from downcut.importing.stored import opened
from downcut.measuring.land import measure
from downcut.measuring.plot import plot
from downcut.measuring.reading import WORKING_BYTES, measure_file
from downcut.measuring.report import Report
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.terrain import Terrain

MOST_CELLS = 4096**2
"""Of a store's level that is measured: beyond it figures take minutes and hardly change."""


def is_recipe(what: str) -> bool:
    """Tell a recipe file, by its name, from a DEM; `-` is a recipe from standard input."""
    return what == "-" or Path(what).suffix.lower() == ".json"


def check_picture(path: Path, *, force: bool) -> None:
    """Refuse before the work what would fail after it.

    Raises
    ------
    DowncutError
        If matplotlib is missing, the name is not a PNG's, or the file exists.
    """
    if path.suffix.lower() != ".png":
        raise DowncutError(f"-o is {path}: the picture of a measurement is a PNG, as figure.png")
    if importlib.util.find_spec("matplotlib") is None:
        raise DowncutError("a picture needs matplotlib: pip install 'downcut[plots]'")
    refuse_taken(path, force)


def measured(
    land: Terrain | Path, threads: int, stop: threading.Event, reading: dict[str, Any]
) -> Report:
    """Measure a grown land, or the heights in a file; `stop` ends it with `Cancelled`."""
    run = Run(threads=threads, stop=stop)
    if isinstance(land, Terrain):
        return measure(land, run=run)
    if is_store(land):
        return _of_store(land, run, reading)
    step = step_for(land, reading)
    if "cell_size" in reading and header(land, step_for(land, {}).reading)[1]:
        raise DowncutError(f"{land} tells the size of its cells: --cell-size is for files without")
    return measure_file(land, run=run, **step.asked())


def _of_store(path: Path, run: Run, reading: dict[str, Any]) -> Report:
    """Measure the finest level of a store that takes no more memory than there is."""
    for name in reading:
        raise DowncutError(f"{path} is a store, and {name} says how a heightmap is read")
    whole = opened(path, Recipe.from_dict)
    free = psutil.virtual_memory().available
    fitting = [n for n, each in enumerate(whole.levels) if each.grid.cells * WORKING_BYTES < free]
    number = next((n for n in fitting if whole.levels[n].grid.cells <= MOST_CELLS), fitting[-1])
    level = whole.levels[number]
    report = measure(level.read(), run=run)
    note = (
        f"level {number} of the store was measured: {level.grid.ny} × {level.grid.nx} cells of "
        f"{level.grid.cell_size:g} m" + (f", each the mean of {4**number:,}" if number else "")
    )
    return Report(**{**vars(report), "name": path.stem, "notes": (note, *report.notes)})


def deliver(report: Report, path: Path, *, force: bool) -> None:
    """Write the picture of a report, whole or not at all."""
    picture = plot(report)
    with Delivery(force=force) as delivery, delivery.file(path, len(picture)) as file:
        file.write(picture)
