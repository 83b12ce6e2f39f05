"""Light and colour, for the steps that dress the land and for the pictures of it alike.

Nothing here takes a power or an angle of a cell: suns are unit vectors made once, and sRGB is a
table. So a cell's light is + − × ÷ √ of its neighbours, whichever window it is computed in.
"""

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from downcut._jit import finite_kernel, inlined

Plane: TypeAlias = NDArray[np.float32]
Scalar: TypeAlias = float | np.floating[Any]

SEVERAL_SUNS = (-90.0, -45.0, 0.0, 45.0)
"""Degrees from the main sun: Mark's (1992) four, which are 225°, 270°, 315° and 360° at 315°."""

_TINY = np.float32(1e-12)
"""Shares the light of several suns out evenly where the ground has no direction."""


@dataclass(frozen=True)
class Tone:
    """A named colour, 8-bit sRGB."""

    name: str
    red: int
    green: int
    blue: int

    @property
    def rgb(self) -> tuple[int, int, int]:
        """(red, green, blue)."""
        return self.red, self.green, self.blue


BIOMES = (
    Tone("deep sea", 24, 58, 98),
    Tone("shallow sea", 58, 118, 150),
    Tone("beach", 222, 205, 160),
    Tone("desert", 198, 177, 136),
    Tone("scrub", 158, 148, 98),
    Tone("grassland", 122, 140, 82),
    Tone("forest", 74, 102, 66),
    Tone("rain forest", 54, 86, 60),
    Tone("alpine meadow", 142, 152, 104),
    Tone("rock", 128, 120, 112),
    Tone("snow", 240, 244, 250),
)
"""The legend: a biome's number is its place here."""

SPLAT = (
    Tone("grass", 108, 132, 70),
    Tone("rock", 124, 116, 108),
    Tone("sand", 214, 196, 150),
    Tone("snow", 238, 243, 250),
)
"""The ground's materials: the bands of splat weights, in their order."""


def gradient(
    elevation: NDArray[Any], cell_size: float, start: int = 0, stop: int | None = None
) -> tuple[Plane, Plane]:
    """Return how steeply the ground rises to the east and to the north.

    Central differences inside and one-sided ones at the array's edge, so that a plane is exact
    in every cell; 0 along an axis of a single cell.

    Parameters
    ----------
    elevation : (ny, nx) array [m]; read as float32
    cell_size : float [m]
    start, stop : int
        Rows to compute; their neighbours are read from the rest.

    Returns
    -------
    east, north : (stop − start, nx) float32 [m/m]

    Examples
    --------
    >>> east, north = gradient(np.float32([[0, 2, 4], [1, 3, 5]]), 2.0)
    >>> float(east[0, 0]), float(north[0, 0])
    (1.0, -0.5)
    """
    ny, nx = elevation.shape
    stop = ny if stop is None else stop
    first = max(start - 1, 0)
    # a copy of few rows: what is read-only would be another kernel
    rows = np.array(elevation[first : stop + 1], np.float32)
    east = np.empty((stop - start, nx), np.float32)
    north = np.empty_like(east)
    _gradient(rows, start - first, np.float32(cell_size), east, north)
    return east, north


@finite_kernel
def _gradient(z, first, cell, east, north):  # type: ignore[no-untyped-def]
    """The gradient in the rows from `first` on; what is beyond the rows given is off the map."""
    ny, nx = z.shape
    two = np.float32(2) * cell
    for i in range(len(east)):
        here, to_east, to_north = z[first + i], east[i], north[i]
        to_east[0] = to_east[-1] = 0
        if nx > 1:
            to_east[0] = (here[1] - here[0]) / cell
            to_east[-1] = (here[-1] - here[-2]) / cell
        for j in range(nx - 2):
            to_east[j + 1] = (here[j + 2] - here[j]) / two
        above, below = max(first + i - 1, 0), min(first + i + 1, ny - 1)
        span = two if below - above == 2 else cell
        up, down = z[above], z[below]
        for j in range(nx):
            to_north[j] = (up[j] - down[j]) / span


def sun_vector(azimuth: float, altitude: float) -> tuple[np.float32, np.float32, np.float32]:
    """Return (east, north, up) of the unit vector to the sun; angles in degrees from north, up."""
    a, h = math.radians(azimuth), math.radians(altitude)
    east, north = math.sin(a) * math.cos(h), math.cos(a) * math.cos(h)
    return np.float32(east), np.float32(north), np.float32(math.sin(h))


def lambert(east: Plane, north: Plane, azimuth: float, altitude: float) -> Plane:
    """Return the light that a matt surface of this gradient throws back, 0 to 1.

    The cosine between the sun and the surface's normal, (−e, −n, 1) / √(1 + e² + n²); 0 where
    the surface is turned away. Flat ground gives sin(altitude).

    Examples
    --------
    >>> flat = np.zeros((1, 1), np.float32)
    >>> round(255 * float(lambert(flat, flat, 315, 45)[0, 0]))
    180
    """
    light = np.empty_like(east)
    _lambert(east.ravel(), north.ravel(), sun_vector(azimuth, altitude), light.ravel())
    return light


