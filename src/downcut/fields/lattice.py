"""Gradient noise on an unbounded lattice of integers: the kernels and their coordinates.

Positions are fixed-point numbers, 32 bits of lattice cell and 32 of fraction in an int64, so
they are exact everywhere: a window is the crop of any larger one to the last bit, negative
places are like all others, and nothing gets coarser far from the origin. Gradients come from an
integer hash of the cell; there is no table, and the period is 2³² lattice cells.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from downcut._jit import finite_kernel, inlined
from downcut.errors import DowncutError
from downcut.grid import Grid
from downcut.randomness import derive

F2 = 0.3660254037844386  # (√3 − 1) / 2: skews triangles to squares
G2 = np.float32(0.21132486540518713)  # (3 − √3) / 6: and back
SIMPLEX_SCALE = np.float32(99.20433458271871)  # unit gradients then span [-1, 1]
PERLIN_SCALE = np.float32(1.4142135623730951)
FARTHEST = 2**31
"""Lattice cells from the origin beyond which a field is refused rather than repeated."""

# 16 unit gradients: two angles of an eighth of the circle, mirrored by three more hash bits.
_C1, _S1 = np.float32(0.9807852804032304), np.float32(0.19509032201612825)
_C3, _S3 = np.float32(0.8314696123025452), np.float32(0.5555702330196022)
_CELL = np.float64(2.0**32)
_FRACTION = np.float32(2.0**-24)
_HALF, _ONE, _TWO = np.float32(0.5), np.float32(1.0), np.float32(2.0)


class Lattice:
    """Where the samples of a grid lie on the lattice of every octave.

    A sample's lattice coordinates u, v are the sums of its column's and its row's: `x` holds
    (octaves, 2, nx) of them and `y` (octaves, 2, ny). `per_metre` is (octaves, 2, 2) float64,
    what a metre east or north adds to u and v. `keys` is (octaves,) uint32.
    """

    def __init__(self, grid: Grid, frequencies: list[float], key: int, skewed: bool) -> None:
        self.per_metre, self.keys, offsets = _octaves(tuple(frequencies), key, skewed)
        row, col = grid.corner
        half_x = int(2 * col) + 1 + 2 * np.arange(grid.nx, dtype=np.int64)
        half_y = -(int(2 * row) + 1 + 2 * np.arange(grid.ny, dtype=np.int64))
        half_cell = self.per_metre * (grid.cell_size / 2)
        _refuse_too_far(half_cell, half_x, half_y)
        x = _fixed(half_cell[:, :, 0], half_x)
        x += offsets[:, :, None]
        self.x = _places(x)
        self.y = _places(_fixed(half_cell[:, :, 1], half_y))


@lru_cache(maxsize=256)
def _octaves(
    frequencies: tuple[float, ...], key: int, skewed: bool
) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.int64]]:
    """Return what a lattice's octaves are wherever the grid lies: a small window asks often.

    `per_metre` and `keys` as `Lattice` has them, and the offset of u and v, Q32.32.
    """
    octaves = len(frequencies)
    per_metre = np.empty((octaves, 2, 2))  # [octave, u or v, x or y]
    cosine, sine = 1.0, 0.0
    for k, frequency in enumerate(frequencies):
        s = F2 if skewed else 0.0
        xr, yr = (cosine, -sine), (sine, cosine)
        per_metre[k, 0] = [frequency * (xr[i] + s * (xr[i] + yr[i])) for i in (0, 1)]
        per_metre[k, 1] = [frequency * (yr[i] + s * (xr[i] + yr[i])) for i in (0, 1)]
        # Turned by a 3-4-5 triangle an octave, so that lattice directions never line up.
        cosine, sine = 0.6 * cosine - 0.8 * sine, 0.6 * sine + 0.8 * cosine
    keys = [derive(key, "octave", k) & 0xFFFFFFFF for k in range(octaves)]
    offsets = [[derive(key, "offset", k, axis) for axis in (0, 1)] for k in range(octaves)]
    return per_metre, np.array(keys, np.uint32), np.array(offsets, np.uint64).view(np.int64)


class _Places(NamedTuple):
    """Q32.32 numbers as int32 cells and uint32 fractions: all lanes of a vector are 32 bits."""

    cell: NDArray[np.int32]
    fraction: NDArray[np.uint32]


def _places(fixed: NDArray[np.int64]) -> _Places:
    return _Places((fixed >> 32).astype(np.int32), (fixed & 0xFFFFFFFF).astype(np.uint32))


def _fixed(half_cell: NDArray[np.float64], halves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Multiply positions [half cells] by lattice cells a half cell, to Q32.32, to the last bit.

    The factor is taken with 64 bits of fraction, in two parts, so that far places do not drift;
    its lower part by the position's two halves, so that no product is longer than 64 bits.
    """
    scaled = np.ldexp(half_cell, 32)[:, :, None]
    high = np.floor(scaled)
    low = np.ldexp(scaled - high, 32).astype(np.uint64)
    fixed = high.astype(np.int64) * halves
    fixed += low.astype(np.int64) * (halves >> 32)
    fixed += ((low * (halves & 0xFFFFFFFF).astype(np.uint64)) >> np.uint64(32)).astype(np.int64)
    return fixed


