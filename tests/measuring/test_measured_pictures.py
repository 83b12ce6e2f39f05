"""The picture: a PNG that needs no display and leaves what a caller has set alone."""

import io

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut.errors import DowncutError
from downcut.measuring import command, mean, measure
from downcut.measuring.plot import plot

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


def test_the_callers_settings_and_figures_stay(report):
    from matplotlib import pyplot

    pyplot.switch_backend("agg")
    mine = pyplot.figure()
    before = dict(matplotlib.rcParams)
    plot(report)
    assert dict(matplotlib.rcParams) == before
    assert pyplot.get_fignums() == [mine.number]
    assert pyplot.gcf() is mine
    pyplot.close(mine)


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


def test_the_picture_is_delivered_whole_and_never_over_another(report, tmp_path):
    path = tmp_path / "figure.png"
    command.check_picture(path, force=False)
    command.deliver(report, path, force=False)
    assert path.read_bytes() == plot(report)
    before = path.read_bytes()
    with pytest.raises(DowncutError, match="--force"):
        command.check_picture(path, force=False)
    with pytest.raises(DowncutError, match="--force"):
        command.deliver(report, path, force=False)
    assert [p.name for p in tmp_path.iterdir()] == ["figure.png"]
    command.deliver(report, path, force=True)
    assert path.read_bytes() == before


def test_only_a_png_is_drawn(tmp_path):
    with pytest.raises(DowncutError, match="PNG"):
        command.check_picture(tmp_path / "figure.pdf", force=False)
