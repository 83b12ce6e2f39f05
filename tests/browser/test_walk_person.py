"""The girl in the glade, as whoever sits before the page meets her."""

import json

import numpy as np
import pytest

import downcut as dc
from downcut.walking.deliver import deliver
from downcut.walking.window import suited, walk

LITTLE = "blades=200&leaves=0.02&shadow=0&samples=0&fine=0"
CLEARANCE, RADIUS, PACE = 4.4, 26, 2.6


@pytest.fixture(scope="module")
def glade(tmp_path_factory, serve):
    folder = tmp_path_factory.mktemp("walk") / "glade"
    deliver(walk(dc.generate(suited(dc.preset("glade")))), folder)
    return folder, serve(folder)


@pytest.fixture(scope="module")
def page(chrome, glade):
    """One page for all who change nothing but where she is."""
    context = chrome.new_context(viewport={"width": 600, "height": 420}, has_touch=True)
    page = context.new_page()
    complaints = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{glade[1]}?still&{LITTLE}", wait_until="commit")
    page.wait_for_selector("[data-ready]", state="attached", timeout=60_000)
    yield page
    context.close()
    assert not complaints


def middle_of_stream(z):
    return 8 + 2.6 * np.sin(0.045 * z) + 1.3 * np.sin(0.11 * z + 1.3)


def to_stream(x, z):
    """Metres from a place to the stream's line."""
    along = z + np.linspace(-15, 15, 6001)
    return np.hypot(x - middle_of_stream(along), z - along).min()


def take(page, x, z, heading):
    page.evaluate("at => walker.take(at)", {"x": x, "z": z, "heading": heading})


def wait(page, seconds):
    """Let her go on for so long, once all clicks have come to the page, and tell where she is."""
    return page.evaluate(
        """seconds => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
            walk.pass(seconds);
            done([walk.focus.x, walk.focus.z]);
        })))""",
        seconds,
    )


def seen_at(page, x, z):
    """Where a place of the ground is on the page [px], once nothing is left to draw."""
    page.wait_for_selector("[data-ready]", state="attached")
    return page.evaluate(
        """([x, z]) => {
            walk.camera.updateMatrixWorld();
            const place = walk.focus.clone().set(x, walk.ground.height(x, z), z);
            place.project(walk.camera);
            return [(place.x + 1) / 2 * innerWidth, (1 - place.y) / 2 * innerHeight];
        }""",
        [x, z],
    )


def test_a_click_takes_her_there_and_she_stops(page):
    take(page, 0, 8, 0)
    page.mouse.click(*seen_at(page, -1, 2))
    on_the_way = wait(page, 1)
    assert np.hypot(on_the_way[0], on_the_way[1] - 8) == pytest.approx(PACE, abs=0.1)
    there = wait(page, 4)
    assert there == pytest.approx([-1, 2], abs=0.15)
    assert wait(page, 2) == there


def test_a_tap_does_too(page):
    take(page, 0, 8, 0)
    page.touchscreen.tap(*seen_at(page, 1, 3))
    assert wait(page, 5) == pytest.approx([1, 3], abs=0.15)


def test_a_click_across_the_stream_stops_at_the_near_bank(page):
    take(page, 0, 4, 90)
    page.mouse.click(*seen_at(page, 15, 4))
    x, z = wait(page, 12)
    assert x < middle_of_stream(z)
    assert CLEARANCE - 0.05 < to_stream(x, z) < CLEARANCE + 0.2


def test_a_click_outside_the_circle_ends_on_it(page):
    take(page, -18, 0, 270)
    page.mouse.click(*seen_at(page, -36, 3))
    assert np.hypot(*wait(page, 12)) == pytest.approx(RADIUS, abs=0.05)


def test_a_drag_looks_round_and_walks_nowhere(page):
    take(page, 0, 8, 0)
    x, y = seen_at(page, 0, 2)
    before = page.evaluate("walk.camera.position.toArray()")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y, steps=4)
    page.mouse.up()
    assert wait(page, 1) == [0, 8]
    assert np.abs(np.subtract(page.evaluate("walk.camera.position.toArray()"), before)).max() > 0.5


def test_a_long_press_walks_nowhere(page):
    take(page, 0, 8, 0)
    page.mouse.click(*seen_at(page, 0, 2), delay=900)
    assert wait(page, 1) == [0, 8]


@pytest.mark.parametrize(("key", "east", "north"), [("w", 0, 1), ("ArrowRight", 1, 0)])
def test_keys_walk_as_the_camera_looks(page, key, east, north):
    take(page, 0, 8, 0)
    page.keyboard.down(key)
    x, z = wait(page, 1)
    page.keyboard.up(key)
    assert [x, 8 - z] == pytest.approx([PACE * east, PACE * north], abs=0.2)
    assert wait(page, 1) == [x, z]


def test_v_sees_with_her_eyes_and_v_comes_back(page):
    take(page, 0, 8, 0)
    page.keyboard.press("v")
    wait(page, 0.1)
    eye = page.evaluate("walk.camera.position.clone().sub(walk.focus).toArray()")
    assert eye == pytest.approx([0, 1.25, 0], abs=0.1)
    assert not page.evaluate("walker.girl.figure.visible")
    page.keyboard.press("v")
    wait(page, 0.1)
    assert page.evaluate("walk.camera.position.distanceTo(walk.focus)") > 3
    assert page.evaluate("walker.girl.figure.visible")


