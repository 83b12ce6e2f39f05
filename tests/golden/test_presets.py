"""The presets look as they did, and say what the tutorials they come from say."""

import importlib.util
import json
import math
from pathlib import Path

import numpy as np
import pytest

import downcut as dc
from downcut import presets
from downcut.fields.glade import stream_line
from downcut.steps import Repeat
from downcut.surface.biomes import LEGEND

HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("regenerate", HERE / "regenerate.py")
regenerate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(regenerate)

GOLDEN = json.loads(regenerate.FILE.read_text("utf-8"))
every_preset = pytest.mark.parametrize("name", presets.names())


def test_every_preset_has_its_portrait_and_no_other():
    assert set(GOLDEN) == set(presets.names())


@every_preset
def test_a_preset_looks_as_it_did(name):
    """Within half a percent of the relief in every sixteenth of the map."""
    golden = GOLDEN[name]
    made = regenerate.portrait(dc.generate(dc.preset(name, size=regenerate.SIZE)))
    unit, slack = golden["unit"], 0.005 * golden["relief"]
    for key in ("quantiles", "thumbnail"):
        off = np.abs(made[key] - np.array(golden[key]) * unit)
        assert off.max() <= slack, f"{key}: {off.max():.3g} m off, {slack:.3g} m allowed"
    assert made["mean"] == pytest.approx(golden["mean"], abs=slack)
    assert made["std"] == pytest.approx(golden["std"], abs=slack)
    assert made["slope"] == pytest.approx(golden["slope"], rel=0.02)


@every_preset
def test_the_portrait_would_notice_another_land(name):
    """Another seed, or for land without chance another size of its forms, is not let through."""
    recipe = dc.preset(name, size=regenerate.SIZE)
    other = dc.generate(recipe.changed(seed="another"))
    if recipe.steps[0].op in ("fields.sines", "fields.glade"):
        other = dc.generate(recipe.changed(cell_size=recipe.grid.cell_size * 1.05))
    golden = GOLDEN[name]
    off = regenerate.portrait(other)["thumbnail"] - np.array(golden["thumbnail"]) * golden["unit"]
    assert np.abs(off).max() > 0.02 * golden["relief"]


@every_preset
def test_a_preset_is_a_recipe_in_its_shortest_form(name):
    content = presets.load(name)
    recipe = dc.preset(name)
    assert recipe.title
    assert recipe.description.endswith(".")
    assert dc.Recipe.from_json(recipe.to_json()) == recipe
    assert dc.Recipe.from_dict(content) == recipe


@every_preset
def test_a_preset_fits_any_ground(name):
    for size in (1, 2, (3, 40), (40, 3)):
        land = dc.generate(dc.preset(name, size=size))
        for layer in land.layers.values():
            assert np.isfinite(layer).all()


@every_preset
def test_a_preset_is_the_same_in_windows(name):
    recipe = dc.preset(name, size=96)
    assert dc.generate(recipe, tile=40).checksum == dc.generate(recipe).checksum


# --- what the sources say -------------------------------------------------------------------


def step(recipe, op):
    """The first step of that kind, inside a Repeat or not."""
    return next(task.step for task in recipe.tasks(once=True) if task.step.op == op)


def cells(recipe, metres):
    return metres / recipe.grid.cell_size


def test_classic_is_the_pipeline_of_the_textbook():
    recipe = dc.preset("classic")
    assert recipe.grid.ny == recipe.grid.nx == 512
    extent = recipe.grid.nx * recipe.grid.cell_size
    assert extent == pytest.approx(1000)

    fbm = step(recipe, "fields.fbm")
    assert (fbm.noise, fbm.octaves, fbm.lacunarity, fbm.gain) == ("simplex", 6, 2.0, 0.5)
    assert cells(recipe, fbm.wavelength) == pytest.approx(100)  # a scale of 0.01 a cell
    assert fbm.warp.octaves == 3
    assert cells(recipe, fbm.warp.wavelength) == pytest.approx(50)  # 0.02 a cell
    assert cells(recipe, fbm.warp.displacement) == pytest.approx(40)

    drops = step(recipe, "erosion.droplets")
    figures = {
        "lifetime": 64,
        "steering": "inertia",
        "inertia": 0.05,
        "min_slope": 0.01,
        "capacity": 4,
        "deposition_rate": 0.3,
        "erosion_rate": 0.3,
        "gravity": 4,
        "evaporation": 0.02,
        "brush_radius": 0,
    }
    assert drops.model_dump(include=set(figures)) == figures
    rounds = next(s for s in recipe.steps if isinstance(s, Repeat))
    assert rounds.times == 100
    assert [s.op for s in rounds.steps] == ["erosion.droplets", "erosion.thermal"]
    assert drops.droplets_per_cell * 512**2 == pytest.approx(1000)

    thermal = step(recipe, "erosion.thermal")
    assert math.tan(math.radians(thermal.talus_angle)) == pytest.approx(0.6, abs=0.005)
    assert (thermal.amount, thermal.passes, thermal.sharing) == (0.5, 1, "steepest")
    ops = [s.op for s in recipe.steps]
    assert ops.index("hydrology.drainage") > ops.index("repeat")
    assert {"hydrology.rivers", "surface.materials", "surface.normals"} <= set(ops)


