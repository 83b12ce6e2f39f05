"""What every step promises, asked of each of them: nothing here leaves a step out."""

import importlib
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from downcut.errors import Cancelled, DowncutError
from downcut.execute import Order, execute
from downcut.grid import Grid
from downcut.layers import LAYERS, layer
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.step import Step
from downcut.steps import STEPS, op_of

CELL = 10.0
KEY = 0x9E3779B97F4A7C15
SHORT = {"droplets_per_cell": 0.5, "lifetime": 6}
"""Droplets that live so shortly that a window of a small map does not see all of it."""

# Beside its defaults, each step is tried with what takes another way through its code.
VARIANTS = {
    "fields.fbm": [
        {"noise": "perlin"},
        {"warp": {"wavelength": 700}},
        {"noise": "perlin", "warp": {"octaves": 1}, "octaves": 2},
        {"blend": "multiply", "mask": "mask", "amplitude": 2},
        {"into": "moisture", "blend": "replace", "mask": "mask"},
    ],
    "fields.ridged": [{"octaves": 1, "blend": "max", "wavelength": 300}],
    "fields.billow": [{"gain": 0.9, "blend": "min"}],
    "fields.island": [{"blend": "add", "squareness": 0.3, "steepness": 3, "centre_east": 170}],
    "fields.sines": [{"blend": "replace", "octaves": 1}],
    "fields.glade": [{"mask": "mask"}],
    "fields.constant": [{"value": 7, "blend": "max", "into": "moisture"}],
    "fields.valley": [{"direction": 30, "fall": 0, "blend": "min"}],
    "fields.heightmap": [
        {"cell_size": CELL},
        {"cell_size": 3.0, "south_first": True},
        {"cell_size": 70.0, "into": "moisture", "blend": "replace", "mask": "mask"},
    ],
    "fields.continents": [
        {"province_size": 900, "strait": 40, "shore": 150, "ocean": 0.3, "warp": {"octaves": 2}},
    ],
    "fields.strata": [{"into": "moisture", "dip": 20, "wobble": 60}],
    "erosion.droplets": [
        SHORT,
        SHORT | {"rounds": 2, "lifetime": 4, "mask": "mask"},
        SHORT | {"brush_radius": 2, "hold_border": False},
        SHORT | {"steering": "damping", "gravity": 0, "lowest": 100, "highest": 400},
        SHORT | {"brush_radius": 1, "mask": "mask", "max_erosion": 0.05},
    ],
    "erosion.thermal": [
        {"sharing": "steepest"},
        {"mask": "mask", "talus_angle": 20},
        {"mask": "mask", "sharing": "steepest", "passes": 3, "talus_angle": 20},
    ],
    "erosion.stream_power": [
        {"uplift": "moisture", "hardness": "moisture", "mask": "mask", "slope_exponent": 1.5},
        {"rain": "moisture", "uplift_rate": 0},
    ],
    "erosion.hillslope": [{"mask": "mask", "hold_border": False, "substeps": 2}],
    "erosion.coast": [{"mask": "mask", "width": 60, "amount": 0.5}],
    "erosion.carve_rivers": [{"mask": "mask", "channel_area": 1000}],
    "hydrology.distance_to_water": [{"max_distance": 150}],
    "hydrology.rivers": [{"channel_area": 1000}],
    "hydrology.lakes": [{"min_area": 0, "min_depth": 0}],
    "surface.hillshade": [{"sun": "several", "vertical_exaggeration": 2}],
    "surface.biomes": [{"tree_line": 100, "snow_line": 300}],
    "surface.palette": [
        {
            "stops": [
                {"elevation": 0, "red": 0, "green": 0, "blue": 0},
                {"elevation": 500, "red": 1, "green": 0.5, "blue": 1},
            ]
        }
    ],
    "surface.occlusion": [{"radius": 4}, {"radius": 65}],
    "surface.splat": [{"snow_line": 300, "beach_height": 90, "grass_angle": 5}],
    "surface.materials": [{"grass_angle": 5, "rock_angle": 60}],
    "surface.scatter": [
        {"things": [{"spacing": 30, "patchiness": 0}, {"kind": "stone", "spacing": 9}]},
        {"things": [], "grass_steepest": 5, "grass_highest": 300},
    ],
    "surface.meadow": [{"blades": 50, "flowers": 0, "pebbles": 0, "stones": 3, "trees": 0}],
}
CHANCE = {
    "fields.fbm",
    "fields.ridged",
    "fields.billow",
    "fields.valley",
    "fields.strata",
    "fields.continents",
    "erosion.droplets",
    "erosion.breach",
}
"""The steps whose result depends on the seed."""


