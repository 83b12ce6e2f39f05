"""`downcut site --walk`: a folder with the page and the land, whole or not at all."""

import json

import pytest

from downcut import cli
from downcut.walking import deliver

RECIPE = {
    "title": "A test",
    "grid": {"ny": 48, "nx": 48, "cell_size": 20.0},
    "seed": "5",
    "steps": [{"op": "fields.fbm", "wavelength": 400, "amplitude": 40, "offset": 60}],
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command line in a folder with a recipe, and a page that stands for the built one."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<title>walk</title>")
    monkeypatch.setattr(deliver, "page", lambda _name: page)
    (tmp_path / "land.json").write_text(json.dumps(RECIPE))
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = cli.call([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_a_folder_has_the_page_the_land_and_the_recipe(run, tmp_path):
    window = ("--place", "100,-60", "--with", "extent=200", "--with", "cell=2")
    code, out, _ = run("site", "land.json", "--walk", *window, "-o", "walk", "--json")
    assert code == 0
    folder = tmp_path / "walk"
    told = json.loads((folder / "walk.json").read_text())
    assert told["title"] == "A test"
    assert told["grid"] == {"ny": 100, "nx": 100, "cell_size": 2.0}
    assert told["place"] == {"x": 100.0, "y": -60.0}
    assert told["onward"] is None
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"index.html", "README.txt", "recipe.json", "layers/elevation.bin"} <= files
    assert json.loads((folder / "recipe.json").read_text())["seed"] == "5"
    said = json.loads(out)
    assert {each["path"] for each in said["files"]} == {f"walk/{name}" for name in files}


def test_a_folder_is_filled_once(run):
    words = ("site", "land.json", "--walk", "--with", "extent=100", "-o", "walk", "--quiet")
    assert run(*words)[0] == 0
    code, _, error = run(*words)
    assert code == 2
    assert "walk is not empty: choose another folder" in error
    assert run(*words, "--force")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--place", "9000,0", "--walk"), "place is 9000,0: the land reaches from -480 to 480 m"),
        (("--place", "near", "--walk"), "--place is 'near': give two numbers"),
        (("--place", "0,0"), "--place is '0,0': it needs --walk"),
        (("--walk", "--with", "extent=5"), "extent is 5: give 16 to 2048 m"),
        (("--walk", "--with", "extent=wide"), "--with extent is 'wide': give metres along"),
        (("--walk", "--with", "height=3"), "a walk has no option 'height'; there are extent, cell"),
        (("--walk", "--with", "cell=50"), "a cell of 50 m: give "),
        (("--walk", "-o", "other"), "--walk fills one folder: give one -o, not 2"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(run, tmp_path, words, message):
    code, _, error = run("site", "land.json", "-o", "walk", *words)
    assert code == 2
    assert message in error
    assert "Traceback" not in error
    assert not (tmp_path / "walk").exists()
