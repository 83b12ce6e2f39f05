"""Routing: every drop reaches the edge, nothing runs in circles, flats drain by the short way."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from downcut.errors import Cancelled, DowncutError
from downcut.flow import descent
from downcut.flow.accumulate import accumulate
from downcut.flow.depressions import fill
from downcut.flow.routing import order, receivers
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run

shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)
lands = arrays(np.float32, shapes, elements=st.floats(-1e6, 1e6, width=32)) | arrays(
    np.float32, shapes, elements=st.integers(0, 4).map(float)
)
TINY = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64), (5, 1)]


def on_the_edge(shape):
    edge = np.ones(shape, bool)
    edge[1:-1, 1:-1] = False
    return edge


def outlets(flow):
    return flow.ravel() == np.arange(flow.size)


def steps_to_outlet(flow):
    """Follow all cells at once; a cycle would never end, so at most as many steps as cells."""
    cell = np.arange(flow.size)
    steps = np.zeros(flow.size, int)
    for _ in range(flow.size):
        moved = flow.ravel()[cell]
        steps += moved != cell
        if (moved == cell).all():
            return steps.reshape(flow.shape)
        cell = moved
    raise AssertionError("some cell never reaches an outlet")


def distance_moved(flow):
    row, col = np.divmod(np.arange(flow.size), flow.shape[1])
    to_row, to_col = np.divmod(flow.ravel(), flow.shape[1])
    return np.maximum(abs(to_row - row), abs(to_col - col))


@settings(max_examples=300, deadline=None)
@given(lands)
def test_every_cell_reaches_an_outlet_on_the_edge(z):
    flow = receivers(z)
    steps_to_outlet(flow)
    assert on_the_edge(z.shape).ravel()[outlets(flow)].all()
    assert (distance_moved(flow)[~outlets(flow)] == 1).all()


@settings(max_examples=200, deadline=None)
@given(lands)
def test_no_route_climbs_above_the_level_at_which_its_depression_spills(z):
    filled = fill(z).ravel()
    assert (filled[receivers(z).ravel()] <= filled).all()


@settings(max_examples=200, deadline=None)
@given(lands)
def test_cells_with_lower_ground_take_the_steepest_way_unless_a_depression_turns_them(z):
    z = fill(z)  # nothing left to carve: where there is lower ground, D8 alone decides
    flow = receivers(z)
    ny, nx = z.shape
    for row in range(ny):
        for col in range(nx):
            best, steepest = row * nx + col, 0.0
            for dr, dc in zip(D8_ROW, D8_COL, strict=True):
                r, c = row + dr, col + dc
                if 0 <= r < ny and 0 <= c < nx:
                    slope = (float(z[row, col]) - float(z[r, c])) * (1 / np.hypot(dr, dc))
                    if slope > steepest:
                        best, steepest = r * nx + c, slope
            if steepest > 0 and not (best != flow[row, col] == row * nx + col):
                assert flow[row, col] == best


@settings(max_examples=200, deadline=None)
@given(lands)
def test_order_puts_every_cell_after_its_receiver(z):
    flow = receivers(z)
    cells = order(flow)
    assert sorted(cells) == list(range(z.size))
    place = np.empty(z.size, int)
    place[cells] = np.arange(z.size)
    inner = ~outlets(flow)
    assert (place[flow.ravel()] < place)[inner].all()


@pytest.mark.parametrize("shape", TINY)
def test_tiny_and_constant_land(shape):
    flow = receivers(np.full(shape, 3, np.float32))
    assert flow.shape == shape
    assert flow.dtype == np.int32
    assert outlets(flow).reshape(shape)[on_the_edge(shape)].all()
    assert steps_to_outlet(flow).max() == (1 if shape == (3, 3) else 0)


def test_a_wide_flat_drains_to_its_one_outlet_by_the_shortest_way():
    z = np.full((21, 31), 9, np.float32)
    z[1:-1, 1:-1] = 2
    z[10, 0] = 1
    flow = receivers(z)
    row, col = np.mgrid[1:20, 1:30]
    shortest = np.maximum(abs(row - 10), col)
    np.testing.assert_array_equal(steps_to_outlet(flow)[1:-1, 1:-1], shortest)
    straight = flow[10, 1:-1]
    np.testing.assert_array_equal(straight, 10 * 31 + np.arange(29))


def test_a_flat_pit_drains_toward_the_place_where_it_spills():
    z = np.full((21, 31), 9, np.float32)
    z[1:-1, 1:-1] = 2
    z[10, 0] = 5  # higher than the flat: a lake, not a valley
    row, col = np.mgrid[1:20, 1:30]
    shortest = np.maximum(abs(row - 10), col)
    steps = steps_to_outlet(receivers(z))[1:-1, 1:-1]
    assert steps.max() <= shortest.max() + 1
    assert abs(steps - shortest).max() <= 1


def test_routes_over_a_flat_are_no_longer_than_straight_and_diagonal_runs():
    z = np.full((40, 40), 9, np.float32)
    z[1:-1, 1:-1] = 2
    z[7, 0] = 1
    flow = receivers(z)
    length = np.zeros(z.size)
    for cell in order(flow):
        down = flow.ravel()[cell]
        dr, dc = np.subtract(divmod(int(cell), 40), divmod(int(down), 40))
        length[cell] = length[down] + np.hypot(dr, dc)
    row, col = np.mgrid[1:39, 1:39]
    far, near = np.maximum(abs(row - 7), col), np.minimum(abs(row - 7), col)
    octile = far - near + near * np.sqrt(2)
    np.testing.assert_allclose(length.reshape(z.shape)[1:-1, 1:-1], octile, rtol=1e-12)


def test_a_flat_that_meets_the_edge_drains_there():
    flow = receivers(np.zeros((9, 9), np.float32))
    assert steps_to_outlet(flow).max() == 4
    assert outlets(flow).sum() == 32


def test_routing_is_the_same_on_any_number_of_threads():
    z = np.random.default_rng(5).standard_normal((900, 700)).astype(np.float32)
    np.testing.assert_array_equal(receivers(z, Run(threads=1)), receivers(z, Run(threads=4)))


def test_a_run_that_was_told_to_stop_stops():
    run = Run()
    run.stop.set()
    with pytest.raises(Cancelled):
        receivers(np.zeros((9, 9), np.float32), run)


@pytest.mark.slow
def test_indices_beyond_int32_route_alike(monkeypatch):
    """The kernels' int64 versions, which only maps of 2³¹ cells need, on a small one."""
    z = np.random.default_rng(9).standard_normal((70, 90)).round(1).astype(np.float32)
    narrow, sums = receivers(z), accumulate(receivers(z))
    monkeypatch.setattr(descent, "index_dtype", lambda cells: np.int64)
    wide = receivers(z)
    assert (narrow.dtype, wide.dtype) == (np.int32, np.int64)
    np.testing.assert_array_equal(wide, narrow)
    np.testing.assert_array_equal(order(wide), order(narrow))
    np.testing.assert_array_equal(accumulate(wide), sums)