def test_a_place_of_the_list_is_gone_to(page, glade):
    there = json.loads((glade[0] / "walk.json").read_text())["viewpoints"][1]
    page.get_by_label("Take me to").select_option(label=there["name"])
    assert wait(page, 0.1) == pytest.approx([there["x"], there["z"]])


def heights(folder, x, z):
    """Heights of the delivered ground, each square cut from north-east to south-west."""
    about = json.loads((folder / "walk.json").read_text())
    content = (folder / about["layers"]["elevation"]["file"]).read_bytes()
    begin = 4 + int.from_bytes(content[:4], "little")
    ny, nx, cell = (about["grid"][name] for name in ("ny", "nx", "cell_size"))
    land = np.frombuffer(content, "<f4", offset=begin).reshape(ny, nx).astype(float)
    col, row = x / cell + (nx - 1) / 2, z / cell + (ny - 1) / 2
    c, r = np.floor(col).astype(int), np.floor(row).astype(int)
    east, south = col - c, row - r
    nw, ne, sw, se = land[r, c], land[r, c + 1], land[r + 1, c], land[r + 1, c + 1]
    upper = nw + east * (ne - nw) + south * (sw - nw)
    lower = se + (1 - east) * (sw - se) + (1 - south) * (ne - se)
    return np.where(east + south <= 1, upper, lower)


SOLES = """
() => {
    const { figure } = walker.girl;
    figure.updateMatrixWorld(true);
    let lowest = Infinity;
    figure.traverse(part => {
        const places = part.geometry?.attributes.position;
        const place = walk.focus.clone();
        for (let k = 0; k < (places?.count ?? 0); k++) {
            place.fromBufferAttribute(places, k).applyMatrix4(part.matrixWorld);
            lowest = Math.min(lowest, place.y);
        }
    });
    return lowest;
}"""


def test_her_feet_are_on_the_ground_at_200_places(page, glade):
    chance = np.random.default_rng(5)
    turns, far = chance.uniform(0, 2 * np.pi, 200), 25 * np.sqrt(chance.uniform(0, 1, 200))
    x, z = far * np.cos(turns), far * np.sin(turns)
    soles = page.evaluate(
        f"""places => places.map(([x, z]) => {{
            walker.stand({{ x, z, heading: 0 }});
            return ({SOLES})();
        }})""",
        np.column_stack([x, z]).tolist(),
    )
    assert np.abs(soles - heights(glade[0], x, z)).max() < 0.01


def test_a_foot_is_on_the_ground_whenever_she_walks(page):
    take(page, 0, 8, 0)
    page.evaluate("walker.go(-6, -6)")
    gaps = page.evaluate(
        f"""() => Array.from({{ length: 60 }}, () => {{
            walk.pass(0.05);
            return ({SOLES})() - walk.focus.y;
        }})"""
    )
    assert np.abs(gaps).max() < 0.025


def instances(page, name):
    """Places of an instanced mesh, (n, 3) [m]."""
    return np.array(
        page.evaluate(
            """name => {
                const { count, instanceMatrix } = walk.scene.getObjectByName(name);
                return Array.from({ length: count }, (_, k) =>
                    Array.from(instanceMatrix.array.slice(16 * k + 12, 16 * k + 15)));
            }""",
            name,
        )
    )


def test_fish_swim_in_water_and_butterflies_over_the_meadow(page, glade):
    take(page, 0, 8, 0)
    moved = []
    for _ in range(12):
        wait(page, 1.7)
        fish, butterflies = instances(page, "fish"), instances(page, "butterflies")
        assert len(fish) == 10
        assert len(butterflies) == 2 * 6
        assert max(to_stream(x, z) for x, _, z in fish) < 2
        bed = heights(glade[0], fish[:, 0], fish[:, 2])
        assert (fish[:, 1] > bed + 0.1).all()
        assert (fish[:, 1] < -0.1).all()
        ground = heights(glade[0], butterflies[:, 0], butterflies[:, 2])
        assert (butterflies[:, 1] > ground + 0.8).all()
        moved.append(fish)
    assert np.abs(np.diff(moved, axis=0)).max(axis=(0, 2)).min() > 0.2, "each of them swims"


def test_an_idle_camera_goes_round_until_the_first_click_for_good(visit, glade):
    page = visit(f"{glade[1]}?{LITTLE}")
    turn = "() => { walk.pass(1); return walk.controls.getAzimuthalAngle(); }"
    assert page.evaluate(turn) != page.evaluate(turn)
    page.mouse.click(300, 300)
    page.wait_for_timeout(100)
    assert not page.evaluate("walk.controls.autoRotate")
    _rests_while_hidden(page)


def _rests_while_hidden(page):
    """In a tab that nobody sees nothing ticks; when it is seen again, it goes on."""
    page.evaluate("""() => {
        window.ticks = 0;
        walk.add({ tick() { ticks++; }, dispose() {} });
        Object.defineProperty(document, "hidden", { get: () => window.away, configurable: true });
        window.away = true;
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    page.wait_for_timeout(100)
    before = page.evaluate("ticks")
    page.wait_for_timeout(500)
    assert page.evaluate("ticks") == before
    page.evaluate("away = false; document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("before => ticks > before", arg=before)


def test_less_motion_has_no_idle_orbit(visit, glade):
    page = visit(f"{glade[1]}?{LITTLE}", reduced_motion="reduce")
    turn = "() => { walk.pass(1); return walk.controls.getAzimuthalAngle(); }"
    assert page.evaluate(turn) == page.evaluate(turn)
