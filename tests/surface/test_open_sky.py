"""Ambient occlusion against grounds whose view of the sky is known, and splat weights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from downcut.errors import DowncutError
from downcut.grid import Grid
from downcut.shading import SPLAT
from downcut.surface.occlusion import WAYS, Occlusion
from downcut.surface.splat import Splat, in_bytes

GRASS, ROCK, SAND, SNOW = range(4)


def openness(heights, radius, cell=1.0):
    return Occlusion(radius=radius)(heights, grid=Grid(*np.shape(heights), cell))


@given(st.floats(-3, 3), st.floats(-3, 3), st.sampled_from([0.5, 30.0]))
def test_any_plane_is_open_edges_included(east, north, cell):
    row, col = np.mgrid[0:19, 0:23]
    seen = openness((east * col - north * row) * cell, 12 * cell, cell)
    np.testing.assert_allclose(seen, 1, atol=2e-5)


@pytest.mark.parametrize("degrees", [5, 20, 30, 45, 60])
def test_the_bottom_of_a_valley_sees_the_cosine_of_its_slope(degrees):
    across = np.abs(np.arange(161) - 80) * math.tan(math.radians(degrees))
    valley = np.broadcast_to(across, (161, 161))
    for land in (valley, valley.T):
        assert openness(land, 75)[80, 80] == pytest.approx(
            math.cos(math.radians(degrees)), abs=0.005
        )


@pytest.mark.parametrize("degrees", [10, 30, 45])
def test_the_sides_of_a_valley_see_the_square_of_it(degrees):
    across = np.abs(np.arange(401) - 200) * math.tan(math.radians(degrees))
    seen = openness(np.broadcast_to(across, (401, 401)), 199)[200, 203:206]
    np.testing.assert_allclose(seen, math.cos(math.radians(degrees)) ** 2, atol=0.02)


def test_a_wall_hides_what_it_fills_and_its_top_sees_all():
    land = np.zeros((241, 241))
    land[:, :100] = 12.0  # seen at 45° from 12 cells away
    seen = openness(land, 119)
    assert seen[120, 111] == pytest.approx((1 + math.sqrt(0.5)) / 2, abs=0.01)
    assert seen[120, 97] == 1
    assert seen[120, 230] == 1  # out of reach


def test_shade_is_in_metres_and_ends_at_the_radius():
    land = np.zeros((41, 41))
    land[20, 20] = 50.0
    fine = openness(land, 5)
    shaded = np.argwhere(fine[20, 22:] < 1).max()
    assert shaded == 3  # five cells from the needle, the first two of which are its slope
    np.testing.assert_array_equal(openness(land * 30, 150, 30.0), fine)
    assert (openness(land, 0.5)[np.hypot(*np.mgrid[-20:21, -20:21]) > 1.5] == 1).all()


def test_the_ways_share_the_circle_out():
    assert sum(angle for *_, angle in WAYS) == pytest.approx(math.pi, abs=1e-6)
    azimuths = sorted(math.atan2(row, col) % math.pi for row, col, _ in WAYS)
    gaps = np.diff([*azimuths, azimuths[0] + math.pi])
    shares = dict(zip(azimuths, (gaps + np.roll(gaps, 1)) / 2, strict=True))
    for row, col, angle in WAYS:
        assert angle == pytest.approx(shares[math.atan2(row, col) % math.pi], abs=1e-6)


# --- splat ---------------------------------------------------------------------------------


def cover(heights, sea_level=None, cell=1e4, depth=None, **settings):
    step = Splat(**settings)
    return step(heights, depth, grid=Grid(*np.shape(heights), cell), sea_level=sea_level)


@pytest.mark.parametrize(
    ("height", "material"), [(-50.0, SAND), (3.0, SAND), (40.0, GRASS), (3000.0, SNOW)]
)
def test_flat_ground_is_covered_by_height(height, material):
    splat = cover(np.full((3, 4), height), sea_level=0.0)
    assert splat.dtype == np.uint8
    assert (splat.argmax(axis=2) == material).all()


def test_without_a_sea_low_ground_is_no_beach():
    assert (cover(np.full((3, 4), -50.0))[..., SAND] == 0).all()


@pytest.mark.parametrize("height", [100.0, 5000.0])
def test_steep_ground_is_rock_whatever_its_height(height):
    slope = height + np.arange(6.0) * math.tan(math.radians(50))
    splat = cover(np.tile(slope, (4, 1)), cell=1.0)
    assert (splat[..., ROCK] == 255).all()


def test_the_bed_of_a_lake_is_sand():
    depth = np.zeros((3, 4))
    depth[1, 2] = 0.5
    splat = cover(np.full((3, 4), 800.0), depth=depth)
    assert splat[1, 2].tolist() == [0, 0, 255, 0]
    assert splat[0, 0].tolist() == [255, 0, 0, 0]


def test_snow_covers_half_of_the_ground_at_its_line():
    splat = cover([[2049.0] * 3, [2200.0] * 3, [2351.0] * 3])
    np.testing.assert_allclose(splat[:, 0, SNOW], [0, 127.5, 255], atol=0.5)


@given(st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1, max_size=20))
def test_weights_add_up_to_255_and_are_the_nearest(rows):
    shares = np.array(rows) + 1e-9
    shares = (shares / shares.sum(axis=1, keepdims=True)).T.reshape(4, 1, -1)
    weights = np.moveaxis(in_bytes(shares), -1, 0).astype(int)
    assert (weights.sum(axis=0) == 255).all()
    error = np.abs(weights - 255 * shares)
    assert error.max() <= 2
    assert np.sort(error, axis=0)[:-1].max() <= 0.51  # all but the one that takes the rest


def test_a_real_land_adds_up_too(fractal):
    heights = fractal(90, 70, relief=3000)
    splat = cover(heights, sea_level=200.0, cell=40.0)
    assert (splat.sum(axis=2, dtype=int) == 255).all()
    assert all((splat[..., band] > 0).any() for band in range(len(SPLAT)))


def test_rock_begins_where_grass_ends():
    with pytest.raises((DowncutError, ValueError), match="rock begins where grass ends"):
        Splat(grass_angle=40, rock_angle=30)
