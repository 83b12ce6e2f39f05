"""Domain warp: the ground plan is bent by noise before a field is read from it."""

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from downcut.fields.octaves import octaves_of, sum_octaves
from downcut.grid import Grid
from downcut.randomness import derive
from downcut.run import Run
from downcut.step import Count, Metres, Number, Record


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
        """Return how far each cell's sample is pushed east and north: (ny, nx) float32 [m].

        These are the first two of the step's three parts; the sample is the third.
        """
        octaves = octaves_of(self.wavelength, self.octaves, self.lacunarity, self.gain)
        straight = (0.0, 1.0, 0.0)
        east, north = (
            sum_octaves(
                octaves,
                straight,
                grid=grid,
                key=derive(key, "warp", axis),
                run=run,
                amplitude=self.displacement,
                part=(number, 3),
            )
            for number, axis in enumerate(("east", "north"))
        )
        return east, north
