"""Meshes for the web, printers, USD and MuJoCo, as those programs see them."""

import json

import mujoco
import numpy as np
import pygltflib
import pytest
import trimesh
from PIL import Image
from pxr import Usd, UsdGeom

import downcut as dc
from downcut.errors import DowncutError
from downcut.export import targets
from downcut.export.files import Delivery
from downcut.export.targets.target import Plan
from downcut.handover.exporting import export_for
from downcut.terrain import Terrain

HILLS = {
    "seed": 5,
    "grid": {"ny": 40, "nx": 60, "cell_size": 10},
    "steps": [{"op": "fields.fbm", "wavelength": 300, "amplitude": 80, "offset": 40}],
}
BARE = {"layers": "none"}


def told(folder):
    return json.loads((folder / "export.json").read_text("utf-8"))


def shipped(target, elevation, folder, options=None, cell_size=10.0, **layers):
    """Write heights as they are, without a recipe that would grow them."""
    found = targets.by_name(target)
    elevation = np.float32(elevation)
    land = Terrain(dc.Grid(*elevation.shape, cell_size), {"elevation": elevation, **layers})
    plan = Plan("land", overlap=int(found.shared_edges), options=found.chosen(options or {}))
    with Delivery() as delivery:
        return found.write(land, plan, delivery, folder)


# MuJoCo


