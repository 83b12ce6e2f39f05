"""The way out: options of writers, side files, formats that are folders."""

import json

import numpy as np
import pytest

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
        check_targets([tmp_path / "a.json"], options=["bits"])
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
