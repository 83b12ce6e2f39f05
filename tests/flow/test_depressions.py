"""Filling: bit for bit the lowest surface that drains, however the land is turned."""

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from downcut.errors import DowncutError
from downcut.flow.depressions import fill

shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)
# Few levels make flats and ties, many make plain slopes: both matter.
rough = arrays(np.float32, shapes, elements=st.floats(-1e6, 1e6, width=32))
stepped = arrays(np.float32, shapes, elements=st.integers(0, 4).map(float))
lands = (rough | stepped).map(lambda z: z + np.float32(0))  # which of −0 and 0 is no promise


def priority_flood(z):
    """Barnes, Lehman & Mulla 2014, algorithm 1, word for word: the reference."""
    ny, nx = z.shape
    filled, closed = z.copy(), np.zeros(z.shape, bool)
    queue = []
    for row in range(ny):
        for col in range(nx):
            if row in (0, ny - 1) or col in (0, nx - 1):
                closed[row, col] = True
                heapq.heappush(queue, (z[row, col], row, col))
    while queue:
        level, row, col = heapq.heappop(queue)
        for r in range(max(row - 1, 0), min(row + 2, ny)):
            for c in range(max(col - 1, 0), min(col + 2, nx)):
                if not closed[r, c]:
                    closed[r, c] = True
                    filled[r, c] = max(z[r, c], level)
                    heapq.heappush(queue, (filled[r, c], r, c))
    return filled


def noise_land(shape, seed, smoothing):
    """White noise summed up a few times: pits of every size."""
    z = np.random.default_rng(seed).standard_normal(shape)
    for _ in range(smoothing):
        z = z + np.roll(z, 1, 0) + np.roll(z, 1, 1) + np.roll(z, (1, 2), (0, 1))
    return z.astype(np.float32)


@settings(max_examples=300, deadline=None)
@given(lands)
def test_fill_is_bit_equal_to_priority_flood(z):
    assert fill(z).tobytes() == priority_flood(z).tobytes()


@pytest.mark.parametrize("smoothing", [0, 1, 3, 6])
@pytest.mark.parametrize("shape", [(97, 61), (40, 200), (3, 300)])
def test_fill_is_bit_equal_to_priority_flood_on_larger_land(shape, smoothing):
    z = noise_land(shape, 7, smoothing)
    filled = fill(z)
    assert (filled > z).any()
    assert filled.tobytes() == priority_flood(z).tobytes()


def test_terraces_are_bit_equal_to_priority_flood():
    z = np.round(noise_land((80, 90), 3, 4) / 20) + np.float32(0)
    assert len(np.unique(z)) < 30
    assert fill(z).tobytes() == priority_flood(z).tobytes()


@settings(max_examples=100, deadline=None)
@given(lands)
def test_fill_is_idempotent(z):
    once = fill(z)
    np.testing.assert_array_equal(fill(once), once)


@settings(max_examples=100, deadline=None)
@given(lands)
def test_fill_is_the_same_however_the_land_is_turned(z):
    filled = fill(z)
    np.testing.assert_array_equal(fill(z.T), filled.T)
    np.testing.assert_array_equal(fill(np.rot90(z)), np.rot90(filled))
    np.testing.assert_array_equal(fill(z[::-1]), filled[::-1])


def test_fill_changes_nothing_where_there_is_no_depression():
    row, col = np.mgrid[0:50, 0:70]
    hill = (-np.hypot(row - 20.3, col - 31.7)).astype(np.float32)
    np.testing.assert_array_equal(fill(hill), hill)


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 64), (5, 1), (8, 8)])
def test_fill_of_a_constant_field_is_itself(shape):
    z = np.full(shape, 21, np.float32)
    filled = fill(z)
    assert filled.dtype == np.float32
    np.testing.assert_array_equal(filled, z)


def test_nested_depressions_fill_to_the_outer_rim():
    z = np.full((9, 9), 10, np.float32)
    z[1:8, 1:8] = 6
    z[3:6, 3:6] = 8
    z[4, 4] = 1
    z[0, 4] = 7
    expected = z.copy()
    expected[1:8, 1:8] = np.maximum(z[1:8, 1:8], 7)
    expected[4, 4] = 8
    np.testing.assert_array_equal(fill(z), expected)


def test_extreme_heights_do_not_overflow():
    huge = np.float32(1e12)  # the farthest that is let in
    z = np.full((5, 5), huge, np.float32)
    z[2, 2] = -huge
    z[1, 1] = np.finfo(np.float32).smallest_subnormal
    np.testing.assert_array_equal(fill(z), np.full((5, 5), huge, np.float32))


def test_the_input_is_not_written_and_may_be_read_only():
    z = noise_land((30, 30), 1, 2)
    before = z.copy()
    z.flags.writeable = False
    filled = fill(z)
    np.testing.assert_array_equal(z, before)
    np.testing.assert_array_equal(filled, priority_flood(before))


@pytest.mark.parametrize(
    "z", [np.zeros(5), np.zeros((0, 5)), np.zeros((5, 0)), np.zeros((2, 2, 2))]
)
def test_other_shapes_are_refused(z):
    with pytest.raises(DowncutError):
        fill(z)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_and_infinity_are_refused_with_a_count(bad):
    z = np.zeros((6, 6), np.float32)
    z[2, 3] = bad
    with pytest.raises(DowncutError, match="1 of 36"):
        fill(z)
