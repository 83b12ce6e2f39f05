"""What fBm, ridged and billow share: octaves of gradient noise, summed in world units."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.fields.field import Field
from downcut.fields.octaves import octaves_of, sum_octaves
from downcut.fields.warp import Warp
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
        return sum_octaves(
            octaves_of(self.wavelength, self.octaves, self.lacunarity, self.gain),
            self.shape,
            grid=grid,
            key=key,
            run=run,
            level=self.offset,
            amplitude=self.amplitude,
            square=self.noise == "perlin",
            moved=self.warp.push(grid=grid, key=key, run=run) if self.warp else None,
            part=(2, 3) if self.warp else (0, 1),
        )

    def work(self) -> float:
        """Each octave costs the same."""
        return (3.0 if self.warp is None else 12.0) * self.octaves
