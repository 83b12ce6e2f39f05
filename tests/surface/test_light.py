"""Normals, hillshade and materials against planes, whose light is known."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from downcut.errors import DowncutError
from downcut.grid import Grid
from downcut.surface.hillshade import Hillshade
from downcut.surface.materials import Materials
from downcut.surface.normals import Normals

STEPS = [Normals(), Hillshade(), Hillshade(sun="several"), Materials()]


def plane(ny, nx, east, north, cell_size=1.0):
    """A plane through 0, rows from the north."""
    row, col = np.mgrid[0:ny, 0:nx]
    return (east * col - north * row) * cell_size


def slope_angle(normals):
    return np.degrees(np.arccos(normals[..., 2].astype(float)))


def test_a_plane_cut_in_four_has_one_normal_edges_included():
    whole = plane(33, 33, 0.5, 0.25)
    expected = np.array([-0.5, -0.25, 1]) / np.sqrt(0.25 + 0.0625 + 1)
    for rows in (slice(0, 17), slice(16, 33)):
        for cols in (slice(0, 17), slice(16, 33)):
            tile = Normals()(whole[rows, cols], grid=Grid(17, 17))
            assert tile.shape == (17, 17, 3)
            assert tile.dtype == np.float32
            np.testing.assert_allclose(tile, np.broadcast_to(expected, tile.shape), atol=1e-6)


@pytest.mark.parametrize("sun", ["single", "several"])
def test_a_plane_is_lit_alike_in_every_tile(sun):
    whole = plane(33, 33, 0.5, 0.25)
    step = Hillshade(sun=sun)
    tiles = [
        step(whole[rows, cols], grid=Grid(17, 17))
        for rows in (slice(0, 17), slice(16, 33))
        for cols in (slice(0, 17), slice(16, 33))
    ]
    assert len(np.unique(np.round(tiles, 6))) == 1


@pytest.mark.parametrize(("cell_size", "degrees"), [(1.0, 45.0), (30.0, 1.909)])
def test_slope_knows_the_size_of_a_cell(cell_size, degrees):
    columns = np.tile(np.arange(6.0), (5, 1))
    normals = Normals()(columns, grid=Grid(5, 6, cell_size))
    np.testing.assert_allclose(slope_angle(normals), degrees, atol=1e-3)


@pytest.mark.parametrize("cell_size", [0.0, -1.0, math.nan, math.inf])
def test_a_cell_without_a_size_is_refused_by_value(cell_size):
    with pytest.raises(DowncutError, match=str(cell_size)):
        Normals()(np.zeros((3, 3)), grid=Grid(3, 3, cell_size))


@pytest.mark.parametrize("sun", ["single", "several"])
@pytest.mark.parametrize("altitude", [0, 17, 45, 90])
def test_flat_ground_gives_the_sine_of_the_suns_altitude(sun, altitude):
    light = Hillshade(sun=sun, altitude=altitude)(np.full((8, 8), 21.0), grid=Grid(8, 8))
    np.testing.assert_allclose(light, math.sin(math.radians(altitude)), atol=1e-6)
    if altitude == 45:
        assert set(np.rint(light * 255).ravel()) == {180}


def test_the_sun_shines_from_where_it_stands():
    for azimuth, east, north in [(90, -1, 0), (270, 1, 0), (0, 0, -1), (180, 0, 1)]:
        facing = plane(5, 5, east, north)  # falls towards the sun
        lit = Hillshade(azimuth=azimuth)(facing, grid=Grid(5, 5))
        turned_away = Hillshade(azimuth=azimuth)(-facing, grid=Grid(5, 5))
        np.testing.assert_allclose(lit, 1, atol=1e-6)
        np.testing.assert_allclose(turned_away, 0, atol=1e-6)


def test_several_suns_show_forms_that_lie_in_the_shade_of_one():
    row, col = np.mgrid[0:32, 0:32]
    turned_away = -1.0 * (row + col) + 4 * np.sin((row - col) / 3)  # falls to the south-east
    single, several = (
        Hillshade(sun=sun)(turned_away, grid=Grid(32, 32))[2:-2, 2:-2]
        for sun in ("single", "several")
    )
    assert (single == 0).all()
    assert (several > 0.05).all()
    assert np.ptp(several) > 0.1


def test_exaggeration_is_the_same_as_steeper_ground():
    ground = np.random.default_rng(1).normal(size=(20, 30))
    steep = Hillshade()(3 * ground, grid=Grid(20, 30))
    drawn = Hillshade(vertical_exaggeration=3)(ground, grid=Grid(20, 30))
    np.testing.assert_allclose(drawn, steep, atol=1e-5)


def test_rock_is_half_where_the_normal_is_halfway_between_the_limits():
    up = (math.cos(math.radians(20)) + math.cos(math.radians(50))) / 2
    slope = math.tan(math.acos(up))
    step = Materials(grass_angle=20, rock_angle=50)
    np.testing.assert_allclose(step(plane(4, 4, slope, 0), grid=Grid(4, 4)), 0.5, atol=1e-4)
    gentle, cliff = math.tan(math.radians(19)), math.tan(math.radians(51))
    assert (step(plane(4, 4, 0, gentle), grid=Grid(4, 4)) == 0).all()
    assert (step(plane(4, 4, 0, cliff), grid=Grid(4, 4)) == 1).all()


def test_limits_out_of_order_are_refused():
    with pytest.raises(ValueError, match="rock begins where grass ends"):
        Materials(grass_angle=50, rock_angle=40)


@pytest.mark.parametrize("step", STEPS, ids=lambda s: f"{s.op}-{getattr(s, 'sun', '')}")
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 64), (3, 3)])
def test_tiny_lands(step, shape):
    made = step(np.full(shape, 21.0), grid=Grid(*shape))
    assert made.shape[:2] == shape
    assert len(np.unique(made.reshape(-1, *made.shape[2:]), axis=0)) == 1  # constant: one value


@pytest.mark.parametrize("step", STEPS, ids=lambda s: f"{s.op}-{getattr(s, 'sun', '')}")
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_windows_have_the_bits_of_the_whole(step, data):
    ny, nx = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))
    seed = data.draw(st.integers(0, 2**32 - 1))
    ground = np.random.default_rng(seed).normal(size=(ny, nx)).astype(np.float32) * 9
    grid = Grid(ny, nx, 7.0)
    whole = step(ground, grid=grid)
    row, col = data.draw(st.integers(0, ny - 1)), data.draw(st.integers(0, nx - 1))
    bottom, right = data.draw(st.integers(row + 1, ny)), data.draw(st.integers(col + 1, nx))
    top, left = max(row - 1, 0), max(col - 1, 0)
    cut = ground[top : bottom + 1, left : right + 1]
    part = step(cut, grid=grid.window(top, left, *cut.shape))
    core = part[row - top : bottom - top, col - left : right - left]
    assert core.tobytes() == whole[row:bottom, col:right].tobytes()


@pytest.mark.parametrize("step", STEPS, ids=lambda s: f"{s.op}-{getattr(s, 'sun', '')}")
@pytest.mark.parametrize("dtype", ["i1", "u2", ">i4", "f2", ">f8", "?"])
def test_any_dtype_is_read_and_left_alone(step, dtype):
    ground = (np.arange(30).reshape(5, 6) % 7).astype(dtype)[::-1]
    ground.flags.writeable = False
    before = ground.copy()
    made = step(ground, grid=Grid(5, 6))
    np.testing.assert_array_equal(made, step(ground.astype("f4"), grid=Grid(5, 6)))
    np.testing.assert_array_equal(ground, before)
