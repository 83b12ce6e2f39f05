"""What stands on a window: the tables of steps that place things, the same from any window."""

from collections.abc import Callable

import numpy as np

from downcut.features import Table
from downcut.grid import Grid
from downcut.run import Run
from downcut.surface.spots import inside
from downcut.windows import Layers
from downcut.world.plan import WATER, Plan


def standing(
    plan: Plan,
    grid: Grid,
    level: int,
    grown: Callable[[Grid, int, tuple[str, ...]], Layers],
    threads: int,
) -> dict[str, Table]:
    """Return the tables of a window, of all steps but those about water.

    Such a step is given the window and its halo, in the layers that the recipe ends with; what
    stands on the window alone is kept.

    Parameters
    ----------
    plan, grid, level
        Of the world and the window.
    grown : function of (grid, level, names)
        Makes layers of any rectangle.
    threads : int
    """
    tables: dict[str, Table] = {}
    for task in plan.at(level):
        step = task.step
        if not step.features or isinstance(step, WATER):
            continue
        edge = step.halo(grid) or 0
        wide = grid.window(-edge, -edge, grid.ny + 2 * edge, grid.nx + 2 * edge)
        inputs = {arg: name for arg, name in step.inputs().items() if name in plan.layers(level)}
        layers = grown(wide, level, tuple(dict.fromkeys(inputs.values()))) if inputs else {}
        run = Run(threads, sea_level=plan.recipe.sea_level)
        arrays = {arg: layers[name] for arg, name in inputs.items()}
        step.on(arrays, grid=wide, key=task.key, run=run)
        tables |= {name: _on(grid, table) for name, table in run.features.items()}
    return tables


def _on(grid: Grid, table: Table) -> Table:
    """Return the rows that lie on a grid, numbered anew; a table of lines stays as it is."""
    if table.offsets is not None:
        return table
    here = inside(grid, table["x"], table["y"])
    columns = {name: values[here] for name, values in table.columns.items()}
    if "id" in columns:
        columns["id"] = np.arange(1, here.sum() + 1)
    return Table(columns, table.units)
