"""Many lands as files of a folder, with an index; what is there already is not grown again."""

import csv
import io
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

import numpy as np

from downcut.errors import Cancelled, DowncutError, shown
from downcut.export.files import Delivery, explained
from downcut.export.save import deliver, refuse_unwritable, targets
from downcut.handover.many import generate_many
from downcut.recipe import Recipe
from downcut.shading import gradient
from downcut.terrain import Terrain

INDEX = "index.csv"
EVERY = 2.0
"""Seconds between two writings of the index: what a kill may cost."""
LARGEST_INDEX = 2**30


@dataclass(frozen=True)
class Row:
    """What the index says of a land."""

    seed: int
    file: str
    digest: str
    checksum: str
    low_m: float
    high_m: float
    mean_m: float
    deviation_m: float
    mean_slope: float
    """Rise over run, the mean of all cells."""

    @classmethod
    def of(cls, terrain: Terrain, file: str) -> "Row":
        """Measure a land."""
        heights = terrain["elevation"]
        east, north = gradient(heights, terrain.grid.cell_size)
        return cls(
            terrain.recipe.seed,
            file,
            terrain.recipe.digest,
            terrain.checksum,
            *terrain.relief,
            float(heights.mean(dtype=np.float64)),
            float(heights.std(dtype=np.float64)),
            float(np.hypot(east, north).mean(dtype=np.float64)),
        )


@dataclass(frozen=True)
class Batch:
    """A folder of lands: files named by their seeds, and index.csv."""

    recipe: Recipe
    seeds: list[int]
    folder: Path
    suffix: str = ".npz"
    force: bool = False

    @property
    def index(self) -> Path:
        """Where the lands are listed."""
        return self.folder / INDEX

    def prepare(self) -> dict[int, Row]:
        """Return the lands that are there already and stay, and refuse what cannot be.

        Raises
        ------
        DowncutError
            For an unknown format, a folder that may not be written to, or (without `force`) one
            with other lands, or something else, in it.
        """
        for form in targets(self._file(0)).values():
            form.check(self._file(0))
        with explained(self.folder, 20_000):
            refuse_unwritable(self.folder)
            if not self.folder.exists() or not any(self.folder.iterdir()) or self.force:
                return {}
            known = self._known()
        if known is None:
            raise DowncutError(
                f"{self.folder} is not empty and has no {INDEX}: choose another folder, or write "
                "into it with --force"
            )
        for seed in set(self.seeds) & set(known):
            row = known[seed]
            if (row.digest, row.file) != (self._digest(seed), self._file(seed).name):
                raise DowncutError(
                    f"{self.folder} has seed {seed} of another recipe or in another format: choose "
                    "another folder, or replace its lands with --force"
                )
        return {seed: row for seed, row in known.items() if (self.folder / row.file).is_file()}

    def grow(
        self,
        done: dict[int, Row],
        workers: int = 0,
        tell: Callable[[str, float], None] = lambda _doing, _share: None,
        stop: threading.Event | None = None,
    ) -> dict[int, Row]:
        """Grow what is missing; the index is right whenever this ends, stopped or not.

        Raises
        ------
        Cancelled, DowncutError
        """
        rows, written = dict(done), time.monotonic()
        missing = [seed for seed in self.seeds if seed not in rows]
        lands = generate_many(self.recipe, missing, workers=workers, stop=stop)
        try:
            for count, terrain in enumerate(lands):
                tell("growing lands", count / len(missing))
                rows[terrain.recipe.seed] = self._save(terrain)
                if time.monotonic() - written > EVERY:
                    self._write_index(rows)
                    written = time.monotonic()
                if stop and stop.is_set():
                    raise Cancelled
        finally:
            lands.close()
            self._write_index(rows)
        return rows

    def _save(self, terrain: Terrain) -> Row:
        file = self._file(terrain.recipe.seed)
        with Delivery(force=True) as delivery:  # a file without a row is of a run that was killed
            deliver(delivery, terrain, file)
        return Row.of(terrain, file.name)

    def _file(self, seed: int) -> Path:
        return self.folder / f"{seed}{self.suffix}"

    def _digest(self, seed: int) -> str:
        return self.recipe.changed(seed=seed).digest

    def _known(self) -> dict[int, Row] | None:
        """Return the rows of the folder's index; None if it has none of ours."""
        place = self.index
        if not place.is_file() or place.stat().st_size > LARGEST_INDEX:
            return None
        try:
            lines = list(csv.DictReader(io.StringIO(place.read_text("utf-8"))))
            rows = [_row(line) for line in lines]
        except (ValueError, KeyError, TypeError, csv.Error) as error:
            raise DowncutError(f"{place} is damaged ({shown(error)}): remove it") from None
        return {row.seed: row for row in rows}

    def _write_index(self, rows: dict[int, Row]) -> None:
        text = io.StringIO()
        table = csv.DictWriter(text, [each.name for each in fields(Row)], lineterminator="\n")
        table.writeheader()
        table.writerows(asdict(rows[seed]) for seed in sorted(rows))
        content = text.getvalue().encode()
        with Delivery(force=True) as delivery, delivery.file(self.index, len(content)) as file:
            file.write(content)


def _row(line: dict[str, str]) -> Row:
    kinds = {each.name: cast("Callable[[str], Any]", each.type) for each in fields(Row)}
    return Row(**{name: kind(line[name]) for name, kind in kinds.items()})