@inlined
def _lit(east, north, sun):  # type: ignore[no-untyped-def]
    """Light of one sun on one slope."""
    light = sun[2] - sun[0] * east - sun[1] * north
    light /= np.sqrt(np.float32(1) + east * east + north * north)
    return min(max(light, np.float32(0)), np.float32(1))


@finite_kernel
def _lambert(east, north, sun, light):  # type: ignore[no-untyped-def]
    for i in range(len(light)):
        light[i] = _lit(east[i], north[i], sun)


def several_suns(east: Plane, north: Plane, azimuth: float, altitude: float) -> Plane:
    """Return the light of four suns, each weighted where the slope runs across it.

    Mark's multidirectional shading: the weight of a sun is sin² of the angle between its
    direction and the slope's, so a slope that lies in the main sun's shade is lit from its side
    and keeps its form. The weights of four suns 45° apart sum to 2. Flat ground gives
    sin(altitude), 0 to 1.
    """
    light = np.empty_like(east)
    suns = tuple(sun_vector(azimuth + turn, altitude) for turn in SEVERAL_SUNS)
    across = tuple(sun_vector(azimuth + turn, 0)[:2] for turn in SEVERAL_SUNS)
    _several(east.ravel(), north.ravel(), suns, across, light.ravel())
    return light


@finite_kernel
def _several(east, north, suns, across, light):  # type: ignore[no-untyped-def]
    for i in range(len(light)):
        e, n, total = east[i], north[i], np.float32(0)
        for k in range(4):
            side = e * across[k][1] - n * across[k][0]
            total += (side * side + _TINY) * _lit(e, n, suns[k])
        steep = e * e + n * n
        total /= np.float32(2) * steep + np.float32(4) * _TINY
        light[i] = min(total, np.float32(1))


def smoothstep(low: Scalar, high: Scalar, values: NDArray[Any]) -> Plane:
    """Return 0 below `low`, 1 above `high` and the cubic 3t² − 2t³ between; low may be above."""
    t: Plane = (values - np.float32(low)) / np.float32(high - low)
    np.clip(t, 0, 1, out=t)
    t *= t * (3 - 2 * t)
    return t


def _srgb_exactly(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give light its sRGB code, 0 to 1 (IEC 61966-2-1)."""
    bright = 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055
    return np.where(linear <= 0.0031308, 12.92 * linear, bright)


# 2^16 levels of light: where sRGB is steepest, near black, one of them is 1/20 of a code.
CODES = np.rint(255 * _srgb_exactly(np.arange(65536) / 65535)).astype(np.uint8)
_codes = np.arange(256) / 255
_LIGHT = np.where(_codes <= 0.04045, _codes / 12.92, ((_codes + 0.055) / 1.055) ** 2.4)
_LIGHT32 = _LIGHT.astype(np.float32)


def to_srgb(linear: NDArray[Any]) -> NDArray[np.uint8]:
    """Return linear light 0 to 1 (clipped) as 8-bit sRGB, within 0.55 of a code; any shape.

    Examples
    --------
    >>> to_srgb(np.array([0.0, 0.2140, 1.0, 7.0])).tolist()
    [0, 127, 255, 255]
    """
    levels = np.clip(linear, 0, 1) * np.float32(65535) + np.float32(0.5)
    codes: NDArray[np.uint8] = CODES[levels.astype(np.uint16)]
    return codes


def to_linear(codes: NDArray[np.uint8]) -> Plane:
    """Return 8-bit sRGB codes as linear light, float32, 0 to 1; any shape."""
    light: Plane = _LIGHT32[codes]
    return light


def legend_light(tones: tuple[Tone, ...]) -> Plane:
    """Return a legend's colours as linear light, (tones, 3) float32."""
    return to_linear(np.array([tone.rgb for tone in tones], np.uint8))


def mixed(under: Plane, over: Plane, share: NDArray[Any]) -> Plane:
    """Return under + (over − under) · share, colour by colour, (*share.shape, 3) float32.

    Each colour is one for all, (3,) or (1, 3), or one a cell. A kernel: numpy goes through rows of
    three numbers one by one, which took half of the time of writing a coloured mesh.
    """
    made = np.empty((*share.shape, 3), np.float32)
    shares = np.array(share, np.float32).reshape(-1)  # a copy: read-only would be another kernel
    _mix(under.reshape(-1, 3), over.reshape(-1, 3), shares, made.reshape(-1, 3))
    return made


@finite_kernel
def _mix(under, over, share, made):  # type: ignore[no-untyped-def]
    one_under, one_over = len(under) == 1, len(over) == 1
    for i in range(len(share)):
        low, high = under[0 if one_under else i], over[0 if one_over else i]
        for c in range(3):
            made[i, c] = low[c] + (high[c] - low[c]) * share[i]


def along(ramp: Plane, place: Plane) -> Plane:
    """Return the colours at places 0 to n − 1 along a ramp of n, (*place.shape, 3) float32."""
    made = np.empty((*place.shape, 3), np.float32)
    _along(ramp, place.reshape(-1), made.reshape(-1, 3))
    return made


@finite_kernel
def _along(ramp, place, made):  # type: ignore[no-untyped-def]
    for i in range(len(place)):
        step = min(int(place[i]), len(ramp) - 2)
        share = place[i] - np.float32(step)
        for c in range(3):
            made[i, c] = ramp[step, c] * (np.float32(1) - share) + ramp[step + 1, c] * share
