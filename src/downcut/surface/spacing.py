"""Places that keep their distance: evenly at random, the same from every window.

The plane is divided into squares so small that each has room for one place. In every round each
empty square proposes a place, by its own chance; the proposal stands if the ground suits it, no
place of an earlier round is too near, and no proposal that stands beside it has a higher rank. A
place depends on what lies within two spacings a round, and on nothing else: no order, no list.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from downcut._jit import inlined, kernel
from downcut.grid import Grid
from downcut.randomness import hash64, hash_along, hash_of_row
from downcut.run import Run

ROUNDS = 4
"""After so many there are 82 % of the places that darts thrown without end would find."""
BAND = 96
"""Rows of squares that a thread takes at a time."""
AROUND = 4 * ROUNDS - 2
"""Squares around one that decide it: it looks two far, at what looked two far, in each round."""
ROOM = math.sqrt(0.5) * (1 - 1e-9)
"""Edge of a square for a spacing of 1: two places in it would be too near."""

_53 = 2.0**-53
_21 = 2.0**-21


@dataclass(frozen=True)
class Rule:
    """Where places may lie.

    Attributes
    ----------
    spacing : float [m]
        The least distance between two.
    suits : (ny, nx) float32
        How likely a proposal in a cell is to stand, 0 to 1; between cells bilinear, and none where
        the cell itself has 0.
    patch : float [m]
        How wide patches are.
    patchiness : float
        0 for none, 1 for nothing between the patches.
    """

    spacing: float
    suits: NDArray[np.float32]
    patch: float
    patchiness: float

    @property
    def reach(self) -> float:
        """How far around a place all lies that decides it [m]."""
        return (2 * ROUNDS - 1) * self.spacing


def places(
    rule: Rule, grid: Grid, keys: NDArray[np.uint64], run: Run, part: tuple[int, int] = (0, 1)
) -> NDArray[np.float64]:
    """Return places on the grid that keep their distance, from north to south.

    Parameters
    ----------
    rule : Rule
    grid : Grid
    keys : (ROUNDS + 2,) uint64
        The chance: of each round, of the patches, of what the places are like.
    run, part
        As for `Run.slices`.

    Returns
    -------
    (n, 7) float64
        x, y [m], how well the ground suits it, and four chances, 0 to 1, for what stands there.
    """
    edge = rule.spacing * ROOM
    (row, col), cell = grid.corner, grid.cell_size
    first, last = math.floor(row * cell / edge), math.ceil((row + grid.ny) * cell / edge)
    west, east = math.floor(col * cell / edge), math.ceil((col + grid.nx) * cell / edge)
    size = np.array([edge, rule.spacing, cell, rule.patch, rule.patchiness])
    corner = np.array([row, col])
    suits = np.array(rule.suits)  # what is read-only would be another kernel

    def band(start: int, stop: int) -> NDArray[np.float64]:
        found = np.empty(((stop - start) * (east - west), 7))
        span = (first + start, first + stop, west, east)
        count = _band(keys, size, corner, suits, span, found)
        return found[:count].copy()

    return np.concatenate(run.slices(band, last - first, BAND, part))


@kernel
def chances(key, first, out):  # type: ignore[no-untyped-def]
    """Fill (numbers, count) with the chances of things number `first` and on."""
    for n in range(out.shape[1]):
        half = hash_of_row(key, first + n)
        for k in range(out.shape[0]):
            out[k, n] = np.float64(hash_along(half, k) >> np.uint64(11)) * _53


@kernel
def _band(keys, size, corner, suits, span, found):  # type: ignore[no-untyped-def]
    """Find the places in some rows of squares; return how many."""
    first, last, west, east = span
    ny, nx = last - first + 2 * AROUND, east - west + 2 * AROUND
    top, left = first - AROUND, west - AROUND
    taken = np.full((ny, nx), -1, np.int8)
    there = np.empty((3, ny, nx))
    mine = np.empty((3, ny, nx))
    rank = np.zeros((ny, nx), np.uint64)
    for number in range(ROUNDS):
        _propose(keys, number, size, corner, suits, (top, left), taken, there, mine, rank)
        _settle(number, size[1], taken, there, mine, rank)
    count = 0
    for i in range(AROUND, ny - AROUND):
        for j in range(AROUND, nx - AROUND):
            if taken[i, j] < 0:
                continue
            found[count, 0], found[count, 1] = there[0, i, j], there[1, i, j]
            found[count, 2] = there[2, i, j]
            bits = hash64(keys[ROUNDS + 1] + np.uint64(taken[i, j]), top + i, left + j)
            for k in range(4):
                part = (bits >> np.uint64(16 * k)) & np.uint64(65535)
                found[count, 3 + k] = np.float64(part) / 65536.0
            count += 1
    return count


@kernel
def _propose(keys, number, size, corner, suits, start, taken, there, mine, rank):  # type: ignore[no-untyped-def]
    """Let every empty square propose a place; rank 0 where it does not stand."""
    edge, spacing = size[0], size[1]
    ny, nx = taken.shape
    for i in range(ny):
        half = hash_of_row(keys[number], start[0] + i)
        for j in range(nx):
            rank[i, j] = 0
            if taken[i, j] >= 0:
                continue
            bits = hash_along(half, start[1] + j)
            x = (start[1] + j + np.float64(bits & np.uint64(0x1FFFFF)) * _21) * edge
            south = start[0] + i + np.float64((bits >> np.uint64(21)) & np.uint64(0x1FFFFF)) * _21
            south *= edge
            suit = _suit(x, south, size[2], corner, suits)
            if suit <= 0.0:
                continue
            suit *= 1.0 - size[4] + size[4] * _patch(keys[ROUNDS], x / size[3], south / size[3])
            if np.float64(bits >> np.uint64(42)) * (2.0**-22) >= suit:
                continue
            if not _is_near(x, -south, spacing, i, j, taken, there):
                mine[0, i, j], mine[1, i, j], mine[2, i, j] = x, -south, suit
                rank[i, j] = bits | np.uint64(1)


@kernel
def _settle(number, spacing, taken, there, mine, rank):  # type: ignore[no-untyped-def]
    """Keep the proposals that no higher one is too near to."""
    ny, nx = taken.shape
    for i in range(2, ny - 2):
        for j in range(2, nx - 2):
            if rank[i, j] == 0:
                continue
            stands = True
            for a in range(i - 2, i + 3):
                for b in range(j - 2, j + 3):
                    if rank[a, b] <= rank[i, j]:
                        continue
                    x, y = mine[0, a, b] - mine[0, i, j], mine[1, a, b] - mine[1, i, j]
                    if x * x + y * y < spacing * spacing:
                        stands = False
            if stands:
                taken[i, j] = number
                for k in range(3):
                    there[k, i, j] = mine[k, i, j]


@inlined
def _is_near(x, y, spacing, i, j, taken, there):  # type: ignore[no-untyped-def]
    """Tell whether a place of an earlier round is nearer than the spacing."""
    near = False
    for a in range(max(i - 2, 0), min(i + 3, taken.shape[0])):
        for b in range(max(j - 2, 0), min(j + 3, taken.shape[1])):
            if taken[a, b] >= 0:
                east, north = there[0, a, b] - x, there[1, a, b] - y
                if east * east + north * north < spacing * spacing:
                    near = True
    return near


@inlined
def _suit(x, south, cell, corner, suits):  # type: ignore[no-untyped-def]
    """How well the ground suits a place: bilinear; 0 off the map and where its cell has 0."""
    ny, nx = suits.shape
    down, right = south / cell - corner[0] % 1.0, x / cell - corner[1] % 1.0
    top, left = np.int64(math.floor(corner[0])), np.int64(math.floor(corner[1]))
    r, c = np.int64(math.floor(down)) - top, np.int64(math.floor(right)) - left
    if r < 0 or c < 0 or r >= ny or c >= nx or suits[r, c] <= 0:
        return 0.0
    row, col = math.floor(down - 0.5), math.floor(right - 0.5)
    s, t = down - 0.5 - row, right - 0.5 - col
    r, c = np.int64(row) - top, np.int64(col) - left
    a, b = max(r, 0), min(r + 1, ny - 1)
    d, e = max(c, 0), min(c + 1, nx - 1)
    upper = suits[a, d] * (1.0 - t) + suits[a, e] * t
    lower = suits[b, d] * (1.0 - t) + suits[b, e] * t
    return upper * (1.0 - s) + lower * s


@inlined
def _patch(key, x, y):  # type: ignore[no-untyped-def]
    """0 between patches to 1 in them: two waves of value noise, cut in the middle."""
    value = 0.65 * _value(key, x, y) + 0.35 * _value(key, 2.3 * x + 0.37, 2.3 * y + 0.71)
    share = min(max((value - 0.4) / 0.2, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


@inlined
def _value(key, x, y):  # type: ignore[no-untyped-def]
    """Smooth noise between the chances of whole places."""
    col, row = math.floor(x), math.floor(y)
    s, t = x - col, y - row
    s, t = s * s * (3.0 - 2.0 * s), t * t * (3.0 - 2.0 * t)
    c, r = np.int64(col), np.int64(row)
    a, b = _chance(key, r, c), _chance(key, r, c + 1)
    d, e = _chance(key, r + 1, c), _chance(key, r + 1, c + 1)
    return (a * (1.0 - s) + b * s) * (1.0 - t) + (d * (1.0 - s) + e * s) * t


@inlined
def _chance(key, row, col):  # type: ignore[no-untyped-def]
    """0 to 1 by the place."""
    return np.float64(hash64(key, row, col) >> np.uint64(11)) * _53
