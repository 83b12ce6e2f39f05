"""Whether a store still holds the land that its recipe grows, however large it is."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from downcut.alone import Alone, Box
from downcut.errors import Cancelled, DowncutError
from downcut.execute import Progress
from downcut.grow import generate
from downcut.handover.verdict import Check, Verdict
from downcut.importing.stored import StoredLand, named, opened
from downcut.recipe import Recipe

WINDOW = 1024
"""Edge of the windows that are grown again [cells]."""
GROWN = 2048**2
"""Cells up to which the whole land is grown again."""


def verify_store(
    path: Path, threads: int, on_progress: Callable[[Progress], None] | None, stop: threading.Event
) -> Verdict:
    """Name a store's bytes anew, and grow again a small land, or five windows of a large one.

    Raises
    ------
    DowncutError
        For a store that is not whole, or has no recipe.
    """
    land = opened(path, Recipe.from_dict)
    if land.recipe is None:
        raise DowncutError(f"{path} has no recipe inside: there is nothing to compare it with")
    digest, version = land.recipe.digest, str(land.facts.get("version"))

    def verdict(agrees: bool, sentence: str) -> Verdict:
        check = Check(str(path), agrees, sentence, 0.0 if agrees else None, 0.0)
        return Verdict(agrees, sentence, digest, version, (check,))

    if digest != land.facts.get("digest"):
        return verdict(False, f"{path}: its recipe has been changed, for its digest names another")
    tell = on_progress or (lambda _: None)
    tell(Progress(0.0, "naming the bytes", "store"))
    if named(land, lambda: _refuse_stopped(stop)) != land.facts["checksum"]:
        return verdict(False, f"{path} has been changed: its bytes have another checksum")
    tell(Progress(0.5, "growing again", "store"))
    if land.grid.cells <= GROWN:
        grown = generate(land.recipe, threads=threads, stop=stop)
        if {*grown.layers} <= {*land.layers} and _same(land, dict(grown.layers), _all(land)):
            return verdict(True, f"{path} holds the land that its recipe grows, byte for byte")
        return verdict(False, f"{path} differs from what its recipe grows here")
    return verdict(*_by_windows(path, land, threads, stop))


def _by_windows(
    path: Path, land: StoredLand, threads: int, stop: threading.Event
) -> tuple[bool, str]:
    alone = Alone(land.recipe, threads=threads, stop=stop)
    if not alone.layers:
        raise DowncutError(f"{path}: all of its land hangs together: nothing can be grown alone")
    edge = min(WINDOW, *land.grid.shape)
    wrong = [
        box for box in windows(*land.grid.shape, edge) if not _same(land, alone.window(box), box)
    ]
    if wrong:
        row, _, col, _ = wrong[0]
        return False, f"{path} differs from what its recipe grows, from row {row}, column {col} on"
    names = ", ".join(sorted(alone.layers))
    others = sorted({*land.layers} - alone.layers)
    rest = f"; {', '.join(others)}, which the whole land decides, were not" if others else ""
    return True, (
        f"{path}: its bytes have the checksum they were given, and at its corners and in its "
        f"middle windows of {edge} × {edge} cells, each grown alone, have the same {names}, bit by "
        f"bit{rest}"
    )


def windows(ny: int, nx: int, edge: int) -> list[Box]:
    """Return a window in each corner of a land, and one in its middle.

    >>> windows(8, 8, 2)
    [(0, 2, 0, 2), (0, 2, 6, 8), (6, 8, 0, 2), (6, 8, 6, 8), (3, 5, 3, 5)]
    """
    places = [(r, c) for r in (0, ny - edge) for c in (0, nx - edge)]
    places.append(((ny - edge) // 2, (nx - edge) // 2))
    return [(r, r + edge, c, c + edge) for r, c in places]


def _all(land: StoredLand) -> Box:
    return 0, land.grid.ny, 0, land.grid.nx


def _same(land: StoredLand, grown: dict[str, Any], box: Box) -> bool:
    """Tell whether layers have the same bits as those of a window of the store."""
    stored = {name: land.layers[name][box[0] : box[1], box[2] : box[3]] for name in grown}
    return all(
        np.ascontiguousarray(values).tobytes() == np.ascontiguousarray(stored[name]).tobytes()
        for name, values in grown.items()
    )


def _refuse_stopped(stop: threading.Event) -> None:
    if stop.is_set():
        raise Cancelled
