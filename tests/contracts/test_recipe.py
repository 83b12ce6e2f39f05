"""Recipes: one text, one name, one chance for each step, and errors that show the way out."""

import hashlib
import json
import re
from functools import cache
from typing import get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import downcut as dc
from downcut import memory
from downcut.errors import DowncutError
from downcut.memory import check_memory, memory_needed
from downcut.randomness import check_seed, derive
from downcut.recipe import Recipe
from downcut.steps import STEPS, AnyStep, Repeat, op_of
from downcut.surface.thing import Thing

BY_OP = {op_of(cls): cls for cls in STEPS}


def recipe(*steps, **more):
    return Recipe.from_dict({"grid": {"ny": 32, "nx": 40, "cell_size": 10}, "steps": steps} | more)


def keys(made):
    return {task.path: task.key for task in made.tasks()}


# --- recipes drawn from the schema itself ---------------------------------------------------


def value_of(field):
    """A strategy for one parameter, from what its schema allows."""
    if "anyOf" in field:
        return st.one_of(*map(value_of, field["anyOf"]))
    if "enum" in field:
        return st.sampled_from(field["enum"])
    if "pattern" in field:
        return st.from_regex(field["pattern"], fullmatch=True)
    kind = field.get("type")
    if kind == "integer":
        return st.integers(field["minimum"], field["maximum"])
    if kind == "number":
        return st.floats(
            field.get("minimum", field.get("exclusiveMinimum")),
            field.get("maximum", field.get("exclusiveMaximum")),
            exclude_min="exclusiveMinimum" in field,
            exclude_max="exclusiveMaximum" in field,
        )
    return {"boolean": st.booleans(), "null": st.none()}.get(kind)


# Set by hand: which layers there are decides whether a recipe is one, and records hold records.
BY_HAND = {
    "op",
    "algorithm",
    "feature_size",
    "into",
    "mask",
    "warp",
    "stops",
    "things",
    "uplift",
    "hardness",
    "rain",
}


@cache
def settings_of(cls):
    fields = {
        name: value_of(field)
        for name, field in cls.model_json_schema()["properties"].items()
        if name not in BY_HAND
    }
    return st.fixed_dictionaries({}, optional=fields)


@st.composite
def steps(draw):
    cls = draw(st.sampled_from(STEPS))
    content = {"op": op_of(cls), **draw(settings_of(cls))}
    if "warp" in cls.model_fields and draw(st.booleans()):
        content["warp"] = draw(settings_of(type(dc.fields.Warp())))
    if "mask" in cls.model_fields and draw(st.booleans()):
        content["mask"] = "mask"
    if "things" in cls.model_fields and draw(st.booleans()):
        content["things"] = draw(st.lists(settings_of(Thing), max_size=3))
    if cls is dc.fields.Continents:  # lengths that must leave room for each other
        content = {"op": op_of(cls)}
    low, high = {"surface.biomes": ("tree_line", "snow_line")}.get(
        op_of(cls), ("grass_angle", "rock_angle")
    )
    if low in cls.model_fields:  # two limits that must lie in order
        below, above = (content.get(n, cls.model_fields[n].default) for n in (low, high))
        assume(below < above)
    return content


FIRST = (
    {"op": "fields.fbm"},
    {"op": "fields.fbm", "into": "mask", "amplitude": 1.0},
    {"op": "hydrology.drainage"},
    {"op": "hydrology.rivers"},
)
repeats = st.builds(
    lambda times, inner: {"op": "repeat", "times": times, "steps": inner},
    st.integers(1, 10_000),
    st.lists(steps(), min_size=1, max_size=3),
)
recipes = st.builds(
    lambda ground, seed, sea, title, rest: {
        "title": title,
        "grid": dict(zip(("ny", "nx", "cell_size"), ground, strict=True)),
        "seed": seed,
        "sea_level": sea,
        "steps": [*FIRST, *rest],
    },
    st.tuples(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(0.001, 1e5)),
    st.integers(0, 2**64 - 1) | st.from_regex(r"[a-zé][a-zé ]{0,20}", fullmatch=True),
    st.none() | st.floats(-20_000, 20_000),
    st.text(max_size=20),
    st.lists(steps() | repeats, max_size=4),
)
many = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])


