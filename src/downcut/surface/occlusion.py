"""Occlusion: how much of the sky the ground sees, for soft shade in valleys."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from downcut._jit import finite_kernel, inlined
from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import gradient
from downcut.step import Array, Metres, Step

SLICE = 16
"""Rows a thread takes at a time: their temporaries fit in its cache."""

WAYS = (
    (0, 1, 0.4636476),
    (1, 2, 0.3926991),
    (1, 1, 0.3217506),
    (2, 1, 0.3926991),
    (1, 0, 0.4636476),
    (2, -1, 0.3926991),
    (1, -1, 0.3217506),
    (1, -2, 0.3926991),
)
"""Rows and columns to the first cell of each way, and the angle that it stands for: half of those
to its neighbours. The eight add up to π; each is looked along forwards and backwards."""


class Occlusion(Step):
    """Tell how open the ground is to the sky.

    The share of the light of an even sky that reaches a matt surface:
    V = 1/π ∫ cos θ dω over what is not hidden by the land around, θ from the surface's own normal.
    In each of 16 directions the horizon is looked for up to `radius`; between two opposite
    horizons the integral has a closed form [Jimenez2016]. Far cells are looked at ever more
    sparsely, an eighth of their distance apart.

    Reads `elevation` (ny, nx) [m]; writes `occlusion` (ny, nx) float32, 0 hidden to 1 open.
    Guaranteed: any plane gives 1, its edges included; the bottom of a wide V of slope α gives
    cos α within 0.005, and ground from which a long wall rises 45° gives (1 + √½) / 2 within 0.01;
    windows meet without a seam (halo: `radius`).

    Examples
    --------
    >>> from downcut.grid import Grid
    >>> heights = [[9.0, 0.0, 0.0, 0.0]]
    >>> (100 * Occlusion(radius=3)(heights, grid=Grid(1, 4))[0]).round().tolist()
    [100.0, 90.0, 93.0, 93.0]
    """

    reads = ("elevation",)
    writes = ("occlusion",)
    cites = ("Jimenez2016",)
    nanoseconds = 250.0
    working_bytes = 2

    op: Literal["surface.occlusion"] = "surface.occlusion"
    radius: Metres = Field(300.0, gt=0, le=20_000)
    """How far away land may hide the sky; the wider, the broader the shade."""

    def halo(self, grid: Grid) -> int:
        """Return the cells within the radius, at least 1 for the slope."""
        return max(1, int(self.radius / grid.cell_size))

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Make `occlusion`."""
        (elevation,) = arrays
        visible = np.empty(grid.shape, np.float32)
        reach = self.halo(grid) if self.radius >= grid.cell_size else 0
        looks = [_looks(reach, way) for way in WAYS]

        def work(start: int, stop: int) -> None:
            slope = gradient(elevation, grid.cell_size, start, stop)
            light = np.zeros((2, stop - start, grid.nx), np.float32)
            for (row, col, angle), counts in zip(WAYS, looks, strict=True):
                length = np.float32(np.sqrt(row * row + col * col))
                steep = (slope[0] * np.float32(col) - slope[1] * np.float32(row)) / length
                inverse = np.float32(1 / (length * grid.cell_size))
                ahead, behind = steep.copy(), -steep
                _horizon(elevation, start, row, col, counts, inverse, ahead)
                _horizon(elevation, start, -row, -col, counts, inverse, behind)
                _add_light(steep, ahead, behind, np.float32(angle), light)
            np.minimum(light[0] / light[1], np.float32(1), out=visible[start:stop])

        run.slices(work, grid.ny, SLICE)
        return visible


def _looks(reach: int, way: tuple[int, int, float]) -> NDArray[np.int64]:
    """Return at which multiples of a way's first step the land is looked at."""
    row, col, _ = way
    counts, count = [], 1
    while count * np.hypot(row, col) <= reach:
        counts.append(count)
        count += max(1, count // 8)
    return np.array(counts, np.int64)


@finite_kernel
def _horizon(z, start, row, col, counts, inverse, highest):  # type: ignore[no-untyped-def]
    """Raise `highest` to the tangent of the highest land that way: rise × inverse / count."""
    ny, nx = z.shape
    for r in range(highest.shape[0]):
        for count in counts:
            there = start + r + count * row
            if there < 0 or there >= ny:
                break
            ahead = count * col
            scale = np.float32(inverse / np.float32(count))
            for c in range(max(0, -ahead), min(nx, nx - ahead)):
                tangent = (z[there, c + ahead] - z[start + r, c]) * scale
                highest[r, c] = max(highest[r, c], tangent)


@inlined
def _angle(tangent):  # type: ignore[no-untyped-def]
    """Arc tangent within 1e-5, without a table: Abramowitz and Stegun 4.4.47."""
    size = abs(tangent)
    x = min(size, np.float32(1)) / max(size, np.float32(1))
    s = x * x
    a = np.float32(0.0208351) * s - np.float32(0.0851330)
    a = (a * s + np.float32(0.1801410)) * s - np.float32(0.3302995)
    a = x * (a * s + np.float32(0.9998660))
    a = np.float32(1.5707963) - a if size > np.float32(1) else a
    return -a if tangent < np.float32(0) else a


@inlined
def _half(tangent, steep):  # type: ignore[no-untyped-def]
    """One side of the integral between two horizons: 1 + cos 2a + s (sin 2a + 2a)."""
    one, two = np.float32(1), np.float32(2)
    return two * (one + steep * tangent) / (one + tangent * tangent) + two * steep * _angle(tangent)


@finite_kernel
def _add_light(steep, ahead, behind, weight, light):  # type: ignore[no-untyped-def]
    """Add the light between two horizons, and what there would be without land around."""
    for r in range(steep.shape[0]):
        for c in range(steep.shape[1]):
            s = steep[r, c]
            light[0, r, c] += weight * (_half(ahead[r, c], s) + _half(behind[r, c], -s))
            light[1, r, c] += weight * (_half(s, s) + _half(-s, -s))
