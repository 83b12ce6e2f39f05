"""`downcut export` on the command line: programs, formats, and sentences for what cannot be."""

import json
from pathlib import Path

import numpy as np
import pytest

from downcut import cli

BARE = ("--with", "layers=none")


def run(*words: object) -> int:
    return cli.call(["export", *map(str, words), "--quiet"])


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A bare array: 61 × 41 heights without metres of ground."""
    rows, cols = np.mgrid[0:61, 0:41]
    np.save(tmp_path / "in.npy", (3.0 * rows - 2.0 * cols).astype(np.float32))
    return tmp_path / "in.npy"


def card(folder: Path) -> dict:
    return json.loads((folder / "export.json").read_text("utf-8"))


def test_a_suffix_converts(bare: Path, tmp_path: Path) -> None:
    assert run(bare, "--cell-size", 5, "-o", tmp_path / "out.exr", "-o", tmp_path / "out.tif") == 0
    pixels = pytest.importorskip("OpenEXR").File(str(tmp_path / "out.exr")).channels()["Y"].pixels
    assert (pixels == np.load(bare)).all()
    rasterio = pytest.importorskip("rasterio")
    with rasterio.open(tmp_path / "out.tif") as dataset:
        assert (dataset.read(1) == np.load(bare)).all()
        assert dataset.res == (5, 5)


def test_options_of_the_format_go_through(bare: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.raw"
    assert run(bare, "--cell-size", 5, "-o", out, "--with", "byte_order=big") == 0
    side = json.loads((tmp_path / "out.raw.json").read_text("utf-8"))
    levels = np.fromfile(out, ">u2").reshape(61, 41)
    metres = side["metres_of_0"] + levels * side["scale"]
    assert np.abs(metres - np.load(bare)).max() <= side["scale"] / 2 * 1.001


def test_a_bare_array_keeps_its_ground_at_another_size(bare: Path, tmp_path: Path) -> None:
    metres = ("--read", "cell_size=5", "--size", "122x82")
    assert run(bare, "--for", "blender", *metres, *BARE, "-o", tmp_path / "b") == 0
    said = card(tmp_path / "b")["numbers"]
    assert (said["plane_x_m"], said["plane_y_m"]) == (41 * 5, 61 * 5)


def test_a_square_program_takes_the_middle_and_says_so(
    bare: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert (
        run(bare, "--for", "unity", "--cell-size", 5, "-o", tmp_path / "u", "--with", "layers=none")
        == 0
    )
    said = card(tmp_path / "u")["numbers"]
    assert said["terrain_width_m"] == said["terrain_length_m"] == pytest.approx(41 * 5)
    assert "the middle 205 × 205 m of the land's 205 × 305 m" in capsys.readouterr().err


def test_tiles_keep_the_shape(bare: Path, tmp_path: Path) -> None:
    tiles = ("--tiles", "3x2", "--cell-size", 5)
    assert run(bare, "--for", "unity", *tiles, *BARE, "-o", tmp_path / "u") == 0
    assert len(list((tmp_path / "u").glob("in_?_?.raw"))) == 6


def test_a_saved_land_is_grown_again_at_the_programs_size(tmp_path: Path) -> None:
    assert cli.call(["generate", "sine-hills", "-o", str(tmp_path / "hills"), "--quiet"]) == 0
    for source in ("hills", "hills/heightmap.png", "hills/terrain.tif", "hills/recipe.json"):
        out = tmp_path / source.replace("/", "-").replace(".", "-")
        out = out.with_name(f"{out.name}-unreal")
        assert run(tmp_path / source, "--for", "unreal", "-o", out, *BARE) == 0
        said = card(out)
        assert (said["ny"], said["recipe"]["steps"][0]["op"]) == (127, "fields.sines")


def test_an_export_is_a_source_too(bare: Path, tmp_path: Path) -> None:
    assert run("sine-hills", "--for", "unity", "--tiles", 2, "-o", tmp_path / "u", "--seed", 9) == 0
    assert run(tmp_path / "u", "-o", tmp_path / "again.json") == 0
    again = json.loads((tmp_path / "again.json").read_text("utf-8"))
    assert again == card(tmp_path / "u")["recipe"]


def test_json_has_the_numbers(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert run("sine-hills", "--for", "unreal", "-o", tmp_path / "u", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["numbers"] == card(tmp_path / "u")["numbers"]
    assert {Path(each["path"]).name for each in said["files"]} >= {"README.txt", "export.json"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sine-hills"], "give -o FILE"),
        (["sine-hills", "--for", "unrael"], "did you mean 'unreal'"),
        (["sine-hills", "--tiles", "2", "-o", "a.png"], "--tiles is '2': it needs --for PROGRAM"),
        (["sine-hills", "--for", "unity", "--tiles", "0x2"], "give ROWSxCOLUMNS"),
        (["sine-hills", "--for", "unity", "--with", "rows"], "give NAME=VALUE"),
        (["sine-hills", "--for", "unity", "-o", "a", "-o", "b"], "fills one folder"),
        (["sine-hills", "-o", "a.png", "--with", "colour=red"], "no option 'colour'"),
        (["sine-hills", "-o", "a.xyz"], "no format is called"),
        (["sine-hills", "--for", ""], "no target is called ''"),
        (["sine-hills", "-o", "a.glb", "--with", "max_error=far"], "max_error is 'far'"),
        (["sine-hills", "--for", "mujoco", "--with", "base=0"], "base of mujoco is 0: give 0.001"),
        (["sine-hills", "--for", "print", "--with", "bed=1e9"], "bed of print is 1000000000.0"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture,
    words: list[str], sentence: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(*words) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())
