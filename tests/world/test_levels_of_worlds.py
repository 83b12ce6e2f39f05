"""Coarse levels: blocks of provinces grown together, at the same cost for any level."""

import numpy as np
import pytest

import downcut as dc

WIDE = 128


def counted(monkeypatch):
    """What was asked of the grower: (place, cell of the lattice, provinces in a row)."""
    from downcut.world.province import Grower

    asked, grow = [], Grower.grow

    def noted(self, place, outline, size, together=1):
        asked.append((place, size, outline.cells))
        return grow(self, place, outline, size, together)

    monkeypatch.setattr(Grower, "grow", noted)
    return asked


def test_farther_away_a_window_costs_no_more(small_recipe, monkeypatch):
    """Hundreds of times the ground, and in the end thousands of lands in each cell."""
    costs = []
    for level in (4, 8, 14):
        asked = counted(monkeypatch)
        world = dc.World(small_recipe, disk=0)
        land = world.window(-20, -35, 64, 64, level, layers=["elevation"])["elevation"]
        assert np.ptp(land) > 100
        assert {size for _, size, _ in asked} == {world.cell_size(level)}
        costs.append(sum(cells for _, _, cells in asked))
        monkeypatch.undo()
    assert max(costs[1:]) <= 1.5 * costs[0]


@pytest.mark.parametrize("level", [pytest.param(4, marks=pytest.mark.slow), 9])
def test_a_coarse_window_is_the_crop_of_a_larger_one(small_recipe, level):
    """Across the borders of blocks, north and west of the origin as well."""
    whole = dc.World(small_recipe, disk=0).window(-40, -25, 60, 50, level)
    for row, col, ny, nx in ((-40, -25, 60, 25), (-1, -1, 2, 2), (-33, 3, 40, 17)):
        part = dc.World(small_recipe, disk=0).window(row, col, ny, nx, level)
        for name, array in part.layers.items():
            rows, cols = slice(row + 40, row + 40 + ny), slice(col + 25, col + 25 + nx)
            assert np.array_equal(array, whole[name][rows, cols]), name


@pytest.mark.slow
def test_far_levels_show_the_lands_that_near_ones_do(small_world):
    """Within a quarter of the level's cell, and land where land is."""
    near = small_world.window(-WIDE, -WIDE, 2 * WIDE, 2 * WIDE, 3)["elevation"].astype(np.float64)
    for level in (4, 5):
        step = 2 ** (level - 3)
        count = 2 * WIDE // step
        mean = near.reshape(count, step, count, step).mean(axis=(1, 3))
        made = small_world.window(-count // 2, -count // 2, count, count, level)["elevation"]
        assert np.sqrt(((made - mean) ** 2).mean()) < small_world.cell_size(level) / 4
        assert ((made > 0) == (mean > 0)).mean() > 0.9
        assert np.corrcoef(made.ravel(), mean.ravel())[0, 1] > 0.9
