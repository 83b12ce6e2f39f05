"""A site: blocks that hold the land, land.json that names them, and a page that needs no more."""

import json

import numpy as np
import pytest

import downcut as dc
from downcut import pages
from downcut.cli import call
from downcut.errors import DowncutError
from downcut.export.blocks import read_block
from downcut.handover.exporting import export_for


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a small land with a sea and rivers."""
    folder = tmp_path_factory.mktemp("site") / "land"
    export_for(dc.preset("volcano", size=48), "site", folder)
    return folder


def test_the_layers_hold_the_land_to_half_a_step(site):
    about = json.loads((site / "land.json").read_text("utf-8"))
    land = dc.generate(
        dc.Recipe.from_dict(json.loads((site / "export.json").read_text())["recipe"])
    )
    assert about["digest"] == land.recipe.digest
    assert (about["grid"]["ny"], about["grid"]["nx"]) == land.grid.shape
    assert about["range"] == list(land.relief)
    assert about["sea_level"] == 0
    assert {"elevation", "tint", "water_surface", "channel"} <= set(about["layers"])
    for name, where in about["layers"].items():
        header, numbers = read_block((site / where["file"]).read_bytes())
        assert header["layer"] == name
        assert header["unit"] == where["unit"]
        assert numbers.shape[:2] == land.grid.shape
        if "scale" in header:
            metres = header["offset"] + header["scale"] * numbers.astype(np.float64)
            assert np.abs(metres - land[name]).max() <= header["scale"] * 0.5001
        elif name != "tint":
            np.testing.assert_array_equal(numbers, land[name].astype(numbers.dtype))


def test_the_folder_says_what_is_in_it_and_names_no_other_host(site):
    readme = (site / "README.txt").read_text("utf-8")
    assert "python -m http.server" in readme
    assert "downcut-land.js" in readme
    page = (site / "index.html").read_text("utf-8")
    assert "http" not in page.replace("http-equiv", "")
    for line in (site / "downcut-land.js").read_text("utf-8").splitlines():
        assert not line.startswith("import")


def test_the_command_fills_a_folder_once(tmp_path, capsys):
    words = ["site", "sine-hills", "--size", "32", "-o", str(tmp_path / "out"), "--quiet"]
    assert call(words) == 0
    assert (tmp_path / "out" / "layers" / "elevation.bin").is_file()
    assert call(words) == 2
    assert call([*words, "--force"]) == 0
    capsys.readouterr()


def test_a_page_that_was_not_built_is_said_before_the_work(tmp_path, monkeypatch):
    recipe = dc.preset("sine-hills", size=16)
    monkeypatch.setattr(pages.resources, "files", lambda _: tmp_path)
    with pytest.raises(DowncutError, match="was not built"):
        export_for(recipe, "site", tmp_path / "new")
    assert not (tmp_path / "new").exists()