@many
@given(recipes)
def test_text_keeps_everything_compact_and_full(content):
    made = Recipe.from_dict(content)
    for full in (False, True):
        for indent in (None, 2):
            text = made.to_json(full=full, indent=indent)
            again = Recipe.from_json(text)
            assert again == made
            assert again.digest == made.digest
            assert again.to_json(full=full, indent=indent) == text
    assert json.loads(made.to_json(full=True)).keys() == Recipe.model_fields.keys()
    assert len(made.to_json()) <= len(made.to_json(full=True))


@many
@given(recipes, st.text(max_size=30), st.text(max_size=30))
def test_the_digest_does_not_see_title_description_or_how_numbers_are_written(content, t, d):
    made = Recipe.from_dict(content)
    assert Recipe.from_dict(content | {"title": t, "description": d}).digest == made.digest

    def rewritten(value):
        if isinstance(value, dict):
            return {k: rewritten(v) for k, v in reversed(value.items())}
        if isinstance(value, list):
            return [rewritten(v) for v in value]
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
            return float(value)
        return value

    seed = {"seed": str(content["seed"])}
    assert Recipe.from_dict(rewritten(content) | seed).digest == made.digest


@many
@given(recipes, st.data())
def test_the_digest_sees_every_parameter(content, data):
    """Change one number, word or switch anywhere, and the recipe has another name."""
    made = Recipe.from_dict(content)
    full = json.loads(made.to_json(full=True))

    def places(value, way=()):
        if isinstance(value, dict | list):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, inner in items:
                yield from places(inner, (*way, key))
        elif not {"op", "algorithm", "format", "title", "description"} & set(way):
            yield way, value

    way, old = data.draw(st.sampled_from(list(places(full))))
    here = full
    for key in way[:-1]:
        here = here[key]
    if isinstance(old, bool):
        new = not old
    elif isinstance(old, int | float):
        new = data.draw(st.sampled_from([old + 1, old - 1, old / 2, old * 2, 1, 2, 0, 0.5, 40]))
    else:
        words = ["1", "another", "mask", "elevation", "max", "min", "perlin", "simplex", 0.5, None]
        new = data.draw(st.sampled_from([*words, "all", "steepest", "damping", "inertia"]))
    here[way[-1]] = new
    try:
        other = Recipe.from_dict(full)
    except DowncutError:
        assume(False)
    moved = way[-1] == "file" and here.get("content")  # where its content lies changes no land
    assert (other.digest == made.digest) == (other == made or bool(moved))


def test_every_parameter_is_in_the_digest():
    """The same for certain, one parameter of each step after another."""
    for cls in STEPS:
        base = recipe(*FIRST, {"op": op_of(cls)})
        seen = {base.digest}
        for name, field in cls.model_json_schema()["properties"].items():
            old = getattr(cls(), name)
            if name in {"op", "algorithm"}:
                continue
            words = [w for each in field.get("anyOf", [field]) for w in each.get("enum", ())]
            if isinstance(old, bool):
                new = not old
            elif words:
                new = next(word for word in words if word != old)
            elif name in {"file", "content"}:
                new = "0" * 32
            elif name == "into":
                new = "mask"
            elif name in {"mask", "uplift", "hardness", "rain"}:
                new = "drainage_area"
            elif name == "warp":
                new = {}
            elif name in {"stops", "things"}:
                new = [s.model_dump() for s in old[:-1]]
            else:
                low, high = (field.get(k) for k in ("minimum", "maximum"))
                new = 1 if old is None else old + 1 if high is None or old + 1 <= high else low
                new = old / 2 if new is None else new
            seen.add(recipe(*FIRST, {"op": op_of(cls), name: new}).digest)
        assert len(seen) == len(cls.model_fields) - 1, op_of(cls)  # all but op and algorithm


def test_the_ground_the_seed_and_the_sea_are_in_the_digest():
    base = recipe({"op": "fields.fbm"})
    others = [
        base.changed(size=(32, 41)),
        base.changed(cell_size=10.5),
        base.changed(seed=1),
        base.changed(seed="1 "),
        base.changed(seed="one"),
        base.changed(settings={"sea_level": 0.0}),
        recipe({"op": "fields.ridged"}),
        recipe({"op": "fields.fbm"}, {"op": "fields.fbm"}),
    ]
    assert len({base.digest, *(each.digest for each in others)}) == len(others)  # "1 " is 1


