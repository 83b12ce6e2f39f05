"""How droplets roll: kernels in which many roll side by side, so that their sums become vectors.

One droplet is a chain: its place decides the cells, they its direction, that its next place. A
processor waits out that chain and is idle meanwhile. So the droplets of a tile roll in groups of
`LANES`, step by step: first all of them look, each for itself; then, one after another, they
change the ground. Looking is loops over lanes without a branch, which become vectors of eight;
only fetching cells and changing them goes lane by lane. `docs/limits/droplets.md` has the figures.

Sums are float32, like the ground: heights enter as differences of neighbouring cells, which are
exact or nearly so. What a droplet carries is float64, the exact sum of what the cells lost.
"""

import numpy as np

from downcut._jit import finite_kernel, inlined
from downcut._simd import pour4
from downcut.erosion.lanes import (
    AMOUNT,
    AT,
    BOOKS,
    CARRIED,
    CHANGE,
    COL,
    COUNTS,
    DROPPED,
    DUG,
    FI,
    FJ,
    FLOATS,
    GIVE_A,
    GIVE_B,
    GIVE_C,
    GIVE_D,
    GOES,
    HERE,
    HIGH,
    LANES,
    LOW,
    NEXT_AT,
    ONE,
    ROW,
    SHARE,
    SPEED2,
    VECTOR,
    WHOLES,
    ZERO,
    A,
    B,
    C,
    D,
)
from downcut.erosion.law import end, move, turn, weigh
from downcut.erosion.rain import BLOCK, starts_on

NEXT = np.uint64(1)


@finite_kernel
def fall(z, mask, nx, law, life, brush, held, shower, places, sums):  # type: ignore[no-untyped-def]
    """Let the sub-batches of a shower fall on tiles; sums: (n, 3) [m] dug, dropped, carried out.

    z is the ground (float32, flat), law the float32 numbers and life (steps, capacity, share of
    water that stays) as `Droplets` orders them; `places` and `shower` are told in `Rain.showers`.
    """
    f = np.empty(FLOATS, np.float32)
    q = np.empty(WHOLES, np.int32)
    books = np.empty(BOOKS, np.float64)
    reach = life[3]
    for n in range(len(places)):
        place = places[n]
        blocks = (place[1] - place[0]) * (place[3] - place[2])
        hits, starts = np.empty((blocks + 1, 4), np.int64), np.empty((blocks, 2), np.float64)
        # cells are numbered from the tile's first row on: 32 bits are enough for the largest map
        first = max(0, place[0] * BLOCK - place[4] - reach)
        ny = len(z) // nx - first
        part = z[first * nx :]
        share = None if mask is None else mask[first:]
        for batch in range(shower[1], shower[2]):
            count = starts_on(shower[0], batch, shower[3], place, first, ny, nx, hits, starts)
            for start in range(0, count, LANES):
                lanes = min(LANES, count - start)
                _begin(starts[start : start + lanes], place, first, nx, f, q, books)
                _roll(part, share, ny, nx, law, life, brush, held, f, q, books, lanes, None)
                for lane in range(LANES):
                    if q[COUNTS + lane]:
                        sums[n, 0] += books[DUG + lane]
                        sums[n, 1] += books[DROPPED + lane]
                        sums[n, 2] += books[CARRIED + lane]


@finite_kernel
def trace(z, mask, ny, nx, law, life, brush, held, start, path):  # type: ignore[no-untyped-def]
    """Let one droplet fall at start (1, 2: row, column) and write its steps; return their number.

    A row of path, (steps + 1, 6) float64, is its row and column, the ground's height under it
    [m], its water, its speed, and the earth it carries [m].
    """
    f = np.empty(FLOATS, np.float32)
    q = np.empty(WHOLES, np.int32)
    books = np.empty(BOOKS, np.float64)
    _begin(start, np.zeros(10, np.int64), 0, nx, f, q, books)
    return _roll(z, mask, ny, nx, law, life, brush, held, f, q, books, 1, path)


@finite_kernel
def _begin(starts, place, first, nx, f, q, books):  # type: ignore[no-untyped-def]
    """Put droplets at their starts; the lanes without one stand still at the first's."""
    f[:] = ZERO
    books[:] = 0.0
    for lane in range(LANES):
        real = lane < len(starts)
        y, x = starts[lane if real else 0]
        i, j = np.int32(y), np.int32(x)
        q[ROW + lane], q[COL + lane], q[AT + lane] = i, j, i * nx + j
        row = i + first
        q[COUNTS + lane] = place[6] <= row < place[7] and place[8] <= j < place[9]
        f[FI + lane], f[FJ + lane] = y - i, x - j
        f[GOES + lane] = f[HERE + lane] = np.float32(real)
        f[SPEED2 + lane] = f[SHARE + lane] = ONE


