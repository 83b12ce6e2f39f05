"""Depressions, D8, accumulation and stream power by others, on one thread.

Each maker takes a land (float32) and returns a call; a call of flow returns the cells that drain
through each cell. Depressions are treated so that water leaves the map; flats too.
"""

import contextlib
import os
from collections.abc import Callable, Iterator

import numpy as np

Flow = Callable[[], np.ndarray]


@contextlib.contextmanager
def hushed() -> Iterator[None]:
    """Send what a library in C++ prints to nowhere: the answer goes by stdout."""
    kept, nowhere = [os.dup(1), os.dup(2)], os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for number, descriptor in enumerate(kept, start=1):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(nowhere)


def rich_dem(land: np.ndarray) -> Flow:
    """Priority-flood with an epsilon, so that flats drain, then D8 of O'Callaghan and Mark."""
    with hushed():
        import richdem

    def work() -> np.ndarray:
        with hushed():
            dem = richdem.rdarray(land, no_data=-9999.0, geotransform=(0, 1, 0, 0, 0, -1))
            full = richdem.fill_depressions(dem, epsilon=True)
            return np.asarray(richdem.flow_accumulation(full, method="D8"))

    return work


def py_flwdir(land: np.ndarray) -> Flow:
    """Priority-flood that notes where each cell was reached from (Wang and Liu)."""
    import pyflwdir

    return lambda: pyflwdir.from_dem(land).upstream_area()


def scape_graph(land: np.ndarray, cell: float):  # type: ignore[no-untyped-def]
    """Return fastscapelib's grid and flow graph, with routing out of depressions.

    Keep both: the graph does not keep the grid alive that it looks at.
    """
    import fastscapelib as fs

    grid = fs.RasterGrid(list(land.shape), [cell, cell], fs.NodeStatus.FIXED_VALUE)
    return grid, fs.FlowGraph(grid, [fs.SingleFlowRouter(), fs.MSTSinkResolver()])


def fast_scape(land: np.ndarray) -> Flow:
    """Basin graph routing (Cordonnier and others), as ours."""
    held, ground = scape_graph(land, 1.0), land.astype(np.float64)

    def work() -> np.ndarray:
        _, graph = held
        graph.update_routes(ground)
        return graph.accumulate(1.0)

    return work


FLOW = {"py-richdem": rich_dem, "pyflwdir": py_flwdir, "fastscapelib": fast_scape}


def fast_scape_step(land: np.ndarray, cell: float, law: dict[str, float]) -> Flow:
    """One implicit step of stream power: routes, areas, uplift, erosion; returns the new land."""
    import fastscapelib as fs

    held = scape_graph(land, cell)
    _, graph = held
    keys = ("erodibility", "area_exponent", "slope_exponent")
    eroder = fs.SPLEroder(graph, *(law[key] for key in keys))
    rise = np.zeros(land.shape)
    rise[1:-1, 1:-1] = law["uplift_rate"] * law["time_step"]
    ground = land.astype(np.float64)

    def work() -> np.ndarray:
        _, graph = held
        graph.update_routes(ground)
        area = graph.accumulate(1.0)
        lifted = ground + rise
        return lifted - eroder.erode(lifted, area, law["time_step"])

    return work