KEPT = tempfile.TemporaryDirectory()
FILE = Path(KEPT.name) / "heights.npy"
np.save(FILE, np.random.default_rng(6).normal(250, 80, (40, 30)).astype(np.float32))
NEEDED = {"fields.heightmap": {"file": str(FILE), "cell_size": 25.0}}
"""What a step can do nothing without."""


def a_step(cls, settings):
    return cls.model_validate(NEEDED.get(op_of(cls), {}) | settings)


def cases():
    for cls in STEPS:
        for number, settings in enumerate([{}, *VARIANTS.get(op_of(cls), [])]):
            yield pytest.param(a_step(cls, settings), id=f"{op_of(cls)}-{number}")


every_class = pytest.mark.parametrize("cls", STEPS, ids=op_of)
every_step = pytest.mark.parametrize("step", list(cases()))


@cache
def maker(name):
    """A function of a grid that makes a plain input for the layer of that name."""

    def elevation(x, y):
        broad = 160 * np.sin(x / 230 + 0.3) + 120 * np.cos(y / 310 - x / 500)
        return 250 + broad + 40 * np.sin(x / 41) * np.cos(y / 37 + 1) + 9 * np.sin(x / 9 + y / 13)

    def share(x, y):
        return 0.5 + 0.7 * np.sin(x / 170 + 1) * np.cos(y / 130)

    def area(x, y):
        return CELL**2 * (1 + np.floor(4000 * (1 + np.sin(x / 90) * np.sin(y / 70))))

    def channel(x, y):
        return np.abs(np.sin(x / 90) * np.sin(y / 70)) < 0.03

    def depth(x, y):
        return np.maximum(0, np.sin(x / 300) * np.sin(y / 200) - 0.8)

    def away(x, y):
        return np.minimum(40 * (1 + np.sin(x / 130) * np.cos(y / 150)), 60)

    def number(x, y):
        return np.floor(5.5 * (1 + np.sin(x / 400) * np.cos(y / 210)))

    known = {"elevation": elevation, "mask": share, "moisture": share, "drainage_area": area}
    known |= {"channel": channel, "water_depth": depth, "water_distance": away}
    return (known | {"wetness": lambda x, y: 8 + 4 * share(x, y), "biome": number})[name]


def arrays_for(step, grid):
    """The step's inputs by argument; smooth but rough enough for erosion to have work."""
    x = (np.arange(grid.nx) * CELL)[None, :]
    y = (np.arange(grid.ny) * CELL)[:, None]
    return {
        argument: maker(name)(x, y).astype(layer(name).dtype)
        for argument, name in step.inputs().items()
    }


def together(made):
    return made if isinstance(made, tuple) else (made,)


def names_and_bytes(step, made):
    return [
        (name, a.dtype.str, a.shape, a.tobytes())
        for name, a in zip(step.outputs(), together(made), strict=True)
    ]


def outcome(step, arrays, grid, **more):
    return names_and_bytes(step, step(grid=grid, **more, **arrays))


# --- the declaration -----------------------------------------------------------------------


def parameters(cls):
    """Every parameter of a step and of the records inside it, with its schema."""
    schema = cls.model_json_schema()
    for record in (schema, *schema.get("$defs", {}).values()):
        yield from record["properties"].items()


def scalar(field):
    """The schema of a value, without the null that an optional one allows too."""
    choices = [f for f in field.get("anyOf", [field]) if f.get("type") != "null"]
    return choices[0] if len(choices) == 1 else field


