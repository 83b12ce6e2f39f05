"""A pass of sliding, row by row: what each cell gives to its neighbours, and what it gets of them.

Rows are copied between walls into rings of four, so that no cell has to ask where the map ends and
every loop along a row is vectorised. What is left, 2.5 to 3 ns a cell, is arithmetic: a hundred
operations a cell, eight cells at once; a third of it is the account in float64.
"""

import math

import numpy as np

from downcut._jit import finite_kernel, inlined
from downcut.flow.walls import KEPT, around, fetch

_LEAST = np.float32(1e-30)  # keeps nothing shared among nobody from being 0 / 0
_DIAGONAL = np.float32(math.sqrt(0.5))


@inlined
def _eased(amount, ease, j):  # type: ignore[no-untyped-def]
    """As much of it as cell j's mask lets move."""
    return amount if ease is None else amount * ease[j]


@inlined
def _excess(here, there, ease, j, talus):  # type: ignore[no-untyped-def]
    """How far the drop from height `here` to cell j passes what holds, eased by the mask there."""
    e = here - there[j] - talus
    return _eased(e if e > np.float32(0) else np.float32(0), ease, j)


@finite_kernel
def _give(z, ease, law, lost, share):  # type: ignore[no-untyped-def]
    """For a row, what each cell gives, in all and per metre of a neighbour's excess.

    Neighbours are added in opposite pairs, so that the sum is the same when the map is turned.
    """
    (up, row, down), (ease_up, ease_row, ease_down), (side, corner, half) = z, ease, law
    for j in range(len(row) - 2):
        here = row[j + 1]
        n, s = _excess(here, up, ease_up, j + 1, side), _excess(here, down, ease_down, j + 1, side)
        w, e = _excess(here, row, ease_row, j, side), _excess(here, row, ease_row, j + 2, side)
        nw, ne = _excess(here, up, ease_up, j, corner), _excess(here, up, ease_up, j + 2, corner)
        sw = _excess(here, down, ease_down, j, corner)
        se = _excess(here, down, ease_down, j + 2, corner)
        total = ((n + s) + (w + e)) + ((nw + se) + (ne + sw))
        given = half * max(max(max(n, s), max(w, e)), max(max(nw, se), max(ne, sw)))
        given = _eased(given, ease_row, j + 1)
        lost[j + 1] = given
        share[j + 1] = given / max(total, _LEAST)


@finite_kernel
def _take(z, ease, law, share, gain):  # type: ignore[no-untyped-def]
    """For a row, what each cell gets of its neighbours' shares."""
    (up, here, down), (side, corner, _) = z, law
    (share_up, share_here, share_down), ease = share, ease[1]
    for j in range(len(here) - 2):
        m = j + 1
        n = share_up[m] * _excess(up[m], here, ease, m, side)
        s = share_down[m] * _excess(down[m], here, ease, m, side)
        w = share_here[j] * _excess(here[j], here, ease, m, side)
        e = share_here[j + 2] * _excess(here[j + 2], here, ease, m, side)
        nw = share_up[j] * _excess(up[j], here, ease, m, corner)
        ne = share_up[j + 2] * _excess(up[j + 2], here, ease, m, corner)
        sw = share_down[j] * _excess(down[j], here, ease, m, corner)
        se = share_down[j + 2] * _excess(down[j + 2], here, ease, m, corner)
        gain[m] = ((n + s) + (w + e)) + ((nw + se) + (ne + sw))


@inlined
def _prefer(chosen, here, there, ease, j, talus, nearness, name):  # type: ignore[no-untyped-def]
    """Return (slope, excess, name) of the way down to cell j if it is steeper than the chosen."""
    slope, excess, way = chosen
    e = _eased(here - there[j] - talus, ease, j)
    s = (e + talus) * nearness
    better = (e > np.float32(0)) & (s > slope)
    return np.float32(s) if better else slope, e if better else excess, name if better else way


@inlined
def _deeper(lowest, there, j, name):  # type: ignore[no-untyped-def]
    """Return (height, name) of cell j if it is lower than the lowest so far."""
    height, way = lowest
    return min(height, there[j]), name if there[j] < height else way


@finite_kernel
def _give_lowest(z, law, lost, to):  # type: ignore[no-untyped-def]
    """`_give_steepest` where no mask eases: the steepest way leads to the lowest side or corner.

    Half of the operations, as heights are compared instead of slopes. Two ways that differ by less
    than a slope's rounding are told apart here; equal ones go in the order of the D8 table.
    """
    (up, row, down), (side, corner, half), f = z, law, np.float32
    for j in range(len(row) - 2):
        here = row[j + 1]
        straight = up[j + 1], f(1)
        straight = _deeper(straight, row, j, f(3))
        straight = _deeper(straight, row, j + 2, f(4))
        straight = _deeper(straight, down, j + 1, f(6))
        across = up[j], f(0)
        across = _deeper(across, up, j + 2, f(2))
        across = _deeper(across, down, j, f(5))
        across = _deeper(across, down, j + 2, f(7))
        drop, far = here - straight[0], here - across[0]
        beside, beyond, slope = drop - side, far - corner, far * _DIAGONAL
        first = (slope > drop) | ((slope == drop) & (across[1] < straight[1]))
        # rounding may let slide what is less steep and hold what is steeper, by a bit
        first = (beyond > f(0)) & (first | (beside <= f(0)))
        excess = beyond if first else beside
        lost[j + 1] = f(half * excess) if excess > f(0) else f(0)
        to[j + 1] = (across[1] if first else straight[1]) if excess > f(0) else f(-1)


