"""A land on the Earth: where GDAL says that its metres lie."""

import numpy as np
import pytest
from rasterio.crs import CRS
from rasterio.warp import transform

from downcut.errors import DowncutError
from downcut.export.placement import Placement, edges
from downcut.grid import Grid

PLACES = [(0.0, 0.0), (8.5, 46.5), (-70.25, -33.0), (150.0, 79.5)]
X = np.array([0.0, 12_345.0, -8_000.0, 40.25])
Y = np.array([0.0, -7_654.0, 9_000.0, 0.5])


@pytest.mark.parametrize("place", PLACES)
def test_gdal_finds_the_same_places_on_the_earth(place):
    placement = Placement(*place)
    ours = CRS.from_wkt(placement.wkt)
    for there, crs, tolerance in (
        (placement.lonlat(X, Y), CRS.from_epsg(4326), 1e-10),
        (placement.web_mercator(X, Y), CRS.from_epsg(3857), 1e-5),
    ):
        east, north = transform(ours, crs, X, Y)
        np.testing.assert_allclose(there[0], east, rtol=0, atol=tolerance)
        np.testing.assert_allclose(there[1], north, rtol=0, atol=tolerance)
    assert placement.lonlat([0.0], [0.0])[0][0] == pytest.approx(place[0], abs=1e-12)
    assert placement.lonlat([0.0], [0.0])[1][0] == pytest.approx(place[1], abs=1e-12)


@pytest.mark.parametrize("place", PLACES)
def test_metres_are_true_in_the_middle(place):
    """Measured on the ellipsoid in the equidistant projection about the place."""
    placement = Placement(*place)
    true = CRS.from_proj4(f"+proj=aeqd +lon_0={place[0]} +lat_0={place[1]} +datum=WGS84")
    d = 100.0
    east, north = transform(CRS.from_wkt(placement.wkt), true, [d, -d, 0.0, 0.0], [0.0, 0.0, d, -d])
    np.testing.assert_allclose(east, [d, -d, 0, 0], rtol=0, atol=0.01)
    np.testing.assert_allclose(north, [0, 0, d, -d], rtol=0, atol=0.01)


@pytest.mark.parametrize("place", PLACES)
def test_web_mercator_and_back(place):
    placement = Placement(*place)
    x, y = placement.land(*placement.web_mercator(X, Y))
    np.testing.assert_allclose(x, X, rtol=0, atol=1e-6)
    np.testing.assert_allclose(y, Y, rtol=0, atol=1e-6)


def test_bounds_are_the_outer_edges_of_cells():
    grid = Grid(2, 4, 1000.0)
    assert edges(grid) == (-2000.0, -1000.0, 2000.0, 1000.0)
    west, south, east, north = Placement().bounds(grid)
    assert (west, south) == (-east, -north)
    assert east == pytest.approx(np.degrees(2000 / 6378137), rel=1e-12)
    assert edges(grid.window(1, 0, 1, 1)) == (-2000.0, -1000.0, -1000.0, 0.0)


@pytest.mark.parametrize("text", ["8.5,46.5", " 8.5 , 46.5 ", (8.5, 46.5), Placement(8.5, 46.5)])
def test_a_place_is_a_text_or_two_numbers(text):
    assert Placement.of(text) == Placement(8.5, 46.5)


@pytest.mark.parametrize(
    "place", ["", "8.5", "8.5,46.5,3", "north", "8.5;46.5", (1,), "nan,0", "0,inf", "46.5,88", 7]
)
def test_what_is_no_place_is_refused_in_one_sentence(place):
    with pytest.raises(DowncutError, match=r"as in 8\.5,46\.5"):
        Placement.of(place)


@pytest.mark.parametrize(("place", "cell"), [((179.9, 0), 100.0), ((0, 79.9), 1e4), ((0, 0), 1e9)])
def test_a_land_over_the_edge_of_the_map_is_refused(place, cell):
    with pytest.raises(DowncutError, match="place it elsewhere"):
        Placement(*place).bounds(Grid(1000, 1000, cell))