@every_class
def test_every_parameter_tells_its_unit_its_bounds_and_a_sentence(cls):
    for name, field in parameters(cls):
        if name == "op":
            continue
        value = scalar(field)
        assert field.get("description", "").endswith("."), f"{name} has no sentence"
        if value.get("type") in ("number", "integer"):
            assert "unit" in value, f"{name} has no unit"
            low = value.keys() & {"minimum", "exclusiveMinimum"}
            high = value.keys() & {"maximum", "exclusiveMaximum"}
            assert low, f"{name} has no lowest value"
            assert high or name == "algorithm", f"{name} has no highest value"
        else:
            told = {"enum", "const", "pattern", "$ref", "items"} & value.keys()
            assert told or value["type"] == "boolean", f"{name} says nothing of what it may be"


@every_class
def test_defaults_are_valid_and_survive_json(cls):
    step = cls()
    assert cls.model_validate(step.model_dump()) == step
    assert cls.model_validate(json.loads(step.model_dump_json())) == step


@every_class
def test_numbers_outside_their_bounds_are_refused_by_name(cls):
    checked = 0
    for name, field in cls.model_json_schema()["properties"].items():
        value = scalar(field)
        outside = [value[k] - 1 for k in ("minimum", "exclusiveMinimum") if k in value]
        outside += [value[k] for k in ("exclusiveMinimum", "exclusiveMaximum") if k in value]
        outside += [value[k] + 1 for k in ("maximum", "exclusiveMaximum") if k in value]
        if value.get("type") == "number":
            outside += [math.nan, math.inf, -math.inf]
        if value.get("type") in ("number", "integer"):
            outside += ["much", [1]]
        for bad in outside:
            checked += 1
            with pytest.raises(DowncutError, match=rf"steps\.0\.{name}\b"):
                Recipe.from_dict({"steps": [{"op": op_of(cls), name: bad}]})
    assert checked


BESIDE = {
    "snow_line": {"tree_line": 0},
    "tree_line": {"snow_line": 20_000},
    "grass_angle": {"rock_angle": 90},
    "rock_angle": {"grass_angle": 0},
    "province_size": {"strait": 0, "shore": 10},
    "strait": {"province_size": 1e7},
    "shore": {"province_size": 1e7},
}
"""What must stand beside a limit at its bound: limits that lie in order."""


@every_class
def test_values_at_their_bounds_are_taken(cls):
    for name, field in cls.model_json_schema()["properties"].items():
        value = scalar(field)
        if name == "algorithm" or value.get("type") not in ("number", "integer"):
            continue
        inside = [value[k] for k in ("minimum", "maximum") if k in value]
        for good in inside:
            others = {n: v for n, v in BESIDE.get(name, {}).items() if n in cls.model_fields}
            assert getattr(cls(**{**others, name: good}), name) == good


@every_class
def test_a_step_cannot_be_changed(cls):
    step = cls()
    for name in cls.model_fields:
        with pytest.raises(ValueError, match="frozen"):
            setattr(step, name, getattr(step, name))


@every_class
def test_a_misspelt_parameter_is_refused(cls):
    with pytest.raises(DowncutError, match=r"steps\.0\.nonsense: no such parameter"):
        Recipe.from_dict({"steps": [{"op": op_of(cls), "nonsense": 1}]})


def test_names_are_unique_and_say_where_a_step_lives():
    assert len({op_of(cls) for cls in STEPS}) == len(STEPS)
    for cls in STEPS:
        assert cls.__module__ == f"downcut.{op_of(cls)}"
        floor, _ = op_of(cls).split(".")
        assert getattr(importlib.import_module(f"downcut.{floor}"), cls.__name__) is cls


@every_step
def test_what_a_step_reads_and_writes_is_known(step):
    for name in (*step.inputs().values(), *step.outputs()):
        assert name in LAYERS
    assert step.optional() <= set(step.inputs()) | {"base"}
    assert step.outputs()
    assert len(set(step.outputs())) == len(step.outputs())


