"""Reports: what is left out, what stays the same, verdicts, and noise told from river land."""

import io
import json
import math
import threading

import numpy as np
import pytest
from rich.console import Console

import downcut as dc
from downcut.errors import DowncutError
from downcut.measuring import Figure, Kind, mean, measure
from downcut.measuring.figures import KINDS
from downcut.run import Run
from downcut.terrain import Terrain

EDGE = 256
GRID = dc.Grid(EDGE, EDGE, cell_size=40.0)
SIZES = {"drainage_density"}
"""What depends on the cell size by definition."""


def values(report, without=frozenset()):
    return {f.name: f.value for f in report.figures if f.name not in without}


@pytest.fixture(scope="module")
def noise():
    return dc.fields.Fbm(amplitude=600, wavelength=5000, octaves=8)(grid=GRID, seed=3)


@pytest.fixture(scope="module")
def river_land():
    """Uplift against rivers, and slopes that creep: what the whole library is about."""
    recipe = {
        "grid": {"ny": EDGE, "nx": EDGE, "cell_size": 40},
        "seed": "3",
        "steps": [
            {"op": "fields.fbm", "amplitude": 100, "wavelength": 5000, "octaves": 8},
            {
                "op": "repeat",
                "times": 60,
                "steps": [
                    {"op": "erosion.stream_power", "time_step": 25000, "area_exponent": 0.45},
                    {"op": "erosion.hillslope", "time_step": 25000, "diffusivity": 0.01},
                ],
            },
        ],
    }
    return dc.generate(recipe)


@pytest.fixture(scope="module")
def of_noise(noise):
    return measure(noise, GRID)


@pytest.fixture(scope="module")
def of_rivers(river_land):
    return measure(river_land)


def test_noise_and_river_land_are_told_apart(of_noise, of_rivers):
    for name in ("depressions", "channels_in_depressions", "pits"):
        assert of_noise[name].verdict == "outside", name
        assert of_rivers[name].verdict == "inside", name
    low, high = KINDS["hack_exponent"].target
    assert of_noise["hack_exponent"].value < low < of_rivers["hack_exponent"].value < high
    assert of_noise["area_exponent"].value > of_rivers["area_exponent"].value
    assert of_noise["concavity_r2"].value < 0.75 < of_rivers["concavity_r2"].value
    assert of_noise["spectral_slope_detail"].value < of_rivers["spectral_slope_detail"].value


def test_every_figure_is_reported_in_order_and_is_finite(of_noise):
    assert [figure.name for figure in of_noise.figures] == list(KINDS)
    assert all(math.isfinite(figure.value) for figure in of_noise.figures)


def test_a_land_twice_as_large_in_every_way_has_the_same_figures(noise, of_noise):
    doubled = measure(2 * noise, dc.Grid(EDGE, EDGE, cell_size=80.0))
    assert values(doubled, SIZES) == pytest.approx(values(of_noise, SIZES), rel=1e-9)
    density = of_noise["drainage_density"].value
    assert doubled["drainage_density"].value == pytest.approx(density / 2)


def test_stretching_heights_changes_slopes_alone(noise, of_noise):
    slopes = {"slope_median", "slope_steep", "concavity", "concavity_r2", "spectral_slope"}
    stretched = measure(4 * noise, GRID)
    same = slopes | {"spectral_slope_detail"}
    assert values(stretched, same) == values(of_noise, same)
    for name in same - {"slope_median", "slope_steep"}:
        assert stretched[name].value == pytest.approx(of_noise[name].value, rel=1e-6)
    steeper = math.tan(math.radians(stretched["slope_median"].value))
    assert steeper == pytest.approx(4 * math.tan(math.radians(of_noise["slope_median"].value)))


def test_lifting_the_land_changes_nothing(noise, of_noise):
    lifted = measure((np.round(noise * 16) / 16).astype(np.float64) + 1024, GRID)
    there = measure(np.round(noise * 16) / 16, GRID)
    for name, value in values(there).items():
        assert lifted[name].value == pytest.approx(value, rel=1e-6), name


@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i2", "float16"])
def test_any_kind_of_number_will_do(noise, dtype):
    whole = np.round(noise / 8)
    array = whole.astype(dtype)[::-1][::-1]
    array.flags.writeable = False
    assert values(measure(array, GRID)) == values(measure(whole, GRID))


def test_nan_and_masked_cells_are_left_out_and_counted(noise):
    gaps = np.zeros(noise.shape, bool)
    gaps[40:60, 100:150] = True
    with_nan = noise.copy()
    with_nan[gaps] = np.nan
    report = measure(with_nan, GRID)
    assert report.left_out == gaps.sum() == 1000
    assert "1,000 of 65,536" in report.notes[0]
    assert values(measure(np.ma.masked_array(noise, gaps), GRID)) == values(report)
    for strange in (1e9, -1e9):
        hidden = np.ma.masked_array(np.where(gaps, strange, noise), gaps)
        assert values(measure(hidden, GRID)) == values(report)


