"""Inputs for any step, made from the names of the layers it reads."""

from pathlib import Path
from typing import Any

import numpy as np

import downcut as dc
from downcut.layers import layer
from downcut.step import Step
from downcut.steps import STEPS

CELL_SIZE = 30.0
SEED = 7


def make(name: str, grid: dc.Grid) -> np.ndarray:
    """Return a layer: by the step that writes it, else by noise (0 to 1, but for the ground)."""
    if name == "elevation":
        return dc.fields.Fbm(octaves=8)(grid=grid, seed=SEED)
    for kind in STEPS:
        if name in kind.writes:
            step = kind()
            made = step(**inputs(step, grid), grid=grid, seed=SEED)
            return made[step.outputs().index(name)] if isinstance(made, tuple) else made
    noise = dc.fields.Fbm(into=name, amplitude=0.5, offset=0.5)(grid=grid, seed=SEED)
    return noise.astype(layer(name).dtype)


def inputs(step: Step, grid: dc.Grid) -> dict[str, Any]:
    """Return an array for each argument of the step, the optional ones too."""
    return {argument: make(name, grid) for argument, name in step.inputs().items()}


def keep(folder: Path, size: int) -> None:
    """Write to `folder` every layer that some step reads, for processes that only load them."""
    grid = dc.Grid(size, size, CELL_SIZE)
    for name in sorted({name for kind in STEPS for name in kind().inputs().values()}):
        np.save(folder / f"{name}.npy", make(name, grid))


def kept(step: Step, folder: Path, size: int) -> dict[str, np.ndarray]:
    """Return the step's inputs from `folder`, cut to `size`: no kernel of ours has run."""
    arrays = {arg: np.load(folder / f"{name}.npy") for arg, name in step.inputs().items()}
    return {arg: np.ascontiguousarray(array[:size, :size]) for arg, array in arrays.items()}
