"""USD, read by its own library and judged by its validators."""

import zipfile

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdValidation

from downcut.errors import DowncutError
from downcut.export.save import save
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

SUFFIXES = [".usd", ".usda", ".usdc", ".usdz"]


def land(elevation, grid=None, **layers):
    elevation = np.float32(elevation)
    return Terrain(grid or Grid(*elevation.shape, 10.0), {"elevation": elevation, **layers})


def opened(path):
    return Usd.Stage.Open(str(path))


def world_points(stage):
    prim = stage.GetPrimAtPath("/Land/Ground")
    place = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(Usd.TimeCode.Default())
    points = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get(), np.float64)
    return points + np.array(place.ExtractTranslation())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_axis_and_unit_are_authored_and_validators_find_nothing(suffix, tmp_path, fractal):
    (path,) = save(land(fractal(6, 9)), tmp_path / f"land{suffix}")
    stage = opened(path)
    for key in ("upAxis", "metersPerUnit"):
        assert stage.GetRootLayer().pseudoRoot.HasInfo(key)
    assert UsdGeom.GetStageUpAxis(stage) == ("Y" if suffix == ".usdz" else "Z")
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert stage.GetDefaultPrim().GetPath() == "/Land"
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) > 20
    assert UsdValidation.ValidationContext(validators).Validate(stage) == []


@pytest.mark.parametrize("field", ["upAxis", "metersPerUnit", "defaultPrim"])
def test_the_validators_would_find_what_is_missing(field, tmp_path):
    (path,) = save(land(np.zeros((3, 3))), tmp_path / "land.usda")
    bare = tmp_path / "bare.usda"
    text = path.read_text("utf-8").splitlines()
    bare.write_text("\n".join(line for line in text if f" {field} = " not in line), "utf-8")
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert UsdValidation.ValidationContext(validators).Validate(opened(bare)) != []


@pytest.mark.parametrize("up", ["y", "z"])
def test_every_vertex_lies_where_its_cell_does(up, tmp_path):
    elevation = np.random.default_rng(1).uniform(100, 900, (6, 9)).astype(np.float32)
    terrain = land(elevation, Grid(6, 9, 0.25, row=-18_599_104, col=2_000_000))
    save(terrain, tmp_path / "land.usdc", up=up)
    stage = opened(tmp_path / "land.usdc")
    assert UsdGeom.GetStageUpAxis(stage) == up.upper()
    x, y = np.meshgrid(terrain.grid.x, terrain.grid.y)
    points = world_points(stage)
    if up == "y":
        points = points[:, [0, 2, 1]] * [1, -1, 1]
    np.testing.assert_allclose(points, np.stack([x, y, elevation], -1).reshape(-1, 3), atol=1e-4)
    assert len(np.unique(points[:, :2], axis=0)) == 54


def test_the_mesh_is_polygons_that_face_up_with_normals_and_colours(tmp_path):
    row, col = np.mgrid[0:5, 0:6]
    colour = np.full((5, 6, 3), 255, np.uint8)
    (path,) = save(land(10 * (0.5 * col - 0.25 * row), colour=colour), tmp_path / "land.usdc")
    stage = opened(path)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Land/Ground"))
    assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
    assert mesh.GetOrientationAttr().Get() == "rightHanded"
    faces = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    corners = np.array(mesh.GetPointsAttr().Get())[faces]
    assert (np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] > 0).all()
    expected = np.array([-0.5, -0.25, 1]) / np.sqrt(1.3125)
    np.testing.assert_allclose(
        np.array(mesh.GetNormalsAttr().Get()), np.tile(expected, (30, 1)), atol=1e-6
    )
    assert mesh.GetNormalsInterpolation() == "vertex"
    assert (np.array(mesh.GetDisplayColorAttr().Get()) == 1).all()
    extent = np.array(mesh.GetExtentAttr().Get())
    np.testing.assert_allclose(extent[1] - extent[0], [50, 40, 35], atol=1e-4)


def test_the_recipe_is_in_the_layer_s_own_data(tmp_path):
    recipe = Recipe.from_dict({"grid": {"ny": 4, "nx": 5}, "steps": [{"op": "fields.fbm"}]})
    terrain = Terrain(Grid(4, 5), {"elevation": np.zeros((4, 5), np.float32)}, recipe=recipe)
    (path,) = save(terrain, tmp_path / "land.usdz")
    stage = opened(path)
    told = stage.GetRootLayer().customLayerData["downcut"]
    assert told["digest"] == recipe.digest
    assert Recipe.from_json(told["recipe"]).digest == recipe.digest
    with zipfile.ZipFile(path) as package:  # the time of day would be other bytes each time
        assert [entry.date_time[0] for entry in package.infolist()] == [1980]


def test_fewer_triangles_within_an_error(tmp_path, fractal):
    (path,) = save(land(fractal(40, 60)), tmp_path / "land.usdc", max_error=15)
    stage = opened(path)
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Land/Ground"))
    assert len(mesh.GetFaceVertexCountsAttr().Get()) < 2 * 39 * 59 / 2
    assert len(mesh.GetPointsAttr().Get()) == len(mesh.GetNormalsAttr().Get())


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1)])
def test_a_land_one_cell_wide_is_points(shape, tmp_path):
    (path,) = save(land(np.full(shape, 21.0)), tmp_path / "land.usda")
    stage = opened(path)
    assert stage.GetPrimAtPath("/Land/Ground").IsA(UsdGeom.Points)
    assert (world_points(stage)[:, 2] == 21).all()


def test_another_axis_is_refused(tmp_path):
    with pytest.raises(DowncutError, match="up is 'x': give y or z"):
        save(land(np.zeros((3, 3))), tmp_path / "land.usd", up="x")
    assert list(tmp_path.iterdir()) == []