def _refuse_too_far(half_cell: NDArray[np.float64], *halves: NDArray[np.int64]) -> None:
    # half a cell at least: the step from one cell to the next must be told in fixed point too
    reach = [max(1, *(abs(int(h[end])) for end in (0, -1))) for h in halves]
    cells = float((np.abs(half_cell) * reach).sum(axis=-1).max())
    if cells >= FARTHEST:
        raise DowncutError(
            f"the field's finest octave lies {cells:.3g} of its waves from the world's origin and "
            f"2^31 is the limit: come nearer than {FARTHEST / cells:.2g} of this distance, use a "
            "longer wavelength or fewer octaves"
        )


@inlined
def _hash(i, j, key):  # type: ignore[no-untyped-def]
    """Bits of a lattice cell, the highest mixed best; two multiplies, as 16 directions need."""
    h = np.uint32(np.uint32(i) * np.uint32(0x9E3779B1)) ^ np.uint32(
        np.uint32(j) * np.uint32(0x85EBCA77)
    )
    h = np.uint32((h ^ key) * np.uint32(0x2C1B3C6D))
    h ^= h >> np.uint32(15)
    return np.uint32(h * np.uint32(0x297A2D39))


@inlined
def _slope(h, x, y):  # type: ignore[no-untyped-def]
    """Height at (x, y) of the plane through 0 whose gradient the hash names.

    Each choice asks for a sign bit: that is the mask a vector blend takes as it is.
    """
    zero = np.int32(0)
    steep = np.int32(h) < zero
    p = y if np.int32(h << np.uint32(1)) < zero else x
    q = x if np.int32(h << np.uint32(1)) < zero else y
    p *= _C1 if steep else _C3
    q *= _S1 if steep else _S3
    q = -q if np.int32(h << np.uint32(2)) < zero else q
    return -p - q if np.int32(h << np.uint32(3)) < zero else p + q


@inlined
def _corner(h, x, y):  # type: ignore[no-untyped-def]
    """A simplex corner's share: (½ − r²)⁴ times its plane."""
    t = _HALF - x * x - y * y
    t = t if t > np.float32(0.0) else np.float32(0.0)
    t *= t
    return t * t * _slope(h, x, y)


@inlined
def _share(fraction):  # type: ignore[no-untyped-def]
    """The upper 24 bits of a fraction, which float32 holds exactly."""
    return np.float32(np.int32(fraction >> np.uint32(8))) * _FRACTION


@inlined
def simplex(i, j, u, v, key):  # type: ignore[no-untyped-def]
    """Simplex noise in [-1, 1] at a place of the skewed lattice (Perlin 2001, Gustavson 2005)."""
    fu = _share(u)
    fv = _share(v)
    t = (fu + fv) * G2
    x0 = fu - t
    y0 = fv - t
    right = fu > fv
    di = np.int32(1) if right else np.int32(0)
    dj = np.int32(0) if right else np.int32(1)
    x1 = x0 - np.float32(di) + G2
    y1 = y0 - np.float32(dj) + G2
    x2 = x0 - _ONE + _TWO * G2
    y2 = y0 - _ONE + _TWO * G2
    n = _corner(_hash(i, j, key), x0, y0)
    n += _corner(_hash(i + di, j + dj, key), x1, y1)
    n += _corner(_hash(i + np.int32(1), j + np.int32(1), key), x2, y2)
    return SIMPLEX_SCALE * n


