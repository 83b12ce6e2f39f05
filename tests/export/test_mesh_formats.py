"""What every mesh owes, whatever its format."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import trimesh
from pxr import Usd, UsdGeom

from downcut.errors import DowncutError
from downcut.export.formats import FORMATS
from downcut.export.info import describe
from downcut.export.save import save
from downcut.grid import Grid
from downcut.recipe import Recipe
from downcut.terrain import Terrain

NAMES = ["a.glb", "a.obj", "a.stl", "a.usd", "a.usda", "a.usdc", "a.usdz"]
REDUCED = [name for name in NAMES if "max_error" in FORMATS[name[1:]].options]


def land(elevation):
    return Terrain(Grid(*elevation.shape, 10.0), {"elevation": elevation})


def ground_heights(path):
    """Heights of a mesh's vertices above their lowest, in metres, sorted."""
    if path.suffix.startswith(".usd"):
        stage = Usd.Stage.Open(str(path))
        points = np.array(
            UsdGeom.PointBased(stage.GetPrimAtPath("/Land/Ground")).GetPointsAttr().Get()
        )
        up = points[:, 2 if UsdGeom.GetStageUpAxis(stage) == "Z" else 1]
    elif path.suffix == ".stl":
        points = trimesh.load_mesh(path).vertices
        up = points[points[:, 2] > 0][:, 2] * 40 / 200  # the land's 40 m are 200 mm
    else:
        up = trimesh.load_scene(path, process=False).to_geometry().vertices[:, 1]
    return np.sort(up - up.min())


@pytest.mark.parametrize("dtype", ["i2", ">u2", "f8", ">f4", "?", "f2"])
@pytest.mark.parametrize("name", NAMES)
def test_any_dtype_and_stride_is_written_and_left_alone(name, dtype, tmp_path):
    elevation = (np.arange(20).reshape(4, 5) % 11).astype(dtype)[::-1, ::-1]
    before = elevation.copy()
    path = save(land(elevation), tmp_path / name)[0]
    expected = np.sort(elevation.astype(float).ravel())
    np.testing.assert_allclose(ground_heights(path), expected - expected[0], atol=1e-3)
    np.testing.assert_array_equal(elevation, before)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_land_gives_the_same_bytes(name, tmp_path, fractal):
    elevation = fractal(30, 40)
    first = save(land(elevation), tmp_path / "one" / name)
    second = save(land(elevation), tmp_path / "two" / name)
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


@pytest.mark.parametrize("name", REDUCED)
def test_fewer_triangles_are_the_same_bytes_again(name, tmp_path, fractal):
    files = [save(land(fractal(30, 40)), tmp_path / k / name, max_error=9)[0] for k in "ab"]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_mesh_says_which_recipe_grows_it(name, tmp_path):
    recipe = Recipe.from_dict({"grid": {"ny": 4, "nx": 5}, "steps": [{"op": "fields.fbm"}]})
    terrain = Terrain(Grid(4, 5), {"elevation": np.zeros((4, 5), np.float32)}, recipe=recipe)
    found = describe(save(terrain, tmp_path / name)[0])
    assert found["digest"] == recipe.digest
    assert Recipe.from_dict(found["recipe"]) == recipe
    assert (found["ny"], found["nx"], found["checksum"]) == (4, 5, terrain.checksum)
    assert found["kind"].startswith(("mesh", "solid"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", [b"", b"#usda 1.0\n(", b"PXR-USDC" + b"\xff" * 200, b"PK\3\4"])
def test_a_broken_mesh_is_refused_in_a_sentence(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DowncutError) as refused:
        describe(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", NAMES)
def test_a_land_with_a_hole_is_refused_with_a_count(name, bad, tmp_path):
    elevation = np.zeros((4, 5), np.float32)
    elevation[3, 2] = bad
    with pytest.raises(DowncutError, match="1 of 20 cells"):
        save(land(elevation), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_land_is_flat(name, tmp_path):
    path = save(land(np.full((3, 4), 21.0)), tmp_path / name)[0]
    assert (ground_heights(path) == 0).all()


@pytest.mark.parametrize("name", REDUCED)
def test_an_error_that_is_none_is_refused(name, tmp_path):
    with pytest.raises(DowncutError, match="max_error is -2"):
        save(land(np.zeros((3, 4))), tmp_path / name, max_error=-2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits")
def test_a_full_disk_leaves_nothing_and_says_so(tmp_path):
    code = """
        import resource, sys, numpy as np
        import pxr.Usd, pxr.UsdUtils, pygltflib
        from downcut.errors import DowncutError
        from downcut.export.save import save
        from downcut.grid import Grid
        from downcut.terrain import Terrain
        heights = np.random.default_rng(1).normal(size=(300, 300))
        land = Terrain(Grid(300, 300), {"elevation": heights})
        save(Terrain(Grid(2, 2), {"elevation": np.zeros((2, 2))}), sys.argv[1] + "/warm.glb")
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        for name in sys.argv[2:]:
            try:
                save(land, sys.argv[1] + "/" + name)
            except DowncutError as error:
                print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path), *NAMES],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    said = done.stdout.splitlines()
    assert len(said) == len(NAMES), done.stderr
    for name, line in zip(NAMES, said, strict=True):
        assert str(tmp_path / name) in line
        assert "bytes and they do not fit" in line
    assert [path.name for path in tmp_path.iterdir()] == ["warm.glb"]
