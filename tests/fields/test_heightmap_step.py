"""The ground from a file: exact where cells coincide, true between, and the file that was meant."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import downcut as dc
from downcut import cli, request
from downcut.errors import DowncutError
from downcut.execute import Order, execute
from downcut.handover.source import recipe_of
from downcut.importing import reading
from downcut.run import Run


@pytest.fixture
def hills(fractal):
    return fractal(48, 64, relief=400, roughness=2.5)


@pytest.fixture
def file(hills, tmp_path):
    np.save(tmp_path / "hills.npy", hills)
    return str(tmp_path / "hills.npy")


def step(file, **more):
    return dc.fields.Heightmap(**{"file": file, "cell_size": 10.0} | more)


def test_the_files_own_cells_are_copied(file, hills):
    made = step(file)(grid=dc.Grid(48, 64, 10.0))
    assert (made == hills).all()
    inner = step(file)(grid=dc.Grid(20, 30, 10.0))
    assert (inner == hills[14:34, 17:47]).all()
    moved = step(file)(grid=dc.Grid(10, 10, 10.0, row=-24, col=-32))
    assert (moved == hills[:10, :10]).all()


def test_beyond_the_file_its_edge_goes_on(file, hills):
    wide = step(file)(grid=dc.Grid(68, 84, 10.0))
    assert (wide[10:58, 10:74] == hills).all()
    assert (wide[:10, 10:74] == hills[0]).all()
    far = step(file)(grid=dc.Grid(3, 4, 10.0, row=10**12, col=10**12))
    assert (far == hills[-1, -1]).all()


def test_the_middle_of_the_file_is_the_middle_of_the_ground(file, hills):
    fine = step(file)(grid=dc.Grid(96, 128, 5.0))
    assert np.corrcoef(fine[::2, ::2].ravel(), hills.ravel())[0, 1] > 0.98
    coarse = step(file)(grid=dc.Grid(12, 16, 40.0))
    blocks = hills.reshape(12, 4, 16, 4).mean(axis=(1, 3))
    assert np.abs(coarse - blocks).max() < 0.1 * np.ptp(hills)
    assert coarse.mean() == pytest.approx(hills.mean(), abs=float(0.02 * np.ptp(hills)))


@pytest.mark.parametrize("cell", [4.0, 10.0, 17.0])
def test_a_plane_stays_that_plane_at_every_cell(cell, tmp_path):
    source = dc.Grid(60, 70, 10.0)
    np.save(tmp_path / "plane.npy", 0.3 * source.x[None, :] - 0.2 * source.y[:, None])
    grid = dc.Grid(21, 24, cell)
    made = step(str(tmp_path / "plane.npy"))(grid=grid)
    assert np.abs(made - (0.3 * grid.x[None, :] - 0.2 * grid.y[:, None])).max() < 0.01


def test_it_blends_into_any_layer_where_a_mask_says(file, hills):
    grid = dc.Grid(48, 64, 10.0)
    base, mask = np.ones(grid.shape), np.zeros(grid.shape)
    mask[:, 32:] = 1
    made = step(file, into="moisture", blend="multiply", mask="mask")(base, mask, grid=grid)
    assert (made[:, :32] == 1).all()
    np.testing.assert_allclose(made[:, 32:], hills[:, 32:], rtol=1e-5, atol=1e-4)


def test_the_file_is_read_once_for_all_windows(file, monkeypatch):
    calls = []
    real = reading.read
    monkeypatch.setattr(reading, "read", lambda *a, **o: calls.append(1) or real(*a, **o))
    recipe = recipe_of(file, cell_size=10).changed(size=130)
    whole, _, _ = execute(recipe, Order())
    tiled, _, _ = execute(recipe, Order(tile=32))
    assert tiled["elevation"].tobytes() == whole["elevation"].tobytes()
    assert len(calls) == 1


def test_a_file_that_changed_is_another_file(file, hills):
    recipe = recipe_of(file, cell_size=10)
    assert (dc.generate(recipe)["elevation"] == hills).all()
    np.save(file, hills + 1)
    with pytest.raises(DowncutError, match="not the file that the recipe was made with"):
        dc.generate(recipe)
    anew = recipe.changed(settings={"steps.0.content": ""})
    assert (dc.generate(anew)["elevation"] == hills + 1).all()
    Path(file + ".json").write_text(json.dumps({"row_order": "south first"}))
    with pytest.raises(DowncutError, match="not the file"):  # its side file may say other metres
        dc.generate(recipe_of(file, cell_size=10).changed(settings={"steps.0.content": "0" * 32}))


def test_the_digest_names_the_content_wherever_it_lies(file, tmp_path, hills):
    (tmp_path / "elsewhere").mkdir()
    moved = shutil.copy(file, str(tmp_path / "elsewhere"))
    one, other = recipe_of(file, cell_size=10), recipe_of(moved, cell_size=10)
    assert one.digest == other.digest
    np.save(moved, hills + 1)
    assert recipe_of(moved, cell_size=10).digest != one.digest
    plain = one.changed(settings={"steps.0.content": "", "steps.0.file": moved})
    assert plain.digest != one.changed(settings={"steps.0.content": ""}).digest


def test_a_stranger_names_only_files_that_came_along(file, hills):
    named = recipe_of(file, cell_size=10).changed(settings={"steps.0.file": "mine"})
    made, _, _ = execute(named, Order(files={"mine": Path(file)}))
    assert (made["elevation"] == hills).all()
    for name in (file, "/etc/passwd", "../hills.npy"):
        with pytest.raises(DowncutError, match="did not come with the recipe: give 'mine'"):
            execute(
                named.changed(settings={"steps.0.file": name}), Order(files={"mine": Path(file)})
            )
        with pytest.raises(DowncutError, match="none did"):
            execute(named.changed(settings={"steps.0.file": name}), Order(files={}))
    with pytest.raises(DowncutError, match="did not come"):
        step(file)(grid=dc.Grid(2, 2), run=Run(files={}))


def test_no_file_and_no_data_are_refused_with_the_way_out(file, hills):
    with pytest.raises(DowncutError, match="has no file: give the path"):
        dc.fields.Heightmap()(grid=dc.Grid(2, 2))
    hills[3:5, 3:6] = np.nan
    np.save(file, hills)
    for act in (lambda: step(file)(grid=dc.Grid(48, 64, 10.0)), lambda: recipe_of(file)):
        with pytest.raises(DowncutError, match=r"6 of 3,072 cells without data.*fill_voids=true"):
            act()
    filled = step(file, fill_voids=True)(grid=dc.Grid(48, 64, 10.0))
    assert np.isfinite(filled).all()


def test_an_imported_land_is_eroded_dressed_and_grown_at_any_size(file):
    recipe = recipe_of(file, cell_size=10)
    steps = [
        *recipe.model_dump(mode="json")["steps"],
        {"op": "repeat", "times": 3, "feature_size": 20, "steps": [{"op": "erosion.stream_power"}]},
        {"op": "erosion.thermal"},
        {"op": "hydrology.lakes"},
        {"op": "surface.palette"},
    ]
    grown = recipe.changed(settings={"steps": steps})
    fine, coarse = dc.generate(grown), dc.generate(grown.changed(size=(24, 32)))
    assert fine.ledger.eroded > 0
    assert {"water_depth", "colour"} <= set(fine.layers)
    half = fine["elevation"].reshape(24, 2, 32, 2).mean(axis=(1, 3))
    assert np.corrcoef(half.ravel(), coarse["elevation"].ravel())[0, 1] > 0.95


# --- on the command line ---------------------------------------------------------------------


def test_relative_paths_begin_in_the_recipes_folder(file, tmp_path, monkeypatch):
    (tmp_path / "r.json").write_text(
        json.dumps(
            {
                "steps": [
                    {"op": "repeat", "steps": [{"op": "fields.heightmap", "file": "hills.npy"}]}
                ]
            }
        )
    )
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    _, content = request.source("../r.json")
    recipe = request.recipe(content, None, {})
    (inner,) = recipe.steps[0].steps
    assert Path(inner.file).samefile(file)
    assert len(inner.content) == 32


def test_what_was_assumed_is_said_and_what_was_asked_is_done(file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.call(["generate", "hills.npy", "-o", "a.npy", "--quiet"]) == 0
    assert "note: hills.npy: nothing tells its cells: 30 m" in capsys.readouterr().err
    asked = ["--cell-size", "5", "--range", "-100,300", "--read", "south_first=true"]
    assert cli.call(["generate", "hills.npy", *asked, "-o", "b.npy", "--quiet"]) == 0
    assert "note" not in capsys.readouterr().err
    (told,) = (json.loads(Path("b.npy.json").read_text())["recipe"]["steps"],)
    assert (told[0]["low"], told[0]["high"], told[0]["cell_size"]) == (-100, 300, 5)
    for bad, says in (
        (["--read", "lo=3"], "'lo' says nothing of a heightmap"),
        (["--read", "limit_cells=10"], "limit_cells is 10"),
        (["--range", "3"], "--range is '3'"),
    ):
        assert cli.call(["generate", "hills.npy", *bad, "-o", "c.npy"]) == 2
        assert says in capsys.readouterr().err
    assert cli.call(["generate", "sine-hills", "--range", "0,1", "-o", "c.npy"]) == 2
    assert not Path("c.npy").exists()


def test_cell_size_says_what_is_unknown_and_changes_what_is_known(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.call(["export", "hills.npy", "--cell-size", "8", "-o", "a.npy", "--quiet"]) == 0
    assert cli.call(["export", "a.npy", "--cell-size", "16", "-o", "b.npy", "--quiet"]) == 0
    facts = json.loads(Path("b.npy.json").read_text())
    assert (facts["ny"], facts["cell_size_m"]) == (48, 16)


def test_info_and_measure_take_any_heightmap(file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.call(["info", "hills.npy"]) == 0
    assert "array of float32" in capsys.readouterr().out
    assert cli.call(["measure", "hills.npy", "--cell-size", "10", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["size"]["cell_size"] == 10
    assert cli.call(["measure", "hills.npy", "--size", "10"]) == 2
