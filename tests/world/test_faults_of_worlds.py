"""Faults that other endless worlds have: seams, steps far away, periods, truncation at zero."""

import numpy as np
import pytest

import downcut as dc


@pytest.fixture(scope="module")
def hills():
    return dc.World("chunks", disk=0)


def test_neighbours_share_their_edge_in_height_light_and_colour(hills):
    whole = hills.window(-64, 0, 129, 129)
    a, b, c = (hills.window(r, q, 65, 65) for r, q in ((0, 0), (0, 64), (-64, 0)))
    for name in ("elevation", "normals", "colour"):
        assert np.array_equal(a[name][:, -1], b[name][:, 0])
        assert np.array_equal(c[name][-1], a[name][0])
        assert np.array_equal(np.hstack([a[name], b[name][:, 1:]]), whole[name][64:])


def test_materials_meet_in_an_eroded_world(small_world):
    north, south = small_world.window(-64, -20, 65, 65), small_world.window(0, -20, 65, 65)
    for name in ("elevation", "normals", "colour", "rock"):
        assert np.array_equal(north[name][-1], south[name][0])


def test_tiles_of_an_engine_put_together_are_the_whole(hills):
    """64 tiles of 33 posts: the last row and column of one are the first of the next."""
    whole = hills.window(-128, -128, 257, 257)["elevation"]
    again = np.empty_like(whole)
    for r in range(0, 256, 32):
        for c in range(0, 256, 32):
            tile = hills.window(r - 128, c - 128, 33, 33)["elevation"]
            assert np.array_equal(tile, whole[r : r + 33, c : c + 33])
            again[r : r + 33, c : c + 33] = tile
    assert np.array_equal(again, whole)


def test_a_coarser_neighbour_leaves_no_deeper_crack_than_its_cell(hills):
    for level in (1, 2, 3):
        step = 2**level
        fine = hills.window(0, 0, step, 64 * step)["elevation"]
        coarse = hills.window(0, 0, 1, 64, level)["elevation"]
        crack = np.abs(np.repeat(coarse, step, axis=1) - fine)
        assert crack.max() < 2 * hills.cell_size(level)


@pytest.mark.parametrize("far", [10**6, 10**7, 2 * 10**7, -(10**7), 2**30])
def test_far_from_the_origin_hills_are_as_fine_as_at_it(far):
    recipe = {"grid": {"cell_size": 0.25},
              "steps": [{"op": "fields.fbm", "wavelength": 1, "octaves": 1}]}  # fmt: skip
    world = dc.World(recipe, disk=0)

    def bend(where):
        lines = [world.window(97 * n, where, 1, 64)["elevation"][0] for n in range(32)]
        assert all(np.unique(line).size == 64 for line in lines)
        return np.mean([np.sqrt((np.diff(line.astype(float), 2) ** 2).mean()) for line in lines])

    assert 0.8 < bend(4 * far) / bend(0) < 1.25


def test_beyond_the_reach_of_the_noise_a_window_is_refused(hills):
    with pytest.raises(dc.DowncutError, match=r"2\^31 is the limit"):
        hills.window(2**39, 0, 4, 4)


@pytest.mark.parametrize("period", [256, 289, 512, 1024, 4096, 65536])
def test_nothing_repeats(hills, period):
    here = hills.window(0, 0, 640, 640)["elevation"]
    cells = period * 64  # noise cells of 50 m, in cells of 0.78125 m
    for row, col in ((cells, 0), (0, cells), (cells, cells)):
        there = hills.window(row, col, 640, 640)["elevation"]
        assert not np.array_equal(here, there)
        assert abs(np.corrcoef(here.ravel(), there.ravel())[0, 1]) < 0.4


def test_places_are_floored_and_not_truncated(small_world):
    """Round the origin all four quarters differ, and meet as the whole says."""
    whole = small_world.window(-300, -300, 600, 600)
    for row, col in ((-300, -300), (-300, 0), (0, -300), (0, 0), (-1, -1), (-257, -255)):
        part = small_world.window(row, col, 2, 300 if col <= 0 else 2)
        rows, cols = slice(row + 300, row + 302), slice(col + 300, col + 300 + part.grid.nx)
        for name in part.layers:
            assert np.array_equal(part[name], whole[name][rows, cols])
    height = whole["elevation"]
    assert not np.array_equal(height[298:300, 298:300], height[300:302, 300:302])
