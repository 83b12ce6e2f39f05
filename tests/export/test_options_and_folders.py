"""The way out: options of writers, side files, formats that are folders."""

import json
import math

import numpy as np
import pytest

import downcut as dc
from downcut.errors import DowncutError
from downcut.export import formats
from downcut.export.files import Delivery
from downcut.export.formats import FORMATS, Format
from downcut.export.save import check_targets, save
from downcut.export.temporary import SUFFIX
from downcut.grid import Grid
from downcut.terrain import Terrain

LAND = Terrain(Grid(2, 3, 5.0), {"elevation": np.arange(6.0).reshape(2, 3)})


def write_text(terrain, file, *, word="none"):
    file.write(word.encode())
    return {"word": word}


def write_store(terrain, folder, *, word="none"):
    (folder / "deep").mkdir()
    (folder / "deep" / "cells").write_text(word)
    (folder / "mark").write_text("whole")
    return {"word": word}


@pytest.fixture(autouse=True)
def two_more_formats(monkeypatch):
    more = {
        ".word": Format(write_text, 1, sidecar=True),
        ".long.word": Format(write_text, 1),
        ".store": Format(write_store, 1, marker="mark", sidecar=True),
    }
    monkeypatch.setattr(formats, "FORMATS", FORMATS | more)


def test_the_longest_ending_counts_and_a_bare_suffix_is_no_name(tmp_path):
    assert [f.name for f in save(LAND, tmp_path / "a.WORD", word="ay")] == ["a.WORD", "a.WORD.json"]
    assert [f.name for f in save(LAND, tmp_path / "a.long.word")] == ["a.long.word"]
    assert json.loads((tmp_path / "a.WORD.json").read_text()) == {"word": "ay"}
    assert formats.by_name(tmp_path / ".word") is None


def test_an_unknown_option_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(DowncutError, match=r"a\.word takes no option 'wrod'; its options: word"):
        save(LAND, tmp_path / "a.word", wrod="ay")
    with pytest.raises(DowncutError, match="takes no option 'layer'"):
        save(LAND, tmp_path / "a.word", layer="elevation")
    with pytest.raises(DowncutError, match="options: none"):
        check_targets([tmp_path / "a.json"], options={"bits": 8})
    with pytest.raises(DowncutError, match="folder of many files, which takes no word"):
        save(LAND, tmp_path / "set", word="ay")
    assert list(tmp_path.iterdir()) == []


def contents(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_a_store_appears_whole_and_is_replaced_with_force_only(tmp_path):
    for place in (f"{tmp_path}/a.store", f"{tmp_path}/b.store/"):
        assert len(save(LAND, place, word="first")) == 2
        with pytest.raises(DowncutError, match="exists"):
            save(LAND, place, word="second")
    (tmp_path / "a.store" / "stale").write_text("")
    save(LAND, tmp_path / "a.store", force=True, word="second")
    assert contents(tmp_path / "a.store") == ["deep/cells", "mark"]
    assert (tmp_path / "a.store" / "deep" / "cells").read_text() == "second"
    assert json.loads((tmp_path / "a.store.json").read_text()) == {"word": "second"}


def test_no_folder_of_someone_else_is_ever_replaced(tmp_path):
    (tmp_path / "a.store").mkdir()
    (tmp_path / "a.store" / "diary").write_text("mine")
    for force in (False, True):
        with pytest.raises(DowncutError, match=r"something else \(it has no mark\)"):
            save(LAND, tmp_path / "a.store", force=force)
    (tmp_path / "b.store").write_text("mine")
    with pytest.raises(DowncutError, match="is a file"):
        save(LAND, tmp_path / "b.store", force=True)
    assert contents(tmp_path) == ["a.store/diary", "b.store"]


@pytest.mark.parametrize("old", [True, False])
def test_an_interrupt_in_a_store_leaves_the_old_one_or_none(old, tmp_path):
    if old:
        save(LAND, tmp_path / "a.store", word="old")

    def fail():
        with (
            Delivery(force=True) as delivery,
            delivery.folder(tmp_path / "a.store", 1, "mark") as folder,
        ):
            write_store(LAND, folder, word="new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not any(path.name.endswith(SUFFIX) for path in tmp_path.iterdir())
    assert (tmp_path / "a.store").exists() == old
    if old:
        assert (tmp_path / "a.store" / "deep" / "cells").read_text() == "old"


KINDS = [
    "x",
    "",
    None,
    True,
    2.5,
    math.nan,
    math.inf,
    10**400,
    [],
    [1, 2],
    {},
    b"x",
    np.float32(3),
    object(),
]
EVERY = [(suffix, option) for suffix, form in formats.FORMATS.items() for option in form.options]


@pytest.fixture(scope="module")
def wet_land():
    hills = {"op": "fields.fbm", "wavelength": 400, "amplitude": 150, "offset": 20}
    rivers = {"op": "hydrology.rivers", "channel_area": 9000}
    return dc.generate({"grid": {"ny": 12, "nx": 17, "cell_size": 30}, "steps": [hills, rivers]})


@pytest.mark.parametrize(("suffix", "option"), EVERY, ids="".join)
def test_a_value_of_any_kind_is_taken_or_refused_in_a_sentence(suffix, option, wet_land, tmp_path):
    said = ""
    for value in KINDS:
        try:
            save(wet_land, tmp_path / f"rivers{suffix}", force=True, **{option: value})
        except DowncutError as error:
            said = max(said, str(error), key=len)
    assert len(said) < 400
    assert "\n" not in said


def test_numbers_of_numpy_and_whole_ones_are_numbers(tmp_path):
    land = Terrain(Grid(4, 5, 10.0), {"elevation": np.arange(20.0).reshape(4, 5)})
    for name, low in (("a.png", 0), ("b.png", np.float32(0)), ("c.png", np.int64(0))):
        save(land, tmp_path / name, low=low, high=20.0)
    assert len({(tmp_path / f"{name}.png").read_bytes() for name in "abc"}) == 1
    with pytest.raises(DowncutError, match=r"a\.glb: max_error is 'far': give a number"):
        check_targets([tmp_path / "a.glb"], options={"max_error": "far"})


@pytest.mark.parametrize("dtype", ["c8", "O", "U3", "M8[s]"])
def test_what_is_no_number_is_no_layer(dtype):
    with pytest.raises(DowncutError, match=r"layer odd holds .*: give real numbers"):
        Terrain(Grid(2, 3, 5.0), {"odd": np.zeros((2, 3), dtype)})


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_land_without_layers_is_refused_in_a_sentence(suffix, tmp_path):
    with pytest.raises(DowncutError, match=r"elevation|there are|tables|recipe"):
        save(Terrain(Grid(2, 3, 5.0), {}), tmp_path / f"rivers{suffix}")
