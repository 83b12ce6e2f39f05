"""The range that greets newcomers: carved by water, where plain noise of the same relief is not."""

import numpy as np
import pytest

import downcut as dc
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW

SIZE = 512
FRAME = 16


@pytest.fixture(scope="module")
def alpine():
    return dc.generate(dc.preset("alpine", size=SIZE))


@pytest.fixture(scope="module")
def land(alpine):
    return alpine["elevation"].astype(np.float64)


@pytest.fixture(scope="module")
def uneroded(alpine):
    """The same recipe's fields alone."""
    recipe = alpine.recipe
    fields = [step for step in recipe.steps if step.op.startswith("fields.")]
    return dc.generate(recipe.model_copy(update={"steps": fields}))["elevation"].astype(np.float64)


@pytest.fixture(scope="module")
def noise(alpine, land):
    """fBm of the same extent and relief."""
    hills = dc.fields.Fbm(wavelength=7000, octaves=10)(grid=alpine.grid, seed=1)
    hills = hills.astype(np.float64)
    return (hills - hills.min()) * (np.ptp(land) / np.ptp(hills))


def neighbours(z):
    """The eight neighbours of every inner cell."""
    inner = slice(1, -1)
    return np.array(
        [np.roll(z, (-r, -c), (0, 1))[inner, inner] for r, c in zip(D8_ROW, D8_COL, strict=True)]
    )


def pits_in_ten_thousand(z):
    return 1e4 * (z[1:-1, 1:-1] < neighbours(z).min(axis=0)).mean()


def ways_down(z):
    """How far [cells] water runs from each cell before a pit or the edge of the map stops it."""
    drop = (z[1:-1, 1:-1] - neighbours(z)) / D8_DISTANCE[:, None, None]
    place = np.arange(z.size).reshape(z.shape)
    to = place.copy()
    best = drop.argmax(axis=0)
    step = (D8_ROW * z.shape[1] + D8_COL)[best]
    to[1:-1, 1:-1] += np.where(drop.max(axis=0) > 0, step, 0)
    to, length = to.ravel(), np.zeros(z.size)
    length[to != place.ravel()] = 1
    while True:  # twice as far each time
        further = length[to]
        if not further.any():
            return length
        length += further
        to = to[to]


def median_of_3x3(z):
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(z, 1, mode="edge"), (3, 3))
    return np.median(windows.reshape(*z.shape, 9), axis=2)


def frame_to_interior(values):
    """The mean of a 16-cell frame beside that of the interior."""
    frame = np.ones(values.shape, bool)
    frame[FRAME:-FRAME, FRAME:-FRAME] = False
    return values[frame].mean() / values[~frame].mean()


def slope(z):
    return np.hypot(*np.gradient(z))


def roughness(z):
    return np.abs(z - median_of_3x3(z))


def test_the_range_has_its_relief_and_extent(alpine, land):
    extent = alpine.grid.nx * alpine.grid.cell_size
    assert 15_000 < extent < 17_000
    assert 1500 < np.ptp(land) < 3000
    assert alpine.ledger.eroded > 0


def test_water_leaves_fewer_pits_than_noise(land, noise, uneroded):
    assert pits_in_ten_thousand(land) < 0.75 * pits_in_ten_thousand(noise)
    assert pits_in_ten_thousand(land) < 0.75 * pits_in_ten_thousand(uneroded)


def test_water_makes_rivers_longer(land, noise, uneroded):
    carved, plain, before = (ways_down(z) for z in (land, noise, uneroded))
    for share in (0.5, 0.9, 0.99):
        assert np.quantile(carved, share) > 2 * np.quantile(plain, share)
    assert carved.mean() > 2 * plain.mean()
    assert carved.mean() > 2 * before.mean()


def test_there_are_no_spikes(land, noise):
    inner = (slice(2, -2), slice(2, -2))
    assert roughness(land)[inner].max() < 2 * roughness(noise)[inner].max()
    steepest = np.degrees(np.arctan(slope(land).max() * SIZE / 16_000))
    assert steepest < 65  # the scree's angle, and what rain and rivers cut into it


def test_the_border_does_not_show(land):
    for measure in (slope, roughness):
        assert 0.7 < frame_to_interior(measure(land)) < 1.4
    for side in range(4):
        turned = np.rot90(land, side)
        steps = np.abs(np.diff(turned, axis=0)).mean(axis=1)
        assert steps[:4].max() < 1.5 * np.median(steps)  # no wall along the edge
        assert steps[:4].min() > 0.5 * np.median(steps)  # and no shelf


def test_the_preview_is_the_same_range(land):
    """A quarter of the cells shows the same forms: most of the height is told by 128²."""
    small = dc.generate(dc.preset("alpine", size=SIZE // 4))["elevation"]
    blocks = land.reshape(SIZE // 4, 4, SIZE // 4, 4).mean(axis=(1, 3))
    assert np.corrcoef(small.ravel(), blocks.ravel())[0, 1] > 0.97
