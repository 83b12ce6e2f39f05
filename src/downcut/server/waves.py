"""What a page needs to draw a recipe's noise itself: keys and places of every octave.

The numbers come from the same `Lattice` that the kernels read, so a shader that hashes as they do
makes the same land.
"""

import base64
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict
from pydantic import Field as Parameter

from downcut.fields.field import Field
from downcut.fields.island import Island
from downcut.fields.lattice import Lattice
from downcut.fields.noise import Noise
from downcut.fields.octaves import octaves_of
from downcut.grid import Grid
from downcut.recipe import Task
from downcut.server.studio import asked_recipe

router = APIRouter(prefix="/api", tags=["working"])

NUMBERS = {
    Noise: ("amplitude", "offset", "gain"),
    Island: (
        "radius", "centre_east", "centre_north", "top", "rim", "squareness", "steepness",
    ),
}  # fmt: skip
"""What a page may change of a step without asking again."""


class Sought(BaseModel):
    """A recipe whose noise a page wants to draw."""

    model_config = ConfigDict(extra="forbid")

    recipe: dict[str, Any]
    """The recipe, compact or full."""
    size: Annotated[int, Parameter(ge=2, le=1024)] = 256
    """Cells along the longer edge."""


@router.post("/waves")
def waves(sought: Sought) -> dict[str, Any]:
    """Return what a shader needs to draw the elevation, or `steps` null if it cannot.

    It can where the elevation is made by unwarped noise and island masks alone. Of noise: the
    octaves' keys; `columns` and `rows`, base64 of uint32 (octaves, nx or ny, 4), little-endian:
    cell and fraction of u, cell and fraction of v, which add up to a sample's place on the lattice;
    `per_metre`, what a metre east or north adds to u and v. `values` are the numbers that a page
    may change itself, `defaults` those of a step that does not name them.
    """
    recipe = asked_recipe(sought.recipe, sought.size)
    tasks = [task for task in recipe.tasks(once=True) if "elevation" in task.step.outputs()]
    drawable = bool(tasks) and all(_is_drawable(task) for task in tasks)
    grid = recipe.grid.grid
    return {
        "shape": grid.shape,
        "cell_size": grid.cell_size,
        "west": float(grid.x[0]),
        "north": float(grid.y[0]),
        "steps": [_told(task, grid) for task in tasks] if drawable else None,
    }


def _is_drawable(task: Task) -> bool:
    step = task.step
    at_the_top = task.path.count(".") == 1
    plain = isinstance(step, Island) or (isinstance(step, Noise) and step.warp is None)
    return at_the_top and isinstance(step, Field) and plain and step.mask is None


def _told(task: Task, grid: Grid) -> dict[str, Any]:
    step = task.step
    assert isinstance(step, Noise | Island)
    kind = Noise if isinstance(step, Noise) else Island
    told = {
        "index": int(task.path.split(".")[1]),
        "kind": kind.__name__.lower(),
        "blend": step.blend,
        "values": {name: getattr(step, name) for name in NUMBERS[kind]},
        "defaults": {name: type(step).model_fields[name].default for name in NUMBERS[kind]},
    }
    return told | _octaves(step, grid, task.key) if isinstance(step, Noise) else told


def _octaves(step: Noise, grid: Grid, key: int) -> dict[str, Any]:
    frequencies, _ = octaves_of(step.wavelength, step.octaves, step.lacunarity, step.gain)
    square = step.noise == "perlin"
    lattice = Lattice(grid, frequencies, key, skewed=not square)
    return {
        "square": square,
        "shape": step.shape,
        "wavelength": step.wavelength,
        "keys": lattice.keys.tolist(),
        "per_metre": lattice.per_metre.tolist(),
        "columns": _packed(lattice.x),
        "rows": _packed(lattice.y),
    }


def _packed(places: Any) -> str:
    """Return cells and fractions, (octaves, 2, n) each, as (octaves, n, 4) in base64."""
    pairs = np.stack([places.cell.view(np.uint32), places.fraction], axis=-1)
    octaves, _, n, _ = pairs.shape
    mixed = pairs.transpose(0, 2, 1, 3).reshape(octaves, n, 4)
    return base64.b64encode(mixed.astype("<u4").tobytes()).decode()
