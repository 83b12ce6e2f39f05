"""Depressions: known hollows in a tilted plane, and water that leaves where the land ends."""

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import downcut as dc
from downcut.errors import DowncutError
from downcut.measuring import depressions, measure
from downcut.measuring.ground import Ground

EDGE = 128
RELIEF = 1000.0


def ground_of(z, land=None):
    return Ground.of(z, np.ones(z.shape, bool) if land is None else land, 30.0)


def plane(edge=EDGE):
    """Falls to the south, and a little to the west, so that no two cells are level."""
    row, col = np.mgrid[0:edge, 0:edge]
    z = (edge - 1.0 - row) + col / edge
    return z * RELIEF / np.ptp(z)


def valley():
    """A V-shaped valley that falls to the south along its middle column."""
    row, col = np.mgrid[0:EDGE, 0:EDGE]
    return 10.0 * np.abs(col - EDGE // 2) + 2.0 * (EDGE - row)


@pytest.mark.parametrize("turns", range(4))
def test_a_plane_has_neither_depressions_nor_pits(turns):
    ground = ground_of(np.rot90(plane(), turns))
    assert depressions.in_depressions(ground) == 0
    assert depressions.pits(ground) == 0


@pytest.mark.parametrize("count", [1, 4, 9])
def test_hollows_of_known_size_are_found_to_the_cell(count):
    z = plane()
    for number in range(count):
        row, col = 10 + 35 * (number // 3), 10 + 35 * (number % 3)
        z[row : row + 7, col : col + 11] -= 200
    ground = ground_of(z)
    assert depressions.in_depressions(ground) == pytest.approx(100 * count * 77 / z.size)
    assert depressions.pits(ground) == pytest.approx(1e4 * count / (EDGE - 2) ** 2)


@pytest.mark.parametrize(("depth", "counts"), [(0.4, False), (0.6, True)])
def test_hollows_count_from_half_a_percent_of_the_relief(depth, counts):
    z = plane()
    row, col = 60, 60
    below = z[row + 1, col - 1 : col + 2].min()
    z[row, col] = below - depth / 100 * RELIEF
    assert (depressions.in_depressions(ground_of(z)) > 0) == counts
    assert depressions.pits(ground_of(z)) > 0


def test_a_hollow_in_a_river_counts_the_river_cells_that_it_drowns():
    z = valley()
    middle = EDGE // 2
    z[90:100, middle] -= 50
    ground = ground_of(z)
    assert ground.channel[80:, middle].all()
    drowned = (ground.filled > ground.z).sum()
    assert drowned == 10
    share = 100 * 10 / ground.channel.sum()
    assert depressions.channels_in_depressions(ground) == pytest.approx(share)


def test_without_a_channel_there_is_no_share_of_channels():
    row = np.mgrid[0:40, 0:40][0]
    assert depressions.channels_in_depressions(ground_of(40.0 - row)) is None


def flooded_with_gaps(z, land):
    """Priority-flood from the edge and from every gap: the reference."""
    ny, nx = z.shape
    level, closed = z.copy(), ~land
    closed[[0, -1], :] = closed[:, [0, -1]] = True
    queue = [(z[r, c], int(r), int(c)) for r, c in np.argwhere(closed)]
    heapq.heapify(queue)
    while queue:
        here, row, col = heapq.heappop(queue)
        for r in range(max(row - 1, 0), min(row + 2, ny)):
            for c in range(max(col - 1, 0), min(col + 2, nx)):
                if not closed[r, c]:
                    closed[r, c] = True
                    level[r, c] = max(z[r, c], here)
                    heapq.heappush(queue, (level[r, c], r, c))
    return level


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 5))
def test_water_leaves_at_gaps_as_at_the_edge(seed, gaps, smoothing):
    chance = np.random.default_rng(seed)
    z = chance.standard_normal((40, 44))
    for _ in range(smoothing):
        z = z + np.roll(z, 1, 0) + np.roll(z, 1, 1)
    land = np.ones(z.shape, bool)
    for row, col in chance.integers(0, 40, (gaps, 2)):
        land[row : row + 3, col : col + 4] = False
    ground = ground_of(z.astype(np.float32), land)
    np.testing.assert_array_equal(ground.filled, flooded_with_gaps(ground.z, land))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_every_cell_of_land_drains_through_exactly_one_way_out(seed):
    chance = np.random.default_rng(seed)
    z = chance.standard_normal((50, 40)).astype(np.float32)
    land = np.ones(z.shape, bool)
    land[20:26, 15:22] = False
    ground = ground_of(z, land)
    flow = ground.flow.ravel()
    leaves = (flow == np.arange(flow.size)) | ~land.ravel()[flow]
    assert ground.area.ravel()[leaves & land.ravel()].sum() == ground.count


def test_land_that_is_too_small_or_flat_is_refused():
    with pytest.raises(DowncutError, match="31 × 64"):
        measure(np.ones((31, 64)), dc.Grid(31, 64))
    with pytest.raises(DowncutError, match="flat"):
        measure(np.ones((64, 64)), dc.Grid(64, 64))
    mostly_sea = np.full((64, 64), np.nan)
    mostly_sea[:9, :9] = plane(9)
    with pytest.raises(DowncutError, match="81 of them land"):
        measure(mostly_sea, dc.Grid(64, 64))
