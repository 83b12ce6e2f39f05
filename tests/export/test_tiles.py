"""Map tiles, decoded by Pillow and placed by GDAL: heights where they belong, on every zoom."""

import io
import json

import numpy as np
import pytest
from mercantile import xy_bounds
from PIL import Image
from pmtiles.reader import MemorySource, Reader, all_tiles
from rasterio.crs import CRS
from rasterio.transform import Affine
from rasterio.warp import Resampling, reproject, transform

from downcut.errors import DowncutError
from downcut.export.placement import Placement
from downcut.export.tile_grid import TileGrid
from downcut.export.tiles import colours, heights, tilejson, write_pmtiles
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

ALPS = Placement(8.5, 46.5)
PLACES = [Placement(), ALPS, Placement(-70.25, -33.0)]
ERROR = {"terrarium": 1 / 512, "terrain-rgb": 0.05}


def land(elevation, cell_size=30.0, recipe=None, **layers):
    elevation = np.asarray(elevation, np.float32)
    layers = {"elevation": elevation, **layers}
    return Terrain(Grid(*elevation.shape, cell_size), layers, recipe=recipe)


def plane(ny=300, nx=420, cell_size=30.0):
    """A slope that no flip or turn leaves as it is: 0.25 m up per metre east, 0.5 m north."""
    grid = Grid(ny, nx, cell_size)
    return land(800 + 0.25 * grid.x + 0.5 * grid.y[:, None], cell_size)


def decoded(data, name):
    colours = np.asarray(Image.open(io.BytesIO(data)))
    assert colours.shape == (256, 256, 3)  # opaque: clients lose what lies under clear pixels
    red, green, blue = np.moveaxis(colours.astype(np.float64), -1, 0)
    if name == "terrarium":
        return red * 256 + green + blue / 256 - 32768
    return -10000 + (red * 65536 + green * 256 + blue) * 0.1


def middles(tile):
    """Easting and northing of the pixels' middles in EPSG:3857, (256, 256) each."""
    z, x, y = tile
    box, steps = xy_bounds(x, y, z), (np.arange(256) + 0.5) / 256
    east = box.left + steps * (box.right - box.left)
    north = box.top - steps * (box.top - box.bottom)
    return np.meshgrid(east, north)


def on_the_land(tile, placement):
    """x, y [m] of the pixels' middles, by GDAL."""
    east, north = middles(tile)
    x, y = transform(CRS.from_epsg(3857), CRS.from_wkt(placement.wkt), east.ravel(), north.ravel())
    return np.reshape(x, (256, 256)), np.reshape(y, (256, 256))


@pytest.mark.parametrize("placement", PLACES)
@pytest.mark.parametrize("name", ["terrarium", "terrain-rgb"])
def test_every_pixel_of_every_zoom_holds_the_height_of_its_place(name, placement):
    terrain = plane()
    layer = heights(terrain, TileGrid(terrain.grid, placement), name)
    assert len(layer.grid.zooms) >= 2
    inside = 0
    for (z, x, y), data in layer.tiles():
        found = decoded(data, name)
        east, north = on_the_land((z, x, y), placement)
        pixel = 40075016.7 / 256 / 2**z * np.cos(np.radians(placement.latitude))
        edge = max(pixel, 45.0)  # nearer to it the end values go on
        within = (abs(east) < 210 * 30 - edge) & (abs(north) < 150 * 30 - edge)
        expected = 800 + 0.25 * east + 0.5 * north
        assert np.abs(found - expected)[within].max(initial=0) <= ERROR[name] + 1e-5
        beyond = (abs(east) > 210 * 30 + 1) | (abs(north) > 150 * 30 + 1)
        assert np.abs(found - layer.facts["outside_m"])[beyond].max(initial=0) <= ERROR[name]
        assert within.any() or z > layer.grid.zooms[0]
        inside += within.sum()
    assert inside > 300 * 420


