"""STL, read by trimesh: what a printer's slicer would see."""

import io
import json

import numpy as np
import pytest
import trimesh

from downcut.errors import DowncutError
from downcut.export.save import save
from downcut.export.stl import Printing, write_solid, write_stl
from downcut.grid import Grid
from downcut.terrain import Terrain


def land(elevation, cell_size=10.0, **corner):
    elevation = np.float32(elevation)
    return Terrain(Grid(*elevation.shape, cell_size, **corner), {"elevation": elevation})


def stl(terrain, **options):
    file = io.BytesIO()
    facts = write_stl(terrain, file, **options)
    return file.getvalue(), facts


def mesh(data):
    return trimesh.load_mesh(io.BytesIO(data), file_type="stl")


def prisms(heights, cell):
    """The volume of prisms below triangles that split quads along their shorter diagonal."""
    a, b, d, e = heights[:-1, :-1], heights[:-1, 1:], heights[1:, :-1], heights[1:, 1:]
    diagonal = np.where(np.abs(a - e) <= np.abs(b - d), a + e, b + d)
    return float((a + b + d + e + diagonal).sum() * cell * cell / 6)


@pytest.mark.parametrize(("shape", "triangles"), [((2, 2), 12), ((3, 5), 56), ((64, 48), 12284)])
def test_solids_are_closed_and_enclose_what_the_land_does(shape, triangles):
    elevation = np.random.default_rng(1).uniform(100, 130, shape).astype(np.float32)
    data, facts = stl(land(elevation), bed=150, base=4, exaggeration=2)
    assert len(data) == 84 + 50 * triangles
    assert facts["triangles"] == triangles
    solid = mesh(data)
    assert len(solid.faces) == triangles
    assert solid.is_watertight
    assert solid.is_winding_consistent
    assert solid.euler_number == 2
    cell = 150 / (max(shape) - 1)
    heights = (elevation.astype(np.float64) - elevation.min()) * 2 * cell / 10 + 4
    assert solid.volume == pytest.approx(prisms(heights, cell), rel=1e-6)


def test_the_solid_stands_as_the_land_does():
    elevation = np.zeros((4, 7), np.float32)
    elevation[0, 0], elevation[0, -1], elevation[-1, 0], elevation[-1, -1] = 60, 120, 180, 240
    solid = mesh(stl(land(elevation), bed=60, base=2)[0])  # 1 mm a metre
    np.testing.assert_allclose(solid.bounds, [[0, 0, 0], [60, 30, 242]], rtol=1e-6)
    for x, y, top in ((0, 30, 62), (60, 30, 122), (0, 0, 182), (60, 0, 242)):
        here = solid.vertices[(solid.vertices[:, 0] == x) & (solid.vertices[:, 1] == y)]
        np.testing.assert_allclose(sorted(here[:, 2]), [0, top], rtol=1e-6)
    up = solid.face_normals[:, 2]
    assert ((up > 0.01) | (up < -0.99) | (np.abs(up) < 1e-9)).all()  # top, foot and walls
    assert (up > 0.01).sum() == (up < -0.99).sum() == 2 * 3 * 6


def test_normals_in_the_file_are_those_of_the_triangles():
    data, _ = stl(land(np.random.default_rng(2).uniform(0, 50, (9, 6))))
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    assert not data.startswith(b"solid")  # which would mean text
    found = np.frombuffer(data[84:], record)
    corners = found["corners"].astype(np.float64)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    np.testing.assert_allclose(found["normal"], normal, atol=1e-5)
    assert (found["attribute"] == 0).all()


def test_far_from_the_origin_no_triangle_collapses():
    far = land(
        np.random.default_rng(3).normal(100, 1, (50, 50)), 0.25, row=-18_599_104, col=2_000_000
    )
    assert (far.grid.x[0], far.grid.y[0]) == (500_000.125, 4_649_775.875)
    data, facts = stl(far)
    corners = np.frombuffer(data[84:], np.uint8).reshape(-1, 50)[:, 12:48].copy().view("<f4")
    corners = corners.reshape(-1, 3, 3).astype(np.float64)
    area = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    assert (area > 1e-3).all()  # mm²
    assert mesh(data).is_watertight
    assert facts["scale"] == pytest.approx(49 * 0.25 * 1000 / 200)


def test_scale_and_bed():
    flat = land(np.full((11, 21), 7.0))
    data, facts = stl(flat, scale=2000)
    np.testing.assert_allclose(mesh(data).extents, [100, 50, 3], rtol=1e-6)
    assert (facts["width_mm"], facts["depth_mm"], facts["height_mm"]) == (100, 50, 3)
    with pytest.raises(DowncutError, match="at 1 : 500 the land is 400 mm long and the bed 200 mm"):
        stl(flat, scale=500)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"bed": 0}, "bed is 0: give 1 to 100000 mm"),
        ({"base": -1}, "base is -1"),
        ({"exaggeration": float("nan")}, "exaggeration is nan"),
        ({"scale": 0}, "scale is 0"),
        ({"scale": 1e9}, "at most 200000"),
        ({"bed": "large"}, "bed is 'large'"),
    ],
)
def test_lengths_out_of_reach_are_refused(options, word):
    with pytest.raises(DowncutError, match=word):
        stl(land(np.zeros((3, 21))), **options)


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1)])
def test_a_land_one_cell_wide_is_refused(shape, tmp_path):
    with pytest.raises(DowncutError, match="encloses no volume"):
        save(land(np.zeros(shape)), tmp_path / "land.stl")
    assert list(tmp_path.iterdir()) == []


def test_neighbours_on_two_beds_fit_together():
    elevation = np.random.default_rng(4).uniform(0, 40, (9, 17)).astype(np.float32)
    how = Printing(scale=100, base=3, exaggeration=1, floor=float(elevation.min()))
    edges = []
    for part, side in ((elevation[:, :9], "max"), (elevation[:, 8:], "min")):
        file = io.BytesIO()
        write_solid(land(part), file, how)
        vertices = mesh(file.getvalue()).vertices
        edge = vertices[vertices[:, 0] == getattr(vertices[:, 0], side)()]
        edges.append(edge[np.lexsort(edge.T)][:, 1:])
    np.testing.assert_array_equal(*edges)


def test_the_side_file_says_what_was_printed(tmp_path):
    elevation = np.random.default_rng(5).uniform(300, 340, (6, 8))
    files = save(land(elevation), tmp_path / "land.stl", bed=70, base=2)
    assert [file.name for file in files] == ["land.stl", "land.stl.json"]
    told = json.loads(files[1].read_text("utf-8"))
    assert (told["scale"], told["base_mm"], told["width_mm"]) == (1000, 2, 70)
    # From millimetres back to metres:
    top = mesh(files[0].read_bytes()).bounds[1, 2]
    metres = (top - told["base_mm"]) * told["scale"] / 1000 + told["metres_on_the_base"]
    assert metres == pytest.approx(np.float32(elevation).max(), rel=1e-6)


@pytest.mark.slow
def test_a_land_of_1024_by_1024_is_a_solid(fractal):
    elevation = fractal(1024)
    data, facts = stl(land(elevation))
    solid = mesh(data)
    assert len(solid.faces) == facts["triangles"] == 4 * 1023 * 1023 + 4 * 2046
    assert solid.is_watertight
    assert solid.euler_number == 2
    heights = (elevation.astype(np.float64) - elevation.min()) * 200 / 10230 + 3
    assert solid.volume == pytest.approx(prisms(heights, 200 / 1023), rel=1e-6)
    assert solid.nondegenerate_faces(height=1e-6).all()
