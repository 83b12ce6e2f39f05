"""The library: a few names, read-only layers, and the same bytes wherever it runs."""

import json
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from PIL import Image

import downcut as dc
from downcut import presets
from downcut.randomness import derive

NAMES = [
    "Cancelled",
    "DowncutError",
    "Grid",
    "Recipe",
    "Repeat",
    "Terrain",
    "World",
    "build",
    "erosion",
    "export_for",
    "fields",
    "generate",
    "generate_many",
    "hydrology",
    "measure",
    "measure_file",
    "open_land",
    "open_store",
    "preset",
    "presets",
    "recipe_of",
    "save",
    "surface",
    "verify",
]

RECIPE = {
    "grid": {"ny": 150, "nx": 130, "cell_size": 20},
    "seed": "9",
    "steps": [
        {"op": "fields.fbm", "warp": {}},
        {"op": "erosion.droplets", "lifetime": 10},
        {"op": "erosion.thermal"},
        {"op": "hydrology.drainage"},
        {"op": "surface.hillshade"},
    ],
}


@pytest.fixture(scope="module")
def land():
    return dc.generate(dc.preset("alpine", size=64, seed=7))


def python(code, **environment):
    """Run some lines in a process of their own and return what they print."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


# --- names ----------------------------------------------------------------------------------


def test_the_public_names_are_these():
    assert dc.__all__ == NAMES
    assert set(NAMES) | {"__version__"} == set(dir(dc))
    for name in NAMES:
        assert getattr(dc, name) is not None
    with pytest.raises(AttributeError, match="module 'downcut' has no attribute 'heightmap'"):
        _ = dc.heightmap
    assert dc.__version__.count(".") == 2


def test_steps_are_found_under_their_floor():
    assert dc.fields.__all__ == [
        "Billow",
        "Constant",
        "Continents",
        "Fbm",
        "Glade",
        "Heightmap",
        "Island",
        "Ridged",
        "Sines",
        "Strata",
        "Valley",
        "Warp",
    ]
    assert dc.erosion.__all__ == [
        "Breach",
        "CarveRivers",
        "Coast",
        "Droplets",
        "Hillslope",
        "StreamPower",
        "Thermal",
    ]
    assert dc.hydrology.__all__ == [
        "Basins",
        "DistanceToWater",
        "Drainage",
        "HeightAboveDrainage",
        "Lakes",
        "Rivers",
        "Wetness",
    ]
    assert dc.surface.__all__ == [
        "Biomes",
        "Hillshade",
        "Materials",
        "Meadow",
        "Normals",
        "Occlusion",
        "Palette",
        "Scatter",
        "Splat",
    ]


def test_an_import_is_light():
    """Neither numpy nor the compiler is loaded until something is asked for."""
    heavy = ["numba", "numpy", "pydantic", "PIL", "rasterio", "pygltflib", "typer", "psutil"]
    code = "import downcut, sys; print(sorted({h} & set(sys.modules)))".replace(
        "{h}", repr(set(heavy))
    )
    assert python(code) == "[]"
    names = "import downcut.presets as p, sys; print(p.names(), 'numpy' in sys.modules)"
    assert python(names) == f"{presets.names()} False"


@pytest.mark.parametrize("name", ["surface", "Repeat"])
def test_any_name_can_be_had_first(name):
    assert python(f"import downcut as dc; print(dc.{name} is dc.{name})") == "True"


# --- from a recipe to a terrain -------------------------------------------------------------


def test_the_example_of_the_front_page(land):
    recipe = dc.preset("alpine", size=64, seed=7)
    assert land["elevation"].shape == (64, 64)
    assert land["elevation"].dtype == np.float32
    assert land.grid == dc.Grid(64, 64, recipe.grid.cell_size)
    assert land.recipe == recipe
    assert next(iter(land.layers)) == "elevation"
    assert set(land.features) == {"lakes", "rivers"}
    assert land.reports[0].op == recipe.steps[0].op
    assert land.ledger.eroded > 0
    assert "64×64" in repr(land)


def test_layers_are_read_only_and_named(land):
    for name, layer in land.layers.items():
        assert not layer.flags.writeable
        assert layer is land[name]
        with pytest.raises(ValueError, match="read-only"):
            layer[0, 0] = 1
    with pytest.raises(TypeError):
        land.layers["elevation"] = None
    with pytest.raises(dc.DowncutError, match="no layer 'height' here; there are elevation"):
        _ = land["height"]
    with pytest.raises(AttributeError):
        land.grid = None


def test_a_recipe_may_be_a_name_a_recipe_or_plain_data():
    by_name = dc.generate("sine-hills")
    assert by_name.checksum == dc.generate(dc.preset("sine-hills")).checksum
    assert by_name.checksum == dc.generate(presets.load("sine-hills")).checksum
    with pytest.raises(dc.DowncutError, match="no preset is called 'alps'; there are alpine"):
        dc.generate("alps")
    with pytest.raises(dc.DowncutError, match=r"steps\.0"):
        dc.generate({"steps": [{"op": "nothing"}]})


@pytest.mark.parametrize("bad", [{"threads": -1}, {"threads": 5000}, {"tile": 15}, {"tile": 0}])
def test_orders_out_of_range_are_refused(bad):
    with pytest.raises(dc.DowncutError, match=f"{next(iter(bad))} is"):
        dc.generate(RECIPE, **bad)


def test_the_checksum_is_the_same_for_threads_windows_and_runs():
    first = dc.generate(RECIPE, threads=1).checksum
    for order in ({}, {"threads": 2}, {"threads": 4}, {"tile": 16}, {"threads": 3, "tile": 50}):
        assert dc.generate(RECIPE, **order).checksum == first
    assert dc.generate({**RECIPE, "seed": "10"}).checksum != first
    assert len(first) == 32


@pytest.mark.parametrize(("seed", "salt"), [("9", "0"), ("mountain", "12345")])
def test_another_process_makes_the_same_bytes(seed, salt):
    here = dc.generate({**RECIPE, "seed": seed})
    code = (
        "import downcut as dc, json, sys\n"
        f"land = dc.generate(json.loads({json.dumps(json.dumps({**RECIPE, 'seed': seed}))}))\n"
        "print(land.checksum, land.recipe.digest)"
    )
    assert python(code, PYTHONHASHSEED=salt) == f"{here.checksum} {here.recipe.digest}"


def test_several_lands_may_grow_at_once():
    expected = dc.generate(RECIPE).checksum
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(dc.generate(RECIPE, threads=2).checksum))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_a_land_can_be_stopped_and_tells_how_far_it_is():
    told, stop = [], threading.Event()

    def tell(progress):
        told.append(progress)
        if progress.share > 0.3:
            stop.set()

    with pytest.raises(dc.Cancelled):
        dc.generate(RECIPE, on_progress=tell, stop=stop)
    assert 0.3 < told[-1].share < 0.9
    assert not issubclass(dc.Cancelled, dc.DowncutError)
    assert issubclass(dc.DowncutError, ValueError)


def test_the_checksum_names_bytes_and_layers():
    grid = dc.Grid(3, 4)
    z = np.arange(12, dtype=np.float32).reshape(3, 4)
    plain = dc.Terrain(grid, {"elevation": z})
    same = [
        dc.Terrain(grid, {"elevation": z.astype(">f4")}),
        dc.Terrain(grid, {"elevation": np.asfortranarray(z)}),
        dc.Terrain(dc.Grid(3, 4, 50), {"elevation": z.copy()}),
    ]
    assert {t.checksum for t in same} == {plain.checksum}
    others = [
        dc.Terrain(grid, {"moisture": z}),
        dc.Terrain(grid, {"elevation": z.astype(np.float64)}),
        dc.Terrain(grid, {"elevation": z + np.float32(1e-6)}),
        dc.Terrain(grid, {"elevation": z, "moisture": z}),
        dc.Terrain(dc.Grid(4, 3), {"elevation": z.reshape(4, 3)}),
    ]
    assert len({t.checksum for t in [plain, *others]}) == 6
    with pytest.raises(dc.DowncutError, match=r"layer elevation has shape \(3, 4\)"):
        dc.Terrain(dc.Grid(4, 4), {"elevation": z})


# --- a step alone ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [3, "mountain"])
def test_a_step_alone_is_a_recipe_s_first_of_its_kind(seed):
    ground = {"ny": 60, "nx": 50, "cell_size": 15}
    steps = [
        {"op": "fields.ridged", "wavelength": 500},
        {"op": "erosion.droplets", "lifetime": 20},
        {"op": "erosion.thermal", "talus_angle": 33},
        {"op": "hydrology.drainage"},
        {"op": "surface.normals"},
    ]
    land = dc.generate({"grid": ground, "seed": seed, "steps": steps})
    grid = land.grid
    z = dc.fields.Ridged(wavelength=500)(grid=grid, seed=seed)
    z = dc.erosion.Droplets(lifetime=20)(z, grid=grid, seed=seed)
    z = dc.erosion.Thermal(talus_angle=33)(elevation=z, grid=grid, seed=seed)
    assert z.tobytes() == land["elevation"].tobytes()
    area = dc.hydrology.Drainage()(land["elevation"], grid=grid)  # a read-only layer goes in
    assert area.tobytes() == land["drainage_area"].tobytes()
    assert dc.surface.Normals()(z, grid=grid).tobytes() == land["normals"].tobytes()
    assert next(dc.Recipe.from_dict({"seed": seed, "steps": steps}).tasks()).key == derive(
        seed, "fields.ridged", 0
    )


def test_a_step_can_be_pickled_compared_and_hashed():
    step = dc.erosion.Thermal(talus_angle=33)
    assert pickle.loads(pickle.dumps(step)) == step
    assert step == dc.erosion.Thermal()
    assert hash(step) == hash(dc.erosion.Thermal())
    assert step != dc.erosion.Thermal(talus_angle=34)
    recipe = dc.preset("alpine")
    assert pickle.loads(pickle.dumps(recipe)).digest == recipe.digest


def test_a_bad_parameter_is_a_value_error():
    for bad in ({"talus_angle": 0}, {"talus": 33}, {"passes": 1.5}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            dc.erosion.Thermal(**bad)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf")])
def test_a_grid_of_no_size_is_refused_by_value(bad):
    with pytest.raises(dc.DowncutError, match=f"cell_size is {bad}"):
        dc.Grid(4, 4, bad)
    if bad <= 0:
        with pytest.raises(dc.DowncutError, match=f"ny is {bad}"):
            dc.Grid(bad, 4)


# --- pictures and files ---------------------------------------------------------------------


def test_a_notebook_shows_a_picture(land):
    png = land._repr_png_()
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert png == land._repr_png_()
    assert dc.Terrain(land.grid, land.layers)._repr_png_() is None


def test_saved_files_hold_the_land(land, tmp_path):
    written = dc.save(land, tmp_path / "land.npy")
    assert written == [tmp_path / "land.npy", tmp_path / "land.npy.json"]
    assert (np.load(written[0]) == land["elevation"]).all()
    dc.save(land, tmp_path / "land.png")
    with Image.open(tmp_path / "land.png") as image:
        assert image.size == (64, 64)
    dc.save(land, tmp_path / "land.json")
    again = dc.Recipe.from_json((tmp_path / "land.json").read_text("utf-8"))
    assert again.digest == land.recipe.digest
    assert dc.generate(again).checksum == land.checksum
    with pytest.raises(dc.DowncutError, match=r"land\.npy"):
        dc.save(land, tmp_path / "land.npy")
    dc.save(land, tmp_path / "land.npy", force=True)
