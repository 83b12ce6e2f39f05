"""Coarse levels: blocks of provinces grown together, at the same cost for any level."""

import numpy as np
import pytest

import downcut as dc


def counted(monkeypatch):
    """What was asked of the grower: (place, cell of the lattice, provinces in a row)."""
    from downcut.world.grower import Grower

    asked, grow = [], Grower.grow

    def noted(self, place, outline, size, *more):
        asked.append((place, size, outline.cells))
        return grow(self, place, outline, size, *more)

    monkeypatch.setattr(Grower, "grow", noted)
    return asked


def test_farther_away_a_window_costs_no_more(small_recipe, monkeypatch):
    """Hundreds of times the ground, and in the end thousands of lands in each cell."""
    costs = []
    for level in (4, 14):
        asked = counted(monkeypatch)
        world = dc.World(small_recipe, disk=0)
        land = world.window(-20, -35, 64, 64, level, layers=["elevation"])["elevation"]
        assert np.ptp(land) > 100
        fine = [size for _, size, _ in asked if size < world.cell_size(level)]
        assert fine == [125.0]  # the one land that tells how high the others are
        costs.append(sum(cells for _, size, cells in asked if size == world.cell_size(level)))
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


def averages(heights, level):
    """Means of a square of heights over the cells of a level that is so many levels coarser."""
    step = 2**level
    count = len(heights) // step
    return heights.astype(np.float64).reshape(count, step, count, step).mean(axis=(1, 3))


def held_to_the_mean(world, wide, first, levels):
    """Coarser levels show as much land, as high, at the same places: no cheaper land than that.

    Root mean square within a tenth of the level's cell, or a tenth of the heights' range; the land
    above the sea within a tenth of its volume.
    """
    near = world.window(-wide, -wide, 2 * wide, 2 * wide, first, layers=["elevation"])
    for level in levels:
        mean = averages(near["elevation"], level - first)
        n = len(mean)
        made = world.window(-n // 2, -n // 2, n, n, level, layers=["elevation"])["elevation"]
        away = made.astype(np.float64) - mean
        assert np.sqrt((away**2).mean()) < 0.1 * max(world.cell_size(level), np.ptp(mean) / 2)
        assert abs(away.mean()) < 0.02 * np.ptp(mean)
        assert np.maximum(made, 0).sum() == pytest.approx(np.maximum(mean, 0).sum(), rel=0.1)
        assert ((made > 0) == (mean > 0)).mean() > 0.93
        assert np.corrcoef(made.ravel(), mean.ravel())[0, 1] > 0.96


def test_far_levels_show_as_much_land_as_near_ones(small_world):
    """Cells up to a sixteenth of a province, whose land would else be a sixth too low."""
    held_to_the_mean(small_world, 96, 2, (3, 4))
    assert small_world.provinces._relief.factor(500.0) > 1.1


@pytest.mark.slow
def test_far_levels_of_endless_show_as_much_land_as_near_ones():
    held_to_the_mean(dc.World("endless", disk=0), 640, 2, (3, 4, 5, 6))


def test_a_higher_land_has_its_rivers_and_shores_where_they_were(small_world):
    """The factor of a coarse lattice changes heights above the sea and no way of the water."""
    grower = small_world.provinces._grower
    place = next(p for p in ((0, 0), (0, 1), (1, 0), (1, 1)) if grower.outline(p))
    outline = grower.outline(place)
    plain, high = (grower.grow(place, outline, 250.0, 1, f) for f in (1.0, 1.5))
    for name in ("x", "y", "order", "area"):
        assert np.array_equal(plain.lines.points[name], high.lines.points[name])
    dry = plain.lines.points["surface"] > 0
    assert dry.sum() > 100
    ratio = high.lines.points["surface"][dry] / plain.lines.points["surface"][dry]
    np.testing.assert_allclose(ratio, 1.5, rtol=1e-4)
    assert np.array_equal(plain.shores.lake, high.shores.lake)
    low, tall = (p.layers["elevation"].astype(np.float64) - 200 for p in (plain, high))
    np.testing.assert_allclose(tall, np.where(low > 0, 1.5 * low, low), atol=1e-3)


def test_a_world_without_land_near_its_origin_is_as_it_is():
    """There is nothing to learn the factor from: no failure, and no factor."""
    recipe = {"sea_level": 0, "steps": [
        {"op": "fields.constant", "value": 50},
        {"op": "fields.continents", "province_size": 8000, "strait": 500, "shore": 1500,
         "ocean": 1},
        {"op": "erosion.stream_power", "feature_size": 250},
    ]}  # fmt: skip
    world = dc.World(recipe, disk=0)
    assert (world.window(0, 0, 20, 20, 8)["elevation"] == -300).all()
    assert world.provinces._relief.factor(500.0) == 1.0
