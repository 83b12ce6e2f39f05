"""Recipes that ask for the impossible end in one short sentence, and soon."""

import json
import time

import numpy as np
import pytest

import downcut as dc
from downcut.errors import DowncutError
from downcut.grid import Grid
from downcut.layers import LAYERS
from downcut.randomness import check_seed
from downcut.recipe import Recipe
from downcut.steps import STEPS, op_of

FBM = {"op": "fields.fbm"}
LONGEST = 1000
"""Letters that a sentence may have, the list of every step's name included."""


def refused(content):
    with pytest.raises(DowncutError) as told:
        Recipe.from_json(content if isinstance(content, str | bytes) else json.dumps(content))
    assert len(str(told.value)) < LONGEST
    assert "\n" not in str(told.value)
    return str(told.value)


def nest(depth, times=10_000):
    steps = [FBM]
    for _ in range(depth):
        steps = [{"op": "repeat", "times": times, "steps": steps}]
    return {"steps": steps}


@pytest.mark.parametrize("depth", [2, 3, 40])
def test_repeats_that_multiply_without_end_are_refused_at_once(depth):
    start = time.perf_counter()
    assert "lower the times of a repeat" in refused(nest(depth))
    assert time.perf_counter() - start < 1


def test_one_repeat_may_use_all_its_rounds():
    assert len(list(Recipe.from_dict(nest(1)).tasks())) == 10_000
    assert len(list(Recipe.from_dict(nest(40, times=1)).tasks())) == 1


def test_many_repeats_are_checked_once_each():
    many = {"steps": [{"op": "repeat", "times": 1, "steps": [FBM] * 20}] * 500}
    start = time.perf_counter()
    Recipe.from_dict(many)
    assert time.perf_counter() - start < 5


LONG = "x" * 10**6


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"title": LONG, "steps": [FBM]}, "title is 'xxx"),
        ({LONG: 1, "steps": [FBM]}, "no such parameter"),
        ({"steps": [{"op": LONG}]}, "no step is called 'xxx"),
        ({"steps": [FBM | {"wavelength": [1] * 10**5}]}, r"steps.0.wavelength is [1, 1"),
        ({"steps": [FBM | {LONG: 1}]}, "no such parameter"),
        ({"seed": LONG, "steps": [FBM]}, "seed is 'xxx"),
        ({"seed": 10**4000, "steps": [FBM]}, "whole numbers go from 0 to 2^64-1"),
        (nest(300, times=1), "steps.0.steps.0"),
        (b"[" * 10**6, "not JSON"),
        ('{"steps": ' + "[" * 500 + "]" * 500 + "}", "steps.0 is [[["),
        ("null", "the recipe is None"),
        ("[]", "the recipe is []"),
    ],
    ids=lambda each: each if isinstance(each, str) and len(each) < 40 else "",
)
def test_what_is_long_is_not_said_again_in_full(content, message):
    assert message in refused(content)


def test_a_name_given_twice_is_refused_rather_than_its_last_value_taken():
    assert "'seed' is given twice" in refused('{"seed": 1, "seed": 2, "steps": [{"op": "x"}]}')
    again = '{"steps": [{"op": "fields.fbm", "octaves": 2, "gain": 0.5, "octaves": 3}]}'
    assert "'octaves' is given twice" in refused(again)


@pytest.mark.parametrize("seed", ["\ud800", "half \udcff", 10**5000], ids=["lone", "half", "long"])
def test_a_seed_that_no_file_can_hold_is_refused(seed):
    with pytest.raises(DowncutError, match=r"seed is .* give a "):
        check_seed(seed)


@pytest.mark.parametrize("place", ["steps.²", "steps.1_0", f"steps.{'9' * 5000}"], ids=len)
def test_a_place_that_is_no_number_is_refused(place):
    with pytest.raises(DowncutError, match="steps has no"):
        dc.preset("classic", settings={place: 1})


def names_of_layers():
    """Every parameter of every step that names a layer: (step, parameter)."""
    for cls in STEPS:
        for name, field in cls.model_json_schema()["properties"].items():
            patterns = [each.get("pattern", "") for each in field.get("anyOf", [field])]
            if any(pattern.startswith("^[a-z]") for pattern in patterns):
                yield cls, name


@pytest.mark.parametrize(("cls", "name"), list(names_of_layers()))
def test_a_layer_with_several_numbers_a_cell_is_none_to_read_or_write(cls, name):
    for banded in (layer for layer, declared in LAYERS.items() if declared.bands > 1):
        with pytest.raises(
            DowncutError, match=rf"steps.0.{name}: {banded} holds {LAYERS[banded].bands} numbers"
        ):
            Recipe.from_dict({"steps": [{"op": op_of(cls), name: banded}]})


