"""Whoever watches sees the land on its way, and changes nothing of it."""

from itertools import pairwise

import numpy as np
import pytest

import downcut as dc
from downcut.run import Run


def test_watching_shows_every_change_and_keeps_the_bits():
    recipe = dc.preset("classic", size=48)
    seen = []
    watched = dc.generate(
        recipe, on_field=lambda now: seen.append((now.path, now.elevation.copy()))
    )
    assert watched.checksum == dc.generate(recipe).checksum
    paths = [path for path, _ in seen]
    assert paths[0] == "steps.0"
    assert len(paths) > 20
    assert {path.split(".")[1] for path in paths} >= {"0", "1"}
    changed = [np.abs(b - a).max() > 0 for (_, a), (_, b) in pairwise(seen)]
    assert sum(changed) > len(changed) / 2
    np.testing.assert_array_equal(seen[-1][1], watched["elevation"])


def test_a_stage_on_a_lattice_is_shown_with_its_own_cells():
    recipe = dc.preset("alpine", size=64)
    cells = []
    dc.generate(recipe, on_field=lambda now: cells.append((now.grid.cell_size, now.grid.shape)))
    assert len({size for size, _ in cells}) > 1


@pytest.mark.parametrize(("rounds", "fields"), [(1, 4), (5, 20), (40, 40)])
def test_rain_is_shown_as_it_falls(rounds, fields):
    recipe = dc.Recipe.from_dict(
        {
            "grid": {"ny": 96, "nx": 96, "cell_size": 20},
            "steps": [
                {"op": "fields.fbm", "wavelength": 900, "amplitude": 300},
                {"op": "erosion.droplets", "rounds": rounds, "lifetime": 10},
            ],
        }
    )
    seen = []
    watched = dc.generate(
        recipe,
        on_field=lambda now: now.path == "steps.1" and seen.append(now.elevation.copy()),
    )
    assert watched.checksum == dc.generate(recipe).checksum
    assert rounds <= fields == len(seen) - 1  # and the step's end
    moves = [float(np.abs(b - a).mean()) for a, b in pairwise(seen[:-1])]
    assert min(moves) > 0
    np.testing.assert_array_equal(seen[-1], watched["elevation"])


def test_slopes_that_slide_for_long_are_shown_after_every_pass():
    tower = np.zeros((33, 33), np.float32)
    tower[16, 16] = 400
    seen = []
    run = Run(on_field=lambda now: seen.append(now.copy()))
    heap = dc.erosion.Thermal(passes=40)(tower, grid=dc.Grid(33, 33), run=run)
    assert len(seen) == 40
    heights = [now.max() for now in seen]
    assert heights == sorted(heights, reverse=True)
    np.testing.assert_array_equal(seen[-1], heap)
