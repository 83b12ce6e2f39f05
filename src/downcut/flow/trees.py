"""Trees: all ground that drains through one outlet. None reads another, so threads share them."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.flow.basins import label_slopes
from downcut.flow.routing import DONE
from downcut.run import Run
from downcut.step import Array

OCTANTS = 8
CELLS_WORTH_A_THREAD = 1 << 16
"""Fewer cells than this are sorted sooner than handed to a thread."""


@dataclass(frozen=True)
class Part:
    """Some of the trees, whole ones.

    Attributes
    ----------
    first, last : int
        Where its cells lie among all, once they are sorted.
    mine : (OCTANTS,) bool
        Whose trees it has, by the octant that their outlet lies in.
    """

    first: int
    last: int
    mine: Array


def share_out(receivers: Array, shape: tuple[int, int], run: Run) -> tuple[Array, list[Part]]:
    """Return (n,) the octant of each cell's outlet, and the parts that threads take, about equal.

    How the trees are shared out changes nothing but where their cells come in the order.
    """
    if run.threads == 1 or receivers.size < CELLS_WORTH_A_THREAD:
        return np.zeros_like(receivers), [Part(0, receivers.size, np.ones(OCTANTS, np.bool_))]
    octants = np.full_like(receivers, -1)
    span, rows = shape[1], max(1, 2**16 // shape[1])
    run.slices(lambda a, b: _outlets(receivers, octants, *shape, a, b), shape[0], rows)
    run.slices(lambda a, b: label_slopes(receivers, octants, a * span, b * span), shape[0], rows)
    return octants, _parts(np.bincount(octants, minlength=OCTANTS), run.threads)


def _parts(sizes: Array, threads: int) -> list[Part]:
    """Give each octant, the largest first, to the part that has the fewest cells."""
    have = np.zeros(min(threads, OCTANTS), np.int64)
    mine = np.zeros((len(have), OCTANTS), np.bool_)
    for octant in np.argsort(-sizes, kind="stable"):
        part = int(np.argmin(have))
        have[part] += sizes[octant]
        mine[part, octant] = True
    ends = np.cumsum(have)
    return [Part(int(e - h), int(e), m) for e, h, m in zip(ends, have, mine, strict=True) if h]


@kernel
def _outlets(receivers, octants, ny, nx, start, stop):  # type: ignore[no-untyped-def]
    """Name the octant, as seen from the middle of the map, of each outlet in rows start…stop."""
    for row in range(start, stop):
        for col in range(nx):
            cell = row * nx + col
            if receivers[cell] == cell:
                south, east = 2 * row - ny, 2 * col - nx
                steep = abs(south) * nx > abs(east) * ny
                octants[cell] = (south >= 0) * 4 + (east >= 0) * 2 + steep


@kernel
def sort_trees(receivers, octants, mine, waiting, cells):  # type: ignore[no-untyped-def]
    """Sort the cells of some trees from downstream to upstream into `cells`.

    Walks down from each source until it meets a cell that still waits for other water (Zhou
    2019); `waiting` is zero where no one has sorted.
    """
    for cell in range(receivers.size):
        if mine[octants[cell]] and receivers[cell] != cell:
            waiting[receivers[cell]] += 1
    left = cells.size
    for source in range(receivers.size):
        cell = source
        if not mine[octants[cell]]:
            continue
        while waiting[cell] == 0:
            waiting[cell] = DONE
            left -= 1
            cells[left] = cell
            if receivers[cell] != cell:
                cell = receivers[cell]
                waiting[cell] -= 1