@inlined
def perlin(i, j, u, v, key):  # type: ignore[no-untyped-def]
    """Perlin's gradient noise in [-1, 1] with the quintic fade (Perlin 2002)."""
    x = _share(u)
    y = _share(v)
    one = np.int32(1)
    n00 = _slope(_hash(i, j, key), x, y)
    n10 = _slope(_hash(i + one, j, key), x - _ONE, y)
    n01 = _slope(_hash(i, j + one, key), x, y - _ONE)
    n11 = _slope(_hash(i + one, j + one, key), x - _ONE, y - _ONE)
    fx = x * x * x * (x * (x * np.float32(6.0) - np.float32(15.0)) + np.float32(10.0))
    fy = y * y * y * (y * (y * np.float32(6.0) - np.float32(15.0)) + np.float32(10.0))
    near = n00 + fx * (n10 - n00)
    far = n01 + fx * (n11 - n01)
    return PERLIN_SCALE * (near + fy * (far - near))


@finite_kernel
def simplex_rows(out, first, last, x, xf, y, yf, keys, weights, bend, slope, level):  # type: ignore[no-untyped-def]
    """Add weight·(bend·|n| + slope·n + level) of every octave to rows first…last."""
    for row in range(first, last):
        for k in range(len(keys)):
            i0, u0, j0, v0 = y[k, 0, row], yf[k, 0, row], y[k, 1, row], yf[k, 1, row]
            key, weight = keys[k], weights[k]
            for col in range(out.shape[1]):
                u = np.uint32(xf[k, 0, col] + u0)
                v = np.uint32(xf[k, 1, col] + v0)
                i = np.int32(x[k, 0, col] + i0 + np.int32(u < u0))
                j = np.int32(x[k, 1, col] + j0 + np.int32(v < v0))
                n = simplex(i, j, u, v, key)
                out[row, col] += weight * (bend * abs(n) + slope * n + level)


@finite_kernel
def perlin_rows(out, first, last, x, xf, y, yf, keys, weights, bend, slope, level):  # type: ignore[no-untyped-def]
    """As `simplex_rows`, on squares."""
    for row in range(first, last):
        for k in range(len(keys)):
            i0, u0, j0, v0 = y[k, 0, row], yf[k, 0, row], y[k, 1, row], yf[k, 1, row]
            key, weight = keys[k], weights[k]
            for col in range(out.shape[1]):
                u = np.uint32(xf[k, 0, col] + u0)
                v = np.uint32(xf[k, 1, col] + v0)
                i = np.int32(x[k, 0, col] + i0 + np.int32(u < u0))
                j = np.int32(x[k, 1, col] + j0 + np.int32(v < v0))
                n = perlin(i, j, u, v, key)
                out[row, col] += weight * (bend * abs(n) + slope * n + level)


@finite_kernel
def warped_rows(  # type: ignore[no-untyped-def]
    out,
    first,
    last,
    x,
    xf,
    y,
    yf,
    keys,
    weights,
    bend,
    slope,
    level,
    east,
    north,
    per_metre,
    square,
):
    """As `simplex_rows` (or on squares), at places moved by `east` and `north` metres."""
    for row in range(first, last):
        for k in range(len(keys)):
            ux, uy = per_metre[k, 0, 0] * _CELL, per_metre[k, 0, 1] * _CELL
            vx, vy = per_metre[k, 1, 0] * _CELL, per_metre[k, 1, 1] * _CELL
            for col in range(out.shape[1]):
                dx, dy = np.float64(east[row, col]), np.float64(north[row, col])
                u = (np.int64(x[k, 0, col] + y[k, 0, row]) << 32) + np.int64(xf[k, 0, col])
                v = (np.int64(x[k, 1, col] + y[k, 1, row]) << 32) + np.int64(xf[k, 1, col])
                u += np.int64(yf[k, 0, row]) + np.int64(dx * ux + dy * uy)
                v += np.int64(yf[k, 1, row]) + np.int64(dx * vx + dy * vy)
                i, j = np.int32(u >> 32), np.int32(v >> 32)
                if square:
                    n = perlin(i, j, np.uint32(u), np.uint32(v), keys[k])
                else:
                    n = simplex(i, j, np.uint32(u), np.uint32(v), keys[k])
                out[row, col] += weights[k] * (bend * abs(n) + slope * n + level)
