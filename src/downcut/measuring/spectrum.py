"""The spectrum: how much relief there is at each wavelength."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.measuring.fits import power_law
from downcut.measuring.ground import Ground
from downcut.run import Region
from downcut.step import Array

RINGS_PER_OCTAVE = 4
FORMS = (4.0, 64.0)
"""Wavelengths [cells] of hills and valleys."""
DETAIL = (2.0, 8.0)
"""Wavelengths [cells] of the finest detail the cells can hold."""
SMALLEST_EDGE = 64
"""Cells that the longest wavelength asks for."""


@dataclass(frozen=True)
class Spectrum:
    """Power of the relief over wavelength, averaged in rings a quarter of an octave wide."""

    wavelength: Array
    """(k,) [cells], longest first."""
    power: Array
    """(k,) in units that cancel in every slope."""

    def beta(self, wavelengths: tuple[float, float]) -> float | None:
        """Return β of power ∝ wavelength^β between two wavelengths [cells]; None if unknown."""
        low, high = wavelengths
        inside = (self.wavelength >= low) & (self.wavelength <= high)
        fitted = power_law(self.wavelength[inside], self.power[inside])
        return fitted.slope if fitted else None


def spectrum(ground: Ground) -> Spectrum | None:
    """Return the radially averaged spectrum of the land, or of the largest square in it.

    The piece is levelled (a plane is taken off) and faded out towards its rim by a Hann window,
    since its opposite edges do not meet [perron2008]_. None if it is under 64 cells wide.
    """
    top, bottom, left, right = largest_piece(ground.land)
    ny, nx = bottom - top, right - left
    if min(ny, nx) < SMALLEST_EDGE:
        return None
    z = levelled(ground.z[top:bottom, left:right].astype(np.float64))
    transform = np.fft.rfft2(z * _hann(ny)[:, None] * _hann(nx))
    power = transform.real**2 + transform.imag**2
    frequency = np.hypot(np.fft.fftfreq(ny)[:, None], np.fft.rfftfreq(nx))
    return _averaged(frequency.ravel(), power.ravel(), 1 / min(ny, nx))


def _hann(count: int) -> Array:
    return np.hanning(count + 2)[1:-1]


def _averaged(frequency: Array, power: Array, lowest: float) -> Spectrum:
    """Average over rings, each a quarter of an octave wide, from wavelength 2 up.

    Rings of equal width would be many at short waves, which would then decide every fit. The
    waves below 1.5 times the lowest frequency are the window's own.
    """
    inside = (frequency > 1.5 * lowest) & (frequency <= 0.5)
    octaves = np.log2(0.5 / frequency[inside])
    ring = np.floor(octaves * RINGS_PER_OCTAVE + 1e-9).astype(np.int64)
    _, place = np.unique(ring, return_inverse=True)
    members = np.bincount(place)
    wavelength = 2.0 * np.exp2(np.bincount(place, octaves) / members)
    mean = np.bincount(place, power[inside]) / members
    return Spectrum(wavelength[::-1], mean[::-1])


def levelled(z: Array) -> Array:
    """Return z less its best-fitting plane."""
    rows = np.arange(z.shape[0]) - (z.shape[0] - 1) / 2
    cols = np.arange(z.shape[1]) - (z.shape[1] - 1) / 2
    z = z - z.mean()
    down = (z * rows[:, None]).sum() / ((rows**2).sum() * z.shape[1])
    right = (z * cols).sum() / ((cols**2).sum() * z.shape[0])
    flat: Array = z - down * rows[:, None] - right * cols
    return flat


def largest_piece(land: Array) -> Region:
    """Return (top, bottom, left, right) of the whole map or, with gaps, of the largest square."""
    ny, nx = land.shape
    if land.all():
        return 0, ny, 0, nx
    best = np.zeros(3, np.int64)
    _largest_square(land, np.zeros(nx + 1, np.int64), best)
    edge, bottom, right = map(int, best)
    return bottom - edge, bottom, right - edge, right


@kernel
def _largest_square(land, edges, best):  # type: ignore[no-untyped-def]
    """edge(r, c) = 1 + min of the three before it; best: edge, last row + 1, last column + 1."""
    for row in range(land.shape[0]):
        before = 0
        for col in range(1, land.shape[1] + 1):
            above = edges[col]
            if land[row, col - 1]:
                edges[col] = 1 + min(before, above, edges[col - 1])
            else:
                edges[col] = 0
            before = above
            if edges[col] > best[0]:
                best[0], best[1], best[2] = edges[col], row + 1, col
