"""Short cuts beside the plain way: trees shared out, chance drawn only where it decides."""

import numpy as np
import pytest

import downcut as dc
from downcut._jit import kernel
from downcut.flow.descent import descend
from downcut.flow.routing import receivers
from downcut.flow.trees import OCTANTS, share_out, sort_trees
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW
from downcut.randomness import hash64
from downcut.run import Run

SHAPE = (250, 300)


def rough(shape, seed=3):
    return np.random.default_rng(seed).normal(0, 50, shape).astype(np.float32)


@pytest.mark.parametrize("threads", [1, 2, 3, 20])
def test_parts_hold_every_tree_once_and_whole(threads):
    flow = receivers(rough(SHAPE)).ravel()
    octants, parts = share_out(flow, SHAPE, Run(threads=threads))
    cells, waiting = np.full_like(flow, -1), np.zeros(flow.size, np.uint8)
    for part in parts:
        sort_trees(flow, octants, part.mine, waiting, cells[part.first : part.last])
    assert len(parts) == min(threads, OCTANTS)
    assert (np.sort(cells) == np.arange(flow.size)).all()
    assert (octants == octants[flow]).all()
    place = np.argsort(cells)
    below = flow != np.arange(flow.size)
    assert (place[flow[below]] < place[below]).all()


@pytest.mark.parametrize("sea_level", [None, -20.0])
def test_trees_beside_trees_cut_as_one_after_the_other(sea_level):
    step, grid = dc.erosion.StreamPower(stray=0.2), dc.Grid(*SHAPE, 30)
    made = [
        step(rough(SHAPE), grid=grid, seed=5, run=Run(threads=n, sea_level=sea_level))
        for n in (1, 2, 5)
    ]
    assert (made[0] != rough(SHAPE)).any()
    assert (made[1] == made[0]).all()
    assert (made[2] == made[0]).all()


@kernel
def bits_of(key, row, col):
    return hash64(key, row, col)


def plain_choice(z, row, col, stray, key):
    """The steepest way from a cell, every one of eight drawn by chance; the cell itself if none."""
    best, chosen = 0.0, row * z.shape[1] + col
    for k in range(8):
        r, c = row + D8_ROW[k], col + D8_COL[k]
        if 0 <= r < z.shape[0] and 0 <= c < z.shape[1]:
            bits = int(bits_of(np.uint64(key + k), row, col)) >> 11
            slope = (np.float64(z[row, col]) - np.float64(z[r, c])) / D8_DISTANCE[k]
            slope *= 1.0 + stray * (bits * 2.0**-52 - 1.0)
            if slope > best:
                best, chosen = slope, r * z.shape[1] + c
    return chosen


@pytest.mark.parametrize("stray", [0.02, 0.17, 0.6, 1.0])
def test_chance_drawn_only_where_it_decides_decides_the_same(stray):
    z = rough((40, 50))
    z += np.add.outer(np.arange(40), np.arange(50)).astype(np.float32) * 20
    found, _ = descend(z, Run(threads=1), stray, 77)
    plain = [plain_choice(z, *place, stray, 77) for place in np.ndindex(z.shape)]
    assert (found == plain).all()
    assert stray < 0.1 or (found != descend(z, Run(threads=1))[0]).any()


@pytest.mark.parametrize("hold_border", [True, False])
@pytest.mark.parametrize("shape", [(1, 9), (2, 2), (37, 70)])
def test_soil_that_is_loose_everywhere_creeps_as_without_a_mask(shape, hold_border):
    step = dc.erosion.Hillslope(hold_border=hold_border, substeps=2)
    grid, z = dc.Grid(*shape, 30), rough(shape)
    eased = step.model_copy(update={"mask": "loose"})(z, np.ones_like(z), grid=grid)
    assert (eased == step(z, grid=grid)).all()
