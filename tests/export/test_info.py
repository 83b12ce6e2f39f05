"""`describe`: our own files say what they are; hostile ones get one sentence."""

import contextlib
import io
import json
import pickle
import struct
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from downcut.errors import DowncutError
from downcut.export.info import describe
from downcut.export.save import save
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

RECIPE = Recipe.from_dict({"steps": [{"op": "fields.fbm"}], "sea_level": -2.0})
NAMES = ["a.png", "a.png.json", "a.tif", "a.glb", "a.npz"]


@pytest.fixture
def saved(tmp_path):
    elevation = np.linspace(-50, 700, 48, dtype=np.float32).reshape(6, 8)
    terrain = Terrain(Grid(6, 8, 25.0), {"elevation": elevation}, recipe=RECIPE)
    for name in ("a.png", "a.tif", "a.glb", "a.npz", "a.npy", "a.json"):
        save(terrain, tmp_path / name)
    return tmp_path, terrain


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_ours_says_where_it_comes_from(name, saved):
    folder, terrain = saved
    found = describe(folder / name)
    assert (found["ny"], found["nx"], found["cell_size_m"]) == (6, 8, 25.0)
    assert (found["low_m"], found["high_m"], found["sea_level_m"]) == (-50.0, 700.0, -2.0)
    assert found["digest"] == RECIPE.digest
    assert found["checksum"] == terrain.checksum
    assert Recipe.from_dict(found["recipe"]) == RECIPE
    assert found["bytes"] == (folder / name).stat().st_size


@pytest.mark.parametrize("name", ["preview.png", "hillshade.png"])
def test_a_picture_can_be_made_again(name, saved):
    folder, terrain = saved
    save(terrain, folder / "set")
    found = describe(folder / "set" / name)
    assert (found["kind"], found["digest"]) == ("picture", RECIPE.digest)
    assert Recipe.from_dict(found["recipe"]) == RECIPE


def test_a_recipe_and_an_npy_say_what_they_can(saved):
    folder, _ = saved
    found = describe(folder / "a.json")
    assert (found["kind"], found["ny"], found["cell_size_m"]) == ("recipe", 512, 30.0)
    assert Recipe.from_dict(found["recipe"]) == RECIPE
    assert (describe(folder / "a.npy")["ny"], describe(folder / "a.npy")["nx"]) == (6, 8)
    assert describe(folder / "a.npz")["layers"] == ["elevation"]


class Loud:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def hostile_files(folder):
    """Files that a reader might trip over, by name."""
    Image.new("P", (9, 9)).save(folder / "paletted.png")
    (folder / "pickle.npy").write_bytes(_npy(np.array([[Loud()]], object)))
    with zipfile.ZipFile(folder / "pickle.npz", "w") as archive:
        archive.writestr("about.json.npy", _npy(np.array([Loud()], object)))
    (folder / "raw.npz").write_bytes(pickle.dumps(Loud()))
    with zipfile.ZipFile(folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json.npy", bytes(2**25))
    (folder / "liar.glb").write_bytes(struct.pack("<4sIII4s", b"glTF", 2, 2**31, 2**31, b"JSON"))
    (folder / "no-scene.glb").write_bytes(
        struct.pack("<4sIII4s2s", b"glTF", 2, 22, 2, b"JSON", b"[]")
    )
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "list.json").write_text("[]")
    (folder / "other.json").write_text('{"steps": 3, "grid": []}')
    (folder / "long.json").write_bytes(b" " * (2**24 + 1))
    (folder / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (folder / "a.exe").write_bytes(b"MZ")
    (folder / "folder.png").mkdir()
    for suffix in (".png", ".json", ".tif", ".glb", ".npz", ".npy"):
        (folder / f"empty{suffix}").write_bytes(b"")
    return [*sorted(folder.iterdir()), folder / "absent.png"]


def _npy(array):
    data = io.BytesIO()
    np.save(data, array, allow_pickle=True)
    return data.getvalue()


def test_foreign_and_hostile_files_get_one_sentence(tmp_path):
    files = hostile_files(tmp_path)
    assert len(files) > 20
    for path in files:
        with pytest.raises(DowncutError) as caught:
            describe(path)
        assert path.name in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [*NAMES, "a.npy", "a.json"])
@settings(max_examples=30, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(data=st.data())
def test_damaged_files_are_described_or_refused(name, saved, data):
    folder, _ = saved
    good = (folder / name).read_bytes()
    cut = data.draw(st.integers(0, len(good)))
    bad = bytearray(good[:cut] if data.draw(st.booleans()) else good)
    for place in data.draw(st.lists(st.integers(0, 400), max_size=3)):
        if place < len(bad):
            bad[place] ^= data.draw(st.integers(1, 255))
    path = folder / f"bad-{name}"
    path.write_bytes(bad)
    with contextlib.suppress(DowncutError):  # and nothing else
        assert describe(path)["bytes"] == len(bad)


def test_a_resized_heightmap_is_not_believed(saved):
    folder, _ = saved
    with Image.open(folder / "a.png") as picture:
        note = PngImagePlugin.PngInfo()
        note.add_itxt("downcut", picture.info["downcut"])
        picture.crop((0, 0, 4, 4)).save(folder / "cut.png", pnginfo=note)
    found = describe(folder / "cut.png")
    assert (found["ny"], found["nx"]) == (4, 4)
    assert "wrote it as 6 × 8 cells" in found["notes"][0]
    assert "recipe" not in found


@pytest.mark.parametrize("note", [None, "[" * 20_000, '{"generator": "another"}'], ids=str)
def test_a_heightmap_of_another_program_is_described(note, tmp_path):
    mine = PngImagePlugin.PngInfo()
    if note:
        mine.add_itxt("downcut", note)
    Image.new("L", (9, 5)).save(tmp_path / "foreign.png", pnginfo=mine)
    found = describe(tmp_path / "foreign.png")
    assert (found["kind"], found["ny"], found["nx"]) == ("8-bit PNG", 5, 9)
    assert "256 levels" in found["notes"][0]


def test_the_recipe_of_a_picture_regrows_it(saved):
    folder, _ = saved
    text = json.dumps(describe(folder / "a.png")["recipe"])
    assert Recipe.from_json(text).digest == RECIPE.digest
