"""What each program is handed: shapes, corners, heights and numbers, read by a second program."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut.export import targets
from downcut.export.files import Delivery
from downcut.export.targets.target import Plan
from downcut.handover.exporting import export_for
from downcut.terrain import Terrain

HILLS = {
    "seed": 5,
    "grid": {"ny": 60, "nx": 60, "cell_size": 10},
    "steps": [{"op": "fields.fbm", "wavelength": 300, "amplitude": 80, "offset": 40}],
}
BARE = {"layers": "none"}


def grown(recipe: dict, size: object, cell_size: float) -> np.ndarray:
    return dc.generate(dc.Recipe.from_dict(recipe).changed(size=size, cell_size=cell_size))[
        "elevation"
    ]


def card(folder: Path) -> dict:
    return json.loads((folder / "export.json").read_text("utf-8"))


def numbers(folder: Path) -> dict:
    return card(folder)["numbers"]


def picture(file: Path) -> np.ndarray:
    with Image.open(file) as opened:
        return np.asarray(opened)


def written(
    target: str, heights: np.ndarray, folder: Path, sea: float | None = None, **plan: object
):
    """Write heights as they are, without a recipe that would grow them."""
    found = targets.by_name(target)
    recipe = dc.Recipe.from_dict({**HILLS, "sea_level": sea})
    land = Terrain(dc.Grid(*heights.shape, 10.0), {"elevation": heights}, recipe=recipe)
    whole = Plan("land", overlap=int(found.shared_edges), options=found.chosen({}), **plan)
    with Delivery() as delivery:
        return found.write(land, whole, delivery, folder)


# Unreal


def test_unreal_heights_come_back_by_its_own_formula(tmp_path: Path) -> None:
    export_for(HILLS, "unreal", tmp_path, size=127, options=BARE)
    said = numbers(tmp_path)
    stored = picture(tmp_path / "land.png").astype(float)
    metres = ((stored - 32768) / 128 * said["z_scale"] + said["z_location_cm"]) / 100
    truth = grown(HILLS, 127, 600 / 126)
    assert stored.shape == (127, 127)
    assert np.abs(metres - truth).max() <= said["metres_per_level"] / 2 * 1.0001
    assert said["x_scale"] == pytest.approx(60000 / 126)
    assert len({stored[0, 0], stored[0, -1], stored[-1, 0], stored[-1, -1]}) == 4


def test_unreal_has_the_sea_at_32768(tmp_path: Path) -> None:
    heights = np.full((127, 127), 0.0, np.float32)
    heights[0, 0], heights[0, 1] = -256.0, 100.0
    handed = written("unreal", heights, tmp_path, sea=0.0)
    stored = picture(tmp_path / "land.png")
    assert handed.numbers["z_scale"] == 100
    assert handed.numbers["z_location_cm"] == 0
    assert (stored[0, 0], stored[0, 1], stored[5, 5]) == (0, 45568, 32768)


@pytest.mark.parametrize(("metres", "scale"), [(600.0, 117.1875), (4096.0, 800.0)])
def test_unreal_scale_is_a_512th_of_the_range(tmp_path: Path, metres: float, scale: float) -> None:
    heights = np.zeros((127, 127), np.float32)
    heights[0, 0] = metres
    said = written("unreal", heights, tmp_path).numbers
    assert said["z_scale"] == pytest.approx(scale, rel=4e-5)  # 65535 steps, not 65536
    assert said["metres_of_0"] <= 0
    assert said["metres_of_65535"] >= metres


def test_a_size_that_unreal_has_not_becomes_the_nearest(tmp_path: Path) -> None:
    export_for(HILLS, "unreal", tmp_path, size=240, options=BARE)
    assert picture(tmp_path / "land.png").shape == (253, 253)
    readme = (tmp_path / "README.txt").read_text("utf-8")
    assert "253 × 253 samples, the nearest to 240 × 240" in " ".join(readme.split())


def test_unreal_tiles_are_named_and_share_edges(tmp_path: Path) -> None:
    export_for(HILLS, "unreal", tmp_path, size=253, tiles=(2, 2), options=BARE)
    tiles = {
        (row, col): picture(tmp_path / f"land_x{col}_y{row}.png")
        for row in range(2)
        for col in range(2)
    }
    assert {tile.shape for tile in tiles.values()} == {(127, 127)}
    assert (tiles[0, 0][:, -1] == tiles[0, 1][:, 0]).all()
    assert (tiles[0, 0][-1] == tiles[1, 0][0]).all()
    said = numbers(tmp_path)
    whole = np.block(
        [[tiles[0, 0][:-1, :-1], tiles[0, 1][:-1]], [tiles[1, 0][:, :-1], tiles[1, 1]]]
    )
    metres = said["metres_of_0"] + whole * said["metres_per_level"]
    truth = grown(HILLS, 253, 600 / 252)
    assert np.abs(metres - truth).max() <= said["metres_per_level"] / 2 * 1.0001


def test_unreal_takes_r16_too(tmp_path: Path) -> None:
    export_for(HILLS, "unreal", tmp_path, size=127, options={**BARE, "format": "r16"})
    assert (tmp_path / "land.r16").stat().st_size == 2 * 127 * 127


# Unity


def unity_metres(file: Path, said: dict) -> np.ndarray:
    """Import as Unity does: row 0 at z = 0, which is south; levels by 65536."""
    size = said["heightmap_resolution"]
    stored = np.fromfile(file, "<u2").reshape(size, size)
    return said["position_y_m"] + stored / 65536 * said["terrain_height_m"]


def test_unity_reads_metres_with_north_up(tmp_path: Path) -> None:
    export_for(HILLS, "unity", tmp_path, options=BARE)
    said = numbers(tmp_path)
    assert said["heightmap_resolution"] == 65
    assert said["terrain_width_m"] == said["terrain_length_m"] == pytest.approx(600)
    truth = grown(HILLS, 65, 600 / 64)
    error = np.abs(unity_metres(tmp_path / "land.raw", said) - truth[::-1]).max()
    assert error <= said["metres_per_level"] / 2 * 1.0001


def test_unity_tiles_count_northward_and_rebuild_the_land(tmp_path: Path) -> None:
    export_for(HILLS, "unity", tmp_path, size=129, tiles=4, options=BARE)
    said = numbers(tmp_path)
    whole = np.full((129, 129), np.nan)  # row 0 in the south
    for x in range(4):
        for z in range(4):
            tile = unity_metres(tmp_path / f"land_{x}_{z}.raw", said)
            place = whole[32 * z : 32 * z + 33, 32 * x : 32 * x + 33]
            met = ~np.isnan(place)
            assert (place[met] == tile[met]).all()  # neighbours hold the same edge
            place[...] = tile
    truth = grown(HILLS, 129, 600 / 128)
    assert np.abs(whole - truth[::-1]).max() <= said["metres_per_level"] / 2 * 1.0001


def test_2049_posts_make_64_tiles_of_257() -> None:
    heights = np.arange(2049 * 2049, dtype=np.float32).reshape(2049, 2049)
    land = Terrain(dc.Grid(2049, 2049), {"elevation": heights})
    tiles = {
        (row, col): tile["elevation"]
        for row, col, tile in Plan("land", tiles=(8, 8), overlap=1).pieces(land)
    }
    assert len(tiles) == 64
    assert {tile.shape for tile in tiles.values()} == {(257, 257)}
    assert (tiles[3, 3][:, -1] == tiles[3, 4][:, 0]).all()
    assert (tiles[3, 3][-1] == tiles[4, 3][0]).all()
    rows = [np.hstack([tiles[r, 0], *(tiles[r, c][:, 1:] for c in range(1, 8))]) for r in range(8)]
    assert (np.vstack([rows[0], *(row[1:] for row in rows[1:])]) == heights).all()


def test_unity_can_have_north_first(tmp_path: Path) -> None:
    export_for(HILLS, "unity", tmp_path / "s", options=BARE)
    export_for(HILLS, "unity", tmp_path / "n", options={**BARE, "rows": "north"})
    south, north = (np.fromfile(tmp_path / each / "land.raw", "<u2") for each in "sn")
    assert (south.reshape(65, 65) == north.reshape(65, 65)[::-1]).all()
    assert "Flip Vertically on" in " ".join((tmp_path / "n" / "README.txt").read_text().split())


# Godot


def exr(file: Path, channel: str) -> np.ndarray:
    return pytest.importorskip("OpenEXR").File(str(file)).channels()[channel].pixels


def test_godot_reads_metres_and_a_place(tmp_path: Path) -> None:
    export_for(HILLS, "godot", tmp_path, size=256, options=BARE)
    said = numbers(tmp_path)
    truth = grown(HILLS, 256, 600 / 256)
    assert (exr(tmp_path / "land.exr", "RGB") == truth[..., None]).all()
    assert said["vertex_spacing"] == 600 / 256
    assert said["import_position"] == [0, 0, 0]  # a single region starts at the middle


def test_godot_tiles_abut(tmp_path: Path) -> None:
    export_for(HILLS, "godot", tmp_path, size=512, tiles=2, options=BARE)
    truth = grown(HILLS, 512, 600 / 512)
    said = numbers(tmp_path)
    cell = said["vertex_spacing"]
    for name, (x, _, z) in said["import_position"].items():
        col, row = round(x / cell) + 256, round(z / cell) + 256
        tile = exr(tmp_path / name, "RGB")[..., 0]
        assert (tile == truth[row : row + 256, col : col + 256]).all()


# Blender


def test_blender_reads_metres(tmp_path: Path) -> None:
    export_for(HILLS, "blender", tmp_path, size=(30, 50), options=BARE)
    truth = grown(HILLS, (30, 50), numbers(tmp_path)["metres_per_sample"])
    assert (exr(tmp_path / "land.exr", "Y") == truth).all()


def test_blender_takes_16_bit_with_strength_and_location(tmp_path: Path) -> None:
    export_for(HILLS, "blender", tmp_path, size=40, options={**BARE, "format": "png"})
    said = numbers(tmp_path)
    grey = picture(tmp_path / "land.png") / 65535
    metres = said["location_z_m"] + (grey - said["midlevel"]) * said["strength"]
    truth = grown(HILLS, 40, 15)
    assert np.abs(metres - truth).max() <= said["strength"] / 131070 * 1.0001


# GIS


def test_gis_reads_metres_exactly_where_they_lie(tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    options = {"layers": "wetness"}
    export_for(HILLS, "gis", tmp_path, size=(30, 40), options=options)
    said = numbers(tmp_path)
    with rasterio.open(tmp_path / "land.tif") as dataset:
        assert (dataset.read(1) == grown(HILLS, (30, 40), said["metres_per_cell"])).all()
        assert tuple(dataset.bounds) == pytest.approx(
            (said["west_m"], said["south_m"], said["east_m"], said["north_m"])
        )
        assert dataset.tags()["AREA_OR_POINT"] == "Area"
    assert (tmp_path / "land_wetness.tif").exists()


# materials


def splat_of(folder: Path, recipe: dict, size: int, cell_size: float) -> np.ndarray:
    dressed = {**recipe, "steps": [*recipe["steps"], {"op": "surface.splat"}]}
    whole = dc.Recipe.from_dict(dressed).changed(size=size, cell_size=cell_size)
    return dc.generate(whole)["splat"].astype(int)


def test_unreal_weights_are_as_large_as_the_heights_and_sum_to_255(tmp_path: Path) -> None:
    export_for(HILLS, "unreal", tmp_path, size=127)
    parts = [picture(tmp_path / f"land_{each}.png") for each in ("grass", "rock", "sand", "snow")]
    assert {(part.shape, part.dtype.name) for part in parts} == {((127, 127), "uint8")}
    whole = np.stack(parts, axis=-1).astype(int)
    assert (whole.sum(axis=-1) == 255).all()
    assert (whole == splat_of(tmp_path, HILLS, 127, 600 / 126)).all()


def test_unity_weights_lie_between_the_posts_and_sum_to_255(tmp_path: Path) -> None:
    export_for(HILLS, "unity", tmp_path, size=65)
    weights = picture(tmp_path / "land_splat.png").astype(int)
    assert weights.shape == (64, 64, 4)
    assert (weights.sum(axis=-1) == 255).all()
    posts = splat_of(tmp_path, HILLS, 65, 600 / 64)
    means = (posts[:-1, :-1] + posts[:-1, 1:] + posts[1:, :-1] + posts[1:, 1:]) / 4
    assert np.abs(weights - means).max() <= 3


def test_godot_control_map_blends_the_two_heaviest(tmp_path: Path) -> None:
    export_for(HILLS, "godot", tmp_path, size=256)
    bits = exr(tmp_path / "land_control.exr", "Y").view(np.uint32)
    base, over, blend = bits >> 27 & 0x1F, bits >> 22 & 0x1F, bits >> 14 & 0xFF
    weights = splat_of(tmp_path, HILLS, 256, 600 / 256)
    heaviest = np.take_along_axis(weights, base[..., None].astype(int), -1)[..., 0]
    second = np.take_along_axis(weights, over[..., None].astype(int), -1)[..., 0]
    assert (heaviest == weights.max(axis=-1)).all()
    assert (second == np.sort(weights, axis=-1)[..., -2]).all()
    share = 255 * second / (heaviest + second)
    assert np.abs(blend - share).max() <= 0.5
    assert (bits & 0x3FFF == 0).all()  # no hole, no navigation, no autoshader
