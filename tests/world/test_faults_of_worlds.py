"""Faults that other endless worlds have: seams, steps far away, periods, truncation at zero."""

import numpy as np
import pytest

import downcut as dc
from downcut.recipe import Task
from downcut.run import Run
from downcut.windows import run_step

SKIRT = 1.92
"""How deep the page's skirts hang, in cells of their chunk: 0.03 of 64."""


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


def quarters(n):
    """The corners of four windows of n × n cells that share their edges."""
    return [(row, col) for row in (0, n - 1) for col in (0, n - 1)]


def test_a_plane_cut_in_four_has_one_normal_and_one_light():
    """Edges included, where each window knows one side alone."""
    whole = dc.Grid(33, 33)
    plane = 0.5 * whole.x[None, :] + 0.25 * whole.y[:, None]
    truth = np.array([-0.5, -0.25, 1]) / np.sqrt(0.5**2 + 0.25**2 + 1)
    lights = []
    for row, col in quarters(17):
        part, grid = plane[row : row + 17, col : col + 17], whole.window(row, col, 17, 17)
        np.testing.assert_allclose(
            dc.surface.Normals()(part, grid=grid), np.broadcast_to(truth, (17, 17, 3)), atol=1e-6
        )
        lights.append(dc.surface.Hillshade()(part, grid=grid))
    assert np.ptp(lights) < 1e-6
    assert 0.1 < np.mean(lights) < 1


def test_an_edge_has_one_colour_whatever_else_a_tile_holds():
    """A from 0 to 100 m and B from 0 to 1000 m meet at 50 m."""
    a, b = np.tile(np.linspace(100, 50, 9), (5, 1)), np.tile(np.linspace(50, 1000, 9), (5, 1))
    a[2, 3], b[2, 3] = 0, 0
    stops = [{"elevation": z, "red": z / 1000, "green": 0.3, "blue": 0.5} for z in (0, 1000)]
    west, east = (dc.surface.Palette(stops=stops)(z, grid=dc.Grid(5, 9)) for z in (a, b))
    assert np.array_equal(west[:, -1], east[:, 0])
    assert len(np.unique(east[0], axis=0)) > 5


def test_a_lake_over_a_border_is_one_and_a_river_only_grows():
    """Lakes and rivers of a map that is grown in windows: never one for each window."""
    pond = np.array([[3.0, 1.0, 1.0, 3.0], [3, 3, 3, 3]])[[1, 0, 1]]
    made = in_windows(dc.hydrology.Lakes(min_area=1, min_depth=0.1), pond, 2, "lake")
    assert made[1].tolist() == [0, made[1, 1], made[1, 1], 0]
    assert made[1, 1] > 0
    x, y = np.meshgrid(np.arange(193.0), np.arange(-32, 33.0))
    valley = np.abs(y) - 0.01 * x
    area = in_windows(dc.hydrology.Drainage(), valley, 65, "drainage_area")[32]
    assert (np.diff(area) >= 0).all()
    assert area[-1] == 193 * 65  # each of three windows adds its land
    channel = in_windows(dc.hydrology.Rivers(channel_area=500), valley, 65, "channel")
    assert (channel[32, 20:] == 1).all()


def in_windows(step, elevation, edge, name):
    """The layer that a step makes of a map in windows of so many cells."""
    grid = dc.Grid(*elevation.shape)
    return run_step(Task(step, "steps.0", 1), {"elevation": elevation}, grid, Run(), edge)[name]


def test_materials_meet_in_an_eroded_world(small_world):
    north, south = small_world.window(-64, -20, 65, 65), small_world.window(0, -20, 65, 65)
    for name in ("elevation", "normals", "colour", "rock"):
        assert np.array_equal(north[name][-1], south[name][0])


