"""The web's GLB in three.js, read as README.txt says."""

from pathlib import Path

import numpy as np
import pytest

import downcut as dc
from downcut.export import targets
from downcut.export.files import Delivery
from downcut.export.targets.target import Plan
from downcut.terrain import Terrain

THREE = Path(__file__).parents[2] / "web" / "node_modules" / "three"

PAGE = """<!doctype html>
<script type="importmap">
{"imports": {"three": "./three/build/three.module.js", "loaders/": "./three/examples/jsm/loaders/"}}
</script>
<script type="module">
import * as THREE from "three";
import { GLTFLoader } from "loaders/GLTFLoader.js";
const gltf = await new GLTFLoader().loadAsync("land.glb");
const levels = gltf.scene.children[0].userData.levels_of_detail;
const shown = gltf.scene.children.map((node) => node.name);
const lod = new THREE.LOD();
for (const level of levels)
  lod.addLevel(await gltf.parser.getDependency("node", level.node), level.from_distance_m);
const camera = new THREE.PerspectiveCamera(60, 1, 1, 1e7);
lod.updateMatrixWorld(true);
window.found = {
  shown, levels, digest: gltf.asset.extras.digest,
  triangles: lod.levels.map((level) => level.object.geometry.index.count / 3),
  picture: levels.map((_, n) => lod.levels[n].object.material.map.image.width),
  at(distance) {
    camera.position.set(0, distance, 0);
    camera.updateMatrixWorld();
    lod.update(camera);
    return lod.levels.findIndex((level) => level.object.visible);
  },
  height(level, x, z) {
    const ray = new THREE.Raycaster(new THREE.Vector3(x, 1e4, z), new THREE.Vector3(0, -1, 0));
    const hits = ray.intersectObject(lod.levels[level].object);
    return hits.length ? hits[0].point.y : null;
  },
};
</script>
"""


@pytest.fixture
def opened(chrome, serve, tmp_path, fractal):
    """A page that holds the land, and the land."""
    if not THREE.is_dir():
        pytest.skip("needs the packages of web/ (npm ci)")
    heights = fractal(48, 64, relief=300) + np.float32(500)
    land = Terrain(dc.Grid(48, 64, 10.0), {"elevation": heights})
    target = targets.by_name("web")
    with Delivery() as delivery:
        target.write(land, Plan("land", options=target.chosen({})), delivery, tmp_path)
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    (tmp_path / "three").symlink_to(THREE)
    page = chrome.new_page()
    page.goto(serve(tmp_path))
    page.wait_for_function("window.found", timeout=60_000)
    yield page, land
    page.close()


def test_three_shows_the_finest_level_and_finds_the_others_by_distance(opened):
    page, _ = opened
    found = page.evaluate("({...window.found})")
    assert found["shown"] == ["land_lod0"]
    levels = found["levels"]
    assert found["triangles"] == [level["triangles"] for level in levels]
    assert found["picture"] == [64] * len(levels)
    for number, level in enumerate(levels):
        if number:
            assert page.evaluate(f"found.at({level['from_distance_m'] * 0.99})") == number - 1
        assert page.evaluate(f"found.at({level['from_distance_m'] * 1.01})") == number


def test_three_meets_the_land_at_its_corners_in_every_level(opened):
    page, land = opened
    grid, heights = land.grid, land["elevation"]
    for number, level in enumerate(page.evaluate("found.levels")):
        for row, col in ((0, 0), (0, 63), (47, 0), (47, 63), (20, 30)):
            x, z = grid.x[col] * (1 - 1e-6), -grid.y[row] * (1 - 1e-6)
            met = page.evaluate(f"found.height({number}, {x}, {z})")
            off = 0.01 if (row, col) != (20, 30) else level["max_error_m"] + 0.01
            assert abs(met - heights[row, col]) <= off
