"""Meshes with fewer triangles: the error promised, and levels that readers find."""

import io
import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pygltflib
import pytest
import trimesh
from matplotlib.tri import LinearTriInterpolator, Triangulation

from downcut.errors import DowncutError
from downcut.export.glb import write_glb
from downcut.export.simplify import simplified, surface_heights, vertical_error
from downcut.grid import Grid
from downcut.terrain import Terrain

TOOL = Path(__file__).parents[2] / "web" / "tools" / "validate-gltf.mjs"


def land(elevation, cell_size=10.0):
    return Terrain(Grid(*elevation.shape, cell_size), {"elevation": np.float32(elevation)})


def written(path, terrain, **options):
    with path.open("wb") as file:
        return write_glb(terrain, file, **options)


@pytest.mark.parametrize("shape", [(2, 2), (2, 64), (64, 2), (90, 131)])
@pytest.mark.parametrize("lift", [0, 8000])
def test_no_cell_is_farther_from_the_mesh_than_promised(shape, lift, fractal):
    elevation = fractal(*shape, relief=300) + np.float32(lift)
    faces, reached = simplified(elevation, 1.5)
    assert reached <= 1.5
    cells, found = surface_heights(elevation, faces)
    heights = np.full(elevation.size, np.nan)
    heights[cells] = found
    assert np.isfinite(heights).all()  # every cell is below a triangle
    assert np.abs(heights - elevation.ravel()).max() == reached
    row, col = np.mgrid[: shape[0], : shape[1]].reshape(2, -1)
    by_another = LinearTriInterpolator(Triangulation(col, -row, faces), elevation.ravel())
    np.testing.assert_allclose(heights, by_another(col, -row).filled(np.nan), atol=1e-6)


def test_an_error_of_the_test_s_own_making_is_measured():
    elevation = np.zeros((5, 7), np.float32)
    elevation[3, 2] = -4
    two = np.array([[28, 34, 0], [34, 6, 0]])
    assert vertical_error(elevation, two) == 4


def test_planes_take_two_triangles_and_hills_few(fractal):
    row, col = np.mgrid[:40, :50].astype(np.float32)
    faces, reached = simplified(0.5 * col - 0.25 * row, 0.01)
    assert len(faces) == 2
    assert reached < 1e-5
    rough = fractal(128)
    counts = [len(simplified(rough, error)[0]) for error in (1, 4, 16)]
    assert counts[0] > 2 * counts[1] > 6 * counts[2]
    assert counts[0] < 2 * 127 * 127


def test_triangles_face_up_and_cover_the_land_once(fractal):
    faces, _ = simplified(fractal(60, 45), 3)
    row, col = np.divmod(faces, 45)
    ahead, across = np.diff(col, axis=1), np.diff(-row, axis=1)
    area = ahead[:, 0] * across[:, 1] - ahead[:, 1] * across[:, 0]
    assert (area > 0).all()
    assert area.sum() == 2 * 59 * 44


@pytest.mark.parametrize("error", [0, -1, float("nan"), float("inf"), "1"])
def test_an_error_that_is_none_is_refused(error):
    with pytest.raises(DowncutError, match="max_error is"):
        simplified(np.zeros((3, 3), np.float32), error)


def test_levels_are_refused_in_a_sentence():
    with pytest.raises(DowncutError, match="without max_error"):
        write_glb(land(np.zeros((3, 3))), io.BytesIO(), levels=3)
    with pytest.raises(DowncutError, match="1 to 8"):
        write_glb(land(np.zeros((3, 3))), io.BytesIO(), max_error=1, levels=9)


