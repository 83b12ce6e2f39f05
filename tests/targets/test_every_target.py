"""What every target owes: odd lands, layers, names, folders, and sentences for what cannot be."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut.errors import DowncutError
from downcut.export import targets
from downcut.handover.exporting import export_for

HILLS = {
    "seed": 5,
    "grid": {"ny": 60, "nx": 60, "cell_size": 10},
    "steps": [{"op": "fields.fbm", "wavelength": 300, "amplitude": 80, "offset": 40}],
}
BARE = {"layers": "none"}


def card(folder: Path) -> dict:
    return json.loads((folder / "export.json").read_text("utf-8"))


def picture(file: Path) -> np.ndarray:
    with Image.open(file) as opened:
        return np.asarray(opened)


def exr(file: Path, channel: str) -> np.ndarray:
    return pytest.importorskip("OpenEXR").File(str(file)).channels()[channel].pixels


def unity_metres(file: Path, said: dict) -> np.ndarray:
    size = said["heightmap_resolution"]
    stored = np.fromfile(file, "<u2").reshape(size, size)
    return said["position_y_m"] + stored / 65536 * said["terrain_height_m"]


@pytest.mark.parametrize("name", ["unreal", "unity", "godot", "blender", "gis"])
def test_a_flat_land_is_no_trouble(tmp_path: Path, name: str) -> None:
    flat = {**HILLS, "steps": [{"op": "fields.constant", "value": 21}]}
    files = export_for(flat, name, tmp_path, options=BARE)
    assert {file.name for file in files} >= {"README.txt", "export.json"}
    said = card(tmp_path)
    assert (said["low_m"], said["high_m"]) == (21, 21)
    if name == "unreal":
        stored = picture(tmp_path / "land.png").astype(float)
        metres = ((stored - 32768) / 128 * said["numbers"]["z_scale"]) / 100
        assert (metres + said["numbers"]["z_location_cm"] / 100 == 21).all()
    if name == "unity":
        assert (unity_metres(tmp_path / "land.raw", said["numbers"]) == 21).all()


@pytest.mark.parametrize("name", ["unreal", "unity", "godot", "blender", "gis"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (3, 3), (1, 64)])
def test_a_tiny_recipe_is_grown_at_a_size_that_fits(
    tmp_path: Path, name: str, shape: tuple[int, int]
) -> None:
    tiny = {**HILLS, "grid": {"ny": shape[0], "nx": shape[1], "cell_size": 10}}
    if name in ("unreal", "unity", "godot") and shape == (1, 64):
        pytest.skip("a strip 64 times as long as wide makes as many cells as 64 squares")
    export_for(tiny, name, tmp_path, options=BARE)
    said = card(tmp_path)
    low, high = said["low_m"], said["high_m"]
    assert np.isfinite([low, high]).all()
    found = targets.by_name(name)
    assert found.sizes.nearest(said["ny"]) == said["ny"]
    assert found.sizes.nearest(said["nx"]) == said["nx"]


def test_a_land_that_fits_is_left_as_it_is(tmp_path: Path) -> None:
    recipe = dc.Recipe.from_dict(HILLS).changed(size=65, cell_size=10)
    export_for(recipe, "unity", tmp_path, options=BARE)
    assert card(tmp_path)["digest"] == recipe.digest
    assert card(tmp_path)["cell_size_m"] == 10


def test_layers_leave_the_ground_as_it_is(tmp_path: Path) -> None:
    recipe = dc.Recipe.from_dict(HILLS)
    land = dc.generate(recipe)["elevation"]
    export_for(recipe, "blender", tmp_path)
    assert (exr(tmp_path / "land.exr", "Y") == land).all()
    assert picture(tmp_path / "land_colour.png").shape == (60, 60, 3)


def test_no_name_is_read_as_a_tile(tmp_path: Path) -> None:
    files = export_for(HILLS, "unreal", tmp_path, size=127, options=BARE, name="my 1009x1009, ok?")
    assert files[0].name == "my-1009-by-1009-ok.png"


def test_stale_tiles_go_when_fewer_take_their_place(tmp_path: Path) -> None:
    export_for(HILLS, "unity", tmp_path, size=65, tiles=2, options=BARE)
    (tmp_path / "mine.txt").write_text("mine")
    export_for(HILLS, "unity", tmp_path, size=65, options=BARE, force=True)
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"land.raw", "land.raw.json", "README.txt", "export.json", "mine.txt"}


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(DowncutError, match="is not empty"):
        export_for(HILLS, "unity", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"target": "unrael"}, "did you mean 'unreal'"),
        ({"target": "unity", "options": {"row": "south"}}, "no option 'row'; there are rows"),
        ({"target": "unity", "options": {"rows": "east"}}, "give south, north"),
        ({"target": "unity", "options": {"layers": "gold"}}, "no layer 'gold'"),
        ({"target": "unity", "tiles": 33}, "takes 1 to 32 along an edge"),
        ({"target": "gis", "place": "over there"}, "longitude and latitude"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path, asked: dict, words: str) -> None:
    with pytest.raises(DowncutError, match=words):
        export_for(HILLS, folder=tmp_path / "new", **asked)
    assert not (tmp_path / "new").exists()


def test_every_number_that_a_target_takes_has_bounds() -> None:
    for name in targets.NAMES:
        for option, choice in targets.by_name(name).options.items():
            if isinstance(choice.default, int | float) and not choice.choices:
                assert choice.bounds, f"{name} {option}"
                low, high = choice.bounds
                assert low <= choice.default <= high


def test_a_thousand_tiles_look_for_orphans_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []
    monkeypatch.setattr("downcut.export.files.sweep", looked.append)
    files = export_for(HILLS, "print", tmp_path, size=9, tiles=(4, 4))
    assert len(files) == 34
    assert looked == [tmp_path]


def test_a_scale_beyond_all_tiles_is_refused_without_a_number_of_them(tmp_path: Path) -> None:
    with pytest.raises(DowncutError, match=r"bed 200 mm: leave scale out") as told:
        export_for(HILLS, "print", tmp_path, options={"scale": 1e-300})
    assert len(str(told.value)) < 200