@finite_kernel
def _roll(z, mask, ny, nx, law, life, brush, held, f, q, books, count, path):  # type: ignore[no-untyped-def]
    """Follow a group of droplets to their ends; what they still carry there is dropped.

    Where there is a path, the first one's steps are written there; returns how many rows it has.
    """
    lanes = -(-count // VECTOR) * VECTOR
    water, steps = 1.0, 0
    for _ in range(life[0]):
        if path is not None:
            _note(z, nx, f, q, books, water, path[steps])
        steps += 1
        _fetch(z, nx, f, q, AT, lanes)
        turn(ny, nx, law, f, q, lanes)
        _fetch(z, nx, f, q, NEXT_AT, lanes)
        _share(mask, f, q, lanes)
        weigh(law, np.float32(life[1] * water), f, lanes)
        if not _change(z, ny, nx, brush, held, f, q, books, count):
            break
        move(f, q, books, lanes)
        water *= life[2]
        if water < 0.01:
            break
    if path is not None:
        _note(z, nx, f, q, books, water, path[steps])
    _share(mask, f, q, lanes)
    end(law, f)
    _change(z, ny, nx, brush, held, f, q, books, count)
    move(f, q, books, lanes)
    return steps + 1


@finite_kernel
def _note(z, nx, f, q, books, water, row):  # type: ignore[no-untyped-def]
    """Write down where the first droplet is and what it has; see `trace`."""
    fi, fj = f[FI], f[FJ]
    a = z[q[AT]]
    east, twist = z[q[AT] + 1] - a, z[q[AT] + nx + 1] - z[q[AT] + nx] - (z[q[AT] + 1] - a)
    row[0], row[1] = q[ROW] + fi, q[COL] + fj
    row[2] = a + (fj * east + fi * ((z[q[AT] + nx] - a) + fj * twist))
    row[3], row[4], row[5] = water, np.sqrt(f[SPEED2]), books[CARRIED]


@finite_kernel
def _fetch(z, nx, f, q, at, lanes):  # type: ignore[no-untyped-def]
    """Copy the four cells round each place, whose upper left ones are in row `at` of q."""
    width = np.uint64(nx)
    for lane in range(lanes):
        here = np.uint64(np.uint32(q[at + lane]))
        f[A + lane], f[B + lane] = z[here], z[here + NEXT]
        f[C + lane], f[D + lane] = z[here + width], z[here + width + NEXT]


@finite_kernel
def _share(mask, f, q, lanes):  # type: ignore[no-untyped-def]
    """Look up how much the mask lets happen where the droplets are."""
    if mask is not None:
        for lane in range(lanes):
            f[SHARE + lane] = mask[q[ROW + lane], q[COL + lane]]


@inlined
def _pour(z, at, amount, low, high):  # type: ignore[no-untyped-def]
    """Raise a cell by `amount` (or lower it) within limits; return by how much, as stored."""
    old = z[at]
    new = min(max(old + amount, min(low, old)), max(high, old))
    z[at] = new
    return np.float64(new) - np.float64(old)


@finite_kernel
def _change(z, ny, nx, brush, held, f, q, books, count):  # type: ignore[no-untyped-def]
    """Let one droplet after another change the ground it leaves; return how many go on.

    What a held border refuses stays in the water. All in one kernel: a call for each lane would
    count references to the arrays, and that took half of the time.
    """
    going = 0
    for lane in range(count):
        change = 0.0
        if f[GOES + lane] > ZERO:
            going += 1
            i, j, low, high = q[ROW + lane], q[COL + lane], f[LOW + lane], f[HIGH + lane]
            if len(brush) > 0 and f[AMOUNT + lane] < ZERO:
                for n in range(len(brush)):
                    r, c = i + np.int64(brush[n, 0]), j + np.int64(brush[n, 1])
                    if held <= r < ny - held and held <= c < nx - held:
                        part = f[AMOUNT + lane] * np.float32(brush[n, 2])
                        change += _pour(z, np.uint64(r * nx + c), part, low, high)
            elif held == 0 or (0 < i < ny - 2 and 0 < j < nx - 2):
                a, b, c, d = f[GIVE_A + lane], f[GIVE_B + lane], f[GIVE_C + lane], f[GIVE_D + lane]
                at = np.uint64(np.uint32(q[AT + lane]))
                change = pour4(z, at, np.uint64(nx), a, b, c, d, low, high)
            else:
                for n in range(4):
                    r, c = i + n // 2, j + n % 2
                    if 0 < r < ny - 1 and 0 < c < nx - 1:
                        part = f[GIVE_A + n * LANES + lane]
                        change += _pour(z, np.uint64(r * nx + c), part, low, high)
        books[CHANGE + lane] = change
    return going
