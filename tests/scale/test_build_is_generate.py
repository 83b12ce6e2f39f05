"""A land built in tiles has the bytes that it has in memory: layers, tables, the name of all."""

import numpy as np
import pytest

import downcut as dc
from downcut.scale.blueprint import Blueprint
from downcut.scale.wholes import Whole

zarr = pytest.importorskip("zarr")

SIZES = {"classic": (20, 16), "sine-hills": (40, 33)}
"""Of the presets that rain a hundred times."""
TILES = {"classic": 16}


def built(recipe, folder, tile=40, **options):
    return dc.build(recipe, folder / "land.zarr", tile=tile, workers=0, **options)


def same(land, path):
    """Compare every byte, so that a difference is named and not only seen in the checksum."""
    store = zarr.open_group(path, mode="r")
    assert set(store["0"].array_keys()) - {"x", "y"} == set(land.layers)
    for name, values in land.layers.items():
        assert store["0"][name][:].tobytes() == values.tobytes(), name
    for name, table in land.features.items():
        group = store[f"features/{name}"]
        for key, values in table.columns.items():
            np.testing.assert_array_equal(group[key][:], values, err_msg=f"{name} {key}")
        for key, values in table.points.items():
            np.testing.assert_array_equal(group["points"][key][:], values, err_msg=key)
        if table.offsets is not None:
            np.testing.assert_array_equal(group["offsets"][:], table.offsets)


@pytest.mark.parametrize("name", dc.presets.names())
def test_every_preset(name, tmp_path):
    recipe = dc.preset(name, size=SIZES.get(name, (50, 42)))
    land, there = dc.generate(recipe), built(recipe, tmp_path, TILES.get(name, 40))
    same(land, there.path)
    assert there.facts["checksum"] == land.checksum
    assert there.facts["digest"] == recipe.digest
    assert not (tmp_path / "land.zarr.building").exists()


@pytest.mark.slow
@pytest.mark.parametrize("tile", [64, 96])
@pytest.mark.parametrize("name", dc.presets.names())
def test_every_preset_larger(name, tile, tmp_path):
    recipe = dc.preset(name, size=(40, 33) if name in SIZES else 256)
    land, there = dc.generate(recipe), built(recipe, tmp_path, tile)
    same(land, there.path)
    assert there.facts["checksum"] == land.checksum


def test_the_tile_changes_nothing(tmp_path):
    recipe = dc.preset("rolling", size=50)
    names = {built(recipe, tmp_path / str(t), t).facts["checksum"] for t in (16, 60)}
    assert names == {dc.generate(recipe).checksum}


def test_the_earth_is_counted_once(tmp_path):
    """What tiles moved adds up to what the whole moved, though each saw more than itself."""
    recipe = dc.preset("rolling", size=128)
    whole = {each.op: each.ledger for each in dc.generate(recipe).reports}["erosion.droplets"]
    tiles = {each.op: each.ledger for each in built(recipe, tmp_path).reports}["erosion.droplets"]
    assert whole.eroded > 0
    assert tiles.eroded == pytest.approx(whole.eroded, rel=1e-9)
    assert tiles.carried_out == pytest.approx(whole.carried_out, rel=1e-6)


def test_rain_falls_once_where_it_is_heavy_and_twice_where_that_is_quicker():
    """Heavy rain is exchanged turn by turn; light rain falls on the surroundings of tiles too."""
    light = dc.preset("rolling", size=4096, settings={"steps.2.droplets_per_cell": 0.001})
    heavy = dc.preset("rolling", size=4096)
    found = [
        [each.title for each in Blueprint(recipe, 1024).passes if "droplets" in each.title]
        for recipe in (light, heavy)
    ]
    assert found[0] == ["erosion.droplets"]
    assert len(found[1]) == 5


def test_each_task_is_for_one_tile_and_pass():
    """Tasks stay few: so many a tile, whatever the land's size."""
    small, large = (Blueprint(dc.preset("alpine", size=n), 1024) for n in (8192, 16384))
    counts = []
    for plan in (small, large):
        from pathlib import Path

        parts = plan.parts(Path())
        tasks = sum(len(each.units(parts)) for each in plan.passes)
        counts.append(tasks / len(parts.places))
    assert counts[1] < counts[0] + 1
    assert counts[1] < 30