@many
@given(recipes)
def test_the_digest_of_a_beginning_is_that_of_the_shorter_recipe(content):
    made = Recipe.from_dict(content)
    count = len(made.steps)
    for k in range(1, count + 1):
        assert (
            made.prefix_digest(k)
            == Recipe.from_dict(content | {"steps": content["steps"][:k]}).digest
        )
    assert made.prefix_digest(count) == made.digest
    assert len({made.prefix_digest(k) for k in range(count + 1)}) == count + 1


def test_the_digest_sees_the_order_of_steps():
    a, b = {"op": "fields.fbm"}, {"op": "fields.ridged", "blend": "max"}
    assert recipe(a, b).digest != recipe(b, a).digest


def test_zero_has_no_sign():
    plain, other = (recipe({"op": "fields.sines", "lowest": zero}) for zero in (0, -0.0))
    assert other == plain
    assert other.digest == plain.digest
    assert other.to_json(full=True) == plain.to_json(full=True)


# --- versions and mistakes ------------------------------------------------------------------


@pytest.mark.parametrize("op", BY_OP)
def test_another_algorithm_number_is_refused_by_name(op):
    now = {op_of(kind): getattr(kind, "current_algorithm", 1) for kind in (*STEPS, Repeat)}[op]
    for number in (now + 1, 99):
        wrong = rf"steps\.0\.algorithm: .*algorithm {number} .* {now}"
        with pytest.raises(DowncutError, match=wrong):
            recipe({"op": op, "algorithm": number})


def test_a_step_whose_bits_changed_refuses_the_old_number():
    class Newer(dc.erosion.Thermal):
        current_algorithm = 3

    assert Newer().algorithm == 3
    for old in (1, 2, 4):
        with pytest.raises(
            ValueError, match=f"algorithm {old} of this step and this version has 3"
        ):
            Newer(algorithm=old)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"steps": []}, r"^steps is \[\]: .*at least 1 item"),
        ({}, r"^steps: field required"),
        ({"steps": [{"op": "fields.fbm"}], "sead": 3}, r"^sead: .*did you mean 'seed'\?"),
        (
            {"steps": [{"op": "fields.fbn"}]},
            r"^steps\.0: .*'fields.fbn'; did you mean 'fields.fbm'",
        ),
        ({"steps": [{"octaves": 3}]}, r'^steps\.0: a step needs its name, as \{"op"'),
        ({"steps": [{"op": "fields.fbm", "octave": 3}]}, r"^steps\.0\.octave: .*'octaves'\?"),
        (
            {"steps": [{"op": "fields.fbm", "warp": {"octave": 3}}]},
            r"^steps\.0\.warp\.octave: .*did you mean 'octaves'",
        ),
        ({"steps": [{"op": "fields.fbm", "octaves": 0}]}, r"^steps\.0\.octaves is 0: .*equal to 1"),
        ({"steps": [{"op": "fields.fbm", "octaves": 2.5}]}, r"^steps\.0\.octaves is 2\.5: "),
        ({"steps": [{"op": "fields.fbm", "noise": "worley"}]}, r"noise is 'worley': .*'perlin'"),
        ({"steps": [{"op": "fields.fbm", "into": "Peak"}]}, r"^steps\.0\.into is 'Peak': "),
        (
            {"grid": {"nz": 3}, "steps": [{"op": "fields.fbm"}]},
            r"^grid\.nz: .*it has cell_size, nx, ny",
        ),
        ({"grid": {"ny": 0}, "steps": [{"op": "fields.fbm"}]}, r"^grid\.ny is 0: .*equal to 1"),
        ({"format": 2, "steps": [{"op": "fields.fbm"}]}, r"^format is 2: it should be 1"),
        (
            {"steps": [{"op": "fields.fbm"}, {"op": "repeat", "time": 2, "steps": [{"op": "x"}]}]},
            r"^steps\.1\.(time: .*did you mean 'times'|steps\.0: no step is called 'x')",
        ),
        (
            {"steps": [{"op": "repeat", "steps": [{"op": "fields.fbm", "gane": 1}]}]},
            r"^steps\.0\.steps\.0\.gane: .*did you mean 'gain'",
        ),
        (
            {"steps": [{"op": "erosion.thermal"}]},
            r"^steps\.0 \(erosion\.thermal\) reads the layer 'elevation', .*made so far: none",
        ),
        (
            {"steps": [{"op": "fields.fbm"}, {"op": "erosion.thermal", "mask": "soft"}]},
            r"^steps\.1 .*reads the layer 'soft'.*made so far: elevation",
        ),
        (
            {"steps": [{"op": "fields.fbm"}, {"op": "surface.palette", "stops": [{}]}]},
            r"^steps\.1\.stops",
        ),
        ([], r"valid dictionary|an object|instance of Recipe"),
        ("alpine", r"valid dictionary|an object|instance of Recipe"),
        (None, r"valid dictionary|an object|instance of Recipe"),
    ],
)
def test_a_mistake_is_told_in_one_sentence_with_its_place(content, message):
    with pytest.raises(DowncutError, match=message) as got:
        Recipe.from_dict(content)
    assert "\n" not in str(got.value)


