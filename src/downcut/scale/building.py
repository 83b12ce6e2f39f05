"""`dc.build`: a land of any size, in tiles, into a store; cut short at any moment, it goes on."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.execute import Progress
from downcut.export.files import explained, refuse_foreign_folder
from downcut.export.names import refuse_name
from downcut.export.save import refuse_unwritable
from downcut.grow import preset
from downcut.importing.store import MARKER
from downcut.recipe import Recipe
from downcut.run import all_threads
from downcut.scale.blueprint import Blueprint
from downcut.scale.course import Course
from downcut.scale.crew import Alone, Cluster, Crew
from downcut.scale.estimate import Estimate
from downcut.scale.finishing import finish
from downcut.scale.journal import Journal
from downcut.scale.store import STORE
from downcut.terrain import StepReport

TILE = 1024
LEAST_TILE = 16


@dataclass
class Built:
    """What a build made, and what it took.

    Attributes
    ----------
    path : Path
        The store.
    facts : dict
        What the store says of itself: recipe, digest, checksum …
    seconds : float
    steps : list of dict
        Of each pass: title, units, seconds, bytes written.
    reports : tuple of StepReport
        Of each step: the earth it moved.
    peak_memory : int
        The most that all processes held, each at its own worst moment [bytes].
    """

    path: Path
    facts: dict[str, Any]
    seconds: float
    steps: list[dict[str, Any]]
    reports: tuple[StepReport, ...]
    peak_memory: int


def build(
    recipe: Recipe | str | dict[str, Any],
    path: str | os.PathLike[str],
    *,
    tile: int = TILE,
    workers: int | None = None,
    scheduler: str | None = None,
    memory: int | None = None,
    resume: bool = False,
    force: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    on_dashboard: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
) -> Built:
    """Grow the land of a recipe in tiles, into a Zarr store, with the bits that `generate` gives.

    Parameters
    ----------
    recipe : Recipe, name of a preset, or plain data
    path : path
        The store, as land.zarr. The work lies beside it, in land.zarr.building, until it is done.
    tile : int ≥ 16
        Edge of a tile [cells]; the bits do not depend on it.
    workers : int, optional
        Local processes; one for each of the machine's threads without it, 0 for this process.
    scheduler : str, optional
        Address of a Dask scheduler whose workers share the disk and have this version.
    memory : int, optional
        Bytes that one worker may take; without it, its share of what is free.
    resume : bool
        Go on with a build that was cut short.
    force : bool
        Replace a store that exists, and drop a build that was cut short.
    on_progress : function of a Progress, optional
    on_dashboard : function of an address, optional
        Told where Dask shows the work.
    stop : threading.Event, optional
        Set it from another thread to end the work with `Cancelled`; resume goes on from there.

    Raises
    ------
    DowncutError
        For a bad recipe, a step that cannot be done in tiles and does not fit in memory, a tile
        that fails, a full disk, or a scheduler that is gone.

    Examples
    --------
    >>> import downcut as dc, tempfile
    >>> recipe = dc.preset("island", size=64)
    >>> built = dc.build(recipe, tempfile.mkdtemp() + "/island.zarr", tile=32, workers=0)
    >>> built.facts["checksum"] == dc.generate(recipe).checksum
    True
    """
    start = time.perf_counter()
    plan = Blueprint(_recipe(recipe), check_tile(tile))
    target = check_target(Path(path), force)
    hands = count_of(workers)
    Estimate.of(plan, memory, hands).refuse_too_large(target.parent)
    folder = target.with_name(target.name + ".building")
    journal = Journal(folder)
    with journal.alone():
        journal.begin(plan.recipe.to_json(), tile, digest=plan.recipe.digest, resume=resume,
                      force=force)  # fmt: skip
        crew: Crew = Alone()
        if scheduler is not None or hands:
            crew = Cluster(folder, workers=hands, scheduler=scheduler, memory=memory or 0,
                           on_dashboard=on_dashboard)  # fmt: skip
        try:
            work = Course(plan, journal, crew, on_progress, stop or threading.Event())
            work.run()
        finally:
            crew.close()
        facts = finish(plan, plan.parts(folder), work.marks)
        with explained(target, 0):
            if target.exists():
                shutil.rmtree(target)
            (folder / STORE).replace(target)
        shutil.rmtree(folder, ignore_errors=True)
    return Built(target, facts, time.perf_counter() - start, work.steps, work.reports(),
                 sum(work.peaks.values()))  # fmt: skip


def _recipe(recipe: Recipe | str | dict[str, Any]) -> Recipe:
    if isinstance(recipe, str):
        return preset(recipe)
    return Recipe.from_dict(recipe) if isinstance(recipe, dict) else recipe


def check_tile(tile: int) -> int:
    """Return the edge of a tile if it is one.

    Raises
    ------
    DowncutError
    """
    if not LEAST_TILE <= tile <= 32768:
        raise DowncutError(f"tile is {tile}: give {LEAST_TILE} to 32768 cells")
    return tile


def check_target(target: Path, force: bool) -> Path:
    """Return where the store will be, as one path, if it may be put there.

    Raises
    ------
    DowncutError
    """
    refuse_name(target)
    if target.suffix.lower() != ".zarr":
        raise DowncutError(f"{target} is no name of a store: end it in .zarr")
    place = Path(os.path.realpath(target))
    with explained(target, 0):
        refuse_unwritable(place.parent)
        refuse_foreign_folder(place, force, MARKER)
    return place


def count_of(workers: int | None) -> int:
    """Return how many local processes are asked for.

    Raises
    ------
    DowncutError
    """
    if workers is not None and not 0 <= workers <= 1024:
        raise DowncutError(f"workers is {workers}: give 1 to 1024, or 0 for this process alone")
    return all_threads() if workers is None else workers
