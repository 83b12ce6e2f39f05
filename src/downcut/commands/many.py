"""`downcut generate --seeds`: many lands of one recipe into a folder."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from downcut import progress
from downcut.errors import DowncutError
from downcut.stopping import Stopped, beside

if TYPE_CHECKING:
    from downcut.handover.batch import Batch
    from downcut.recipe import Recipe


def prepared(
    name: str, recipe: "Recipe", seeds: str, output: list[Path] | None, form: str, force: bool
) -> "Batch":
    """Read what --seeds, -o and --format ask for."""
    from downcut.handover.batch import Batch
    from downcut.handover.many import seed_range

    places = output or [Path("out") / f"{name}-seeds"]
    if len(places) > 1:
        raise DowncutError(f"--seeds fills one folder: give one -o, not {len(places)}")
    return Batch(recipe, seed_range(seeds), places[0], f".{form.removeprefix('.')}", force)


def many(name: str, batch: "Batch", *, workers: int, as_json: bool, quiet: bool) -> None:
    """Grow a land for each seed; lands that the folder's index has stay as they are."""
    from downcut._jit import is_cold
    from downcut.handover.many import check_many

    check_many(batch.recipe, workers)
    there = batch.prepare()
    start = time.perf_counter()
    try:
        with progress.shown(quiet=quiet, cold=is_cold()) as tell:
            rows = beside(lambda stop: batch.grow(there, workers, tell, stop))
    except Stopped as stopped:
        stopped.written = [batch.index] if batch.index.exists() else []
        raise
    seconds = time.perf_counter() - start
    grown = len(rows) - len(there)
    said = {
        "name": name,
        "folder": str(batch.folder),
        "index": str(batch.index),
        "lands": len(batch.seeds),
        "grown": grown,
        "seconds": round(seconds, 3),
        "lands_per_second": round(grown / seconds, 3),
    }
    if as_json:
        print(json.dumps(said, indent=2, ensure_ascii=False))
        return
    kept = len(batch.seeds) - grown
    stayed = f", {kept} were there" if kept else ""
    rate = f" ({grown / seconds:.3g} a second)" if grown else ""
    print(f"{grown} lands grown in {seconds:.1f} s{rate}{stayed}: {said['index']} lists them")
