"""The branching of rivers: Strahler's orders, Horton's ratios, drainage density."""

import math
from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.measuring.fits import line
from downcut.measuring.ground import Ground
from downcut.step import Array

FEWEST_STREAMS = 3
"""An order with fewer streams is chance, not a mean."""

_HIGHEST = 32
"""Each order has at least twice the streams of the next: no map holds more."""


@dataclass(frozen=True)
class Network:
    """The streams of a land, by Strahler order from 1.

    A stream is an unbroken run of channel cells of one order, down to where it joins a larger one
    or leaves the land.
    """

    streams: Array
    """(orders,) how many there are."""
    lengths: Array
    """(orders,) their mean length [cells]."""
    areas: Array
    """(orders,) the mean drainage area at their lower end [cells]."""
    total_length: float
    """Of all channels together [cells]."""


@dataclass(frozen=True)
class Horton:
    """Ratios from one order to the next: fewer streams, longer, of larger basins."""

    branching: float
    """R_B: streams of an order over those of the next."""
    length: float
    """R_L."""
    area: float
    """R_A."""


def network(ground: Ground) -> Network:
    """Order the channels after Strahler (1952) and count their streams."""
    flow, channel = ground.flow.ravel(), ground.channel.ravel()
    orders = strahler(ground).ravel()
    sums = np.zeros((3, _HIGHEST))
    _sum_streams(flow, ground.cells, channel, orders, ground.area.ravel(), ground.z.shape[1], sums)
    streams, length, area = sums[:, 1 : int(orders.max()) + 1]
    return Network(streams, length / streams, area / streams, float(length.sum()))


def strahler(ground: Ground) -> Array:
    """Return (ny, nx) int8: the Strahler order of each channel cell, 0 elsewhere.

    A source has order 1; where streams of one order meet, the order rises by one.
    """
    orders = np.zeros(ground.z.size, np.int8)
    met = np.zeros(ground.z.size, np.bool_)
    _rank(ground.flow.ravel(), ground.cells, ground.channel.ravel(), orders, met)
    return orders.reshape(ground.z.shape)


def horton(found: Network) -> Horton | None:
    """Fit log10 of number, mean length and mean area over the orders of at least 3 streams.

    R is 10 to the (absolute) slope. None with fewer than three such orders.
    """
    kept = found.streams >= FEWEST_STREAMS
    ranks = np.flatnonzero(kept).astype(np.float64)
    lines = [line(ranks, np.log10(v[kept])) for v in (found.streams, found.lengths, found.areas)]
    if lines[0] is None or lines[1] is None or lines[2] is None:
        return None
    ratios = [10.0**fitted.slope for fitted in lines if fitted]
    return Horton(1.0 / ratios[0], ratios[1], ratios[2])


def drainage_density(found: Network, ground: Ground) -> float:
    """Return the length of channels per area of land [km/km²]; channels drain ≥ 100 cells."""
    return 1000.0 * found.total_length / (ground.count * ground.cell_size)


@kernel
def _rank(receivers, cells, channel, orders, met):  # type: ignore[no-untyped-def]
    """Strahler's rule from the sources down; `met`: two donors of the highest order so far."""
    for n in range(cells.size - 1, -1, -1):
        cell = cells[n]
        if not channel[cell]:
            continue
        orders[cell] += met[cell] or orders[cell] == 0
        receiver = receivers[cell]
        if receiver != cell and channel[receiver]:
            if orders[cell] > orders[receiver]:
                orders[receiver] = orders[cell]
                met[receiver] = False
            elif orders[cell] == orders[receiver]:
                met[receiver] = True


@kernel
def _sum_streams(receivers, cells, channel, orders, area, nx, sums):  # type: ignore[no-untyped-def]
    """sums[:, order]: streams, their lengths [cells], the area at their ends.

    Only the donor that continues a stream has its receiver's order.
    """
    for n in range(cells.size - 1, -1, -1):
        cell = cells[n]
        if not channel[cell]:
            continue
        receiver, rank = receivers[cell], orders[cell]
        if receiver != cell:
            straight = abs(receiver - cell) == 1 or abs(receiver - cell) == nx
            sums[1, rank] += 1.0 if straight else math.sqrt(2.0)
        if receiver == cell or orders[receiver] != rank:
            sums[0, rank] += 1
            sums[2, rank] += area[cell]
