"""Carrying a change to finer cells: smooth, exact where centres meet, and no ringing at cliffs."""

import numpy as np
import pytest

from downcut.flow.routing import receivers
from downcut.grid import Grid
from downcut.sampling import resample


def wave(grid):
    return (np.sin(grid.x / 20)[None, :] * np.cos(grid.y / 25)[:, None]).astype(np.float32)


def test_it_is_the_identity_on_the_same_cells():
    grid = Grid(17, 30, 4.0)
    assert np.abs(resample(wave(grid), grid, grid) - wave(grid)).max() < 1e-6


@pytest.mark.parametrize("size", [256, 253, 130])
def test_a_smooth_field_keeps_its_form(size):
    coarse, fine = Grid(64, 64, 4.0), Grid(size, size, 256 / size)
    off = np.abs(resample(wave(coarse), coarse, fine) - wave(fine))
    inner = slice(size // 8, -size // 8)
    assert off[inner, inner].max() < 2e-3


def test_a_cliff_does_not_ring():
    coarse, fine = Grid(32, 32, 8.0), Grid(256, 256, 1.0)
    cliff = np.where(coarse.x > 0, 100, 0).astype(np.float32)[None, :].repeat(32, axis=0)
    out = resample(cliff, coarse, fine)
    assert out.min() >= -10
    assert out.max() <= 110
    assert (out[:, :104] == 0).all()  # two coarse cells before the cliff nothing is left of it
    assert (out[:, 152:] == 100).all()


def test_water_that_strays_still_goes_down_and_out():
    grid = Grid(60, 70, 10.0)
    z = (200 - grid.x[None, :] * 0.3 - grid.y[:, None] * 0.12).astype(np.float32)
    flows = [receivers(z, stray=0.5, key=key).ravel() for key in (1, 1, 2)]
    assert (flows[0] == flows[1]).all()
    assert (flows[0] != flows[2]).mean() > 0.1
    for flow in flows:
        moving = flow != np.arange(z.size)
        assert (z.ravel()[flow][moving] < z.ravel()[moving]).all()