def test_levels_lie_where_the_scene_is_and_only_the_finest_is_shown(tmp_path, fractal):
    terrain = land(fractal(70, 90))
    facts = written(tmp_path / "land.glb", terrain, max_error=1, levels=3)
    model = pygltflib.GLTF2().load(str(tmp_path / "land.glb"))
    assert [node.name for node in model.nodes] == ["land_lod0", "land_lod1", "land_lod2"]
    assert model.scenes[0].nodes == [0]
    assert model.nodes[0].extensions == {"MSFT_lod": {"ids": [1, 2]}}
    assert len({tuple(node.translation) for node in model.nodes}) == 1
    levels = model.nodes[0].extras["levels_of_detail"]
    assert levels == facts["levels_of_detail"] == model.asset.extras["levels_of_detail"]
    for number, level in enumerate(levels):
        primitive = model.meshes[model.nodes[level["node"]].mesh].primitives[0]
        assert model.accessors[primitive.indices].count == 3 * level["triangles"]
        assert level["max_error_m"] == 4**number
        assert level["measured_error_m"] <= level["max_error_m"]
    assert levels[0]["triangles"] > levels[1]["triangles"] > levels[2]["triangles"]
    # A view 60° high shows 2 tan 30° · d metres on 1080 pixels: the error is a pixel there.
    wide = 2 * np.tan(np.radians(30)) * levels[2]["from_distance_m"]
    assert wide / 1080 == pytest.approx(16)
    coverage = model.nodes[0].extras["MSFT_screencoverage"]
    assert coverage == sorted(coverage, reverse=True)
    assert len(coverage) == 3
    mesh = trimesh.load_scene(tmp_path / "land.glb", process=False).to_geometry()
    assert len(mesh.faces) == levels[0]["triangles"]


def test_the_picture_lies_as_the_land_does(tmp_path):
    colour = np.zeros((64, 96, 3), np.uint8)
    colour[:32, :48], colour[:32, 48:] = (200, 0, 0), (0, 200, 0)  # north-west, north-east
    colour[32:, :48], colour[32:, 48:] = (0, 0, 200), (200, 200, 0)
    terrain = Terrain(
        Grid(64, 96, 5.0), {"elevation": np.zeros((64, 96), np.float32), "colour": colour}
    )
    written(tmp_path / "land.glb", terrain, max_error=1)
    (mesh,) = trimesh.load_scene(tmp_path / "land.glb", process=False).geometry.values()
    picture = np.asarray(mesh.visual.material.baseColorTexture.convert("RGB"))
    assert picture.shape == (64, 96, 3)
    east, south = mesh.vertices[:, 0] > 0, mesh.vertices[:, 2] > 0
    # trimesh turns v upside down when it reads glTF.
    rows = ((1 - mesh.visual.uv[:, 1]) * 64).astype(int)
    seen = picture[rows, (mesh.visual.uv[:, 0] * 96).astype(int)]
    expected = np.where(
        south[:, None],
        np.where(east[:, None], (200, 200, 0), (0, 0, 200)),
        np.where(east[:, None], (0, 200, 0), (200, 0, 0)),
    )
    assert len(seen) == 4
    assert np.abs(seen.astype(int) - expected).max() < 12  # JPEG


def test_the_khronos_validator_finds_nothing_wrong(tmp_path, fractal):
    node = shutil.which("node")
    if node is None or not (TOOL.parents[1] / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("needs Node and the packages of web/ (npm ci)")
    cases = {
        "one": ((1, 1), {}), "line": ((1, 9), {}), "least": ((2, 2), {}), "odd": ((5, 8), {}),
        "narrow": ((255, 257), {}), "wide": ((256, 256), {}),
        "reduced": ((64, 48), {"max_error": 2.0}),
        "levels": ((64, 48), {"max_error": 2.0, "levels": 3}),
        "reduced line": ((9, 1), {"max_error": 2.0, "levels": 2}),
    }  # fmt: skip
    names = []
    for name, (shape, options) in cases.items():
        elevation = fractal(*shape) if min(shape) > 1 else np.zeros(shape)
        names.append(str(tmp_path / f"{name}.glb"))
        written(Path(names[-1]), land(elevation), **options)
    done = subprocess.run([node, TOOL, *names], capture_output=True, text=True, check=False)
    reports = json.loads(done.stdout)
    for name in names:
        assert (reports[name]["errors"], reports[name]["warnings"]) == (0, 0), reports[name]
    assert reports[names[4]]["info"]["totalVertexCount"] == 65535
    assert reports[names[5]]["info"]["totalTriangleCount"] == 2 * 255 * 255


def test_the_validator_would_find_what_is_wrong(tmp_path):
    node = shutil.which("node")
    if node is None or not (TOOL.parents[1] / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("needs Node and the packages of web/ (npm ci)")
    path = tmp_path / "land.glb"
    written(path, land(np.zeros((3, 3))))
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<I", data[12:16])
    data[28 + length : 32 + length] = struct.pack("<f", 1e6)  # the first x is outside its bounds
    path.write_bytes(data)
    done = subprocess.run([node, TOOL, path], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)[str(path)]["errors"] > 0
