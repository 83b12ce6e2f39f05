"""What a preview shows of the large build: the same ground at several sizes, compared."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import downcut as dc
from downcut.flow.accumulate import accumulate
from downcut.flow.routing import receivers

PRESET = "alpine"
SIZES = (256, 512, 1009, 1024, 2048)
COARSE = 256
RIVER_SHARE = 0.01
"""Of the map: what a river must drain to count."""


@dataclass(frozen=True)
class Likeness:
    """How far a size is from the largest, both averaged down to the coarsest."""

    size: int
    difference: float
    """Root mean square of the elevations' difference, as a share of the relief."""
    rivers_off: float
    """95th percentile of how far a river lies from the nearest of the largest [coarse cells]."""
    rivers_missed: float
    """The same the other way round."""
    detail: float
    """Spectral slope over 2 to 8 of its own cells."""
    density: float
    """Drainage density [km/km²], channels from a quarter of a square kilometre on."""


def averaged(z: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Average square land down to `size`² cells, by the share that each cell has in each."""
    weights = np.zeros((size, len(z)))
    edges = np.arange(len(z) + 1) * size / len(z)
    for row in range(size):
        inside = np.minimum(edges[1:], row + 1) - np.maximum(edges[:-1], row)
        weights[row] = np.maximum(inside, 0)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ z @ weights.T


def likenesses(seed: int | None = None) -> Iterator[Likeness]:
    """Grow every size and compare it with the largest."""
    lands = {size: dc.generate(dc.preset(PRESET, size=size, seed=seed)) for size in SIZES}
    coarse = {n: averaged(t["elevation"].astype(np.float64), COARSE) for n, t in lands.items()}
    rivers = {n: _rivers(t["elevation"]) for n, t in lands.items()}
    largest = max(SIZES)
    relief = np.ptp(coarse[largest])
    for size, land in lands.items():
        report = dc.measure(land)
        yield Likeness(
            size,
            float(np.sqrt(np.mean((coarse[size] - coarse[largest]) ** 2)) / relief),
            _apart(rivers[size], rivers[largest]),
            _apart(rivers[largest], rivers[size]),
            float(report["spectral_slope_detail"].value or np.nan),
            _density(land),
        )


def _rivers(z: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return where rivers run, (n, 2) in coarse cells."""
    share = accumulate(receivers(z)) / z.size
    return (np.argwhere(share > RIVER_SHARE) + 0.5) * COARSE / len(z)


def _density(land: dc.Terrain) -> float:
    return (
        float(land.features["rivers"]["length"].sum() / (land.grid.cells * land.grid.cell_area))
        * 1e3
    )


def _apart(these: NDArray[np.float64], those: NDArray[np.float64]) -> float:
    nearest = [np.sqrt(((those - place) ** 2).sum(axis=1).min()) for place in these]
    return float(np.percentile(nearest, 95))


HEAD = """\
# What a preview shows

`{preset}` grown over the same ground at several sizes, each averaged down to {coarse}² and compared
with the largest: the difference in elevation (root mean square, as a share of the relief), and how
far rivers that drain over {share:.0%} of the map lie apart (95th percentile, in cells of {coarse}²,
both ways). A size brings detail of its own: the spectral slope over 2 to 8 of its own cells (3.9 to
5.3 in nature), and the length of its rivers. Made by `make docs`.

| size | difference | rivers off | rivers missed | slope over 2–8 cells | rivers, km/km² |
| ---: | ---: | ---: | ---: | ---: | ---: |
"""


def text() -> str:
    """Return docs/preview.md."""
    rows = [
        f"| {a.size}² | {a.difference:.2%} | {a.rivers_off:.2f} | {a.rivers_missed:.2f} "
        f"| {a.detail:.2f} | {a.density:.2f} |"
        for a in likenesses()
    ]
    head = HEAD.format(preset=PRESET, coarse=COARSE, share=RIVER_SHARE)
    return head + "\n".join(rows) + "\n"