def test_in_classic_thermal_erosion_trims_and_does_not_flatten():
    recipe = dc.preset("classic", size=128)
    fields = [s for s in recipe.steps if s.op.startswith("fields.")]
    raw = dc.generate(recipe.model_copy(update={"steps": fields}))["elevation"]
    slopes = np.hypot(*np.gradient(raw.astype(float), recipe.grid.cell_size))
    repose = math.tan(math.radians(step(recipe, "erosion.thermal").talus_angle))
    assert 0.01 < (slopes > repose).mean() < 0.4
    land = dc.generate(recipe)
    after = np.hypot(*np.gradient(land["elevation"].astype(float), recipe.grid.cell_size))
    assert after.std() > 0.3 * slopes.std()
    assert np.ptp(land["elevation"]) > 0.5 * np.ptp(raw)


def test_island_is_masked_noise_in_seven_colours():
    recipe = dc.preset("island")
    assert recipe.grid.nx * recipe.grid.cell_size == pytest.approx(100)
    fbm = step(recipe, "fields.fbm")
    assert (fbm.noise, fbm.octaves, fbm.lacunarity, fbm.gain) == ("perlin", 6, 2.1, 0.5)
    # coordinates from −1 to 1 times 3 over 100 units: a lattice cell is a sixth of the map
    assert fbm.wavelength == pytest.approx(100 / 6)
    assert recipe.steps[1].op == "fields.island"
    assert recipe.steps[1].radius == 50
    assert recipe.sea_level == 0

    stops = [(s.elevation, s.red, s.green, s.blue) for s in step(recipe, "surface.palette").stops]
    assert stops == [
        (-2, 0.05, 0.12, 0.40),
        (-0.5, 0.10, 0.25, 0.55),
        (0.5, 0.82, 0.76, 0.55),
        (3, 0.25, 0.52, 0.22),
        (8, 0.35, 0.30, 0.25),
        (14, 0.80, 0.85, 0.90),
        (20, 1.0, 1.0, 1.0),
    ]


def test_the_island_reaches_from_under_the_sea_to_the_snow():
    z = dc.generate(dc.preset("island", size=256))["elevation"]
    rim = np.concatenate([z[0], z[-1], z[:, 0], z[:, -1]])
    assert rim.max() < -0.5  # all of it under water
    assert z.min() < -2
    assert z.max() > 14
    middle = [
        dc.generate(dc.preset("island", size=1, cell_size=100, seed=s))["elevation"][0, 0]
        for s in range(5)
    ]
    assert len(set(middle)) == 5  # the middle is no fixed point of all seeds


def test_rolling_has_moisture_of_its_own_biomes_light_and_rain():
    recipe = dc.preset("rolling")
    hills, moisture = (s for s in recipe.steps if s.op == "fields.fbm")
    assert (hills.into, hills.lacunarity, hills.gain) == ("elevation", 2, 0.5)
    assert moisture.into == "moisture"
    ops = [s.op for s in recipe.steps]
    assert {"erosion.droplets", "surface.biomes", "surface.hillshade"} <= set(ops)
    land = dc.generate(dc.preset("rolling", size=256))
    assert abs(np.corrcoef(land["elevation"].ravel(), land["moisture"].ravel())[0, 1]) < 0.3
    met = {LEGEND[n].name for n in np.unique(land["biome"])}
    assert {"deep sea", "shallow sea", "beach"} <= met
    assert len(met) >= 5


def test_sine_hills_are_96_cells_of_four_waves_and_damped_droplets():
    recipe = dc.preset("sine-hills")
    assert (recipe.grid.ny, recipe.grid.nx, recipe.grid.cell_size) == (96, 96, 1)
    sines, drops = recipe.steps
    assert sines.op == "fields.sines"
    assert 2 * math.pi / sines.wavelength == pytest.approx(0.04)
    figures = {
        "octaves": 4,
        "lacunarity": 2.1,
        "gain": 0.55,
        "level": 2,
        "amplitude": 0.25,
        "lowest": 0,
        "highest": 1.2,
        "start": 48,
    }
    assert sines.model_dump(include=set(figures)) == figures
    figures = {
        "op": "erosion.droplets",
        "lifetime": 48,
        "steering": "damping",
        "damping": 0.85,
        "min_slope": 0.001,
        "capacity": 4,
        "deposition_rate": 0.3,
        "erosion_rate": 0.3,
        "max_erosion": 0.05,
        "gravity": 0,
        "evaporation": 0.02,
        "lowest": 0,
        "highest": 1.2,
    }
    assert drops.model_dump(include=set(figures)) == figures
    assert drops.droplets_per_cell / drops.rounds * 96**2 == pytest.approx(130, rel=0.02)
    z = dc.generate(recipe)["elevation"]
    assert z.min() >= 0
    assert z.max() <= np.float32(1.2)


def test_glade_is_240_metres_of_meadow_with_a_stream():
    recipe = dc.preset("glade")
    assert recipe.grid.nx * recipe.grid.cell_size == 240
    assert recipe.steps[0] == dc.fields.Glade(depth=1.15, bank=0.28, rolling=0.9)
    z = dc.generate(dc.preset("glade", size=240))["elevation"]
    grid = dc.Grid(240, 240)
    stream = np.rint(stream_line(-grid.y) + 119.5).astype(int)
    assert (z[np.arange(240), stream] < -1).all()
    assert (z[np.arange(240), stream + 8] > z[np.arange(240), stream] + 0.1).all()
