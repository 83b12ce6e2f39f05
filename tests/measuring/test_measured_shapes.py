"""Slopes, hypsometry, spectrum and forms of surfaces that are known by formula."""

import math

import numpy as np
import pytest

from downcut.measuring import geomorphons, hypsometry, slope_area, spectrum
from downcut.measuring.ground import Ground
from downcut.run import Run

EDGE = 401
ROW, COL = np.mgrid[0:EDGE, 0:EDGE] - EDGE // 2
FAR = np.hypot(ROW, COL)
DISC = FAR <= EDGE // 2


def ground_of(z, land=None, cell_size=10.0):
    land = np.ones(z.shape, bool) if land is None else land
    return Ground.of(z.astype(np.float32), land, cell_size)


def random_surface(beta, seed=1, edge=512):
    """Noise whose power falls exactly as frequency^−beta in the mean."""
    chance = np.random.default_rng(seed)
    noise = np.fft.fft2(chance.standard_normal((edge, edge)))
    frequency = np.hypot(np.fft.fftfreq(edge)[:, None], np.fft.fftfreq(edge))
    frequency[0, 0] = 1
    return np.fft.ifft2(noise * frequency ** (-beta / 2)).real


def test_hypsometric_integrals_by_formula():
    assert hypsometry.integral(ground_of(3.0 * COL)) == pytest.approx(1 / 2, abs=1e-3)
    cone, dome = ground_of(-FAR, DISC), ground_of(-(FAR**2), DISC)
    assert hypsometry.integral(cone) == pytest.approx(1 / 3, abs=0.003)
    assert hypsometry.integral(dome) == pytest.approx(1 / 2, abs=0.003)


def test_the_hypsometric_curve_falls_and_its_area_is_the_integral():
    cone = ground_of(-FAR, DISC)
    share, height = hypsometry.curve(cone, 1001)
    assert (height[0], height[-1]) == (1, 0)
    assert (np.diff(height) <= 0).all()
    area = ((height[1:] + height[:-1]) / 2 * np.diff(share)).sum()
    assert area == pytest.approx(hypsometry.integral(cone), abs=1e-3)
    np.testing.assert_allclose(height, 1 - np.sqrt(share), atol=0.01)


def test_slopes_by_formula():
    plane = ground_of(3.0 * COL + 4.0 * ROW)
    assert slope_area.steepness(plane, 0.5) == pytest.approx(math.degrees(math.atan(0.5)))
    assert slope_area.variation(plane) == pytest.approx(0, abs=1e-6)
    dome = ground_of(-(FAR**2), DISC)  # slope ∝ distance: mean 2/3, std √(1/2 − 4/9) of the rim's
    assert slope_area.variation(dome) == pytest.approx(math.sqrt(1 / 18) / (2 / 3), rel=0.02)


def test_beside_the_edge_and_gaps_there_is_no_slope():
    land = np.ones((EDGE, EDGE), bool)
    land[100, 100] = False
    ground = ground_of(3.0 * COL, land)
    assert np.isnan(ground.slope[100, [99, 100, 101]]).all()
    assert np.isnan(ground.slope[[99, 101], 100]).all()
    assert len(ground.slopes) == (EDGE - 2) ** 2 - 5


@pytest.mark.parametrize("beta", [0.0, 2.0, 3.0, 4.0, 5.0])
def test_spectral_slopes_of_synthetic_surfaces(beta):
    surface = ground_of(random_surface(beta))
    found = spectrum.spectrum(surface)
    assert found.beta(spectrum.FORMS) == pytest.approx(beta, abs=0.15)
    assert found.beta(spectrum.DETAIL) == pytest.approx(beta, abs=0.1)


def test_a_tilt_does_not_change_the_spectrum():
    z = random_surface(3.0)
    tilted = z + 0.01 * np.arange(512)[:, None] - 0.02 * np.arange(512)
    plain, found = (spectrum.spectrum(ground_of(land)) for land in (z, tilted))
    np.testing.assert_allclose(found.power, plain.power, rtol=1e-3)


