"""Palette and biomes: what is promised at each height."""

import numpy as np
import pytest

from downcut.grid import Grid
from downcut.shading import to_linear, to_srgb
from downcut.surface.biomes import LEGEND, NUMBER, Biomes
from downcut.surface.palette import Palette, Stop


def srgb(light):
    """The standard's own formula, for one value."""
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def colour_at(step, *heights):
    return step(np.array([heights]), grid=Grid(1, len(heights)))[0]


def test_srgb_is_the_standards_formula_and_comes_back():
    light = np.linspace(0, 1, 5001)
    exact = np.array([255 * srgb(v) for v in light])
    assert np.abs(to_srgb(light) - exact).max() <= 0.55
    codes = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(to_srgb(to_linear(codes)), codes)


def test_stops_are_pure_and_mixtures_are_linear_in_light():
    step = Palette()
    for stop in step.stops:
        expected = [255 * srgb(v) for v in (stop.red, stop.green, stop.blue)]
        np.testing.assert_allclose(colour_at(step, stop.elevation)[0], expected, atol=0.6)
    sand, grass = step.stops[2:4]
    middle = (sand.elevation + grass.elevation) / 2
    expected = [255 * srgb((getattr(sand, c) + getattr(grass, c)) / 2) for c in ("red", "green")]
    np.testing.assert_allclose(colour_at(step, middle)[0, :2], expected, atol=0.6)


def test_beyond_the_end_stops_the_colour_is_theirs():
    low, lowest, high, highest = colour_at(Palette(), -2.0, -9000.0, 20.0, 9000.0)
    np.testing.assert_array_equal(low, lowest)
    np.testing.assert_array_equal(high, highest)


def test_a_shared_edge_has_one_colour_whatever_the_tiles_ranges():
    ground = np.random.default_rng(3).random((9, 9))
    left, right = ground * 100, ground * 1000
    left[:, -1] = right[:, 0] = 50.0
    stops = tuple(Stop(elevation=e, red=e / 1000, green=0.5, blue=0.1) for e in (0, 50, 1000))
    step = Palette(stops=stops)
    a, b = step(left, grid=Grid(9, 9)), step(right, grid=Grid(9, 9))
    np.testing.assert_array_equal(a[:, -1], b[:, 0])
    assert (a[:, 0] != a[:, -1]).any()


def test_stops_must_rise():
    stop = Stop(elevation=1, red=0, green=0, blue=0)
    with pytest.raises(ValueError, match="by rising height"):
        Palette(stops=(stop, stop))


def biome_at(step, height, *, slope=0.0, moisture=None, sea_level=0):
    """The biome in the middle of a plane of this slope at this height."""
    col = np.tile(np.arange(-2, 3), (5, 1))
    ground = height + slope * col
    wet = None if moisture is None else np.full(ground.shape, moisture)
    return LEGEND[step(ground, wet, grid=Grid(5, 5), sea_level=sea_level)[2, 2]].name


@pytest.mark.parametrize(
    ("height", "name"),
    [
        (-41, "deep sea"),
        (-39, "shallow sea"),
        (0, "shallow sea"),
        (5, "beach"),
        (7, "grassland"),
        (1499, "grassland"),
        (1501, "alpine meadow"),
        (2201, "snow"),
    ],
)
@pytest.mark.parametrize("sea_level", [0.0, 333.0])
def test_bands_of_height_are_measured_from_the_sea(height, name, sea_level):
    assert biome_at(Biomes(), height + sea_level, sea_level=sea_level) == name


def test_land_without_a_sea_has_neither_sea_nor_beach():
    assert biome_at(Biomes(), -300, sea_level=None) == "grassland"
    assert biome_at(Biomes(), 1, sea_level=None) == "grassland"
    assert biome_at(Biomes(), 2300, sea_level=None) == "snow"


def test_moisture_chooses_what_grows_below_the_tree_line():
    names = [biome_at(Biomes(), 500, moisture=m) for m in (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert names == ["desert", "scrub", "grassland", "forest", "rain forest"]
    assert biome_at(Biomes(), 500, moisture=0) == "desert"
    assert biome_at(Biomes(), 500, moisture=1) == "rain forest"
    assert biome_at(Biomes(usual_moisture=0.7), 500) == "forest"
    assert biome_at(Biomes(), 2500, moisture=1) == "snow"


def test_steep_ground_is_rock_but_not_under_water():
    assert biome_at(Biomes(), 500, slope=0.8) == "rock"  # 38.7°
    assert biome_at(Biomes(), 500, slope=0.75) == "grassland"  # 36.9°
    assert biome_at(Biomes(), 2500, slope=0.8) == "rock"
    assert biome_at(Biomes(), -500, slope=0.8) == "deep sea"
    assert biome_at(Biomes(), 3, slope=0.3) == "grassland"  # a coast too steep for sand


def test_snow_lies_above_the_trees():
    with pytest.raises(ValueError, match="snow lies above the trees"):
        Biomes(tree_line=3000)


def test_the_legend_numbers_are_places_and_names_are_distinct():
    assert [NUMBER[tone.name] for tone in LEGEND] == list(range(len(LEGEND)))


def test_biome_windows_have_the_bits_of_the_whole():
    ground = np.random.default_rng(5).normal(size=(31, 37)).astype(np.float32) * 900
    wet = np.random.default_rng(6).random((31, 37))
    grid = Grid(31, 37, 100.0)
    whole = Biomes()(ground, wet, grid=grid, sea_level=0)
    window = grid.window(9, 4, 11, 26)
    part = Biomes()(ground[9:20, 4:30], wet[9:20, 4:30], grid=window, sea_level=0)
    np.testing.assert_array_equal(part[1:-1, 1:-1], whole[10:19, 5:29])
    assert len(np.unique(whole)) > 6
