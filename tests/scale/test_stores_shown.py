"""The studio opens a store of any size by the level that a page can show, and says which."""

import numpy as np
import pytest

import downcut as dc
from downcut.commands.studio import _begin_with
from downcut.handover import shown

pytest.importorskip("zarr")
NOTHING = {"size": None, "cell_size": None, "settings": {}}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "hills.zarr"
    return dc.build(dc.preset("rolling", size=(300, 280)), path, tile=128, workers=0).path


def test_a_level_is_shown_with_its_own_water(store, monkeypatch, capsys):
    monkeypatch.setattr(shown, "EDGE", 200)
    plain, files = _begin_with(str(store), None, NOTHING)
    level = dc.open_land(store, 1)
    assert plain["title"].endswith(", level 1: 150 × 140 cells of 58.5143 m")
    assert "level 1 of hills.zarr" in plain["description"]
    assert "level 1 of hills.zarr: 150 × 140 cells" in capsys.readouterr().err
    land = dc.generate(dc.Recipe.from_dict(plain))
    np.testing.assert_array_equal(land["elevation"], level.read()["elevation"])
    assert land.grid == level.grid
    assert {"lake", "channel", "hillshade"} <= {*land.layers}
    assert [file.suffix for file in files] == [".npy"]


def test_a_small_store_is_its_recipe(store):
    plain, files = _begin_with(str(store), None, NOTHING)
    assert files == []
    assert dc.Recipe.from_dict(plain).digest == dc.open_land(store).recipe.digest


def test_another_seed_is_grown(store, monkeypatch):
    monkeypatch.setattr(shown, "EDGE", 200)
    plain, files = _begin_with(str(store), "7", NOTHING)
    assert files == []
    assert plain["seed"] == "7"
