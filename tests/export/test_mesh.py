"""The GLB, read by trimesh and by pygltflib."""

import json
import struct

import numpy as np
import pygltflib
import pytest
import trimesh

from downcut.export.mesh import triangles
from downcut.export.save import save
from downcut.grid import Grid
from downcut.shading import to_linear
from downcut.terrain import Terrain


def saved(tmp_path, elevation, grid=None, **layers):
    elevation = np.asarray(elevation, np.float32)
    grid = grid or Grid(*elevation.shape, 10.0)
    (path,) = save(Terrain(grid, {"elevation": elevation, **layers}), tmp_path / "land.glb")
    return path, grid


def world_mesh(path):
    """The mesh with its node's place applied."""
    return trimesh.load_scene(path, process=False).to_geometry()


def test_every_vertex_lies_where_its_cell_does(tmp_path):
    elevation = np.random.default_rng(1).uniform(100, 900, (6, 9)).astype(np.float32)
    path, grid = saved(tmp_path, elevation)
    vertices = world_mesh(path).vertices
    x, y = np.meshgrid(grid.x, grid.y)
    np.testing.assert_allclose(vertices[:, 0], x.ravel(), atol=1e-9)
    np.testing.assert_allclose(vertices[:, 1], elevation.ravel(), atol=1e-4)
    np.testing.assert_allclose(vertices[:, 2], -y.ravel(), atol=1e-9)


def test_triangles_face_up_and_cover_the_land_once(tmp_path):
    elevation = np.random.default_rng(2).normal(size=(7, 8)) * 20
    mesh = world_mesh(saved(tmp_path, elevation)[0])
    assert len(mesh.faces) == 2 * 6 * 7
    corners = mesh.vertices[mesh.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (normal[:, 1] > 0).all()
    assert normal[:, 1].sum() / 2 == pytest.approx(60 * 70)  # the map's area, seen from above
    assert mesh.is_winding_consistent


def test_quads_split_along_the_shorter_diagonal():
    ridge = np.float32([[0, 9], [9, 5]])  # the 9s are joined: one edge along the ridge
    assert {1, 2} in [set(face) for face in _edges(triangles(ridge))]
    assert {0, 3} in [set(face) for face in _edges(triangles(ridge[:, ::-1]))]


def _edges(indices):
    faces = indices.reshape(-1, 3)
    return [edge for a, b, c in faces.tolist() for edge in ((a, b), (b, c), (c, a))]


@pytest.mark.parametrize(("shape", "kind"), [((255, 257), np.uint16), ((256, 256), np.uint32)])
def test_indices_are_as_wide_as_they_must_be(shape, kind):
    indices = triangles(np.zeros(shape, np.float32))
    assert indices.dtype == kind
    assert indices.max() == shape[0] * shape[1] - 1


def test_normals_are_smooth_and_those_of_the_ground(tmp_path):
    row, col = np.mgrid[0:5, 0:6]
    model = pygltflib.GLTF2().load(str(saved(tmp_path, 10 * (0.5 * col - 0.25 * row))[0]))
    normals = accessor(model, model.meshes[0].primitives[0].attributes.NORMAL)
    expected = np.array([-0.5, 1, 0.25]) / np.sqrt(1.3125)  # north is −Z
    np.testing.assert_allclose(normals, np.broadcast_to(expected, normals.shape), atol=1e-6)


def accessor(model, number):
    """The array behind an accessor, read by the format's own rules."""
    it = model.accessors[number]
    view = model.bufferViews[it.bufferView]
    kind = {5126: "<f4", 5125: "<u4", 5123: "<u2"}[it.componentType]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[it.type]
    data = model.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    return np.frombuffer(data, kind).reshape(it.count, width)


def test_colours_are_linear_light_of_the_colour_layer(tmp_path):
    colour = np.random.default_rng(3).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    model = pygltflib.GLTF2().load(str(saved(tmp_path, np.zeros((4, 5)), colour=colour)[0]))
    primitive = model.meshes[0].primitives[0]
    vertices = accessor(model, primitive.attributes.COLOR_0)
    assert model.accessors[primitive.attributes.COLOR_0].normalized is True
    np.testing.assert_allclose(
        vertices[:, :3] / 65535, to_linear(colour).reshape(-1, 3), atol=1 / 65535
    )
    assert (vertices[:, 3] == 65535).all()


def test_far_from_the_origin_no_two_vertices_merge(tmp_path):
    grid = Grid(50, 50, 0.25, row=-18_599_104, col=2_000_000)
    elevation = np.random.default_rng(4).normal(size=(50, 50))
    path, _ = saved(tmp_path, elevation, grid)
    model = pygltflib.GLTF2().load(str(path))
    positions = accessor(model, 0)
    assert len(np.unique(positions[:, [0, 2]], axis=0)) == 2500
    place = model.nodes[0].translation
    np.testing.assert_allclose(positions[:, 0] + place[0], np.tile(grid.x, 50), atol=1e-6)
    np.testing.assert_allclose(positions[:, 2] + place[2], -np.repeat(grid.y, 50), atol=1e-6)


def test_the_container_follows_the_format(tmp_path):
    path, _ = saved(tmp_path, np.random.default_rng(5).normal(size=(5, 7)))
    data = path.read_bytes()
    magic, version, total, length, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, total, kind) == (b"glTF", 2, len(data), b"JSON")
    assert length % 4 == 0
    content = json.loads(data[20 : 20 + length])
    size, tag = struct.unpack("<I4s", data[20 + length : 28 + length])
    assert (tag, size % 4) == (b"BIN\0", 0)
    assert size == content["buffers"][0]["byteLength"] == len(data) - 28 - length
    for view in content["bufferViews"]:
        assert view.get("byteOffset", 0) % 4 == 0
    model = pygltflib.GLTF2().load(str(path))
    positions = accessor(model, 0)
    assert content["accessors"][0]["min"] == positions.min(axis=0).tolist()
    assert content["accessors"][0]["max"] == positions.max(axis=0).tolist()
    assert content["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"] == 0.95
    assert content["asset"]["extras"]["generator"] == "downcut"


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (1, 64)])
def test_a_land_one_cell_wide_is_points(shape, tmp_path):
    path, _ = saved(tmp_path, np.zeros(shape))
    primitive = pygltflib.GLTF2().load(str(path)).meshes[0].primitives[0]
    assert primitive.mode == pygltflib.POINTS
    assert primitive.indices is None


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 64)])
def test_small_and_constant_lands_are_flat_meshes(shape, tmp_path):
    mesh = world_mesh(saved(tmp_path, np.full(shape, 21.0))[0])
    assert len(mesh.faces) == 2 * (shape[0] - 1) * (shape[1] - 1)
    assert (mesh.vertices[:, 1] == 21.0).all()