def test_the_variants_belong_to_steps_and_differ_from_the_defaults():
    by_op = {op_of(cls): cls for cls in STEPS}
    assert set(VARIANTS) <= set(by_op)
    for op, settings in VARIANTS.items():
        for each in settings:
            assert a_step(by_op[op], each) != by_op[op]()


# --- the call ------------------------------------------------------------------------------


@every_step
def test_layers_come_out_as_they_are_declared(step):
    grid = Grid(24, 40, CELL)
    arrays = arrays_for(step, grid)
    for name, made in zip(step.outputs(), together(step(grid=grid, **arrays)), strict=True):
        declared = layer(name)
        assert made.dtype == np.dtype(declared.dtype)
        assert made.shape == (grid.shape if declared.bands == 1 else (*grid.shape, declared.bands))
        assert made.flags.c_contiguous
        assert np.isfinite(made).all()
        assert not any(np.shares_memory(made, a) for a in arrays.values())


@every_step
def test_inputs_are_left_alone_and_may_be_read_only(step):
    grid = Grid(40, 56, CELL)
    arrays = arrays_for(step, grid)
    before = {name: a.tobytes() for name, a in arrays.items()}
    for a in arrays.values():
        a.flags.writeable = False
    locked = outcome(step, arrays, grid)
    assert {name: a.tobytes() for name, a in arrays.items()} == before
    for a in arrays.values():
        a.flags.writeable = True
    assert outcome(step, arrays, grid) == locked
    assert {name: a.tobytes() for name, a in arrays.items()} == before


@every_step
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i2", "i4", "i8", "u1", "u2", "u8"])
def test_every_dtype_and_byte_order_gives_the_same(step, dtype):
    grid = Grid(17, 30, CELL)
    whole = {  # whole numbers that every one of these types holds
        name: np.clip(np.rint(a / (10 if a.max() > 10 else 1)), 0, 200)
        for name, a in arrays_for(step, grid).items()
    }
    expected = outcome(step, whole, grid)
    for order in "<>":
        kind = np.dtype(dtype).newbyteorder(order)
        given = {name: a.astype(kind) for name, a in whole.items()}
        assert outcome(step, given, grid) == expected


@every_step
def test_strides_and_lists_give_the_same(step):
    grid = Grid(17, 30, CELL)
    arrays = arrays_for(step, grid)
    expected = outcome(step, arrays, grid)

    def sliced(a):
        other = np.nan if a.dtype.kind == "f" else 9
        wide = np.full((3 * a.shape[0], 2 * a.shape[1]), other, a.dtype)
        wide[1::3, ::2] = a
        return wide[1::3, ::2]

    ways = {
        "Fortran order": np.asfortranarray,
        "negative strides": lambda a: np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1],
        "every other cell": sliced,
        "read from one cell": lambda a: np.broadcast_to(a[:1, :1], a.shape),
        "lists": lambda a: a.tolist(),
    }
    for name, way in ways.items():
        given = {argument: way(a) for argument, a in arrays.items()}
        if name == "read from one cell":
            flat = {argument: np.ascontiguousarray(a) for argument, a in given.items()}
            assert outcome(step, given, grid) == outcome(step, flat, grid)
        else:
            assert outcome(step, given, grid) == expected, name


@every_step
def test_arrays_may_be_given_in_order(step):
    grid = Grid(9, 12, CELL)
    arrays = arrays_for(step, grid)
    in_order = names_and_bytes(step, step(*arrays.values(), grid=grid))
    assert in_order == outcome(step, arrays, grid)


@every_step
def test_what_may_be_missing_may_be_missing(step):
    grid = Grid(9, 12, CELL)
    arrays = arrays_for(step, grid)
    needed = {a: v for a, v in arrays.items() if a not in step.optional()}
    nothing = {a: None for a in arrays if a in step.optional()}
    assert outcome(step, needed, grid) == outcome(step, needed | nothing, grid)
    for argument, name in step.inputs().items():
        if argument not in step.optional():
            with pytest.raises(DowncutError, match=f"{step.op} reads the layer '{name}'"):
                step(grid=grid, **{a: v for a, v in arrays.items() if a != argument})
    with pytest.raises(DowncutError, match=f"{step.op} takes no array nonsense"):
        step(grid=grid, nonsense=np.zeros(grid.shape))


