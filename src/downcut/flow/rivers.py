"""Rivers as lines: from each source down to the sea, the map's edge or a larger river."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.flow.channels import Channels
from downcut.step import Array

RIVER, SEA, EDGE = 0, 1, 2
"""Where a river ends."""


@dataclass(frozen=True)
class Rivers:
    """Rivers by the cells they run through, the largest first.

    Attributes
    ----------
    offsets : (rivers + 1,) int64
        River i runs through cells[offsets[i] : offsets[i + 1]], source first. The last of these
        lies in the sea, on the map's edge, or in the river that it joins; a river that leaves by
        the map's edge ends on its own last cell.
    cells : (n,) int
        Flat indices.
    joins : (rivers,) int64
        Number of the river it joins, from 1; 0 where it ends in the sea or on the edge.
    meets : (rivers,) int64
        Where in `cells` that river has the cell they share; -1 where it joins none.
    end : (rivers,) uint8
        RIVER, SEA or EDGE.
    order : (ny * nx,) uint8
        Strahler's order of the stream in each cell, 0 where there is none.
    """

    offsets: Array
    cells: Array
    joins: Array
    meets: Array
    end: Array
    order: Array


def trace(channels: Channels) -> Rivers:
    """Trace every river: at a confluence the one that drains more ground goes on.

    Where both drain the same, the one whose cell comes first in the map goes on. Sources are
    channel cells that no channel drains into; so there are as many rivers as sources.

    Notes
    -----
    Strahler's order: a source has order 1, and where two streams of the highest order meet, the
    order rises by one [strahler1957]_. Linear in the channel cells.
    """
    receivers = channels.drained.receivers.ravel()
    mine = np.flatnonzero(channels.channel).astype(receivers.dtype)
    waiting = np.zeros(receivers.size, np.uint8)
    order = np.zeros(receivers.size, np.uint8)
    main = np.full(receivers.size, -1, receivers.dtype)
    sources = _orders(mine, receivers, channels.channel, channels.area, waiting, order, main)
    offsets = np.zeros(sources + 1, np.int64)
    cells = np.empty(mine.size + sources, receivers.dtype)
    edge = np.zeros(sources, np.bool_)
    _lines(mine, receivers, channels.channel, main, offsets, cells, edge)
    return _largest_first(channels, (offsets, cells, edge), order)


def _largest_first(channels: Channels, lines: tuple[Array, ...], order: Array) -> Rivers:
    """Sort rivers by the ground they drain and find out where each one ends."""
    offsets, cells, edge = lines
    length = np.diff(offsets)
    own = cells[offsets[1:] - np.where(edge, 1, 2)]  # the last cell of its own
    rank = np.lexsort((own, -channels.area[own]))
    edge, length = edge[rank], length[rank]
    starts = np.cumsum(length) - length
    cells = cells[np.arange(offsets[-1]) + np.repeat(offsets[:-1][rank] - starts, length)]
    offsets = np.append(starts, offsets[-1])
    place = np.full(channels.area.size, -1, cells.dtype)
    last = offsets[1:] - 1
    mine = np.ones(cells.size, np.bool_)
    mine[last[~edge]] = False
    place[cells[mine]] = np.flatnonzero(mine)
    meets = np.where(edge, -1, place[cells[last]]).astype(np.int64)
    joins = np.where(meets < 0, 0, np.searchsorted(offsets, meets, side="right"))
    end = np.where(edge, EDGE, np.where(joins > 0, RIVER, SEA)).astype(np.uint8)
    return Rivers(offsets, cells, joins, meets, end, order)


@kernel
def _orders(mine, receivers, channel, area, waiting, order, main):  # type: ignore[no-untyped-def]
    """Find Strahler's order and the main donor of every channel cell; return how many sources.

    Until all its donors are known, a cell holds twice the highest of their orders, plus one if
    that order has come twice.
    """
    for cell in mine:
        if receivers[cell] != cell:
            waiting[receivers[cell]] += 1
    sources = 0
    for source in mine:
        if waiting[source] != 0 or order[source] != 0:
            continue
        sources += 1
        order[source] = 1
        cell = source
        while receivers[cell] != cell and channel[receivers[cell]]:
            below = receivers[cell]
            highest, best = order[below] >> 1, main[below]
            if order[cell] == highest:
                order[below] |= 1
            elif order[cell] > highest:
                order[below] = order[cell] << 1
            if best < 0 or area[cell] > area[best] or (area[cell] == area[best] and cell < best):
                main[below] = cell
            waiting[below] -= 1
            if waiting[below] != 0:
                break
            order[below] = (order[below] >> 1) + (order[below] & 1)
            cell = below
    return sources


@kernel
def _lines(mine, receivers, channel, main, offsets, cells, edge):  # type: ignore[no-untyped-def]
    """Write the cells of each river from its source, in the order of sources on the map."""
    river, place = 0, 0
    for source in mine:
        if main[source] >= 0:
            continue
        cell = source
        while True:
            cells[place] = cell
            place += 1
            below = receivers[cell]
            if below == cell:
                edge[river] = True
                break
            if not channel[below] or main[below] != cell:
                cells[place] = below
                place += 1
                break
            cell = below
        river += 1
        offsets[river] = place
