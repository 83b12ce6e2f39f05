"""Taking a layer to coarser cells: planes stay planes, means stay means, windows are crops."""

import numpy as np
import pytest

from downcut.grid import Grid
from downcut.sampling import averaged, knots, resample


def plane(grid):
    return (3 + grid.x[None, :] * 0.25 - grid.y[:, None] * 0.5).astype(np.float32)


@pytest.mark.parametrize("cell", [1.0, 1.3, 2.0, 3.7, 11.0])
@pytest.mark.parametrize("shape", [(30, 41), (31, 40)])
def test_a_plane_stays_that_plane(cell, shape):
    fine = Grid(*shape, 1.0)
    coarse = Grid(int((shape[0] - 2) / cell), int((shape[1] - 2) / cell), cell)
    assert np.abs(averaged(plane(fine), fine, coarse) - plane(coarse)).max() < 1e-5


def test_whole_cells_give_their_mean_but_for_half_a_cell_at_the_rim():
    fine, coarse = Grid(64, 64, 1.0), Grid(2, 2, 32.0)
    noise = np.random.default_rng(2).random((64, 64), dtype=np.float32)
    blocks = noise.reshape(2, 32, 2, 32).mean(axis=(1, 3))
    assert np.abs(averaged(noise, fine, coarse) - blocks).max() < 0.02


def test_fine_noise_is_smoothed_not_picked():
    fine, coarse = Grid(512, 512, 1.0), Grid(32, 32, 16.0)
    noise = np.random.default_rng(3).standard_normal((512, 512)).astype(np.float32)
    assert averaged(noise, fine, coarse).std() < 2 / 16


def test_beyond_the_source_its_edge_goes_on():
    fine = Grid(8, 8, 1.0)
    far = averaged(plane(fine), fine, Grid(2, 2, 4.0, row=10**9, col=-(10**9)))
    assert (far == plane(fine)[-1, 0]).all()


@pytest.mark.parametrize("way", [averaged, resample])
@pytest.mark.parametrize("cell", [0.7, 2.6])
def test_a_window_is_the_crop_of_the_whole(way, cell):
    source, target = Grid(90, 70, 1.0), Grid(80, 75, cell)
    noise = np.random.default_rng(4).random((90, 70), dtype=np.float32)
    whole = way(noise, source, target)
    part = way(noise, source, target.window(21, 13, 30, 40))
    assert part.tobytes() == whole[21:51, 13:53].tobytes()


def test_one_row_or_column_goes_on_for_ever():
    source, target = Grid(1, 5, 1.0), Grid(4, 1, 5.0)
    assert averaged(np.full((1, 5), 7, np.float32), source, target).tolist() == [[7.0]] * 4


def test_knots_made_before_change_nothing():
    source, target = Grid(20, 30, 2.0), Grid(50, 60, 1.0)
    noise = np.random.default_rng(5).random((20, 30), dtype=np.float32)
    ready = resample(noise, source, target, spline=knots(noise))
    assert ready.tobytes() == resample(noise, source, target).tobytes()