@every_step
def test_bad_arrays_are_refused_by_name(step):
    grid = Grid(8, 12, CELL)
    arrays = arrays_for(step, grid)
    for argument, given in arrays.items():
        good = given.astype(np.float64)

        def refused(bad, match, argument=argument):
            with pytest.raises(DowncutError, match=rf"{argument} .*{match}"):
                step(grid=grid, **{**arrays, argument: bad})

        for value in (np.nan, np.inf, -np.inf):
            for place in ((0, 0), (3, 5), (7, 11)):
                bad = good.copy()
                bad[place] = value
                refused(bad, "1 of 96 cells that are NaN or infinite")
        bad = good.copy()
        bad[2:5, 2:5] = np.nan
        refused(bad, "9 of 96 cells that are NaN")
        refused(np.where(good > 0, np.inf, -np.inf), "96 of 96 cells")
        refused(good[:-1], r"shape \(7, 12\), the grid has \(8, 12\)")
        refused(good.T, r"shape \(12, 8\)")
        refused(good[..., None], r"shape \(8, 12, 1\)")
        refused(good[0], r"shape \(12,\)")
        refused(good + 0j, "dtype complex")
        refused(good.astype(str), "dtype <U")
        refused(good.astype(object), "dtype object")
        refused(np.ma.masked_equal(good, good.max()), "masked")
        whole = np.ma.masked_array(good)
        assert outcome(step, {**arrays, argument: whole}, grid) == outcome(step, arrays, grid)


@every_step
def test_numbers_too_large_for_the_layer_are_refused_not_infinite(step):
    grid = Grid(4, 4, CELL)
    for argument, good in arrays_for(step, grid).items():
        if good.dtype == np.float32:
            bad = np.full(grid.shape, 1e300)
            with pytest.raises(DowncutError, match=f"{argument} has 16 of 16"):
                step(grid=grid, **{**arrays_for(step, grid), argument: bad})


@every_step
def test_the_same_seed_gives_the_same_bytes_and_only_chance_asks_for_it(step):
    grid = Grid(40, 56, CELL)
    arrays = arrays_for(step, grid)
    first = outcome(step, arrays, grid, seed=7)
    assert outcome(step, arrays, grid, seed="7") == first
    others = [outcome(step, arrays, grid, seed=s) for s in (8, 2**64 - 1, "mountain")]
    distinct = {made[0][3] for made in [first, *others]}
    assert len(distinct) == (4 if step.op in CHANCE else 1)


SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 64), (64, 1), (3, 3), (5, 7)]


@every_step
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_tiny_and_odd_shapes_keep_their_shape_and_stay_finite(step, shape):
    grid = Grid(*shape, CELL)
    for made in together(step(grid=grid, **arrays_for(step, grid))):
        assert made.shape[:2] == shape
        assert np.isfinite(made).all()


@every_step
@pytest.mark.parametrize("level", [0.0, 21.0, -3.7e4])
def test_constant_land_raises_no_warning_and_stays_as_it_is(step, level):
    grid = Grid(20, 33, CELL)
    arrays = arrays_for(step, grid)
    for argument, name in step.inputs().items():
        if name == "elevation":
            arrays[argument] = np.full(grid.shape, level, np.float32)
    if hasattr(step, "uplift_rate"):
        step = step.model_copy(update={"uplift_rate": 0.0})
    run = Run()
    made = together(step(grid=grid, run=run, **arrays))
    assert all(np.isfinite(a).all() for a in made)
    sinks = step.op == "fields.continents"  # flat land too
    if "elevation" in step.reads and "elevation" in step.writes and not sinks:
        assert (made[0] == arrays["elevation"]).all()
        assert astuple(run.ledger) == (0, 0, 0, 0, 0)