@pytest.mark.parametrize("text", ["", "{", "not json", b"\xff\xfe", "[" * 100_000, '{"a": NaN}'])
def test_text_that_is_no_recipe_is_refused_in_words(text):
    with pytest.raises(DowncutError):
        Recipe.from_json(text)


def test_a_layer_made_inside_a_repeat_or_before_it_counts():
    recipe({"op": "repeat", "steps": [{"op": "fields.fbm"}]}, {"op": "erosion.thermal"})
    recipe({"op": "fields.fbm"}, {"op": "repeat", "steps": [{"op": "erosion.thermal"}]})


def test_recipes_hold_every_step_and_repeat_and_nothing_else():
    union, how = get_args(AnyStep)
    members = [getattr(m, "__forward_arg__", None) or op_of(m) for m in get_args(union)]
    assert sorted(members) == sorted([*BY_OP, "Repeat"])
    assert how.discriminator == "op"
    assert {op_of(cls) for cls in STEPS} == set(BY_OP)
    schema = Recipe.model_json_schema()
    told = schema["properties"]["steps"]["items"]["discriminator"]["mapping"]
    assert set(told) == {*BY_OP, "repeat"}


def test_every_place_of_a_recipe_tells_its_bounds_and_a_sentence():
    schema = Recipe.model_json_schema()
    records = [schema, schema["$defs"]["Extent"], schema["$defs"]["Repeat"]]
    for record in records:
        for name, field in record["properties"].items():
            assert name == "op" or field["description"].endswith("."), name


# --- chance ---------------------------------------------------------------------------------

LAND = (
    {"op": "fields.fbm"},
    {"op": "fields.ridged"},
    {"op": "repeat", "times": 3, "steps": [{"op": "erosion.droplets"}, {"op": "erosion.thermal"}]},
    {"op": "erosion.droplets"},
)


def test_other_kinds_of_step_come_and_go_without_changing_chance():
    base = [t.key for t in recipe(*LAND).tasks()]
    thermal = {"op": "erosion.thermal"}
    sines = {"op": "fields.sines"}
    for place in range(len(LAND) + 1):
        new = [*LAND[:place], sines, *LAND[place:]]
        kept = [t.key for t in recipe(*new).tasks() if t.step.op != "fields.sines"]
        assert kept == base
    with_thermal = recipe(LAND[0], thermal, *LAND[1:])
    before = [t.key for t in recipe(*LAND).tasks() if t.step.op != "erosion.thermal"]
    assert [t.key for t in with_thermal.tasks() if t.step.op != "erosion.thermal"] == before


def test_one_more_of_a_kind_keeps_the_chance_of_those_before_it():
    fbm = {"op": "fields.fbm"}
    two, three = (list(keys(recipe(*[fbm] * n)).values()) for n in (2, 3))
    assert three[:2] == two
    assert len(set(three)) == 3


def test_every_execution_has_a_chance_of_its_own():
    tasks = list(recipe(*LAND).tasks())
    assert len(tasks) == 2 + 3 * 2 + 1
    assert len({task.key for task in tasks}) == len(tasks)
    nested = {"op": "repeat", "times": 4, "steps": [LAND[2]]}
    inner = list(recipe(LAND[0], nested).tasks())
    assert len(inner) == 1 + 4 * 3 * 2
    assert len({task.key for task in inner}) == len(inner)
    assert {task.path for task in inner} == {
        "steps.0",
        "steps.1.steps.0.steps.0",
        "steps.1.steps.0.steps.1",
    }
    assert len(list(recipe(LAND[0], nested).tasks(once=True))) == 3


def test_more_rounds_begin_with_the_same_rounds():
    def chances(times):
        return [t.key for t in recipe(LAND[0], {**LAND[2], "times": times}).tasks()]

    assert chances(5)[: len(chances(2))] == chances(2)


