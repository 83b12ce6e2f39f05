"""A land in a folder for a program: its files, README.txt and export.json."""

import importlib.util
import json
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.execute import Progress
from downcut.export import targets
from downcut.export.files import Delivery, explained
from downcut.export.origin import about
from downcut.export.placement import Place
from downcut.export.save import refuse_unwritable
from downcut.export.targets.target import Handed, Plan, Target
from downcut.grow import generate, preset
from downcut.handover.card import CARD, KIND, bytes_of, read_card
from downcut.handover.planning import Order, planned
from downcut.handover.readme import readme
from downcut.memory import check_memory
from downcut.recipe import Recipe
from downcut.terrain import Terrain

README = "README.txt"
LEAST_BYTES = 40_000


@dataclass(frozen=True)
class Shipment:
    """What was delivered, and what is to be done with it."""

    target: str
    files: list[Path]
    handed: Handed

    def told(self) -> dict[str, Any]:
        """Return what the command line says of it, ready for JSON."""
        return {"target": self.target, "numbers": self.handed.numbers, "how": self.handed.how}


@dataclass(frozen=True)
class Job:
    """An export that was found possible, before its land is grown."""

    target: Target
    recipe: Recipe
    plan: Plan
    folder: Path
    force: bool = False
    notes: tuple[str, ...] = ()
    """What the person should hear: that another size was taken."""

    def deliver(self, terrain: Terrain) -> Shipment:
        """Write the grown land; all files appear whole, or none.

        Raises
        ------
        DowncutError
            For a file that exists (without `force`), a full disk, or a folder that refuses.
        """
        before = _listed(self.folder) if self.force else set()
        with Delivery(force=self.force) as delivery:
            handed = self.target.write(terrain, self.plan, delivery, self.folder)
            written = {_below(path, self.folder): t for path, t in delivery.written().items()}
            contents = {name: bytes_of(written[name]) for name in handed.files if name in written}
            card = self._card(terrain, handed, contents)
            texts = {README: readme(self, terrain, handed), CARD: card}
            for name, text in texts.items():
                with delivery.file(self.folder / name, LEAST_BYTES) as file:
                    file.write(text.encode())
            files = list(delivery.promised)
        _remove_stale(self.folder, before, files)
        return Shipment(self.target.name, files, handed)

    def _card(self, terrain: Terrain, handed: Handed, contents: dict[str, str]) -> str:
        content = {
            "kind": KIND,
            "target": self.target.name,
            "program": self.target.program,
            "tiles": list(self.plan.tiles),
            "shared_edges": bool(self.plan.overlap),
            "options": dict(self.plan.options),
            "numbers": handed.numbers,
            "how": handed.how,
            "files": handed.files,
            "contents": contents,
            **about(terrain),
        }
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def prepare(
    recipe: Recipe,
    target: str,
    folder: str | os.PathLike[str],
    order: Order | None = None,
    *,
    name: str = "land",
    force: bool = False,
) -> Job:
    """Plan an export and refuse, before any work, what would fail after it.

    Raises
    ------
    DowncutError
        For an unknown target, option or layer, tiles that it has not, a missing extra, a land that
        does not fit in memory, or a folder that has something in it already (without `force`).
    """
    found = targets.by_name(target)
    for package, extra in found.needs:
        if importlib.util.find_spec(package) is None:
            raise DowncutError(f"{target} needs {package}: pip install 'downcut[{extra}]'")
    grown, plan, notes = planned(recipe, found, order or Order(), name)
    check_memory(grown)
    check_folder(Path(folder), force)
    return Job(found, grown, plan, Path(folder), force, tuple(notes))


def export_for(
    land: Recipe | Terrain | str | dict[str, Any],
    target: str,
    folder: str | os.PathLike[str],
    *,
    size: int | tuple[int, int] | None = None,
    cell_size: float | None = None,
    tiles: int | tuple[int, int] = 1,
    place: Place | None = None,
    options: dict[str, Any] | None = None,
    name: str = "",
    force: bool = False,
    threads: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> list[Path]:
    """Hand a land to a program: files at its sizes and customs, README.txt and export.json.

    The recipe is grown at the nearest size that the program takes; no picture is resampled.

    Parameters
    ----------
    land : Recipe, name of a preset, plain data, or a Terrain
        A Terrain is written as it is if it suits the target, else its recipe is grown anew.
    target : str
        A name of `downcut.export.targets.NAMES`: unreal, unity, godot, …
    folder : path
        A new or empty folder, unless `force`.
    size : int or (ny, nx), optional
        Samples of the whole land; the nearest that the target takes is grown.
    cell_size : float, optional
        Metres from sample to sample; without it the land keeps its extent.
    tiles : int or (rows, columns)
    place : (longitude, latitude) or text as "8.5,46.5", optional
        Where the middle of the land lies [°], for targets that place it on the Earth.
    options : dict, optional
        Choices of the target, as `downcut export --with` takes them.
    name : str
        What files are called; a preset's own name, or "land", by default.

    Returns
    -------
    list of Path
        The files written: all of them whole, or (after an error) none.

    Raises
    ------
    DowncutError
        In one sentence, before the work where that is possible.

    Examples
    --------
    >>> import tempfile
    >>> bare = {"layers": "none"}
    >>> files = export_for("sine-hills", "unreal", tempfile.mkdtemp(), size=127, options=bare)
    >>> [file.name for file in files]
    ['sine-hills.png', 'sine-hills.png.json', 'README.txt', 'export.json']
    """
    recipe = land.recipe if isinstance(land, Terrain) else _recipe(land)
    if recipe is None:
        raise DowncutError(f"this land has no recipe to grow for {target}: give the recipe")
    rows_cols = (tiles, tiles) if isinstance(tiles, int) else tiles
    order = Order(size, cell_size, rows_cols, place, options)
    called = name or (land if isinstance(land, str) else recipe.title or "land")
    job = prepare(recipe, target, folder, order, name=called, force=force)
    if isinstance(land, Terrain) and job.recipe.digest == recipe.digest:
        return job.deliver(land).files
    grown = generate(job.recipe, threads=threads, on_progress=on_progress, stop=stop)
    return job.deliver(grown).files


def _recipe(land: Recipe | str | dict[str, Any]) -> Recipe:
    if isinstance(land, str):
        return preset(land)
    return land if isinstance(land, Recipe) else Recipe.from_dict(land)


def check_folder(folder: Path, force: bool) -> None:
    """Refuse a folder that has something in it, without `force`.

    Raises
    ------
    DowncutError
    """
    with explained(folder, LEAST_BYTES):
        refuse_unwritable(folder)
        if folder.exists() and not folder.is_dir():
            raise DowncutError(f"{folder} is a file: give the name of a folder")
        if not force and folder.exists() and any(folder.iterdir()):
            raise DowncutError(
                f"{folder} is not empty: choose another folder, or write into it with --force"
            )


def _below(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _listed(folder: Path) -> set[str]:
    """Return the files that an earlier export into this folder names; none, if in doubt."""
    card = read_card(folder / CARD)
    return set(card["files"]) if card else set()


def _remove_stale(folder: Path, before: set[str], files: list[Path]) -> None:
    """Remove tiles of the earlier export that this one does not have: a program would read them."""
    for name in before - {_below(file, folder) for file in files}:
        for old in (folder / name, folder / f"{name}.json"):
            if old.is_file():
                old.unlink()