def test_constant_land_has_no_slope():
    grid = Grid(20, 33, CELL)
    flat = np.full(grid.shape, 21.0)
    by_op = {op_of(cls): cls() for cls in STEPS}
    assert (by_op["surface.normals"](flat, grid=grid) == [0, 0, 1]).all()
    assert (by_op["surface.materials"](flat, grid=grid) == 0).all()
    light = by_op["surface.hillshade"](flat, grid=grid)
    assert np.ptp(light) == 0
    assert light[0, 0] == pytest.approx(math.sin(math.radians(45)), abs=1e-6)
    surface, depth, lake = by_op["hydrology.lakes"](flat, grid=grid)
    assert (surface == 21).all()
    assert not depth.any()
    assert not lake.any()


# --- threads, windows, progress ------------------------------------------------------------


@every_step
def test_threads_change_no_byte_and_no_sum(step):
    grid = Grid(400, 700, CELL)
    arrays = arrays_for(step, grid)
    seen = []
    for threads in (1, 2, 4):
        run = Run(threads=threads)
        seen.append((outcome(step, arrays, grid, run=run), astuple(run.ledger)))
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]


def test_the_map_for_threads_is_cut_in_several_slices():
    class Counting(Run):
        most = 0

        def slices(self, work, count, size, part=(0, 1)):
            Counting.most = max(Counting.most, math.ceil(count / size))
            return super().slices(work, count, size, part)

    grid = Grid(400, 700, CELL)
    for op in ("fields.fbm", "erosion.droplets", "erosion.thermal", "surface.normals"):
        step = next(cls() for cls in STEPS if op_of(cls) == op)
        Counting.most = 0
        step(grid=grid, run=Counting(threads=2), **arrays_for(step, grid))
        assert Counting.most >= 3, op


PRELUDE = [
    {"op": "fields.fbm", "wavelength": 900, "amplitude": 400, "offset": 250},
    {"op": "fields.fbm", "into": "mask", "wavelength": 500, "amplitude": 0.9, "offset": 0.5},
    {"op": "fields.fbm", "into": "moisture", "wavelength": 700, "amplitude": 0.9, "offset": 0.5},
    {"op": "hydrology.drainage"},
    {"op": "hydrology.rivers"},
]
"""Makes every layer that a step may ask for."""


def recipe_with(step, ny=300, nx=260):
    ground = {"ny": ny, "nx": nx, "cell_size": CELL}
    return Recipe.from_dict({"grid": ground, "steps": [*PRELUDE, step.model_dump(mode="json")]})


@every_step
def test_windows_meet_without_a_trace(step):
    # where one window sees the whole map, a smaller map says as much
    sees_all = (step.halo(Grid(1, 1, CELL)) or 0) > 260
    recipe = recipe_with(step, *((130, 110) if sees_all else (300, 260)))
    whole, _, reports = execute(recipe, Order())
    for tile in (64, 100):
        layers, _, tiled = execute(recipe, Order(tile=tile))
        assert list(layers) == list(whole)
        for name, array in whole.items():
            assert layers[name].dtype == array.dtype
            assert layers[name].tobytes() == array.tobytes(), f"{name}, windows of {tile}"
        for a, b in zip(reports, tiled, strict=True):
            moved = a.ledger.eroded + a.ledger.deposited
            assert astuple(b.ledger) == pytest.approx(astuple(a.ledger), rel=1e-9, abs=1e-9 * moved)


def test_some_windows_with_their_halo_are_smaller_than_the_map():
    small = {}
    for case in cases():
        step = case.values[0]
        halo = step.halo(Grid(300, 260, CELL))
        small.setdefault(step.op, False)
        small[step.op] |= halo is None or 64 + 2 * halo < 260
    assert all(small.values())