def test_changing_a_parameter_or_the_size_leaves_chance_alone():
    base = recipe(*LAND)
    other = base.changed(size=64, settings={"steps.0.octaves": 3, "steps.2.steps.0.capacity": 2})
    assert keys(other) == keys(base)
    assert set(keys(base.changed(seed=1)).values()).isdisjoint(keys(base).values())


def test_the_land_before_an_inserted_step_is_the_same_and_chance_after_it_too():
    plain = recipe({"op": "fields.fbm"}, {"op": "fields.ridged", "into": "moisture"})
    more = recipe(
        {"op": "fields.fbm"},
        {"op": "fields.sines"},
        {"op": "erosion.thermal"},
        {"op": "fields.ridged", "into": "moisture"},
    )
    assert (dc.generate(plain)["moisture"] == dc.generate(more)["moisture"]).all()


# --- seeds ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (7, 7),
        ("7", 7),
        (" 007 ", 7),
        ("+7", 7),
        (0, 0),
        ("-0", 0),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (str(2**64 - 1), 2**64 - 1),
        ("mountain", "mountain"),
        ("7 hills", "7 hills"),
        ("0x10", "0x10"),
        ("Ωμέγα", "Ωμέγα"),
    ],
)
def test_a_seed_has_one_form(given, kept):
    assert check_seed(given) == kept
    made = recipe({"op": "fields.fbm"}, seed=given)
    assert made.seed == kept
    assert type(made.seed) is type(kept)
    assert json.loads(made.to_json(full=True))["seed"] == str(kept)
    assert Recipe.from_json(made.to_json()).seed == kept
    assert keys(made) == keys(recipe({"op": "fields.fbm"}, seed=kept))


@pytest.mark.parametrize(
    "bad",
    [-1, "-1", 2**64, str(2**64), True, False, None, 1.0, 7.5, "", "  ", "x" * 201, [1], b"7"],
)
def test_a_seed_out_of_range_or_of_another_kind_is_refused(bad):
    with pytest.raises(DowncutError, match=r"seed is .*2\^64-1"):
        check_seed(bad)
    with pytest.raises(DowncutError, match=r"^seed: seed is "):
        recipe({"op": "fields.fbm"}, seed=bad)
    if bad is not None:
        with pytest.raises(DowncutError, match="seed is "):
            recipe({"op": "fields.fbm"}).changed(seed=bad)
    with pytest.raises(DowncutError, match="seed is "):
        dc.fields.Fbm()(grid=dc.Grid(2, 2), seed=bad)


def test_streams_are_the_hash_of_their_names():
    text = "int:7\x1fstr:fields.fbm\x1fint:0"
    expected = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
    assert derive(7, "fields.fbm", 0) == expected
    assert keys(recipe({"op": "fields.fbm"}, seed=7)) == {"steps.0": expected}
    assert derive(7, "a") != derive("7x", "a")
    assert derive(1, "a", "b") != derive(1, "ab")
    assert derive(1, 2) != derive(1, "2")


def test_seeds_near_and_far_give_chances_that_all_differ():
    seeds = [*range(64), 3423, 3424, 2**31, 2**32, 2**32 + 1, 2**63, 2**64 - 1, "mountain", "a"]
    assert len({derive(s, "fields.fbm", 0) for s in seeds}) == len(seeds)


# --- changes --------------------------------------------------------------------------------


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_a_size_alone_keeps_the_extent(ny, nx):
    base = recipe({"op": "fields.fbm"}).changed(size=100, cell_size=30)
    square = base.changed(size=ny)
    assert square.grid.ny == square.grid.nx == ny
    assert square.grid.cell_size * ny == pytest.approx(3000, rel=1e-12)
    other = base.changed(size=(ny, nx))
    assert (other.grid.ny, other.grid.nx) == (ny, nx)
    assert other.grid.cell_size * min(ny, nx) == pytest.approx(3000, rel=1e-12)


def test_a_size_with_a_cell_size_changes_the_extent():
    base = recipe({"op": "fields.fbm"})
    made = base.changed(size=(20, 30), cell_size=5)
    assert (made.grid.ny, made.grid.nx, made.grid.cell_size) == (20, 30, 5)
    finer = base.changed(cell_size=5)
    assert (finer.grid.ny, finer.grid.nx, finer.grid.cell_size) == (32, 40, 5)
    assert base.changed() == base


