"""A store handed to a program: its own samples, tile by tile, as from the land in memory."""

import json

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut.cli import call
from downcut.export import targets
from downcut.handover.storing import tiles_for

pytest.importorskip("zarr")
RECIPE = dc.preset("archipelago", size=(320, 300))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "isles.zarr"
    return dc.build(RECIPE, path, tile=128, workers=0).path


@pytest.fixture(scope="module")
def land():
    return dc.generate(RECIPE)


def handed(store, target, folder, *more):
    line = ["export", str(store), "--for", target, "-o", str(folder), "--quiet", *more]
    assert call(line) == 0
    return json.loads((folder / "export.json").read_text())


def levels_of(folder, names):
    return np.vstack([
        np.hstack([np.asarray(Image.open(folder / name)) for name in row]) for row in names
    ])  # fmt: skip


def test_unreal_tiles_are_the_middle_of_the_store(store, land, tmp_path, capsys):
    card = handed(store, "unreal", tmp_path / "u", "--tiles", "2x2")
    assert card["tiles"] == [2, 2]
    assert (card["ny"], card["nx"]) == (253, 253)
    assert "the middle 253 × 253 of 320 × 300 samples" in capsys.readouterr().err
    top, left = (320 - 253) // 2, (300 - 253) // 2
    tiles = [[np.asarray(Image.open(tmp_path / f"u/isles_x{c}_y{r}.png")) for c in (0, 1)]
             for r in (0, 1)]  # fmt: skip
    assert (tiles[0][0][:, -1] == tiles[0][1][:, 0]).all()
    whole = np.vstack([np.hstack([row[0][:, :-1], row[1]]) for row in (tiles[0], tiles[1])])
    whole = np.delete(whole, 127, axis=0)
    metres = card["numbers"]["metres_of_0"] + whole * card["numbers"]["metres_per_level"]
    window = land["elevation"][top : top + 253, left : left + 253]
    assert np.abs(metres - window).max() <= card["numbers"]["metres_per_level"] * 0.51
    assert dc.verify(tmp_path / "u").agrees  # of its part, grown again with the whole


def test_unity_and_blender(store, land, tmp_path):
    card = handed(store, "unity", tmp_path / "unity", "--tiles", "4x4", "--with", "layers=none")
    assert len([name for name in card["files"] if name.endswith(".raw")]) == 16
    card = handed(store, "blender", tmp_path / "b", "--with", "format=png")
    picture = np.asarray(Image.open(tmp_path / "b/isles_colour.png"))
    assert picture.shape == (320, 300, 3)


def test_colours_of_tiles_are_those_of_the_whole(store, land, tmp_path):
    """What is high, steep or a wide river is so for the whole land, in every tile of it."""
    from downcut.export.targets.heights import painter

    whole, part = painter(land), painter(dc.open_land(store))
    for grid in (land.grid, land.grid.window(100, 90, 120, 130), land.grid.window(0, 170, 64, 130)):
        np.testing.assert_array_equal(part(grid), whole(grid))


def test_the_map_and_gis_hold_the_whole_land(store, land, tmp_path):
    pytest.importorskip("rasterio")
    import rasterio

    card = handed(store, "gis", tmp_path / "gis", "--at", "8.5,46.5")
    with rasterio.open(tmp_path / "gis/isles.tif") as dataset:
        assert (dataset.read(1) == land["elevation"]).all()
        assert dataset.overviews(1) == [2] or dataset.width < 512
    assert "isles.gpkg" in card["files"]
    handed(store, "map", tmp_path / "map")
    about = json.loads((tmp_path / "map/map.json").read_text())
    assert about["range"] == pytest.approx(list(land.relief))
    summit = next(each for each in about["labels"] if each["kind"] == "summit")
    assert summit["text"] == f"{land['elevation'].max():,.0f} m"


def test_a_program_that_wants_all_at_once_gets_a_level_that_fits(
    store, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("downcut.handover.storing.MOST_CELLS", 200 * 200)
    card = handed(store, "print", tmp_path / "print")
    assert card["ny"] == 160
    assert "level 1 of the store" in capsys.readouterr().err


@pytest.mark.parametrize(("target", "tiles", "edge"), [
    ("unreal", (4, 4), 4033), ("unity", (7, 7), 2049), ("godot", (4, 4), 4096),
    ("gis", (1, 1), 16384), ("map", (1, 1), 16384),
])  # fmt: skip
def test_few_tiles_hold_nearly_all_of_a_huge_land(target, tiles, edge):
    found = targets.by_name(target)
    assert tiles_for(found, (16384, 16384)) == tiles
    over = int(found.shared_edges)
    assert tiles[0] * (edge - over) + over <= 16384


def test_layers_that_the_store_has_not_are_named(store, tmp_path, capsys):
    handed(store, "unreal", tmp_path / "u")
    assert "the store has no splat: left out" in capsys.readouterr().err


def test_other_samples_are_grown_as_ever(store, tmp_path):
    card = handed(store, "unreal", tmp_path / "u", "--size", "127", "--with", "layers=none")
    assert (card["ny"], card["nx"]) == (127, 127)
    assert card["cell_size_m"] > RECIPE.grid.cell_size
