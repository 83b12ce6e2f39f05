"""What `downcut measure` does, once its words are read: measure, and deliver the picture."""

import importlib.util
import threading
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.export.files import Delivery, refuse_taken
from downcut.handover.source import step_for
from downcut.importing.reading import header
from downcut.measuring.land import measure
from downcut.measuring.plot import plot
from downcut.measuring.reading import measure_file
from downcut.measuring.report import Report
from downcut.run import Run
from downcut.terrain import Terrain


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
    step = step_for(land, reading)
    if "cell_size" in reading and header(land, step_for(land, {}).reading)[1]:
        raise DowncutError(f"{land} tells the size of its cells: --cell-size is for files without")
    return measure_file(land, run=run, **step.asked())


def deliver(report: Report, path: Path, *, force: bool) -> None:
    """Write the picture of a report, whole or not at all."""
    picture = plot(report)
    with Delivery(force=force) as delivery, delivery.file(path, len(picture)) as file:
        file.write(picture)