def test_tiles_of_an_engine_put_together_are_the_whole(hills):
    """64 tiles of 257 posts: the last row and column of one are the first of the next."""
    whole = hills.window(-1024, -1024, 2049, 2049, layers=["elevation"])["elevation"]
    again = np.empty_like(whole)
    for row in range(0, 2048, 256):
        for col in range(0, 2048, 256):
            tile = hills.window(row - 1024, col - 1024, 257, 257, layers=["elevation"])
            assert np.array_equal(tile["elevation"], whole[row : row + 257, col : col + 257])
            again[row : row + 257, col : col + 257] = tile["elevation"]
    assert np.array_equal(again, whole)


def crack(fine, coarse):
    """How far an edge gapes between samples and every so manieth of a neighbour's, joined."""
    at = np.linspace(0, len(fine) - 1, len(coarse))
    return float(np.abs(np.interp(np.arange(len(fine)), at, coarse) - fine).max())


def test_a_coarser_neighbour_leaves_no_deeper_crack_than_a_skirt(hills, small_world):
    """The rule first on the worst edge there is, heights 0 1 0 1 … beside every fourth."""
    worst = np.arange(65) % 2
    assert crack(worst, worst[::4]) == 1.0
    for world in (hills, small_world):
        for level in (1, 2, 3):
            step = 2**level
            fine = world.window(0, 0, step, 64 * step, layers=["elevation"])["elevation"]
            coarse = world.window(0, 0, 1, 64, level, layers=["elevation"])["elevation"]
            row = fine[step // 2 - 1 : step // 2 + 1].mean(axis=0)[step // 2 :: step]
            assert crack(row, coarse[0]) < SKIRT * world.cell_size(level)


@pytest.mark.parametrize("far", [10**6, 10**7, 2 * 10**7, -(10**7), 2**30 + 0.5])
def test_far_from_the_origin_hills_are_as_fine_as_at_it(far):
    recipe = {"grid": {"cell_size": 0.25},
              "steps": [{"op": "fields.fbm", "wavelength": 1, "octaves": 1}]}  # fmt: skip
    world = dc.World(recipe, disk=0)

    def bend(where):
        lines = [world.window(97 * n, where, 1, 64)["elevation"][0] for n in range(32)]
        assert all(np.unique(line).size == 64 for line in lines)
        return np.mean([np.sqrt((np.diff(line.astype(float), 2) ** 2).mean()) for line in lines])

    assert 0.8 < bend(int(4 * far)) / bend(0) < 1.25


def test_beyond_the_reach_of_the_noise_a_window_is_refused(hills):
    with pytest.raises(dc.DowncutError, match=r"2\^31 is the limit"):
        hills.window(2**39, 0, 4, 4)


PERIODS = (256, 289, 512, 1024, 4096, 65536)
KINDS = ("simplex", "perlin")


@pytest.mark.parametrize("noise", KINDS)
@pytest.mark.parametrize("period", PERIODS)
def test_noise_does_not_repeat(period, noise):
    """64 × 64 cells of 32 × 32 noise cells, so many noise cells farther."""
    steps = [{"op": "fields.fbm", "noise": noise, "wavelength": 20, "octaves": 1}]
    unlike(dc.World({"grid": {"cell_size": 10}, "steps": steps}, disk=0), 2 * period, "elevation")


@pytest.mark.parametrize("period", PERIODS)
def test_lands_do_not_repeat(period):
    """Nor does the plan of provinces, 32 × 32 of them."""
    steps = [{"op": "fields.constant", "value": 100},
             {"op": "fields.continents", "province_size": 2000, "strait": 100, "shore": 400,
              "ocean": 0.3}]  # fmt: skip
    world = dc.World({"grid": {"cell_size": 1000}, "steps": steps}, disk=0)
    unlike(world, 2 * period, "inland")


def unlike(world, cells, layer):
    """Whether a window and the one so many cells south, east and south-east are two places."""
    here = world.window(0, 0, 64, 64)[layer]
    for row, col in ((cells, 0), (0, cells), (cells, cells)):
        there = world.window(row, col, 64, 64)[layer]
        assert not np.array_equal(here, there)
        assert abs(np.corrcoef(here.ravel(), there.ravel())[0, 1]) < 0.15


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
