"""Steps of one work share the drained land: it is routed once, and nothing else changes."""

import numpy as np
import pytest

import downcut as dc
from downcut.run import Run

STEPS = ("Lakes", "Drainage", "Rivers", "Basins", "Wetness", "HeightAboveDrainage")


def grown(land, grid, shared, sea_level):
    made, tables = {}, {}
    for name in STEPS:
        step = getattr(dc.hydrology, name)()
        run = Run(threads=1, sea_level=sea_level, shared=shared)
        given = {**made, "elevation": land}
        arrays = {arg: given.get(layer) for arg, layer in step.inputs().items()}
        out = step.on(arrays, grid=grid, key=0, run=run)
        out = out if isinstance(out, tuple) else (out,)
        made |= dict(zip(step.outputs(), out, strict=True))
        tables |= run.features
    return made, tables


@pytest.mark.parametrize("sea_level", [None, 20.0])
def test_sharing_changes_no_layer_and_no_table(fractal, sea_level):
    land, grid = fractal(96, relief=300), dc.Grid(96, 96, 30)
    alone, tables = grown(land, grid, None, sea_level)
    together, same_tables = grown(land, grid, {}, sea_level)
    for name, layer in alone.items():
        assert (layer == together[name]).all(), name
    assert {"lakes", "rivers", "basins"} <= set(tables)
    for name, table in tables.items():
        for column, values in table.columns.items():
            np.testing.assert_array_equal(values, same_tables[name].columns[column])


def test_the_same_land_is_drained_once_and_another_anew(fractal):
    from downcut.flow.drained import drain

    land, run = fractal(64), Run(threads=1, shared={})
    first = drain(land, run)
    assert drain(land, run) is first
    assert drain(land, Run(threads=1)) is not first
    assert drain(land.copy(), run) is not first
    assert drain(land, Run(threads=1, shared=run.shared, sea_level=1e4)).sea.all()
