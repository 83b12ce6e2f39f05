"""A world without an edge in a real browser: no holes, steady memory, feet on the ground, links."""

import json
import math
from pathlib import Path

import pytest

import downcut as dc
from downcut.server.worlds import MEMORY


@pytest.mark.parametrize("east", [0, -123_456_789])
def test_there_is_land_wherever_one_looks_down(explore, east):
    page = explore(explore.place(east=east))
    seen = explore.land(page)
    assert (seen.sum(axis=2) > 20).all()
    assert seen.std(axis=(0, 1)).max() > 10
    page.evaluate("() => { downcut.scenery.terrain.mesh.visible = false; }")
    assert not explore.land(page).any()


LEG = """async ([way, steps]) => {
    const { scenery } = downcut;
    for (let k = 0; k < steps; k++) {
        scenery.flight.pose.z -= way / steps;
        scenery.stir();
        await new Promise(requestAnimationFrame);
        await new Promise((done) => setTimeout(done, 25));
    }
    const { geometries, textures } = scenery.renderer.info.memory;
    return { geometries, textures, chunks: scenery.terrain.pool.size, hole: scenery.longestHole };
}"""


def fly(page, way, steps):
    """Fly north for so many metres; what the page holds then."""
    held = page.evaluate(LEG, [way, steps])
    page.wait_for_function("() => downcut.scenery.isResting")  # what is on its way is held too
    devtools = page.context.new_cdp_session(page)
    devtools.send("HeapProfiler.collectGarbage")
    held["heap"] = devtools.send("Runtime.getHeapUsage")["usedSize"]
    devtools.detach()
    return held


@pytest.mark.parametrize(
    ("way", "steps", "legs", "hole"),
    # A machine that runs other tests beside it may be late for a moment: the long flight is strict.
    [(12_000, 40, 2, 3.0), pytest.param(100_000, 400, 4, 0.5, marks=pytest.mark.slow)],
    ids=["36 km", "500 km"],
)
def test_memory_is_steady_in_flight_and_no_place_is_without_land(explore, way, steps, legs, hole):
    page = explore(explore.place(height=400, pitch=-12))
    first = fly(page, way, steps)
    assert first["chunks"] <= 640
    for _ in range(legs):
        now = fly(page, way, steps)
        assert (now["geometries"], now["textures"]) == (first["geometries"], first["textures"])
        assert now["chunks"] <= 640
        assert now["heap"] < 1.1 * first["heap"]
    assert now["hole"] < hole
    flown = -page.evaluate("() => downcut.scenery.flight.pose.z")
    assert flown == pytest.approx((legs + 1) * way, abs=1)


@pytest.mark.slow
def test_500_km_over_the_world_that_ships(explore, monkeypatch, tmp_path):
    """From nothing kept: every province on the way grows while one flies over it."""
    monkeypatch.setattr("downcut.world.world.default_folder", lambda: tmp_path)
    recipe = json.loads(dc.preset("endless").to_json())
    page = explore(explore.place(-20_000, 10_000, 1500, 0, -8), recipe)
    first, served = fly(page, 100_000, 800), resident()
    for _ in range(4):
        now = fly(page, 100_000, 800)
        assert (now["geometries"], now["textures"]) == (first["geometries"], first["textures"])
        assert now["chunks"] <= 640
        assert now["heap"] < 1.1 * first["heap"]
    assert now["hole"] < 0.5
    assert resident() - served < MEMORY + 2**26  # what the world may keep, and some


def resident():
    """Bytes of this process, which serves the land."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_feet_are_on_the_library_s_ground(explore):
    east, north = 1234.0, -517.0
    page = explore(explore.place(east, north, foot="w"))
    eye = page.evaluate("() => downcut.scenery.flight.pose.y")
    col, row = east / 20 - 0.5, -north / 20 - 0.5
    j, i = math.floor(col), math.floor(row)
    heights = dc.World(explore.recipe).window(i, j, 2, 2)["elevation"].astype(float)
    (s, t) = (col - j, row - i)
    ground = (1 - t) * (heights[0] @ (1 - s, s)) + t * (heights[1] @ (1 - s, s))
    assert eye == pytest.approx(max(ground, 0) + 1.8, abs=1e-3)
    page.keyboard.down("w")
    page.wait_for_function("() => downcut.scenery.flight.pose.z !== 517")
    page.keyboard.up("w")
    page.wait_for_timeout(500)
    above = page.evaluate(
        """() => {
            const { pose } = downcut.scenery.flight;
            const { ground, water } = downcut.scenery.below(pose.x, pose.z);
            return pose.y - Math.max(ground, water);
        }"""
    )
    assert above == pytest.approx(1.8, abs=1e-6)


def test_a_link_is_a_place_and_a_look(explore, studio, land):
    page = explore()
    page.evaluate(
        """() => downcut.scenery.jump({ x: 321.5, z: -77.25, y: 640, heading: 71.5, pitch: -20,
                                        walking: false })"""
    )
    page.wait_for_function("() => location.hash.endsWith('@321.5,77.25,640,71.5,-20')")
    again = explore(page.evaluate("() => location.hash.slice(location.hash.indexOf('@'))"))
    pose = again.evaluate("() => downcut.scenery.flight.pose")
    assert pose == {"x": 321.5, "z": -77.25, "y": 640, "heading": 71.5, "pitch": -20,
                    "walking": False}  # fmt: skip
    back = again.get_attribute(".above a", "href")
    assert back == f"./#{land.fragment(explore.recipe)}"


def test_a_click_on_the_map_goes_there(explore):
    page = explore(explore.place())
    page.click(".minimap", position={"x": 100, "y": 12})
    pose = page.evaluate("() => downcut.scenery.flight.pose")
    assert pose["x"] > 500
    assert pose["z"] < -500


def test_a_recipe_that_makes_no_world_is_told_why_and_what_to_use(explore):
    steps = [*explore.recipe["steps"], {"op": "erosion.stream_power"}]
    page = explore(recipe={**explore.recipe, "steps": steps}, ready="[role=alert]")
    assert "fields.continents" in page.inner_text("[role=alert]")


def test_the_studio_leads_there_and_back(open_studio, explore):
    recipe = {**explore.recipe, "grid": {"ny": 32, "nx": 32, "cell_size": 40}}
    page = open_studio(recipe, viewport={"width": 1280, "height": 480}, expected=explore.excused)
    page.click(".bar button:has-text('Explore'):visible")
    page.wait_for_selector(".minimap")
    page.wait_for_function("() => window.downcut?.scenery")
    page.click(".above a")
    page.wait_for_selector(".status[data-checksum]", state="attached")
