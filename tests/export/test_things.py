"""What stands on the land in files: points for GIS, instances and nodes of glTF."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pygltflib
import pyogrio
import pytest
import shapely
import trimesh

import downcut as dc
from downcut.errors import DowncutError
from downcut.export.save import save
from downcut.export.walk import SIZE
from downcut.features import KINDS

TOOL = Path(__file__).parents[2] / "web" / "tools" / "validate-gltf.mjs"
THINGS = [
    {"kind": "tree", "spacing": 9, "cover": 1, "patchiness": 0},
    {"kind": "stone", "spacing": 14, "cover": 1, "patchiness": 0, "steepest": 90},
]


@pytest.fixture(scope="module")
def wood():
    return dc.generate({
        "grid": {"ny": 40, "nx": 50, "cell_size": 3},
        "seed": "2",
        "steps": [
            {"op": "fields.fbm", "wavelength": 90, "amplitude": 15, "offset": 200},
            {"op": "surface.scatter", "things": THINGS},
        ],
    })  # fmt: skip


def instances(path):
    """Each group's places in the world, east, up and south, and its scales."""
    model = pygltflib.GLTF2().load(path)
    found = {}

    def array(number):
        accessor = model.accessors[number]
        view = model.bufferViews[accessor.bufferView]
        width = {"VEC3": 3, "VEC4": 4}[accessor.type]
        data = np.frombuffer(model.binary_blob(), "<f4", accessor.count * width, view.byteOffset)
        return data.reshape(-1, width)

    for node in model.nodes:
        named = (node.extensions or {}).get("EXT_mesh_gpu_instancing")
        if named:
            told = named["attributes"]
            places = array(told["TRANSLATION"]) + node.translation
            found[node.name] = (places, array(told["SCALE"]), array(told["ROTATION"]))
    return model, found


def test_instances_stand_where_the_table_says(wood, tmp_path):
    path = save(wood, tmp_path / "wood.glb", plants="instances")[0]
    model, found = instances(path)
    assert model.extensionsRequired == ["EXT_mesh_gpu_instancing"]
    assert set(found) <= {"tree_broadleaf", "tree_conifer", "tree_birch", "stone"}
    plants, stones = wood.features["plants"], wood.features["stones"]
    trees = np.concatenate([places for name, (places, *_) in found.items() if name != "stone"])
    expected = np.stack([plants["x"], plants["elevation"], -plants["y"]], axis=1)
    assert len(trees) == len(plants) > 50
    np.testing.assert_allclose(
        trees[np.lexsort(trees.T)], expected[np.lexsort(expected.T)], atol=1e-3
    )
    _, scale, turn = found["stone"]
    np.testing.assert_allclose(scale[:, 1], stones["scale"] * SIZE["stone"], rtol=1e-6)
    np.testing.assert_allclose(2 * np.arctan2(turn[:, 1], turn[:, 3]), stones["turn"], atol=1e-5)
    np.testing.assert_allclose((turn**2).sum(axis=1), 1, atol=1e-6)


def test_nodes_are_meshes_of_the_right_height_on_the_ground(wood, tmp_path):
    path = save(wood, tmp_path / "wood.glb", plants="nodes")[0]
    scene = trimesh.load_scene(path, process=False)
    stones = wood.features["stones"]
    placed = [scene.graph.get(name) for name in scene.graph.nodes_geometry]
    mine = [place for place, mesh in placed if mesh.startswith("stone")]
    assert len(mine) == len(stones) > 20
    box = scene.geometry["stone"].bounds
    assert box[0][1] == 0
    assert box[1][1] == 1
    heights = sorted(place[1][1] for place in mine)
    np.testing.assert_allclose(heights, np.sort(stones["scale"] * SIZE["stone"]), rtol=1e-5)
    ups = sorted(place[1][3] for place in mine)
    np.testing.assert_allclose(ups, np.sort(stones["elevation"]), atol=1e-3)


def test_faces_look_outward(wood, tmp_path):
    scene = trimesh.load_scene(save(wood, tmp_path / "a.glb", plants="nodes")[0], process=False)
    for name in ("stone", "tree_broadleaf"):
        mesh = scene.geometry[name]
        middle = np.array([0, 0.5, 0])
        away = ((mesh.triangles_center - middle) * mesh.face_normals).sum(axis=1)
        sides = mesh.area_faces > 1e-6
        assert (away[sides & (np.abs(mesh.face_normals[:, 1]) < 0.5)] > 0).all()
        assert (mesh.vertex_normals[:, 0] * mesh.vertices[:, 0] > -1e-6).all()


def test_the_khronos_validator_finds_nothing_wrong_with_things(wood, tmp_path):
    node = shutil.which("node")
    if node is None or not (TOOL.parents[1] / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("needs Node and the packages of web/ (npm ci)")
    names = [
        str(save(wood, tmp_path / f"{way}.glb", plants=way)[0]) for way in ("instances", "nodes")
    ]
    done = subprocess.run([node, TOOL, *names], capture_output=True, text=True, check=False)
    for name, report in json.loads(done.stdout).items():
        assert (report["errors"], report["warnings"]) == (0, 0), (name, report["messages"])


def test_what_cannot_be_written_is_refused(wood, tmp_path):
    bare = dc.generate(dc.preset("sine-hills", size=32))
    with pytest.raises(DowncutError, match=r"nothing stands on this land: add surface\.scatter"):
        save(bare, tmp_path / "bare.glb", plants="instances")
    with pytest.raises(DowncutError, match="plants is 'some': give none, instances, nodes"):
        save(wood, tmp_path / "wood.glb", plants="some")
    glade = dc.generate(dc.preset("glade", size=64))
    with pytest.raises(DowncutError, match="things stand on this land and as nodes 20,000"):
        save(glade, tmp_path / "glade.glb", plants="nodes")
    assert not list(tmp_path.iterdir())


def test_gis_reads_each_thing_as_a_point_of_its_kind(wood, tmp_path):
    path = save(wood, tmp_path / "wood.gpkg")[0]
    assert sorted(pyogrio.list_layers(path)[:, 0]) == ["plants", "stones"]
    table = wood.features["plants"]
    _, _, shapes, columns = pyogrio.raw.read(path, layer="plants")
    found = dict(zip(pyogrio.read_info(path, layer="plants")["fields"], columns, strict=True))
    points = shapely.from_wkb(shapes)
    np.testing.assert_array_equal(shapely.get_x(points), table["x"])
    assert set(found["kind"]) == {"tree"}
    np.testing.assert_allclose(found["elevation_m"], table["elevation"])
    content = json.loads(save(wood, tmp_path / "stones.geojson")[0].read_text())
    assert {f["properties"]["kind"] for f in content["features"]} == {"stone"}
    assert len(content["features"]) == len(wood.features["stones"])


def test_every_kind_has_a_shape_and_a_size():
    from downcut.export.things import SHAPES

    assert {kind for kind, _ in SHAPES} == set(KINDS) == set(SIZE)