@pytest.mark.parametrize("size", [0, -1, (0, 5), (5, 0), 10**7])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(DowncutError, match=r"grid\.n[yx] is "):
        recipe({"op": "fields.fbm"}).changed(size=size)


def test_settings_reach_every_place():
    made = recipe(*LAND).changed(
        settings={
            "steps.1.octaves": 3,
            "steps.2.times": 7,
            "steps.2.steps.1.talus_angle": 40,
            "grid.ny": 50,
            "title": "changed",
            "steps.0.warp": {"octaves": 2},
        }
    )
    assert made.steps[1].octaves == 3
    assert made.steps[2].times == 7
    assert made.steps[2].steps[1].talus_angle == 40
    assert made.grid.ny == 50
    assert made.title == "changed"
    assert made.steps[0].warp.octaves == 2
    assert made.changed(settings={"steps.0.warp.gain": 0.2}).steps[0].warp.gain == 0.2


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("steps.1.octave", r"^steps\.1\.octave: steps\.1 has no 'octave'; did you mean 'octaves'"),
        ("steps.9.octaves", r"^steps\.9\.octaves: steps has no '9'; it has 0, 1, 2, 3"),
        ("steps.-1.octaves", r"steps has no '-1'"),
        ("stepps.0.octaves", r"the recipe has no 'stepps'; did you mean 'steps'"),
        ("steps.0.octaves.3", r"steps\.0\.octaves has no '3'"),
        ("steps.0.warp.gain", r"steps\.0\.warp has no 'gain'"),
        ("", r"the recipe has no ''"),
    ],
)
def test_settings_at_a_wrong_place_are_refused(place, message):
    with pytest.raises(DowncutError, match=message):
        recipe(*LAND).changed(settings={place: 3})


def test_settings_out_of_bounds_are_refused_as_in_a_file():
    with pytest.raises(DowncutError, match=r"^steps\.1\.octaves is 99: .*less than or equal to 24"):
        recipe(*LAND).changed(settings={"steps.1.octaves": 99})


def test_recipes_and_records_cannot_be_changed():
    made = recipe(*LAND)
    for record in (made, made.grid, made.steps[2], made.steps[0]):
        name = next(iter(type(record).model_fields))
        with pytest.raises(ValueError, match="frozen"):
            setattr(record, name, getattr(record, name))
    assert isinstance(made.steps[2], Repeat)


# --- memory ---------------------------------------------------------------------------------


@pytest.fixture
def free(monkeypatch):
    """Pretend that so many bytes of memory are free."""

    def pretend(count):
        class Memory:
            available = count

        monkeypatch.setattr(memory.psutil, "virtual_memory", Memory)

    return pretend


def size_named(said):
    """The size that a refusal names as the way out."""
    return int(re.search(r"--size (\d+)", said)[1])


def test_a_land_that_cannot_fit_is_refused_with_need_have_and_a_size_that_works(free):
    free(3_000_000_000)
    big = dc.preset("alpine", size=200_000)
    with pytest.raises(DowncutError, match=r"GB .* 3\.0 GB are free.*--size \d+") as got:
        dc.generate(big)
    said = str(got.value)
    assert f"{memory_needed(big) / 1e9:,.1f} GB" in said
    size = size_named(said)
    works = big.changed(size=size)
    check_memory(works)
    assert memory_needed(works) > 0.5 * 3_000_000_000  # and it is not needlessly small


def test_a_land_of_another_shape_gets_a_size_that_works_too(free):
    free(1_000_000_000)
    wide = dc.preset("alpine", size=(1000, 100_000))
    with pytest.raises(DowncutError) as got:
        check_memory(wide)
    check_memory(wide.changed(size=size_named(str(got.value))))


def test_what_is_needed_counts_each_layer_once_and_grows_with_the_area():
    one = recipe({"op": "fields.fbm"})
    assert memory_needed(one) >= 4 * 32 * 40
    assert memory_needed(one.changed(size=(64, 80))) == 4 * memory_needed(one)
    repeated = recipe({"op": "repeat", "times": 9, "steps": [{"op": "fields.fbm"}]})
    assert memory_needed(repeated) == memory_needed(one)
    both = recipe({"op": "fields.fbm"}, {"op": "fields.fbm", "into": "moisture"})
    assert memory_needed(both) >= memory_needed(one) + 4 * 32 * 40