def simulated(folder):
    model = mujoco.MjModel.from_xml_path(str(folder / "land.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def height_at(model, data, x, y):
    """Where a ray from high above meets the land."""
    geom = np.zeros(1, np.int32)
    down = mujoco.mj_ray(
        model, data, np.array([x, y, 1e4]), np.array([0, 0, -1.0]), None, 1, -1, geom
    )
    assert geom[0] == model.geom("land").id
    return 1e4 - down


def test_a_ray_in_mujoco_finds_every_corner_at_its_height(tmp_path):
    elevation = np.full((5, 9), 100.0)
    elevation[0, 0], elevation[0, -1], elevation[-1, 0], elevation[-1, -1] = 110, 120, 130, 90
    handed = shipped("mujoco", elevation, tmp_path)
    assert handed.numbers["x_half_extent"] == 40
    assert handed.numbers["y_half_extent"] == 20
    simulation = simulated(tmp_path)
    for x, y, height in ((-40, 20, 110), (40, 20, 120), (-40, -20, 130), (40, -20, 90)):
        inside = 1 - 1e-9
        assert height_at(*simulation, x * inside, y * inside) == pytest.approx(height, abs=1e-4)
    assert height_at(*simulation, 1e-7, 1e-7) == pytest.approx(100, abs=1e-4)


def test_every_post_in_mujoco_is_the_land_s(tmp_path):
    export_for(HILLS, "mujoco", tmp_path, size=(30, 45), options=BARE, name="land")
    recipe = dc.Recipe.from_dict(HILLS)
    step_y, step_x = 400 / 29, 600 / 44
    numbers = told(tmp_path)["numbers"]
    assert numbers["metres_per_sample"] == pytest.approx(step_x)
    land = dc.generate(recipe.changed(size=(30, 45), cell_size=step_x))
    model, data = simulated(tmp_path)
    for row, col in ((3, 5), (3, 40), (25, 5), (25, 40), (14, 22)):
        x, y = land.grid.x[col] + 1e-6, land.grid.y[row] + 1e-6
        assert height_at(model, data, x, y) == pytest.approx(land["elevation"][row, col], abs=1e-3)
    assert step_y == pytest.approx(step_x, rel=0.02)


def test_flat_ground_in_mujoco_carries_a_ball(tmp_path):
    shipped("mujoco", np.full((4, 4), 21.0), tmp_path, cell_size=1.0)
    scene = tmp_path / "with_ball.xml"
    scene.write_text(
        '<mujoco><include file="land.xml"/><worldbody><body pos="0.2 0.3 22"><freejoint/>'
        '<geom size="0.1"/></body></worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_path(str(scene))
    data = mujoco.MjData(model)
    while data.time < 2:
        mujoco.mj_step(model, data)
    assert data.qpos[2] == pytest.approx(21.1, abs=0.01)


def test_mujoco_s_picture_lies_north_up(tmp_path):
    colour = np.zeros((4, 6, 3), np.uint8)
    colour[0, 0] = 250, 10, 10
    shipped("mujoco", np.zeros((4, 6)), tmp_path, colour=colour)
    with Image.open(tmp_path / "land_colours.png") as picture:
        assert picture.size == (6, 4)
        assert picture.getpixel((0, 0)) == (250, 10, 10)


# Printers


def test_tiles_for_the_printer_make_the_land(tmp_path):
    export_for(HILLS, "print", tmp_path, size=61, tiles=(2, 3), name="land")
    said = told(tmp_path)
    numbers = said["numbers"]
    solids = {
        (col, row): trimesh.load_mesh(tmp_path / f"land_x{col}_y{row}.stl")
        for col in range(3)
        for row in range(2)
    }
    tops = []
    for solid in solids.values():
        assert solid.is_watertight
        assert solid.bounds[0].tolist() == [0, 0, 0]
        assert max(solid.extents[:2]) == pytest.approx(200)
        tops.append(solid.vertices[solid.vertices[:, 2] > 0][:, 2])
    lowest, highest = min(map(np.min, tops)), max(map(np.max, tops))
    assert lowest == pytest.approx(3)
    assert highest == pytest.approx(numbers["height_mm"], rel=1e-6)
    metres = (highest - 3) * numbers["metres_per_mm_of_height"] + numbers["metres_on_the_base"]
    assert metres == pytest.approx(said["high_m"], abs=1e-3)
    west, east = solids[0, 0], solids[1, 0]
    seam = [
        west.vertices[west.vertices[:, 0] == west.bounds[1, 0]],
        east.vertices[east.vertices[:, 0] == 0],
    ]
    seam = [edge[np.lexsort(edge.T)][:, 1:] for edge in seam]
    np.testing.assert_array_equal(*seam)


def test_a_scale_that_exceeds_the_bed_names_the_tiles(tmp_path):
    with pytest.raises(DowncutError, match="cut it with --tiles 2x3"):
        shipped("print", np.zeros((40, 60)), tmp_path, {"scale": 1000.0})
    handed = shipped("print", np.zeros((40, 60)), tmp_path, {"scale": 5000.0})
    assert handed.numbers["width_mm"] == pytest.approx(118)
    assert trimesh.load_mesh(tmp_path / "land.stl").extents.tolist() == pytest.approx([118, 78, 3])


# The web


def test_the_web_gets_levels_within_the_error(tmp_path, fractal):
    handed = shipped("web", fractal(50, 70), tmp_path, {"max_error": 2.0, "levels": 3})
    model = pygltflib.GLTF2().load(str(tmp_path / "land.glb"))
    assert len(model.nodes) == 3
    levels = handed.numbers["levels_of_detail"].values()
    assert [level["max_error_m"] for level in levels] == [2, 8, 32]
    assert all(level["measured_error_m"] <= level["max_error_m"] for level in levels)
    mesh = trimesh.load_scene(tmp_path / "land.glb").to_geometry()
    np.testing.assert_allclose(mesh.extents[[0, 2]], [690, 490])  # Y is up
    with pytest.raises(DowncutError, match="max_error of web is -1"):
        shipped("web", np.zeros((4, 4)), tmp_path / "other", {"max_error": -1.0})


def test_the_web_s_own_choice_follows_the_relief(tmp_path, fractal):
    handed = shipped("web", fractal(50, 70, relief=300), tmp_path)
    first = next(iter(handed.numbers["levels_of_detail"].values()))
    assert first["max_error_m"] == pytest.approx(0.3)
    shipped("web", np.full((8, 8), 21.0), tmp_path / "flat")


# USD


@pytest.mark.parametrize("suffix", ["usdc", "usda", "usdz"])
def test_usd_says_its_axis_and_unit(suffix, tmp_path):
    export_for(
        HILLS, "usd", tmp_path, size=(20, 30), options={"format": suffix, **BARE}, name="land"
    )
    stage = Usd.Stage.Open(str(tmp_path / f"land.{suffix}"))
    numbers = told(tmp_path)["numbers"]
    assert UsdGeom.GetStageUpAxis(stage) == numbers["upAxis"] == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == numbers["metersPerUnit"] == 1
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(numbers["mesh"]))
    extent = np.ptp(np.array(mesh.GetExtentAttr().Get()), axis=0)
    assert extent[0] == pytest.approx(600, rel=1e-6)
    readme = (tmp_path / "README.txt").read_text("utf-8")
    assert "metersPerUnit" in readme
    assert f"land.{suffix}" in readme


@pytest.mark.parametrize("target", ["web", "print", "usd", "mujoco"])
def test_flat_and_least_lands_are_handed_over(target, tmp_path):
    assert shipped(target, np.full((2, 2), 21.0), tmp_path).files


def test_the_web_target_takes_plants_along(tmp_path):
    recipe = {
        "grid": {"ny": 40, "nx": 40, "cell_size": 4},
        "steps": [{"op": "fields.fbm", "amplitude": 20}, {"op": "surface.scatter"}],
    }
    folder = tmp_path / "web"
    export_for(recipe, "web", folder, options={"plants": "instances", "layers": "none"})
    things = told(folder)["numbers"]["things"]
    assert sum(things.values()) > 20
    model = pygltflib.GLTF2().load(folder / "land.glb")
    named = {node.name: node for node in model.nodes}
    for name, count in things.items():
        places = named[name].extensions["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"]
        assert model.accessors[places].count == count