def test_the_four_corners_lie_at_their_places():
    quarters = np.kron([[100.0, 200.0], [300.0, 400.0]], np.ones((40, 60)))
    terrain = land(quarters)
    grid = TileGrid(terrain.grid, ALPS)
    west, south, east, north = grid.bounds
    assert (west + east) / 2 == pytest.approx(8.5, abs=1e-12)
    assert south < 46.5 < north
    assert (east - west) * np.pi / 180 * ALPS.radius == pytest.approx(120 * 30.0, rel=1e-9)
    corners = {(0.9, 0.9): 200.0, (0.9, 0.1): 400.0, (0.1, 0.9): 100.0, (0.1, 0.1): 300.0}
    met = set()
    for tile, data in heights(terrain, grid).tiles():
        found = decoded(data, "terrarium")
        lon, lat = transform(
            CRS.from_epsg(3857), CRS.from_epsg(4326), *(a.ravel() for a in middles(tile))
        )
        across = ((np.array(lon) - west) / (east - west)).reshape(256, 256)
        up = ((np.array(lat) - south) / (north - south)).reshape(256, 256)
        for (a, b), height in corners.items():
            near = (abs(across - a) < 0.05) & (abs(up - b) < 0.05)
            assert np.abs(found[near] - height).max(initial=0) <= 1 / 512
            met |= {(a, b)} if near.any() else set()
    assert met == set(corners)


def test_the_highest_zoom_is_what_gdal_makes_of_the_same_land(fractal):
    elevation = fractal(200, 160, relief=900.0, roughness=3.0)
    terrain = land(elevation, 20.0)
    layer = heights(terrain, TileGrid(terrain.grid, ALPS))
    west, north = -80 * 20.0, 100 * 20.0
    compared = 0
    for (z, x, y), data in layer.tiles():
        if z < layer.grid.zooms[-1]:
            continue
        box, theirs = xy_bounds(x, y, z), np.full((256, 256), np.nan)
        size = (box.right - box.left) / 256
        reproject(
            elevation.astype(np.float64), theirs, src_crs=CRS.from_wkt(ALPS.wkt),
            src_transform=Affine(20.0, 0, west, 0, -20.0, north), dst_crs=CRS.from_epsg(3857),
            dst_transform=Affine(size, 0, box.left, 0, -size, box.top), resampling=Resampling.cubic,
            dst_nodata=np.nan,
        )  # fmt: skip
        east, north_ = on_the_land((z, x, y), ALPS)
        within = (abs(east) < 77 * 20) & (abs(north_) < 97 * 20)
        difference = np.abs(decoded(data, "terrarium") - theirs)[within]
        assert difference.max(initial=0) <= 1 / 512 + 1e-5
        compared += difference.size
    assert compared > 200 * 160 / 2


def test_lower_zooms_are_means_over_area_made_from_the_cells(fractal):
    elevation = fractal(512, relief=500.0, roughness=1.2)  # rough: a sample is not a mean
    terrain = land(elevation, 20.0)
    layer = heights(terrain, TileGrid(terrain.grid, Placement()))
    lowest = layer.grid.zooms[0]
    total = count = 0.0
    for (z, _, _), data in layer.tiles():
        if z == lowest:
            found = decoded(data, "terrarium")
            there = found[found != found[0 if found[0, 0] == layer.facts["outside_m"] else -1, 0]]
            total, count = total + there.sum(), count + there.size
    assert 25**2 < count < 75**2
    assert total / count == pytest.approx(elevation.mean(), abs=1.0)


def test_neighbours_agree_and_no_tile_is_scaled_by_itself():
    """A mosaic of tiles is as smooth over their borders as within them."""
    terrain = plane(300, 300)
    layer = heights(terrain, TileGrid(terrain.grid, Placement(0.01, 0.01)))
    zoom = layer.grid.zooms[-1]
    tiles = {t[1:]: decoded(d, "terrarium") for t, d in layer.tiles() if t[0] == zoom}
    pairs = [(t, tiles[x + 1, y]) for (x, y), t in tiles.items() if (x + 1, y) in tiles]
    steps = [(b[:, 0] - a[:, -1], np.diff(a, axis=1)[:, -1]) for a, b in pairs]
    assert steps
    for across, before in steps:
        plain = (abs(before) < 20) & (abs(before) > 0)
        np.testing.assert_allclose(across[plain], before[plain], atol=1 / 128)


