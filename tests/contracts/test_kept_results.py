"""Growing with kept results gives the land, the tables and the ledgers that growing anew gives."""

import numpy as np
import pytest

import downcut as dc
from downcut import presets
from downcut.errors import DowncutError
from downcut.keeping import Kept, Stand
from downcut.plan import plan

SIZE = 40


def same(one, other):
    """Whether two lands are the same in all but the time they took."""
    assert one.checksum == other.checksum
    assert [(r.op, r.ledger) for r in one.reports] == [(r.op, r.ledger) for r in other.reports]
    assert one.features.keys() == other.features.keys()
    for name, table in one.features.items():
        beside = other.features[name]
        for mine, others in ((table.columns, beside.columns), (table.points, beside.points)):
            assert mine.keys() == others.keys()
            for column in mine:
                np.testing.assert_array_equal(mine[column], others[column])


def changed(recipe, index):
    """The recipe with a number of its index-th step, or of the last in a repeat, made another."""
    step, place = recipe.steps[index], f"steps.{index}"
    while hasattr(step, "steps"):
        place += f".steps.{len(step.steps) - 1}"
        step = step.steps[-1]
    for name, value in step.model_dump().items():
        if name == "algorithm" or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        for other in (value + 1, value * 0.875):
            try:
                return recipe.changed(settings={f"{place}.{name}": other})
            except DowncutError:
                continue
    return recipe.changed(seed=99)  # a step without numbers


@pytest.mark.parametrize("name", presets.names())
def test_whatever_changes_the_bits_are_those_of_growing_anew(name):
    recipe = dc.preset(name, size=SIZE)
    kept, last = Kept(), len(recipe.steps) - 1
    same(dc.generate(recipe, kept=kept), dc.generate(recipe))
    for index in {last, last // 2, 0}:
        other = changed(recipe, index)
        assert other.digest != recipe.digest
        same(dc.generate(other, kept=kept), dc.generate(other))
    same(dc.generate(recipe, kept=kept), dc.generate(recipe))


@pytest.mark.parametrize("name", ["alpine", "volcano"])
def test_lattices_of_a_small_land_serve_the_large_one(name):
    small, large = dc.preset(name, size=32), dc.preset(name, size=64)
    kept, seen = Kept(), []
    dc.generate(small, kept=kept)
    land = dc.generate(large, kept=kept, on_progress=lambda told: seen.append(told))
    same(land, dc.generate(large))
    coarsest = max(range(len(large.steps)), key=lambda i: _feature_size(large, i))
    assert _feature_size(large, coarsest)
    assert not any(f"{told.path}.".startswith(f"steps.{coarsest}.") for told in seen)
    shares = [told.share for told in seen]
    assert shares == sorted(shares)
    assert shares[0] < 0.2


def _feature_size(recipe, index):
    return getattr(recipe.steps[index], "feature_size", None) or 0


def test_only_the_steps_after_a_changed_one_run_again():
    recipe = dc.preset("alpine", size=32)
    kept = Kept()
    dc.generate(recipe, kept=kept)
    seen = set()
    last = len(recipe.steps) - 1
    other = changed(recipe, last)
    dc.generate(other, kept=kept, on_progress=lambda told: seen.add(told.path))
    assert seen == {f"steps.{last}"}


def test_what_is_watched_runs_and_what_is_before_it_may_be_kept():
    recipe = dc.preset("classic", size=32)
    kept, ran, shown = Kept(), set(), set()
    dc.generate(recipe, kept=kept)
    watched = dc.generate(
        recipe,
        kept=kept,
        watched=1,
        on_progress=lambda told: ran.add(told.path.split(".")[1]),
        on_field=lambda now: shown.add(now.path.split(".")[1]),
    )
    same(watched, dc.generate(recipe))
    assert "0" not in ran
    assert "1" in shown
    ran.clear()
    dc.generate(recipe, kept=kept, on_field=lambda _: None, on_progress=lambda t: ran.add(t.path))
    assert "steps.0" in ran


def test_a_name_holds_what_decides_the_land_and_nothing_else():
    recipe = dc.preset("island", size=32)
    name = plan(recipe).name
    plain = recipe.model_dump(mode="json")
    assert plan(dc.Recipe.from_dict(plain | {"title": "Another"})).name == name
    for other in (
        recipe.changed(seed=5),
        recipe.changed(size=33),
        recipe.changed(cell_size=7),
        dc.Recipe.from_dict(plain | {"sea_level": 3.0}),
        changed(recipe, 0),
    ):
        assert plan(other).name != name


def test_a_file_that_has_changed_is_read_again(tmp_path):
    heights = np.linspace(0, 50, 64, dtype=np.float32).reshape(8, 8)
    step = {"op": "fields.heightmap", "cell_size": 10}
    grid = {"ny": 8, "nx": 8, "cell_size": 10}

    def land_of(file, kept):
        return dc.generate({"grid": grid, "steps": [step | {"file": str(file)}]}, kept=kept)

    kept = Kept()
    np.save(tmp_path / "a.npy", heights)
    first = land_of(tmp_path / "a.npy", kept)
    assert land_of(tmp_path / "a.npy", kept)["elevation"].base is first["elevation"].base
    np.save(tmp_path / "a.npy", heights[::-1])
    np.testing.assert_array_equal(land_of(tmp_path / "a.npy", kept)["elevation"], heights[::-1])


def test_room_is_made_by_those_unused_for_longest_and_shared_layers_count_once():
    kept = Kept(limit=2500)
    shared, layers = np.zeros(250, np.float32), [np.zeros(125, np.float32) for _ in range(4)]
    for name, layer in zip("abc", layers, strict=False):
        kept.keep(name, Stand({"elevation": layer, "rock": shared}, {}))
    assert kept.nbytes == 2500
    assert kept.find("a")
    kept.keep("d", Stand({"elevation": layers[3], "rock": shared}, {}))
    assert kept.nbytes == 2500
    assert [name for name in "abcd" if kept.find(name)] == ["a", "c", "d"]
    kept.keep("e", Stand({"elevation": np.zeros(2501, np.uint8)}, {}))
    assert kept.nbytes == 0
    assert kept.find("e") is None