@finite_kernel
def _give_steepest(z, ease, law, lost, to):  # type: ignore[no-untyped-def]
    """For a row, what each cell gives and to which neighbour, by its place in the D8 table."""
    (up, row, down), (ease_up, ease_row, ease_down), (side, corner, half) = z, ease, law
    one, far, f = np.float32(1), _DIAGONAL, np.float32
    for j in range(len(row) - 2):
        here, best = row[j + 1], (f(0), f(0), f(-1))
        best = _prefer(best, here, up, ease_up, j, corner, far, f(0))
        best = _prefer(best, here, up, ease_up, j + 1, side, one, f(1))
        best = _prefer(best, here, up, ease_up, j + 2, corner, far, f(2))
        best = _prefer(best, here, row, ease_row, j, side, one, f(3))
        best = _prefer(best, here, row, ease_row, j + 2, side, one, f(4))
        best = _prefer(best, here, down, ease_down, j, corner, far, f(5))
        best = _prefer(best, here, down, ease_down, j + 1, side, one, f(6))
        best = _prefer(best, here, down, ease_down, j + 2, corner, far, f(7))
        given = np.float32(half * best[1])
        given = _eased(given, ease_row, j + 1)
        lost[j + 1] = given
        to[j + 1] = best[2]


@inlined
def _if_mine(given, to, j, name):  # type: ignore[no-untyped-def]
    """What cell j gives, if it gives it in the direction of that name."""
    return given[j] if to[j] == name else np.float32(0)


@finite_kernel
def _take_steepest(lost, to, gain):  # type: ignore[no-untyped-def]
    """For a row, what the neighbours that chose each cell give: the n-th by its way 7 − n."""
    (up, here, down), (to_up, to_here, to_down) = lost, to
    f = np.float32  # an integer here would be a kernel of its own
    for j in range(len(gain) - 2):
        got = _if_mine(up, to_up, j, f(7))
        got += _if_mine(up, to_up, j + 1, f(6))
        got += _if_mine(up, to_up, j + 2, f(5))
        got += _if_mine(here, to_here, j, f(4))
        got += _if_mine(here, to_here, j + 2, f(3))
        got += _if_mine(down, to_down, j, f(2))
        got += _if_mine(down, to_down, j + 1, f(1))
        got += _if_mine(down, to_down, j + 2, f(0))
        gain[j + 1] = got


@finite_kernel
def _fetch_mask(mask, i, rows):  # type: ignore[no-untyped-def]
    """Copy row i of the mask, clipped to 0 to 1; beyond the map nothing is loose."""
    rows[i & 3] = 0
    if 0 <= i < len(mask):
        row = rows[i & 3, 1:-1]
        for j in range(len(row)):
            row[j] = min(max(mask[i, j], 0), 1)


@finite_kernel
def slide(old, new, loose, first, last, law, steepest, core, sums):  # type: ignore[no-untyped-def]
    """One pass over rows first…last; what a row gives is kept for the row above and below.

    Not `steepest` is None rather than False, so that only the half that is asked for compiles.
    """
    width = old.shape[1] + 2
    z, gain = np.empty((KEPT, width), np.float32), np.empty(width, np.float32)
    lost, share = np.zeros((KEPT, width), np.float32), np.empty((KEPT, width), np.float32)
    share[:] = -1 if steepest is not None else 0
    eases = None if loose is None else np.empty((KEPT, width), loose.dtype)
    for i in range(first - 2, last + 2):
        fetch(old, i, z)
        if loose is not None:
            _fetch_mask(loose, i, eases)
        give, take = i - 1, i - 2  # the rows whose neighbours are known now
        if give < first - 1:
            continue
        ease = (None, None, None) if loose is None else around(eases, give)
        if not 0 <= give < len(old):
            lost[give & 3], share[give & 3] = 0, (0 if steepest is None else -1)
        elif steepest is None:
            _give(around(z, give), ease, law, lost[give & 3], share[give & 3])
        elif loose is None:
            _give_lowest(around(z, give), law, lost[give & 3], share[give & 3])
        else:
            _give_steepest(around(z, give), ease, law, lost[give & 3], share[give & 3])
        if take < first:
            continue
        ease = (None, None, None) if loose is None else around(eases, take)
        if steepest is None:
            _take(around(z, take), ease, law, around(share, take), gain)
        else:
            _take_steepest(around(lost, take), around(share, take), gain)
        _settle(old[take], new[take], lost[take & 3], gain)
        if core[0] <= take < core[1]:
            part, wide = slice(core[2], core[3]), slice(core[2] + 1, core[3] + 1)
            moved = (old[take, part], new[take, part], lost[take & 3, wide], gain[wide])
            _account(*moved, sums[0, wide], sums[1, wide], sums[2, wide])


@finite_kernel
def _settle(old, new, lost, gain):  # type: ignore[no-untyped-def]
    for j in range(len(old)):
        new[j] = old[j] + (gain[j + 1] - lost[j + 1])


@finite_kernel
def _account(old, new, lost, gain, eroded, deposited, missed):  # type: ignore[no-untyped-def]
    """Add up per column what a row lost and gained, and by how much float32 missed that.

    One loop: every number becomes a float64 once, which is what this costs.
    """
    for j in range(len(old)):
        less, more = np.float64(lost[j]), np.float64(gain[j])
        eroded[j] += less
        deposited[j] += more
        missed[j] += (np.float64(new[j]) - np.float64(old[j])) - (more - less)
