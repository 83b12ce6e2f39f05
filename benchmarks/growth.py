"""How time and memory a cell grow with the land: every step of `alpine`, each on what was made."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from lands import SEED
from measure import median_times, peak_memory

import downcut as dc
from downcut.run import Run
from downcut.step import Step
from downcut.steps import op_of

SMALL = 64


def distinct(recipe: dc.Recipe) -> Iterator[Step]:
    """Yield a recipe's steps, those in a Repeat too, but each operation on a layer once."""
    seen: set[tuple[str, ...]] = set()
    waiting = list(recipe.steps)
    while waiting:
        step = waiting.pop(0)
        if isinstance(step, dc.Repeat):
            waiting = [*step.steps, *waiting]
        elif (name := (op_of(type(step)), *step.outputs())) not in seen:
            seen.add(name)
            yield step.model_copy(update=plain(step))


def plain(step: Step) -> dict[str, Any]:
    """Return what makes a step run on the land's own cells."""
    return {"feature_size": None} if "feature_size" in type(step).model_fields else {}


def grow(size: int, look: Any) -> dict[str, Any]:
    """Return what `look` finds out about each step on a land of this size."""
    recipe = dc.preset("alpine")
    grid = dc.Grid(size, size, recipe.grid.grid.cell_size)
    layers: dict[str, np.ndarray] = {}
    found = {}
    for step in distinct(recipe):
        arrays = {arg: layers[name] for arg, name in step.inputs().items() if name in layers}

        def call(step: Step = step, arrays: Any = arrays) -> Any:
            return step(**arrays, grid=grid, seed=SEED, run=Run(threads=1))

        made = call()
        outputs = step.outputs()
        found.setdefault(op_of(type(step)), look(call, size**2))
        layers |= zip(outputs, made if isinstance(made, tuple) else (made,), strict=True)
    return found


def time_growth(size: int, repeats: int) -> dict[str, Any]:
    """Time each step, and measure the most memory it takes, per cell."""
    grow(SMALL, lambda *_: None)

    def look(call: Any, cells: int) -> dict[str, float]:
        memory = peak_memory(call) / cells
        return {"ns": median_times(call, repeats)["processor"] / cells * 1e9, "memory": memory}

    return grow(size, look)
