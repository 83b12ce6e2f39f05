"""Simplex fBm by others, on one thread."""

from collections.abc import Callable

import numpy as np


def fast_noise_lite(size: int, wavelength: float, octaves: int) -> Callable[[], np.ndarray]:
    """OpenSimplex2 of FastNoiseLite, a C++ header, by its Cython wrapper."""
    from pyfastnoiselite import pyfastnoiselite as lite

    noise = lite.FastNoiseLite(seed=7)
    noise.noise_type = lite.NoiseType.NoiseType_OpenSimplex2
    noise.fractal_type = lite.FractalType.FractalType_FBm
    noise.fractal_octaves, noise.frequency = octaves, 1 / wavelength
    rows, cols = np.indices((size, size), dtype=np.float32)
    places = np.stack([cols.ravel(), rows.ravel()])
    return lambda: noise.gen_from_coords(places)


def open_simplex(size: int, wavelength: float, octaves: int) -> Callable[[], np.ndarray]:
    """OpenSimplex with numba; octaves are added by numpy."""
    import opensimplex

    noise = opensimplex.OpenSimplex(seed=7)
    along = np.arange(size) / wavelength

    def work() -> np.ndarray:
        total = np.zeros((size, size))
        for k in range(octaves):
            total += 0.5**k * noise.noise2array(along * 2.0**k, along * 2.0**k)
        return total

    return work


PEERS = {"pyfastnoiselite": fast_noise_lite, "opensimplex": open_simplex}
