"""Standing water in windows: each lake at its one level, and the sea where the province has it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.flow.drained import let_in_sea
from downcut.grid import Grid
from downcut.hydrology.lakes import Lakes
from downcut.run import Run
from downcut.windows import Layers, run_step
from downcut.world.filling import fill
from downcut.world.plan import Plan

COLUMNS = ("id", "level", "area", "volume", "max_depth", "x", "y")


@dataclass(frozen=True)
class Shores:
    """The lakes and the sea of a province, on its lattice.

    Attributes
    ----------
    lake : (ny, nx) int32
        Id of the lake, 0 for none, −1 for the sea.
    lakes : mapping of name to (n,) array
        What is known of each lake, by id − 1.
    """

    lake: NDArray[np.int32]
    lakes: dict[str, NDArray[Any]]

    @property
    def nbytes(self) -> int:
        """Memory that they take."""
        return self.lake.nbytes

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return them for the disk."""
        return {"lake": self.lake, **{f"lakes {name}": a for name, a in self.lakes.items()}}

    @classmethod
    def read(cls, arrays: dict[str, NDArray[Any]]) -> "Shores":
        """Return the shores that these arrays tell of."""
        lakes = {name[6:]: a for name, a in arrays.items() if name.startswith("lakes ")}
        return cls(arrays["lake"], lakes)


def shores_of(plan: Plan, land: Layers, grid: Grid, run: Run) -> Shores:
    """Find the sea and, if the recipe asks for them, the lakes of a land on its lattice."""
    task = plan.water(Lakes)
    _, sea = let_in_sea(land["elevation"], run.sea_level)
    lake = np.zeros(grid.shape, np.int32)
    lakes: dict[str, NDArray[Any]] = {name: np.zeros(0) for name in COLUMNS}
    if task is not None:
        lake = run_step(task, land, grid, run, None)["lake"].copy()
        lakes = {name: run.features["lakes"][name] for name in COLUMNS}
    if sea is not None:
        lake[sea] = -1
    return Shores(lake, lakes)


def flood(
    shores: Shores,
    there: Grid,
    grid: Grid,
    elevation: NDArray[np.float32],
    layers: tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.bool_]],
    river: NDArray[np.bool_],
    number: int,
) -> None:
    """Fill a window with a province's lakes, and say where its sea is not.

    A lake lies where at least half of the lattice's cells around (by bilinear weights) are its,
    and the ground is below its level; around it the ground rises to that level, but for rivers.
    `layers` are (water surface, lake, sea), and `number` is added to the ids.
    """
    ratio = grid.cell_size / there.cell_size
    levels = np.concatenate([[0.0], shores.lakes["level"]])
    fill(elevation, *layers, river, shores.lake, levels, number, ratio, *grid.corner,
          *there.corner)  # fmt: skip


def drain_off(shores: Shores, there: Grid, grid: Grid, sea: NDArray[np.bool_]) -> None:
    """Take out of a window's sea what a province's lattice has as land all around."""
    dry, nothing = np.zeros(grid.shape, np.float32), np.zeros(grid.shape, np.bool_)
    layers = dry, np.zeros(grid.shape, np.int32), sea
    flood(shores, there, grid, dry.copy(), layers, nothing, 0)