def test_a_step_that_needs_the_whole_map_and_more_memory_is_refused_by_name(tmp_path):
    recipe = dc.preset("rolling", size=40_000).changed(settings={"steps.2.droplets_per_cell": 0.1})
    steps = [*recipe.model_dump(mode="json")["steps"][:3], {"op": "erosion.breach"}]
    recipe = dc.Recipe.from_dict({**recipe.model_dump(mode="json"), "steps": steps})
    with pytest.raises(dc.DowncutError, match=r"steps\.3 \(erosion\.breach\) depends on the whole"):
        dc.build(recipe, tmp_path / "a.zarr", workers=0, memory=4_000_000_000)
    assert not any(tmp_path.iterdir())
    assert any(isinstance(each, Whole) for each in Blueprint(recipe, 1024).passes)


STEPS = {
    "creep": [
        {"op": "fields.fbm", "into": "mask", "wavelength": 300, "amplitude": 1, "offset": 0.4},
        {"op": "erosion.hillslope", "substeps": 2, "mask": "mask", "hold_border": False},
        {"op": "erosion.hillslope", "time_step": 2e5, "diffusivity": 0.1},
    ],
    "coast": [
        {"op": "fields.fbm", "into": "mask", "wavelength": 300, "amplitude": 1, "offset": 0.4},
        {"op": "erosion.coast", "width": 150, "mask": "mask"},
        {"op": "hydrology.lakes"},
        {"op": "hydrology.rivers", "channel_area": 4000},
        {"op": "hydrology.rivers", "channel_area": 9000, "smoothing": 3},
    ],
    "far": [
        {"op": "erosion.thermal", "passes": 30},
        {"op": "surface.occlusion", "radius": 300},
        {"op": "fields.constant", "into": "rain", "value": 2},
        {"op": "hydrology.lakes", "min_area": 0},
        {"op": "hydrology.rivers", "rain": "rain", "channel_area": 9000},
        {"op": "hydrology.distance_to_water", "max_distance": 200},
        {"op": "hydrology.wetness"},
        {"op": "surface.normals"},
    ],
    "rain": [
        {"op": "fields.fbm", "into": "mask", "wavelength": 300, "amplitude": 1, "offset": 0.4},
        {"op": "erosion.droplets", "lifetime": 5, "rounds": 2, "droplets_per_cell": 1.5},
        {"op": "erosion.droplets", "lifetime": 12, "brush_radius": 2, "mask": "mask",
         "hold_border": False, "droplets_per_cell": 4},
    ],
    "mixed": [
        {"op": "repeat", "times": 2, "steps": [
            {"op": "erosion.droplets", "lifetime": 8},
            {"op": "erosion.thermal", "passes": 2},
            {"op": "erosion.breach", "max_length": 60},
        ]},
        {"op": "hydrology.basins"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_steps_of_every_kind(name, tmp_path):
    first = {"op": "fields.fbm", "wavelength": 400, "amplitude": 80, "offset": 25, "octaves": 6}
    recipe = dc.Recipe.from_dict({
        "grid": {"ny": 60, "nx": 70, "cell_size": 10}, "seed": 3, "sea_level": 5,
        "steps": [first, *STEPS[name]],
    })  # fmt: skip
    land, there = dc.generate(recipe), built(recipe, tmp_path, 40)
    same(land, there.path)
    moved = land.ledger.eroded + land.ledger.deposited + 1
    for sum_ in ("eroded", "deposited", "carried_out", "clamped"):
        mine = sum(getattr(each.ledger, sum_) for each in there.reports)
        assert mine == pytest.approx(getattr(land.ledger, sum_), abs=1e-6 * moved), sum_


def test_what_memory_cannot_hold_is_told_the_way_to_build():
    """Refused before any work, with what it needs and the command that does without."""
    with pytest.raises(dc.DowncutError, match=r"need about .* GB .* GB are free.* downcut build"):
        dc.generate(dc.preset("alpine", size=200_000))
