"""Domain warp: the ground plan is bent by noise before a field is read from it."""

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from downcut.fields.lattice import Lattice, simplex_rows
from downcut.grid import Grid
from downcut.randomness import derive
from downcut.run import Run
from downcut.step import Count, Metres, Number, Record

ROWS = 64
"""Rows a slice: some 10⁵ samples, enough to pay for handing it to a thread."""


def octaves_of(
    wavelength: float, octaves: int, lacunarity: float, gain: float
) -> tuple[list[float], NDArray[np.float32]]:
    """Return each octave's frequency [1/m] and its share of the whole amplitude."""
    frequencies, shares = [1 / wavelength], [1.0]
    for _ in range(octaves - 1):
        frequencies.append(frequencies[-1] * lacunarity)
        shares.append(shares[-1] * gain)
    return frequencies, np.array([share / sum(shares) for share in shares], dtype=np.float32)


class Warp(Record):
    """Bends a field: each sample is taken where two independent noises push it (Quilez 2002)."""

    displacement: Metres = Field(400.0, ge=0, le=1e6)
    """The farthest that a place is pushed, east-west and north-south."""
    wavelength: Metres = Field(1500.0, ge=0.01, le=1e7)
    """Length of the widest bends."""
    octaves: Count = Field(3, ge=1, le=16)
    """How many sizes of bends there are."""
    lacunarity: Number = Field(2.0, ge=1, le=8)
    """How much finer each size is than the one before."""
    gain: Number = Field(0.5, ge=0, le=1)
    """How strong each size is beside the one before (persistence)."""

    def push(
        self, *, grid: Grid, key: int, run: Run
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return how far each cell's sample is pushed east and north: (ny, nx) float32 [m]."""
        frequencies, shares = octaves_of(
            self.wavelength, self.octaves, self.lacunarity, self.gain
        )
        weights = shares * np.float32(self.displacement)
        pushed = []
        for axis in ("east", "north"):
            lattice = Lattice(grid, frequencies, derive(key, "warp", axis), skewed=True)
            out = np.zeros(grid.shape, np.float32)
            straight = np.float32(0), np.float32(1), np.float32(0)
            run.slices(
                lambda a, b, out=out, at=lattice: simplex_rows(  # type: ignore[misc]
                    out, a, b, *at.x, *at.y, at.keys, weights, *straight
                ),
                grid.ny,
                ROWS,
            )
            pushed.append(out)
        return pushed[0], pushed[1]
