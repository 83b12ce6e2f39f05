"""Saving: the suffix decides, nothing is overwritten, a folder's files appear together."""

import importlib.util
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
import rasterio
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.formats import SET
from downcut.export.save import all_files, check_targets, save
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

WHOLE = [path.name for path in all_files({Path(name): form for name, form in SET.items()})]
"""The names of a folder of everything: the set and its side files."""
RECIPE = Recipe.from_dict({"steps": [{"op": "fields.fbm"}]})
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def terrain():
    elevation = np.random.default_rng(1).normal(size=(20, 30)).astype(np.float32) * 300
    return Terrain(Grid(20, 30, 30.0), {"elevation": elevation}, recipe=RECIPE)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["set", "set/", "v1.5/"])
def test_a_name_without_a_suffix_becomes_a_folder_of_everything(terrain, name, tmp_path):
    files = save(terrain, f"{tmp_path}/{name}")
    folder = tmp_path / name
    assert names(folder) == sorted(WHOLE)
    assert [f.name for f in files] == WHOLE
    with rasterio.open(folder / "terrain.tif") as dataset:
        np.testing.assert_array_equal(dataset.read(1), terrain["elevation"])
    for picture, mode in [
        ("preview.png", "RGB"),
        ("hillshade.png", "L"),
        ("heightmap.png", "I;16"),
    ]:
        with Image.open(folder / picture) as opened:
            assert (opened.mode, opened.size) == (mode, (30, 20))
    content = (folder / "recipe.json").read_text(encoding="utf-8")
    assert Recipe.from_json(content) == RECIPE
    assert json.loads(content)["steps"][0]["octaves"]  # the full form


def test_an_unknown_suffix_is_refused_with_those_there_are(terrain, tmp_path):
    with pytest.raises(DowncutError, match=r"'\.bmp'.*\.png.*\.glb"):
        save(terrain, tmp_path / "land.bmp")
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["land.png", "land.tif", "land.npz", "land.json"])
def test_nothing_is_overwritten_without_force(terrain, name, tmp_path):
    target = tmp_path / name
    target.write_text("mine")
    with pytest.raises(DowncutError, match=f"{name} exists.*--force"):
        save(terrain, target)
    assert target.read_text() == "mine"
    assert names(tmp_path) == [name]
    assert target in save(terrain, target, force=True)
    assert target.read_bytes() != b"mine"


def test_one_file_in_the_way_keeps_the_whole_set_away(terrain, tmp_path):
    (tmp_path / "preview.png").write_text("mine")
    with pytest.raises(DowncutError, match=r"preview\.png exists"):
        save(terrain, tmp_path)
    assert names(tmp_path) == ["preview.png"]


def test_a_side_file_in_the_way_counts_too(terrain, tmp_path):
    (tmp_path / "land.png.json").write_text("mine")
    with pytest.raises(DowncutError, match=r"json exists"):
        check_targets([tmp_path / "land.png"])
    check_targets([tmp_path / "land.png"], force=True)


def test_targets_are_checked_before_any_work(tmp_path):
    (tmp_path / "file").write_text("")
    for bad, why in [
        (tmp_path / "a.xyz", "no format"),
        (tmp_path / "file" / "a.png", "is a file"),
        (tmp_path / "file/below/", "is a file"),
    ]:
        with pytest.raises(DowncutError, match=why):
            check_targets([tmp_path / "good.png", bad])
    check_targets([tmp_path / "not" / "yet" / "there.png"])
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(ROOT, reason="root may write anywhere")
def test_a_folder_of_someone_elses_is_refused(terrain, tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(DowncutError, match="may not be written"):
            check_targets([tmp_path / "a.png"])
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
def test_pipes_and_devices_are_no_targets(terrain, tmp_path):
    os.mkfifo(tmp_path / "land.png")
    with pytest.raises(DowncutError, match="a device, not a file"):
        save(terrain, tmp_path / "land.png", force=True)
    if Path("/dev/full").exists():
        with pytest.raises(DowncutError, match="/dev/full"):
            save(terrain, "/dev/full", force=True)


@pytest.mark.parametrize(
    ("name", "package", "extra"), [("a.tif", "rasterio", "gis"), ("a.glb", "pygltflib", "mesh")]
)
def test_a_missing_extra_is_named(terrain, name, package, extra, tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda n, *a: None if n == package else find(n, *a)
    )
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(DowncutError, match=rf"pip install 'downcut\[{extra}\]'"):
        check_targets([tmp_path / name])
    with pytest.warns(UserWarning, match=rf"left out.*downcut\[{extra}\]"):
        files = save(terrain, tmp_path / "set")
    assert [f.name for f in files] == [n for n in WHOLE if (tmp_path / name).suffix not in n]
    assert not any(f.suffix == (tmp_path / name).suffix for f in files)


def test_a_land_without_a_recipe_has_none_to_save(terrain, tmp_path):
    bare = Terrain(terrain.grid, dict(terrain.layers))
    with pytest.raises(DowncutError, match="no recipe"):
        save(bare, tmp_path / "a.json")
    assert names(tmp_path) == []
    assert "recipe.json" not in [f.name for f in save(bare, tmp_path / "set")]


def test_a_link_keeps_pointing_at_its_file(terrain, tmp_path):
    if os.name != "posix":
        pytest.skip("links need rights here")
    (tmp_path / "real").mkdir()
    (tmp_path / "link.npy").symlink_to(tmp_path / "real" / "land.npy")
    save(terrain, tmp_path / "link.npy", force=True)
    assert (tmp_path / "link.npy").is_symlink()
    assert names(tmp_path / "real") == ["land.npy"]


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 64), (3, 3)])
@pytest.mark.parametrize("value", [0.0, 21.0])
def test_tiny_constant_lands_are_saved_whole(shape, value, tmp_path):
    bare = Terrain(Grid(*shape), {"elevation": np.full(shape, value)}, recipe=RECIPE)
    assert len(save(bare, tmp_path / "set")) == len(WHOLE)