def test_two_cells_that_drain_into_each_other_are_named():
    with pytest.raises(DowncutError, match=r"circle through cell \(0, 0\)"):
        order(np.array([[1, 0]]))


def test_random_directions_end_or_are_refused_within_a_second():
    offsets = np.stack([D8_ROW, D8_COL], 1)
    row, col = np.mgrid[0:32, 0:32]
    order(np.zeros((1, 1), np.int64))  # compiled before the clock starts
    refused = 0
    start = time.perf_counter()
    for seed in range(1000):
        code = np.random.default_rng(seed).integers(0, 8, (32, 32))
        to = np.stack([row, col], -1) + offsets[code]
        inside = ((to >= 0) & (to < 32)).all(-1)
        flow = np.where(inside, to[..., 0] * 32 + to[..., 1], row * 32 + col)
        try:
            order(flow)
        except DowncutError as error:
            refused += 1
            named = str(error).split("cell (")[1].split(")")[0]
            first = cell = int(np.ravel_multi_index(tuple(map(int, named.split(","))), (32, 32)))
            for _ in range(1024):
                cell = int(flow.ravel()[cell])
                if cell == first:
                    break
            assert cell == first, "the cell that is named lies on a cycle"
    assert refused > 900
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize("to", [2, -1, 6, 3])
def test_receivers_that_are_no_neighbours_are_refused(to):
    flow = np.arange(6).reshape(1, 6)
    flow[0, 0] = to
    with pytest.raises(DowncutError, match=r"cell \(0, 0\) drains to cell -?\d, which is not"):
        order(flow)


def test_the_last_cell_of_a_row_is_no_neighbour_of_the_next_rows_first():
    flow = np.arange(12).reshape(3, 4)
    flow[0, 3] = 4
    with pytest.raises(DowncutError, match="not a neighbour"):
        order(flow)


@pytest.mark.parametrize("bad", [np.zeros(3, int), np.zeros((0, 3), int), np.zeros((2, 2))])
def test_receivers_of_another_kind_are_refused(bad):
    with pytest.raises(DowncutError):
        order(bad)
