"""Whether a file still holds the land that its recipe grows: yes, no and by how much."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut import cli
from downcut.errors import DowncutError
from downcut.handover.card import read_card

HILLS = dc.Recipe.from_dict(
    {
        "seed": 5,
        "grid": {"ny": 40, "nx": 50, "cell_size": 10},
        "steps": [
            {"op": "fields.fbm", "wavelength": 300, "amplitude": 80, "offset": 40},
            {"op": "hydrology.wetness"},
        ],
    }
)


@pytest.fixture(scope="module")
def land() -> dc.Terrain:
    return dc.generate(HILLS)


@pytest.mark.parametrize(
    "name", ["a.png", "a.r16", "a.exr", "a.tif", "a.cog.tif", "a.npy", "a.npz"]
)
def test_a_file_as_it_was_written_agrees(land: dc.Terrain, tmp_path: Path, name: str) -> None:
    dc.save(land, tmp_path / name)
    verdict = dc.verify(tmp_path / name)
    assert verdict
    (check,) = verdict.checks
    exact = name not in ("a.png", "a.r16")
    low, high = land.relief
    assert check.allowed_m == (0 if exact else pytest.approx((high - low) / 131070))
    assert check.largest_difference_m <= check.allowed_m * 1.01
    assert ("agree exactly" in verdict.sentence) == exact
    assert verdict.digest == HILLS.digest


def test_one_changed_height_is_found_and_measured(land: dc.Terrain, tmp_path: Path) -> None:
    dc.save(land, tmp_path / "a.npy")
    heights = np.load(tmp_path / "a.npy")
    heights[3, 4] += 2.5
    np.save(tmp_path / "a.npy", heights)
    verdict = dc.verify(tmp_path / "a.npy")
    assert not verdict
    assert "1 of 40 × 50 heights by up to 2.5 m" in verdict.sentence
    assert "its heights were changed" in verdict.sentence


def test_a_changed_recipe_is_found(land: dc.Terrain, tmp_path: Path) -> None:
    dc.save(land, tmp_path / "a.npy")
    side = tmp_path / "a.npy.json"
    facts = json.loads(side.read_text("utf-8"))
    facts["recipe"]["steps"][0]["amplitude"] = 81
    side.write_text(json.dumps(facts))
    verdict = dc.verify(tmp_path / "a.npy")
    assert not verdict
    assert "its recipe has been changed" in verdict.sentence


def test_another_land_under_the_same_recipe_is_found(land: dc.Terrain, tmp_path: Path) -> None:
    other = dc.Terrain(land.grid, {"elevation": land["elevation"] + 1}, recipe=land.recipe)
    dc.save(other, tmp_path / "a.tif")
    verdict = dc.verify(tmp_path / "a.tif")
    assert not verdict
    assert "2,000 of 40 × 50 heights by up to 1 m" in verdict.sentence
    assert "grows another land" in verdict.sentence


def test_layers_and_pictures_are_compared_by_name(land: dc.Terrain, tmp_path: Path) -> None:
    dc.save(land, tmp_path / "wet.tif", layer="wetness")
    assert "holds its layer" in dc.verify(tmp_path / "wet.tif").sentence
    dc.save(land, tmp_path / "set")
    assert "names the land" in dc.verify(tmp_path / "set" / "preview.png").sentence
    assert "byte for byte" in dc.verify(tmp_path / "set" / "terrain.glb").sentence


def test_a_layer_that_was_drawn_in_is_found(land: dc.Terrain, tmp_path: Path) -> None:
    dc.save(land, tmp_path / "wet.npy", layer="wetness")
    wet = np.load(tmp_path / "wet.npy")
    wet[0, 0] += 1
    np.save(tmp_path / "wet.npy", wet)
    assert "has been changed" in dc.verify(tmp_path / "wet.npy").sentence


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiles")
    dc.export_for(HILLS, "unity", folder, size=65, tiles=2)
    return folder


def test_every_tile_of_an_export_is_compared(tiles: Path) -> None:
    verdict = dc.verify(tiles)
    assert verdict
    heights = [check for check in verdict.checks if check.largest_difference_m is not None]
    assert len(heights) == 4
    assert "8 of 8 files hold what" in verdict.sentence
    assert dc.verify(tiles / "land_1_0.raw")
    assert dc.verify(tiles / "export.json").checks == verdict.checks


def test_a_swapped_tile_is_found(tiles: Path, tmp_path: Path) -> None:
    shutil.copytree(tiles, tmp_path / "copy")
    shutil.copy(tiles / "land_0_0.raw", tmp_path / "copy" / "land_1_1.raw")
    verdict = dc.verify(tmp_path / "copy")
    assert not verdict
    assert "land_1_1.raw differs" in verdict.sentence
    assert [check.agrees for check in verdict.checks].count(False) == 1


def test_a_missing_tile_is_found(tiles: Path, tmp_path: Path) -> None:
    shutil.copytree(tiles, tmp_path / "copy")
    (tmp_path / "copy" / "land_1_1.raw").unlink()
    assert dc.verify(tmp_path / "copy").sentence.endswith("land_1_1.raw is missing")


def test_the_exit_code_says_it(
    land: dc.Terrain, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    dc.save(land, tmp_path / "a.npy")
    assert cli.call(["verify", str(tmp_path / "a.npy"), "--quiet"]) == 0
    assert "agree exactly" in capsys.readouterr().out
    np.save(tmp_path / "a.npy", np.load(tmp_path / "a.npy") + np.float32(1))
    assert cli.call(["verify", str(tmp_path / "a.npy"), "--quiet", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["agrees"] is False
    assert said["checks"][0]["largest_difference_m"] == pytest.approx(1, rel=1e-5)
    Image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / "foreign.png")
    assert cli.call(["verify", str(tmp_path / "foreign.png"), "--quiet"]) == 2
    assert cli.call(["verify", str(tmp_path / "absent.png"), "--quiet"]) == 2


def test_a_file_without_a_recipe_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    bare = dc.Terrain(dc.Grid(3, 3), {"elevation": np.eye(3, dtype=np.float32)})
    dc.save(bare, tmp_path / "a.png")
    with pytest.raises(DowncutError, match="has no recipe inside"):
        dc.verify(tmp_path / "a.png")


def test_a_file_that_cannot_be_compared_is_not_said_to_agree(tiles: Path) -> None:
    with pytest.raises(DowncutError, match="was not compared"):
        dc.verify(tiles / "land_splat_0_0.png")


@pytest.mark.parametrize("target", ["godot", "mujoco", "unreal", "site"])
def test_every_file_of_a_fresh_export_agrees(target: str, tmp_path: Path) -> None:
    dc.export_for(HILLS, target, tmp_path, size=127)
    verdict = dc.verify(tmp_path)
    assert verdict
    assert all(check.compared for check in verdict.checks)


def test_a_file_that_does_not_hold_heights_is_compared_by_its_bytes(
    tiles: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiles, tmp_path / "copy")
    weights = tmp_path / "copy" / "land_splat_0_0.png"
    shutil.copy(tiles / "land_splat_1_1.png", weights)
    verdict = dc.verify(tmp_path / "copy")
    assert verdict.sentence == f"{weights} has been changed since downcut wrote it"


@pytest.mark.parametrize("name", ["land.tif", "land_wetness.tif", "land.gpkg"])
@pytest.mark.parametrize("kept", [0, 3000])
def test_a_file_of_an_export_that_is_cut_off_does_not_agree(
    name: str, kept: int, tmp_path: Path
) -> None:
    wet = {"layers": "wetness,basin"}
    place = {"options": wet} if name != "land.gpkg" else {}
    dc.export_for(HILLS, "gis", tmp_path, size=40, **place)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:kept])
    verdict = dc.verify(tmp_path)
    assert not verdict
    assert name in verdict.sentence
    assert [check.agrees for check in verdict.checks].count(False) == 1


def test_a_card_that_names_no_files_has_nothing_to_compare(tiles: Path, tmp_path: Path) -> None:
    card = json.loads((tiles / "export.json").read_text("utf-8"))
    (tmp_path / "export.json").write_text(json.dumps(card | {"files": {}}))
    with pytest.raises(DowncutError, match="names no files"):
        dc.verify(tmp_path)


@pytest.mark.parametrize("name", ["../a.npy", "/etc/hostname", "a/../../a.npy", "c:a.npy", "..\\a"])
def test_a_card_that_tells_of_files_elsewhere_is_none(
    name: str, tiles: Path, tmp_path: Path
) -> None:
    card = json.loads((tiles / "export.json").read_text("utf-8"))
    (tmp_path / "export.json").write_text(json.dumps(card | {"files": {name: ""}}))
    assert read_card(tmp_path / "export.json") is None
