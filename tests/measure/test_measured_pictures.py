"""The picture: a PNG that needs no display, no pyplot, and leaves a caller's settings alone."""

import io
import sys

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut.errors import DowncutError
from downcut.measure import mean, measure
from downcut.measure.plot import plot

matplotlib = pytest.importorskip("matplotlib", reason="needs downcut[plots]")


@pytest.fixture(scope="module")
def report():
    grid = dc.Grid(128, 128, cell_size=30.0)
    land = dc.fields.Fbm(amplitude=300, wavelength=2000)(grid=grid, seed=4)
    return measure(land, grid, name="noise")


def test_it_is_a_png_with_something_on_it(report):
    picture = Image.open(io.BytesIO(plot(report)))
    assert picture.format == "PNG"
    assert picture.size == (1430, 1040)
    pixels = np.asarray(picture.convert("RGB"))
    for rows in (slice(120, 500), slice(640, 1000)):
        for cols in (slice(110, 690), slice(810, 1380)):
            panel = pixels[rows, cols].reshape(-1, 3)
            assert len(np.unique(panel, axis=0)) > 20


def test_the_callers_settings_stay_and_pyplot_is_not_touched(report):
    before = dict(matplotlib.rcParams)
    plot(report)
    assert dict(matplotlib.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules


def test_another_land_gives_another_picture(report):
    grid = dc.Grid(128, 128, cell_size=30.0)
    other = measure(dc.fields.Ridged()(grid=grid, seed=4), grid, name="noise")
    assert plot(other) != plot(report)


def test_little_land_is_drawn_with_what_there_is():
    row = np.mgrid[0:40, 0:40][0]
    plain = measure(40.0 - row, dc.Grid(40, 40))
    assert plot(plain).startswith(b"\x89PNG")


def test_a_mean_has_no_curves(report):
    with pytest.raises(DowncutError, match="mean"):
        plot(mean([report, report]))