def test_the_spectrum_of_broken_land_is_that_of_its_largest_square():
    z = random_surface(3.0)
    land = np.zeros(z.shape, bool)
    land[100:300, 50:260] = True
    land[400:, 400:] = True
    top, bottom, left, right = spectrum.largest_piece(land)
    assert (top, bottom, right - left) == (100, 300, 200)
    assert land[top:bottom, left:right].all()
    alone = spectrum.spectrum(ground_of(z[top:bottom, left:right]))
    np.testing.assert_allclose(spectrum.spectrum(ground_of(z, land)).power, alone.power, rtol=1e-9)


def test_too_small_a_piece_has_no_spectrum():
    assert spectrum.spectrum(ground_of(random_surface(3.0, edge=60))) is None


def forms_of(z, cell_size=10.0):
    found = geomorphons.forms(z.astype(np.float32), np.ones(z.shape, bool), cell_size, Run())
    return np.array(geomorphons.FORMS)[found]


MIDDLE = EDGE // 2


@pytest.mark.parametrize(
    ("z", "form"),
    [
        (-np.abs(COL), "ridge"),
        (np.abs(COL), "valley"),
        (-FAR, "peak"),
        (FAR, "pit"),
        (3.0 * COL, "slope"),
        (0.01 * COL, "flat"),
        (np.minimum(COL, 0), "shoulder"),
        (np.maximum(COL, 0), "footslope"),
        (-np.abs(COL) - 0.6 * ROW, "spur"),
        (np.abs(COL) - 0.6 * ROW, "hollow"),
    ],
)
def test_forms_of_plain_shapes(z, form):
    found = forms_of(3.0 * z)
    if form == "spur" or form == "hollow":
        assert found[MIDDLE, MIDDLE] in (form, "ridge" if form == "spur" else "valley")
    else:
        assert found[MIDDLE, MIDDLE] == form


def test_turning_the_land_upside_down_swaps_the_forms():
    opposite = dict(zip(geomorphons.FORMS, geomorphons.FORMS, strict=True))
    pairs = (("peak", "pit"), ("ridge", "valley"), ("shoulder", "footslope"), ("spur", "hollow"))
    for a, b in pairs:
        opposite[a], opposite[b] = b, a
    z = random_surface(3.5, edge=128)
    upside_down = forms_of(-z, cell_size=z.std())
    expected = np.vectorize(opposite.get)(forms_of(z, cell_size=z.std()))
    np.testing.assert_array_equal(upside_down, expected)


def test_shares_of_parallel_ridges_are_counted_to_the_column():
    period = 40
    roofs = 30.0 * np.abs((np.arange(440) % period) - period / 2)
    found = geomorphons.shares(ground_of(np.tile(roofs, (100, 1))))
    columns = 440 - 2 * geomorphons.RADIUS
    lines = np.arange(geomorphons.RADIUS, 440 - geomorphons.RADIUS)
    assert found.ridge == pytest.approx(100 * np.count_nonzero(lines % period == 0) / columns)
    assert found.valley == pytest.approx(100 * np.count_nonzero(lines % period == 20) / columns)
    assert found.pit == 0


def test_forms_do_not_depend_on_how_the_land_is_stretched_upwards():
    z = random_surface(3.5, edge=200)
    assert geomorphons.shares(ground_of(z)) == geomorphons.shares(ground_of(1024 * z))


def test_a_gap_ends_a_view():
    z = -np.abs(COL).astype(np.float32)
    land = np.ones(z.shape, bool)
    land[:, MIDDLE + 5] = False
    z[~land] = 1e6  # would be a wall, were it seen
    found = geomorphons.forms(z, land, 1.0, Run())
    assert geomorphons.FORMS[found[MIDDLE, MIDDLE]] == "ridge"


def test_forms_are_the_same_for_any_number_of_threads():
    z = random_surface(3.0).astype(np.float32)
    land = np.ones(z.shape, bool)
    one, three = (geomorphons.forms(z, land, 1.0, Run(threads=n)) for n in (1, 3))
    np.testing.assert_array_equal(one, three)
