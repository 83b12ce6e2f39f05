"""The law of droplets, for a group side by side: where each turns, and what it gives and takes.

Every loop is over lanes, without a branch and without a look at the ground, so that it becomes
vectors of eight. Sums are float32, like the ground: heights enter as differences of neighbouring
cells, which are exact or nearly so. What a droplet carries is float64, the sum of what cells lost.
"""

import numpy as np

from downcut._jit import finite_kernel, inlined
from downcut._simd import pick
from downcut.erosion.lanes import (
    AMOUNT,
    AT,
    BASE,
    CARRIED,
    CHANGE,
    COL,
    DI,
    DJ,
    DROPPED,
    DUG,
    FI,
    FJ,
    GIVE_A,
    GIVE_B,
    GIVE_C,
    GIVE_D,
    GOES,
    HEIGHT,
    HERE,
    HIGH,
    LANES,
    LOAD,
    LOW,
    NEXT_AT,
    NEXT_COL,
    NEXT_FI,
    NEXT_FJ,
    NEXT_ROW,
    ONE,
    ROW,
    SHARE,
    SPEED2,
    ZERO,
    A,
    B,
    C,
    D,
)

STILL = np.float32(1e-12)


@finite_kernel
def turn(ny, nx, law, f, q, lanes):  # type: ignore[no-untyped-def]
    """Turn every droplet by the slope under it and find its next place, a cell further on."""
    keep, turn, damped = law[1], law[2], law[3] != ZERO
    last_i, last_j, width = np.int32(ny - 1), np.int32(nx - 1), np.int32(nx)
    for lane in range(lanes):
        a, fi, fj = f[A + lane], f[FI + lane], f[FJ + lane]
        east = f[B + lane] - a
        twist = (f[D + lane] - f[C + lane]) - east
        south = (f[C + lane] - a) + fj * twist
        f[BASE + lane], f[HEIGHT + lane] = a, fj * east + fi * south
        di = f[DI + lane] * keep - south * turn
        dj = f[DJ + lane] * keep - (east + fi * twist) * turn
        length = np.sqrt(di * di + dj * dj)
        per = ONE / max(length, STILL)
        f[DI + lane], f[DJ + lane] = pick(damped, di, di * per), pick(damped, dj, dj * per)
        ti, tj = fi + di * per, fj + dj * per
        si, sj = np.floor(ti), np.floor(tj)
        ni = np.int32(q[ROW + lane] + np.int32(si))
        nj = np.int32(q[COL + lane] + np.int32(sj))
        inside = (ni >= 0) & (nj >= 0) & (ni < last_i) & (nj < last_j)
        moves = (f[GOES + lane] > ZERO) & (length >= STILL)
        goes = moves & inside
        f[HERE + lane] *= pick(moves & (not inside), ZERO, ONE)
        f[GOES + lane] = pick(goes, ONE, ZERO)
        ni, nj = pick(goes, ni, q[ROW + lane]), pick(goes, nj, q[COL + lane])
        q[NEXT_ROW + lane], q[NEXT_COL + lane] = ni, nj
        q[NEXT_AT + lane] = np.int32(np.int32(ni * width) + nj)
        f[NEXT_FI + lane], f[NEXT_FJ + lane] = pick(goes, ti - si, fi), pick(goes, tj - sj, fj)


@finite_kernel
def weigh(law, strength, f, lanes):  # type: ignore[no-untyped-def]
    """Compare what every droplet carries with what it can; find what it gives, or takes."""
    per_cell, min_slope, deposition_rate, erosion_rate = law[4], law[5], law[6], law[7]
    cell, max_erosion, gravity, lowest, highest = law[0], law[8], law[9], law[10], law[11]
    for lane in range(lanes):
        a, fi, fj = f[A + lane], f[NEXT_FI + lane], f[NEXT_FJ + lane]
        east = f[B + lane] - a
        south = (f[C + lane] - a) + fj * ((f[D + lane] - f[C + lane]) - east)
        new = (a - f[BASE + lane]) + (fj * east + fi * south)
        rise = (new - f[HEIGHT + lane]) * per_cell
        carried = f[LOAD + lane] * per_cell
        speed = np.sqrt(f[SPEED2 + lane])
        room = max(-rise, min_slope) * speed * strength - carried
        take = min(min(room * erosion_rate, -rise), max_erosion)
        amount = pick(room < ZERO, -room * deposition_rate, -take)
        amount = pick(rise > ZERO, min(rise, carried), amount) * cell * f[SHARE + lane]
        amount = pick(f[GOES + lane] > ZERO, amount, ZERO)
        f[SPEED2 + lane] = max(ZERO, f[SPEED2 + lane] - rise * gravity)
        # no cell is dug below the next place or filled above it: pits would feed on themselves
        new += f[BASE + lane]
        f[LOW + lane] = pick(amount < ZERO, max(lowest, new), lowest)
        f[HIGH + lane] = pick(rise > ZERO, min(highest, new), highest)
        f[AMOUNT + lane] = amount
        spread(f, lane, amount)


@inlined
def spread(f, lane, amount):  # type: ignore[no-untyped-def]
    """Divide `amount` among the four cells round a place, by the weights of sampling."""
    bottom = amount * f[FI + lane]
    top = amount - bottom
    f[GIVE_B + lane], f[GIVE_D + lane] = top * f[FJ + lane], bottom * f[FJ + lane]
    f[GIVE_A + lane], f[GIVE_C + lane] = top - f[GIVE_B + lane], bottom - f[GIVE_D + lane]


@finite_kernel
def end(law, f):  # type: ignore[no-untyped-def]
    """Let all who are still here drop what they carry, by no brush."""
    for lane in range(LANES):
        f[LOW + lane], f[HIGH + lane] = law[10], law[11]
        f[GOES + lane], f[AMOUNT + lane] = f[HERE + lane], ZERO
        spread(f, lane, f[LOAD + lane] * f[SHARE + lane])


@finite_kernel
def move(f, q, books, lanes):  # type: ignore[no-untyped-def]
    """Keep the books of a step and put every droplet at its next place."""
    for lane in range(lanes):
        change = books[CHANGE + lane]
        books[CARRIED + lane] -= change
        books[DUG + lane] -= min(change, 0.0)
        books[DROPPED + lane] += max(change, 0.0)
        f[LOAD + lane] = books[CARRIED + lane]
    for lane in range(lanes):
        f[FI + lane], f[FJ + lane] = f[NEXT_FI + lane], f[NEXT_FJ + lane]
        q[ROW + lane], q[COL + lane], q[AT + lane] = (
            q[NEXT_ROW + lane],
            q[NEXT_COL + lane],
            q[NEXT_AT + lane],
        )
