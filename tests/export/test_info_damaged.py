"""Files whose facts were tampered with: one sentence, whatever stands in them."""

import json

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from downcut import cli
from downcut.errors import DowncutError
from downcut.export.info import FACTS as TOLD
from downcut.export.info import describe
from downcut.importing.own import KINDS

WRONG = [[], {"a": 1}, "word", "x" * 10**6]
FACTS = {"generator": "downcut", "kind": "downcut picture", "ny": 1, "nx": 1}


def picture(folder, facts):
    note = PngInfo()
    note.add_text("downcut", json.dumps(FACTS | facts))
    Image.new("L", (1, 1)).save(folder / "a.png", pnginfo=note)
    return folder / "a.png"


def told(place, capsys):
    with pytest.raises(DowncutError, match="is damaged: ") as error:
        describe(place)
    assert cli.call(["info", str(place)]) == 2
    assert len(capsys.readouterr().err) < 500
    return str(error.value)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("value", [*WRONG, 3, 1.5], ids=lambda value: str(value)[:8])
def test_a_fact_of_another_kind_is_refused_by_name(name, value, tmp_path, capsys):
    place = picture(tmp_path, {name: value})
    if isinstance(value, KINDS[name]):
        if name in TOLD and name != "recipe":
            assert describe(place)[name] == value
        return
    assert f"its {name} is" in told(place, capsys)


@pytest.mark.parametrize("steps", [[3], [None], ["fields.fbm"], [[]], 3, {"0": {}}], ids=str)
def test_a_recipe_whose_steps_are_none_is_refused(steps, tmp_path, capsys):
    assert "the steps of its recipe are" in told(
        picture(tmp_path, {"recipe": {"steps": steps}}), capsys
    )


def test_a_recipe_file_is_asked_the_same(tmp_path, capsys):
    place = tmp_path / "a.json"
    place.write_text(json.dumps({"steps": [], "grid": {"ny": "x", "nx": [1]}}), "utf-8")
    assert "its ny is 'x'" in told(place, capsys)
    place.write_text(json.dumps({"steps": [3, None]}), "utf-8")
    assert "the steps of its recipe are [3, None]" in told(place, capsys)
