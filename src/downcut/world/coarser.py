"""Noise for coarser cells: without the octaves that they cannot show, on the same mean."""

import math

from downcut.fields.noise import Noise
from downcut.step import Step

MEAN_OF_NOISE = {"simplex": 0.467, "perlin": 0.248}
"""Of |n|, measured over 10⁶ places: what ridges and billows too fine for a level leave behind."""


def coarsened(step: Step, cell: float) -> Step:
    """Return a noise without the octaves that cells of this size cannot show."""
    if not isinstance(step, Noise) or step.lacunarity <= 1:
        return step
    fits = math.floor(math.log(step.wavelength / (2 * cell)) / math.log(step.lacunarity)) + 1
    count = min(max(fits, 1), step.octaves)
    if count == step.octaves:
        return step
    shares = [step.gain**k for k in range(step.octaves)]
    kept = sum(shares[:count]) / sum(shares)
    bend, _, rise = step.shape
    rest = step.amplitude * (1 - kept) * (rise + bend * MEAN_OF_NOISE[step.noise])
    return step.model_copy(
        update={
            "octaves": count,
            "amplitude": step.amplitude * kept,
            "offset": step.offset + rest,
        }
    )
