"""What fBm, ridged and billow share: octaves of gradient noise, summed in world units."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Field
from downcut.fields.lattice import Lattice, perlin_rows, simplex_rows, warped_rows
from downcut.fields.warp import ROWS, Warp, octaves_of
from downcut.grid import Grid
from downcut.run import Run
from downcut.step import Count, Metres, Number


class Noise(Field):
    """Octaves of gradient noise: Σ shareₖ · shape(noise(place · lacunarityᵏ / wavelength)).

    The shares gainᵏ / Σ gainᵏ add to 1, so `amplitude` bounds the sum. Each octave has its own
    offset and is turned by a 3-4-5 triangle against the one before, so that no lattice shows.
    """

    cites: ClassVar[tuple[str, ...]] = ("perlin2002", "gustavson2005", "musgrave1989")
    shape: ClassVar[tuple[float, float, float]] = (0.0, 1.0, 0.0)
    """(bend, slope, level): an octave is bend·|n| + slope·n + level."""

    wavelength: Metres = Parameter(4000.0, ge=0.01, le=1e8)
    """Length of the largest forms, 1/frequency: the distance from one hill to the next, about."""
    amplitude: Metres = Parameter(500.0, ge=-1e5, le=1e5)
    """Height of the forms; in the unit of the layer where that is not elevation."""
    offset: Metres = Parameter(0.0, ge=-1e5, le=1e5)
    """Added everywhere; in the unit of the layer."""
    octaves: Count = Parameter(6, ge=1, le=24)
    """How many sizes of forms are summed, each finer than the one before."""
    lacunarity: Number = Parameter(2.0, ge=1, le=8)
    """How much finer each octave is than the one before."""
    gain: Number = Parameter(0.5, ge=0, le=1)
    """How high each octave is beside the one before (persistence)."""
    noise: Literal["simplex", "perlin"] = "simplex"
    """The lattice under the noise: triangles (simplex) or squares (perlin)."""
    warp: Warp | None = None
    """Bends the ground plan first, so that forms flow; none leaves it straight."""

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Sum the octaves at every cell's centre."""
        frequencies, shares = octaves_of(
            self.wavelength, self.octaves, self.lacunarity, self.gain
        )
        lattice = Lattice(grid, frequencies, key, skewed=self.noise == "simplex")
        out = np.full(grid.shape, self.offset, np.float32)
        bend, slope, level = (np.float32(value) for value in self.shape)
        weights = shares * np.float32(self.amplitude)
        sums = (*lattice.x, *lattice.y, lattice.keys, weights, bend, slope, level)
        if self.warp is None:
            rows = simplex_rows if self.noise == "simplex" else perlin_rows
            run.slices(lambda a, b: rows(out, a, b, *sums), grid.ny, ROWS)
        else:
            moved = (*self.warp.push(grid=grid, key=key, run=run), lattice.per_metre)
            square = self.noise == "perlin"
            run.slices(
                lambda a, b: warped_rows(out, a, b, *sums, *moved, square), grid.ny, ROWS
            )
        return out

    def work(self) -> float:
        """Each octave costs the same."""
        return (3.0 if self.warp is None else 12.0) * self.octaves
