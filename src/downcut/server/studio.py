"""What one run of the studio holds: its desk, the lands it has grown, its uploads, its exports."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.execute import Progress
from downcut.grow import generate
from downcut.keeping import Kept
from downcut.recipe import Recipe
from downcut.server.jobs import Desk, Job
from downcut.server.lands import Lands
from downcut.server.uploads import Uploads
from downcut.server.walks import Walks
from downcut.server.warming import Warmth
from downcut.server.worlds import Worlds
from downcut.terrain import Terrain

LARGEST = 4096
"""Cells along an edge of a land that the page may ask for: beyond it a browser cannot show it."""


@dataclass
class Studio:
    """The state behind all requests."""

    desk: Desk = field(default_factory=Desk)
    lands: Lands = field(default_factory=Lands)
    kept: Kept = field(default_factory=Kept)
    walks: Walks = field(default_factory=Walks)
    uploads: Uploads = field(default_factory=Uploads)
    worlds: Worlds = field(default_factory=Worlds)
    exports: dict[str, Path] = field(default_factory=dict)
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="downcut-exports-")))
    threads: int = 0
    warmth: Warmth = field(default_factory=Warmth)
    source: dict[str, Any] | None = None
    """The recipe that the studio was started with; None for the first preset."""

    def land(self, recipe: Recipe, job: Job) -> Terrain:
        """Return the land of a recipe: kept, or grown now."""
        kept = self.lands.find(recipe.digest)
        if kept is None:
            kept = self.grow(recipe, job, job.tell)
            self.lands.keep(kept)
        return kept

    def grow(self, recipe: Recipe, job: Job, tell: Callable[[Progress], None]) -> Terrain:
        """Grow a land; only files that were uploaded are read."""
        return generate(
            recipe,
            threads=self.threads,
            on_progress=tell,
            stop=job.stop,
            files=self.uploads,
            kept=self.kept,
        )

    def opened_with(self, recipe: dict[str, Any], files: list[Path]) -> dict[str, Any]:
        """Return a recipe of this machine's own, its files taken in as if they were uploaded."""
        names = {str(path): self.uploads.take_in(path) for path in files}
        steps = [
            {**s, "file": names.get(s.get("file"), "")} if s.get("file") else s
            for s in recipe["steps"]
        ]
        return compacted({**recipe, "steps": steps})

    def close(self) -> None:
        """End the run: stop all work, remove what was uploaded and exported."""
        import shutil

        self.warmth.stop.set()
        self.desk.stop_all()
        self.uploads.forget()
        shutil.rmtree(self.folder, ignore_errors=True)


def asked_recipe(content: Any, size: int | None = None) -> Recipe:
    """Read a recipe from a request and change its size.

    Raises
    ------
    DowncutError
        For a recipe that is none, or a land too large for a page.
    """
    recipe = Recipe.from_dict(content)
    if size is not None:
        recipe = recipe.changed(size=shaped(recipe, size))
    if max(recipe.grid.ny, recipe.grid.nx) > LARGEST:
        raise DowncutError(
            f"the land has {recipe.grid.ny} × {recipe.grid.nx} cells and the studio shows up to "
            f"{LARGEST} along an edge: make it smaller here, or grow it by downcut generate"
        )
    return recipe


def compacted(content: dict[str, Any]) -> dict[str, Any]:
    """Return a recipe as plain data without its defaults, so that links of it are short."""
    short: dict[str, Any] = json.loads(Recipe.from_dict(content).to_json())
    return short


def shaped(recipe: Recipe, size: int) -> tuple[int, int]:
    """Return the rows and columns of a land whose longer edge has `size` cells."""
    ny, nx = recipe.grid.ny, recipe.grid.nx
    longer = max(ny, nx)
    return max(1, round(ny * size / longer)), max(1, round(nx * size / longer))
