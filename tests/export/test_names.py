"""Names that no file can have are refused by name, before anything is written."""

import os

import numpy as np
import pytest

from downcut.errors import DowncutError
from downcut.export.files import Delivery
from downcut.export.names import refuse_name
from downcut.export.save import check_targets, save
from downcut.grid import Grid
from downcut.terrain import Terrain

LAND = Terrain(Grid(2, 3), {"elevation": np.zeros((2, 3))})


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a\0b.png", "holds signs that no file's name can have"),
        ("a\0", "holds signs"),
        ("\ud800.png", "holds signs"),
        ("x" * 252 + ".png", "is a name of 256 bytes: give at most 255"),
        ("x" * 251 + ".png", "is a name of 260 bytes"),  # with the side file's .json
        ("ä" * 130 + ".tif", "is a name of 264 bytes"),
        ("x" * 300 + "/a.png", "is a name of 300 bytes"),
    ],
)
def test_impossible_names_are_refused_before_the_work(name, why, tmp_path):
    place = f"{tmp_path}/{name}"
    for refused in (lambda: check_targets([place]), lambda: save(LAND, place, force=True)):
        with pytest.raises(DowncutError, match=why) as said:
            refused()
        assert len(str(said.value)) < 300
        assert "\0" not in str(said.value)
    assert list(tmp_path.iterdir()) == []


def test_a_delivery_refuses_them_too(tmp_path):
    for lend in (lambda d, p: d.file(p, 1), lambda d, p: d.folder(p, 1, "mark")):
        with (
            pytest.raises(DowncutError, match="holds signs"),
            Delivery() as delivery,
            lend(delivery, tmp_path / "a\0b"),
        ):
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["x" * 240 + ".png", "Größe ≠ Höhe.png", "  .png", "a\tb.png", "...png", "-o.png"]
)
def test_odd_but_possible_names_are_written(name, tmp_path):
    files = save(LAND, tmp_path / name)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, name + ".json"])
    assert len(files) == 2


def test_a_way_up_and_down_again_is_a_way(tmp_path):
    (tmp_path / "deep").mkdir()
    save(LAND, tmp_path / "deep" / ".." / "a.npy")
    assert (tmp_path / "a.npy").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NUL", "the name of a device"),
        ("con.png", "the name of a device"),
        ("COM1.tar.gz", "the name of a device"),
        ("lpt9/a.png", "the name of a device"),
        ("aux .txt", "the name of a device"),
        ("a.png.", "ends in a dot or a blank"),
        ("a.png ", "ends in a dot or a blank"),
        ("folder./a.png", "ends in a dot or a blank"),
        ("a:stream.png", "holds ':'"),
        ("what?.png", r"holds '\?'"),
        ("a\nb.png", "holds"),
    ],
)
def test_names_that_windows_takes_otherwise_are_refused_there(name, why):
    with pytest.raises(DowncutError, match=why):
        refuse_name(name, windows=True)
    if os.name != "nt":
        refuse_name(name, windows=False)


@pytest.mark.parametrize("name", ["console.png", "com.png", "../a.png", "./nul_.tif", ".hidden"])
def test_names_that_only_look_like_devices_are_fine(name):
    refuse_name(name, windows=True)