@every_step
@pytest.mark.parametrize("place", [(-(10**7), 10**7), (10**7 + 3, -(10**7) - 5), (-91.5, 7.5)])
def test_far_away_a_window_is_still_the_crop_of_a_larger(step, place):
    ny, nx, rows, cols = 210, 230, (90, 117), (101, 150)
    grid = Grid(ny, nx, CELL, *place)
    arrays = arrays_for(step, grid)
    run = Run()
    whole = together(step.on(arrays, grid=grid, key=KEY, run=run))
    assert all(np.isfinite(a).all() for a in whole)
    halo = step.halo(grid)
    if halo is None:  # the executor never gives such a step a window
        return
    top, left = max(0, rows[0] - halo), max(0, cols[0] - halo)
    cut = (slice(top, min(ny, rows[1] + halo)), slice(left, min(nx, cols[1] + halo)))
    part = {argument: a[cut] for argument, a in arrays.items()}
    shape = (cut[0].stop - cut[0].start, cut[1].stop - cut[1].start)
    window = grid.window(top, left, *shape)
    made = together(step.on(part, grid=window, key=KEY, run=run))
    inner = (slice(rows[0] - top, rows[1] - top), slice(cols[0] - left, cols[1] - left))
    for a, b in zip(whole, made, strict=True):
        assert b[inner].tobytes() == a[rows[0] : rows[1], cols[0] : cols[1]].tobytes()


@every_step
def test_a_stop_that_is_already_set_ends_the_work(step):
    grid = Grid(12, 20, CELL)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        step(grid=grid, run=Run(stop=stop), **arrays_for(step, grid))
    with pytest.raises(Cancelled):
        execute(recipe_with(step, 12, 20), Order(stop=stop))


@every_step
@pytest.mark.parametrize("threads", [1, 2])
def test_progress_only_ever_grows_from_0_to_1(step, threads):
    grid = Grid(150, 90, CELL)
    shares = []
    step(grid=grid, run=Run(threads=threads, on_progress=shares.append), **arrays_for(step, grid))
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)


@every_step
@pytest.mark.parametrize("tile", [None, 64])
def test_progress_of_a_recipe_only_ever_grows_and_names_the_step(step, tile):
    told = []
    execute(recipe_with(step, 150, 90), Order(on_progress=told.append, tile=tile))
    shares = [each.share for each in told]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] <= 1 + 1e-12
    assert {each.op for each in told} == {step.op, *(each["op"] for each in PRELUDE)}
    assert told[-1].path == f"steps.{len(PRELUDE)}"


def test_a_stop_set_on_the_way_ends_the_work_with_cancelled():
    for cls in STEPS:
        if cls().work() < 100:
            continue
        stop, shares = threading.Event(), []

        def tell(share, stop=stop, shares=shares):
            shares.append(share)
            stop.set()

        grid = Grid(200, 200, CELL)
        step = cls()
        with pytest.raises(Cancelled):
            step(grid=grid, run=Run(stop=stop, on_progress=tell), **arrays_for(step, grid))
        assert max(shares) < 1


@pytest.mark.slow
def test_no_kernel_reads_or_writes_outside_its_arrays(tmp_path):
    """Compiled once with bounds checks, tiny maps, odd ones and windows raise no IndexError."""
    chosen = "tiny or constant or meet or every_dtype or far_away"
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", __file__, "-k", chosen],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "DOWNCUT_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-3000:]


# --- what the base class does for any step -------------------------------------------------


@dataclass
class ReachedError(Exception):
    arrays: tuple


class Probe(Step):
    """Tells what reaches `apply`."""

    op: str = "probe"
    reads = ("elevation", "moisture")
    writes = ("elevation",)

    def optional(self):
        return frozenset({"moisture"})

    def apply(self, *arrays, grid, key, run):
        raise ReachedError(arrays)


def test_clean_arrays_are_not_copied_and_others_are_copied_once():
    grid = Grid(6, 8)
    clean = np.arange(48, dtype=np.float32).reshape(6, 8)
    with pytest.raises(ReachedError) as got:
        Probe()(clean, grid=grid)
    assert got.value.arrays[0] is clean
    assert got.value.arrays[1] is None
    with pytest.raises(ReachedError) as got:
        Probe()(clean[:, ::-1], clean.astype(">f8"), grid=grid)
    for array in got.value.arrays:
        assert array.flags.c_contiguous
        assert array.dtype == np.float32
        assert array.dtype.isnative


def test_too_many_arrays_are_refused():
    grid = Grid(2, 2)
    plain = np.zeros((2, 2))
    with pytest.raises(DowncutError, match="probe takes no array 2; it takes elevation, moisture"):
        Probe()(plain, plain, plain, grid=grid)