@pytest.mark.parametrize("cls", [c for c, n in names_of_layers() if n == "into"], ids=op_of)
def test_a_field_is_not_written_into_a_layer_of_another_dtype(cls):
    for target, declared in LAYERS.items():
        content = {"steps": [FBM, {"op": op_of(cls), "into": target}]}
        if declared.bands == 1 and np.dtype(declared.dtype) == np.float32:
            Recipe.from_dict(content)
        else:
            with pytest.raises(DowncutError, match=rf"steps.1.into: {target} holds "):
                Recipe.from_dict(content)


@pytest.mark.parametrize("inside", [FBM, FBM | {"into": "moisture"}], ids=["ground", "moisture"])
@pytest.mark.parametrize("size", [10, 1000])
def test_a_lattice_needs_ground_that_it_can_change(inside, size):
    lattice = {"op": "repeat", "feature_size": size, "steps": [inside]}
    assert "steps.0 has a feature_size" in refused({"steps": [lattice, FBM]})
    later = {"grid": {"ny": 9, "nx": 8, "cell_size": 100}, "steps": [FBM, lattice]}
    assert dc.generate(later)["elevation"].shape == (9, 8)


def test_cells_too_small_to_count_are_refused():
    with pytest.raises(DowncutError, match=r"grid\.cell_size is 1e-320: .* 0\.0001"):
        Recipe.from_dict({"grid": {"cell_size": 1e-320}, "steps": [FBM]})


FAR = {"op": "fields.constant", "value": 1e5, "blend": "multiply"}


@pytest.mark.parametrize("more", [{}, {"mask": "mask"}], ids=["all", "masked"])
@pytest.mark.parametrize(
    ("into", "message"),
    [
        ("elevation", r"has values from .* give -1e\+12"),
        ("mask", "has 16 of 16 cells that are NaN"),
    ],
)
def test_fields_that_multiply_without_end_are_refused_where_they_do(into, message, more):
    first = {"op": "fields.constant", "into": "mask", "value": 1}
    tower = {"grid": {"ny": 4, "nx": 4}, "steps": [first, *[FAR | more | {"into": into}] * 9]}
    with pytest.raises(
        DowncutError, match=f"^{into}, once fields.constant is blended in, {message}"
    ):
        dc.generate(tower)


@pytest.mark.parametrize("cls", [c for c in STEPS if "elevation" in c.reads], ids=op_of)
def test_heights_that_no_slope_can_be_taken_of_are_refused(cls):
    grid = Grid(6, 7, 10.0)
    checks = np.indices(grid.shape).sum(axis=0) % 2
    others = {
        argument: np.zeros(grid.shape)
        for argument in cls().inputs()
        if argument != "elevation" and argument not in cls().optional()
    }
    for height in (3e38, 1e30, 1.1e12):
        for sign in (1, -1):
            with pytest.raises(DowncutError, match=r"elevation has values from .* give -1e\+12"):
                cls()(elevation=sign * height * checks, grid=grid, **others)
    made = cls()(elevation=9e11 * checks, grid=grid, **others)
    for array in made if isinstance(made, tuple) else (made,):
        assert np.isfinite(array).all()


def positive_numbers():
    """Every number of every step that must be above 0, with the least it takes."""
    for cls in STEPS:
        for name, field in cls.model_json_schema()["properties"].items():
            low = [each.get("minimum") for each in field.get("anyOf", [field])]
            low = [each for each in low if each and 0 < each < 1]
            if low and name not in ("feature_size",):
                yield cls, name, low[0]


@pytest.mark.parametrize(("cls", "name", "least"), list(positive_numbers()))
def test_the_least_value_of_a_parameter_still_gives_numbers(cls, name, least, tmp_path):
    needed = {}
    if cls is dc.fields.Heightmap:
        needed = {"file": str(tmp_path / "a.npy")}
        np.save(tmp_path / "a.npy", np.ones((3, 4)))
    if cls in (dc.surface.Materials, dc.surface.Splat):
        step = cls(grass_angle=0, rock_angle=least)
    else:
        step = cls(**{name: least}, **needed)
    grid = Grid(24, 20, 30.0)
    hills = np.add.outer(100 * np.sin(grid.y / 50), 80 * np.cos(grid.x / 40))
    others = {
        argument: np.zeros(grid.shape)
        for argument in step.inputs()
        if argument != "elevation" and argument not in step.optional()
    }
    given = {"elevation": hills} if "elevation" in step.inputs() else {}
    made = step(grid=grid, **given, **others)
    for array in made if isinstance(made, tuple) else (made,):
        assert np.isfinite(array).all()
