"""OBJ, read by trimesh and line by line."""

import io

import numpy as np
import pytest
import trimesh

from downcut.export.obj import lines, numbers, write_obj
from downcut.export.save import save
from downcut.grid import Grid
from downcut.terrain import Terrain


def written(elevation, cell_size=10.0, grid=None, options=None, **layers):
    elevation = np.float32(elevation)
    grid = grid or Grid(*elevation.shape, cell_size)
    file = io.BytesIO()
    facts = write_obj(Terrain(grid, {"elevation": elevation, **layers}), file, **(options or {}))
    return file.getvalue().decode("ascii"), facts, grid


def read(text):
    return trimesh.load_mesh(io.StringIO(text), file_type="obj", process=False)


@pytest.mark.parametrize("cell_size", [0.01, 1, 30])
def test_vertices_lie_where_cells_do_and_triangles_face_up(cell_size):
    elevation = np.random.default_rng(1).uniform(-50, 900, (6, 9)) * cell_size
    text, facts, grid = written(elevation, cell_size)
    mesh = read(text)
    east, north, up = facts["origin_east_north_up_m"]
    x, y = np.meshgrid(grid.x, grid.y)
    off = max(cell_size * 1e-3, 1e-3) / 2 * 1.01 if cell_size >= 1 else cell_size * 1e-3
    np.testing.assert_allclose(mesh.vertices[:, 0] + east, x.ravel(), atol=off)
    np.testing.assert_allclose(mesh.vertices[:, 1] + up, elevation.ravel(), atol=off + 1e-4)
    np.testing.assert_allclose(mesh.vertices[:, 2] - north, -y.ravel(), atol=off)
    assert len(mesh.faces) == 2 * 5 * 8
    assert (mesh.face_normals[:, 1] > 0).all()
    assert facts["triangles"] == 80


def test_names_of_vertices_begin_with_1():
    text, *_ = written(np.zeros((3, 4)))
    used = {
        int(name) for line in text.splitlines() if line[:2] == "f " for name in line.split()[1:]
    }
    assert used == set(range(1, 13))
    assert "Y up" in text
    assert "metres" in text


def test_colours_stand_behind_places():
    colour = np.random.default_rng(2).integers(0, 256, (3, 4, 3), dtype=np.uint8)
    text, *_ = written(np.zeros((3, 4)), colour=colour)
    rows = [line.split()[1:] for line in text.splitlines() if line[:2] == "v "]
    found = np.array(rows, float)[:, 3:]
    np.testing.assert_allclose(found, colour.reshape(-1, 3) / 255, atol=0.006)


def test_far_from_the_origin_no_two_vertices_merge():
    far = Grid(50, 50, 0.25, row=-18_599_104, col=2_000_000)
    text, facts, _ = written(np.random.default_rng(3).normal(size=(50, 50)), grid=far)
    mesh = read(text)
    assert len(np.unique(mesh.vertices[:, [0, 2]], axis=0)) == 2500
    assert (mesh.area_faces > 0.01).all()
    assert facts["origin_east_north_up_m"][:2] == [500_006.25, 4_649_769.75]


def test_fewer_triangles_within_an_error(fractal):
    text, facts, _ = written(fractal(40, 60), options={"max_error": 15.0})
    assert facts["measured_error_m"] <= 15
    mesh = read(text)
    assert len(mesh.faces) == facts["triangles"] < 2 * 39 * 59 / 2
    assert (mesh.area_faces * mesh.face_normals[:, 1]).sum() == pytest.approx(390 * 590)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1)])
def test_a_land_one_cell_wide_is_points(shape):
    text, *_ = written(np.full(shape, 21.0))
    assert text.count("\nv ") == text.count("\np ") == max(shape)
    assert "\nf " not in text


def test_the_side_file_comes_along(tmp_path):
    land = Terrain(Grid(2, 3), {"elevation": np.zeros((2, 3), np.float32)})
    assert [f.name for f in save(land, tmp_path / "a.obj")] == ["a.obj", "a.obj.json"]


def test_numbers_are_those_of_python():
    values = np.array([0, 0.04, -0.04, -0.06, 0.96, 9.96, 10, -123.45, 1e6, 99999.97])
    text = lines(b"v", [numbers(values, 1)]).decode().splitlines()
    rounded = [f"v {value + 0.0:.1f}" for value in np.rint(values * 10) / 10]
    assert text == rounded