def test_bad_arrays_are_refused(noise):
    with pytest.raises(DowncutError, match="grid"):
        measure(noise)
    with pytest.raises(DowncutError, match="shape"):
        measure(noise[:-1], GRID)
    with pytest.raises(DowncutError, match="no cell has data"):
        measure(np.full(GRID.shape, np.nan), GRID)
    with pytest.raises(DowncutError, match="infinite"):
        measure(np.where(noise > noise.mean(), np.inf, noise), GRID)
    with pytest.raises(DowncutError, match="real numbers"):
        measure(noise.astype(complex), GRID)


def test_the_sea_is_left_out_whatever_lies_below_it(noise):
    level = float(np.quantile(noise, 0.3))
    report = measure(noise, GRID, sea_level=level)
    assert 0 < report.left_out <= np.count_nonzero(noise < level)
    sea = dc.hydrology.Lakes(min_depth=10_000)(noise, grid=GRID, sea_level=level)[0] > noise
    assert report.left_out == sea.sum()
    deeper = np.where(sea, noise - 500 * (level - noise), noise)
    assert values(measure(deeper, GRID, sea_level=level)) == values(report)
    masked = np.ma.masked_array(noise, sea)
    assert values(measure(masked, GRID)) == values(report)


def test_the_sea_of_a_terrain_is_its_recipes():
    land = dc.generate(dc.preset("island", size=128, seed=3))
    report = measure(land)
    assert land.recipe.sea_level == 0
    assert 0 < report.left_out <= np.count_nonzero(land["elevation"] < 0)
    assert report == measure(land["elevation"], land.grid, sea_level=0, name=report.name)


def test_declared_lakes_are_no_depressions(noise):
    water = dc.hydrology.Lakes(min_depth=0, min_area=0)(noise, grid=GRID)[0]
    lakes = Terrain(GRID, {"elevation": noise, "water_surface": water})
    report = measure(lakes)
    assert report.left_out == 0
    for name in ("depressions", "channels_in_depressions", "pits"):
        assert report[name].value == 0
    dry = Terrain(GRID, {"elevation": noise})
    assert values(measure(dry)) == values(measure(noise, GRID))


def test_land_too_plain_for_a_figure_says_so():
    row = np.mgrid[0:40, 0:40][0]
    report = measure(40.0 - row, dc.Grid(40, 40))
    for name in ("channels_in_depressions", "hack_exponent", "branching_ratio", "spectral_slope"):
        assert report[name].value is None
        assert report[name].verdict == "not measured"
    assert report["slope_variation"].value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (2.0, "inside"),
        (4.0, "inside"),
        (4.19, "near"),
        (4.3, "outside"),
        (1.0, "near"),
        (0.4, "outside"),
        (None, "not measured"),
    ],
)
def test_verdicts(value, verdict):
    kind = Kind("a figure", "1", "what it means", real=(0.5, 3.0), target=(2.0, 4.0))
    assert Figure("figure", value, kind).verdict == verdict


def test_a_figure_without_a_target_has_no_verdict():
    assert Figure("figure", 1.0, Kind("a figure", "1", "what it means")).verdict == "no range"


def test_every_kind_is_declared_whole():
    for kind in KINDS.values():
        assert kind.title
        assert kind.unit
        assert kind.meaning.endswith(".")
        assert (kind.real is None) == (kind.target is None)
        for bounds in filter(None, (kind.real, kind.target)):
            assert bounds[0] < bounds[1]


def test_plain_data_is_json_and_holds_every_verdict(of_rivers):
    content = json.loads(json.dumps(of_rivers.to_dict(), allow_nan=False))
    assert content["size"] == {"ny": EDGE, "nx": EDGE, "cell_size": 40.0}
    assert [f["verdict"] for f in content["figures"]] == [f.verdict for f in of_rivers.figures]


def test_the_table_shows_every_figure(of_rivers):
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(of_rivers.to_table())
    text = console.export_text()
    for figure in of_rivers.figures:
        assert figure.kind.title in text
    assert text.count("inside") == sum(f.verdict == "inside" for f in of_rivers.figures)


def test_the_mean_of_lands_is_that_of_each_figure(of_noise, of_rivers):
    both = mean([of_noise, of_rivers])
    assert both.lands == 2
    for name in KINDS:
        expected = (of_noise[name].value + of_rivers[name].value) / 2
        assert both[name].value == pytest.approx(expected)
    with pytest.raises(DowncutError):
        mean([])


def test_an_unknown_figure_is_named(of_noise):
    with pytest.raises(DowncutError, match="hack_exponent"):
        of_noise["hak"]


def test_figures_do_not_depend_on_threads(noise, of_noise):
    assert values(measure(noise, GRID, run=Run(threads=1))) == values(of_noise)
    assert values(measure(noise, GRID, run=Run(threads=3))) == values(of_noise)


def test_it_stops_when_asked(noise):
    stop = threading.Event()
    stop.set()
    with pytest.raises(dc.Cancelled):
        measure(noise, GRID, run=Run(stop=stop))