def test_an_archive_holds_the_same_tiles_and_the_recipe():
    recipe = Recipe.from_dict({"title": "Größe", "steps": [{"op": "fields.fbm"}], "sea_level": 3.5})
    terrain = land(plane()["elevation"], recipe=recipe)
    file = io.BytesIO()
    write_pmtiles(terrain, file, at="8.5,46.5", encoding="terrain-rgb")
    reader = Reader(source := MemorySource(file.getvalue()))
    header, about = reader.header(), reader.metadata()
    layer = heights(terrain, TileGrid(terrain.grid, ALPS), "terrain-rgb")
    expected = dict(layer.tiles())
    assert dict(all_tiles(source)) == expected
    for tile, data in expected.items():
        assert reader.get(*tile) == data
    assert reader.get(0, 0, 0) is None
    assert (header["min_zoom"], header["max_zoom"]) == (layer.grid.zooms[0], layer.grid.zooms[-1])
    assert header["tile_type"].name == "PNG"
    assert header["clustered"]
    assert header["min_lon_e7"] == round(layer.grid.bounds[0] * 1e7)
    assert header["max_lat_e7"] == round(layer.grid.bounds[3] * 1e7)
    assert about == json.loads(json.dumps(tilejson(terrain, layer)))
    assert about["encoding"] == "mapbox"
    assert about["outside_m"] == 3.5
    assert Recipe.from_dict(about["downcut"]["recipe"]) == recipe
    again = io.BytesIO()
    write_pmtiles(terrain, again, at=(8.5, 46.5), encoding="terrain-rgb")
    assert again.getvalue() == file.getvalue()


def test_colours_are_clear_beyond_the_land_and_its_own_upon_it():
    quarters = np.kron(np.array([[1, 2], [3, 4]], np.uint8) * 50, np.ones((50, 50), np.uint8))
    colour = np.stack([quarters, 255 - quarters, quarters], axis=-1)
    terrain = land(np.zeros((100, 100)), colour=colour)
    seen = set()
    for tile, data in colours(terrain, TileGrid(terrain.grid, ALPS)).tiles():
        picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))
        x, y = on_the_land(tile, ALPS)
        within = (abs(x) < 1500) & (abs(y) < 1500)
        np.testing.assert_array_equal(picture[..., 3] == 255, within)
        assert set(np.unique(picture[..., 3])) <= {0, 255}
        for sx, sy, code in ((-1, 1, 50), (1, 1, 100), (-1, -1, 150), (1, -1, 200)):
            there = within & (x * sx > 150) & (y * sy > 150)
            assert (abs(picture[there][:, :3] - [code, 255 - code, code]) <= 1).all()
            seen |= {code} if there.any() else set()
    assert seen == {50, 100, 150, 200}


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (1, 700), (3, 3), (257, 2)])
@pytest.mark.parametrize("cell", [0.01, 1.0, 90.0, 20_000.0])
def test_small_and_thin_lands_have_tiles(shape, cell):
    terrain = land(np.full(shape, 21.0), cell)
    layer = heights(terrain, TileGrid(terrain.grid, Placement(0.3, 0.2)))
    tiles = dict(layer.tiles())
    assert {z for z, _, _ in tiles} == set(layer.grid.zooms)
    for data in tiles.values():
        assert (decoded(data, "terrarium") == 21.0).all()


def test_the_sea_or_the_lowest_ground_lies_around_the_land():
    recipe = Recipe.from_dict({"steps": [{"op": "fields.fbm"}], "sea_level": -12.5})
    low, sea = land(plane()["elevation"]), land(plane()["elevation"], recipe=recipe)
    grid = TileGrid(low.grid, Placement())
    assert heights(low, grid).facts["outside_m"] == low.relief[0]
    assert heights(sea, grid).facts["outside_m"] == -12.5
    assert heights(sea, grid).facts["outside"] == [127, 243, 128]


def test_zooms_are_the_callers_or_such_that_nothing_is_lost():
    grid = Grid(1024, 1024, 30.0)
    tiles = TileGrid(grid, Placement())
    pixel = 40075016.7 / 256 / 2 ** tiles.zooms[-1]
    assert 0.6 * 30 < pixel <= 1.2 * 30
    assert TileGrid(grid, Placement(), minzoom=3, maxzoom=5).zooms == [3, 4, 5]
    assert TileGrid(grid, Placement(), maxzoom=2).zooms == [2]
    for bad in ({"minzoom": -1}, {"maxzoom": 23}, {"minzoom": 5, "maxzoom": 4}):
        with pytest.raises(DowncutError, match="zoom"):
            TileGrid(grid, Placement(), **bad)


def test_heights_out_of_reach_are_cut_off_with_a_warning():
    terrain = land(np.full((4, 4), -10994.0))
    grid = TileGrid(terrain.grid, Placement())
    with pytest.warns(UserWarning, match="cut off"):
        tiles = dict(heights(terrain, grid, "terrain-rgb").tiles())
    assert all((decoded(data, "terrain-rgb") == -10000).all() for data in tiles.values())


def test_an_unknown_encoding_is_refused():
    terrain = plane(4, 4)
    with pytest.raises(DowncutError, match="terrarium or terrain-rgb"):
        heights(terrain, TileGrid(terrain.grid, Placement()), "mapbox")
