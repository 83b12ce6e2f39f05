"""Accumulation: exact counts, sums that depend on no order, nothing lost on the way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from downcut.errors import DowncutError
from downcut.flow.accumulate import accumulate
from downcut.flow.routing import order, receivers

lands = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
    elements=st.integers(0, 9).map(float),
)


def outlets(flow):
    return flow == np.arange(flow.size).reshape(flow.shape)


@settings(max_examples=200, deadline=None)
@given(lands)
def test_outlets_sum_to_the_number_of_cells(z):
    flow = receivers(z)
    sums = accumulate(flow)
    assert sums.dtype == np.float64
    assert sums[outlets(flow)].sum() == z.size
    assert sums.min() == 1


@settings(max_examples=100, deadline=None)
@given(lands, st.integers(0, 2**32 - 1))
def test_sums_equal_exact_sums_along_the_order(z, seed):
    flow = receivers(z)
    weights = np.random.default_rng(seed).integers(-1000, 1000, z.shape) / 64
    expected = weights.ravel().copy()  # multiples of 1/64: float64 adds them exactly
    for cell in order(flow)[::-1]:
        if flow.ravel()[cell] != cell:
            expected[flow.ravel()[cell]] += expected[cell]
    np.testing.assert_array_equal(accumulate(flow, weights).ravel(), expected)


def test_sums_do_not_depend_on_the_order_of_cells():
    z = np.random.default_rng(2).standard_normal((60, 70))
    z += 100 * np.hypot(*(np.mgrid[0:60, 0:70] - 30))  # no ties, no depressions: D8 turns along
    rain = np.random.default_rng(3).random((60, 70))
    sums = accumulate(receivers(z), rain)
    turned = accumulate(receivers(z[::-1, ::-1].copy()), rain[::-1, ::-1].copy())
    np.testing.assert_array_equal(turned[::-1, ::-1], sums)


def test_weights_come_back_within_their_rounding():
    flow = np.arange(12).reshape(3, 4)
    rain = np.random.default_rng(4).random((3, 4)) * 1e-9
    np.testing.assert_allclose(accumulate(flow, rain), rain, rtol=0, atol=1e-9 * 2**-54)


def test_tenths_sum_to_what_they_are():
    n = 1_000_000
    ramp = np.minimum(np.arange(n) + 1, n - 1).reshape(1, n)
    last = accumulate(ramp, np.full((1, n), 0.1, np.float32))[0, -1]
    assert last == n * float(np.float32(0.1))


@pytest.mark.parametrize("weight", [0.0, -2.5, 1e300, 5e-324])
def test_any_finite_weight_is_taken(weight):
    flow = np.array([[1, 2, 3, 3]])
    sums = accumulate(flow, np.full((1, 4), weight))
    np.testing.assert_array_equal(sums, np.arange(1, 5)[None] * weight)


def test_a_cycle_is_refused():
    with pytest.raises(DowncutError, match="circle"):
        accumulate(np.array([[0, 2, 1]]))


@pytest.mark.parametrize(
    "weights", [np.ones(3), np.ones((3, 1)), [[1, np.nan, 1]], [[1, np.inf, 1]]]
)
def test_weights_of_another_shape_or_not_finite_are_refused(weights):
    with pytest.raises(DowncutError):
        accumulate(np.array([[0, 1, 2]]), np.asarray(weights))
