"""Octaves: the sizes of a noise, and their sum."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from downcut.fields.lattice import Lattice, perlin_rows, simplex_rows, warped_rows
from downcut.grid import Grid
from downcut.run import Run

Floats = NDArray[np.float32]

ROWS = 64
"""Rows a slice: some 10⁵ samples, enough to pay for handing it to a thread."""


def octaves_of(
    wavelength: float, octaves: int, lacunarity: float, gain: float
) -> tuple[list[float], Floats]:
    """Return each octave's frequency [1/m] and its share of the whole amplitude."""
    frequencies, shares = [1 / wavelength], [1.0]
    for _ in range(octaves - 1):
        frequencies.append(frequencies[-1] * lacunarity)
        shares.append(shares[-1] * gain)
    return frequencies, np.array([share / sum(shares) for share in shares], dtype=np.float32)


def sum_octaves(
    octaves: tuple[list[float], Floats],
    shape: Sequence[float],
    *,
    grid: Grid,
    key: int,
    run: Run,
    level: float = 0.0,
    amplitude: float = 1.0,
    square: bool = False,
    moved: tuple[Floats, Floats] | None = None,
    part: tuple[int, int] = (0, 1),
) -> Floats:
    """Return level + amplitude · Σ shareₖ · (bend·|nₖ| + slope·nₖ + rise), (ny, nx) float32.

    `shape` is (bend, slope, rise); `moved` are metres east and north by which each sample is
    displaced; `square` asks for Perlin's lattice instead of the simplex one; `part` is (k, n) for
    the k-th of n equal parts of a step, for its progress.
    """
    frequencies, shares = octaves
    lattice = Lattice(grid, frequencies, key, skewed=not square)
    out = np.full(grid.shape, level, np.float32)
    weights = shares * np.float32(amplitude)
    sums = (*lattice.x, *lattice.y, lattice.keys, weights, *map(np.float32, shape))

    def rows(first: int, last: int) -> None:
        if moved is not None:
            warped_rows(out, first, last, *sums, *moved, lattice.per_metre, square)
        elif square:
            perlin_rows(out, first, last, *sums)
        else:
            simplex_rows(out, first, last, *sums)

    run.slices(rows, grid.ny, ROWS, part)
    return out
