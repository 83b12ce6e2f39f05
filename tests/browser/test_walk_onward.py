"""Walking on: from window to window of a land, to its edge, and without one."""

import numpy as np
import pytest

LITTLE = "still&blades=900&leaves=0.02&shadow=0&samples=0&fine=0"
VIEW = {"width": 240, "height": 160}
EXTENT, RUN = 256, 7.8
HILLS = {
    "title": "Hills",
    "grid": {"ny": 32, "nx": 32, "cell_size": 12},
    "seed": "5",
    "steps": [{"op": "fields.fbm", "wavelength": 500, "amplitude": 12, "offset": 12}],
}
BOUNDED = HILLS | {
    "steps": [*HILLS["steps"], {"op": "fields.sines", "amplitude": 1, "blend": "add"}]
}
AWAY = (-40_000, 9000)
"""Metres east and north: a world's places may be negative, and far from its middle."""


@pytest.fixture(scope="module")
def endless(studio_with):
    return studio_with(HILLS)


@pytest.fixture
def walk_at(visit):
    """walk_at(studio, east, north) opens a window of its land about a place."""

    def open_page(studio, east, north, more="", **options):
        land = f"/api/walk/opened/{east},{north},{EXTENT}/walk.json"
        address = f"{studio.address}walk/?land={land}&{LITTLE}{more}"
        name = f"downcut-{studio.port}"
        where = {"domain": "127.0.0.1", "path": "/", "expires": -1, "secure": False}
        key = {"name": name, "value": studio.token, "httpOnly": True, "sameSite": "Strict", **where}
        kept = {"cookies": [key], "origins": []}
        page = visit(address, viewport=VIEW, storage_state=kept, **options)
        page.evaluate("walk.post.render = () => {}")  # a picture takes a processor seconds
        return page

    return open_page


KINDS = ["grass", "tree", "bush", "flower", "stone"]
STANDING = """
kinds => {
    // What stands within 30 m of her: kinds, places, sizes, turns.
    const found = [];
    walk.scene.traverse(mesh => {
        const kind = kinds.indexOf(mesh.name.split(/[ ,]/)[0]);
        if (kind < 0 || !mesh.instanceMatrix || !mesh.visible) return;
        for (let k = 0; k < mesh.count; k++) {
            const row = Array.from(mesh.instanceMatrix.array.slice(16 * k, 16 * k + 16));
            const [x, z] = [row[12] - walk.focus.x, row[14] - walk.focus.z];
            const far = Math.hypot(x, z);
            if (row[5] !== 0 && far < 30) found.push([kind, ...row, far]);
        }
    });
    return found;
}"""
NEXT = """
async ([way, most, kinds]) => {
    const standing = STANDING;
    // She runs along a way, a little at a time, until she has come into another window.
    const { window: before } = walk;
    walker.wish.runs = true;
    const steps = [];
    let seen = [];
    for (let k = 0; k < most && walk.window === before && onward.word.value !== "edge"; k++) {
        // Windows may come late; whoever looks closely waits where both know the forest.
        const away = Math.hypot(walker.place.x - walk.land.x, walker.place.z - walk.land.z);
        if (!kinds || away < 0.27 * EXTENT / 2)
            walker.go(walker.place.x + 40 * way[0], walker.place.z + 40 * way[1]);
        walk.pass(0.5);
        const { x, y, z } = walker.girl.figure.position;
        steps.push([x, y, z]);
        if (kinds) seen = standing(kinds);
        await new Promise(done => setTimeout(done, 40));
    }
    while (walk.jobs.length > 0) walk.advance(0);  // what is done at leisure
    const told = walk.land.about.place;
    const ground = steps.map(([x, , z]) => walk.ground.height(x, z));
    return { steps, ground, seen, place: [told.x, told.y], crossed: walk.window !== before };
}"""
EAST, WEST, NORTH = (1, 0), (-1, 0), (0, -1)


def go_on(page, way, most=400, kinds=None):
    return page.evaluate(
        NEXT.replace("= STANDING", "=" + STANDING).replace("EXTENT", str(EXTENT)),
        [way, most, kinds],
    )


def lost(there, others):
    """Tell which things within 29 m have no equal among the others, which reach to 30 m."""
    there, others = (np.array(each) for each in (there, others))
    return [
        thing
        for thing in there
        if np.abs(others - thing).max(axis=1).min() > 2e-3 and thing[17] < 29
    ]


def test_she_walks_from_window_to_window_and_nothing_changes_where_she_is(endless, walk_at):
    page = walk_at(endless, *AWAY)
    for _ in range(2):
        gone = go_on(page, WEST, kinds=KINDS)
        assert gone["crossed"]
        steps = np.array(gone["steps"])
        assert np.ptp(steps[:, 0]) > 10
        # Where she stepped in the one window is the ground of the other.
        np.testing.assert_allclose(gone["ground"], steps[:, 1], atol=1e-3)
        assert np.hypot(*np.diff(steps[:, [0, 2]], axis=0).T).max() < 0.55 * RUN
        before, after = gone["seen"], page.evaluate(STANDING, KINDS)
        assert len(after) > 50
        assert len({thing[0] for thing in after}) >= 3
        assert not lost(before, after), "what stood there stands there still"
        assert not lost(after, before)
    assert gone["place"][0] < AWAY[0] - 40
    at = page.evaluate("location.search.match(/at=([^&]*)/)[1]").split(",")
    assert abs(float(at[0]) - gone["place"][0]) < EXTENT / 2


def test_what_was_left_behind_costs_nothing(endless, walk_at):
    page = walk_at(endless, *AWAY)
    held = """() => {
        const { geometries, textures } = walk.renderer.info.memory;
        return [geometries, textures, walk.scene.children.length, walk.parts.size];
    }"""
    figures = []
    for _ in range(4):
        assert go_on(page, EAST)["crossed"]
        page.wait_for_selector("[data-ready]", state="attached")
        figures.append(page.evaluate(held))
    # A window holds ten textures and a dozen shapes; a kind of plant may come that was nowhere yet.
    assert (np.ptp(figures[1:], axis=0) <= [2, 2, 2, 0]).all(), figures
    calls = page.evaluate("walk.figures().calls")
    assert calls <= 60
    assert page.evaluate("walk.figures().milliseconds") < 4


def test_at_the_edge_of_a_land_she_stops_and_is_told_so(studio_with, walk_at):
    studio = studio_with(BOUNDED)  # 384 m
    page = walk_at(studio, 0, 0)
    while go_on(page, NORTH, most=400)["crossed"]:
        pass
    assert -192 < page.evaluate("walk.focus.z") < -186
    assert "the land ends" in page.locator(".word").inner_text()
    page.evaluate("walker.go(walker.place.x, walker.place.z + 20); walk.pass(5)")
    assert page.locator(".word").inner_text() == ""


def test_a_link_leads_back_to_where_she_was(endless, walk_at):
    page = walk_at(endless, *AWAY, more="&at=-40037.5,9060.0,250")
    x, z, heading = page.evaluate(
        "[walk.focus.x + walk.land.origin.east, walk.land.origin.north - walk.focus.z,"
        " walker.heading]"
    )
    assert [x, z] == pytest.approx([-40037.5, 9060.0], abs=0.06)
    assert np.degrees(np.pi - heading) == pytest.approx(250, abs=0.5)


def test_she_walks_on_in_her_window_while_the_studio_is_closed(endless, walk_at):
    page = walk_at(endless, *AWAY, expected=["ERR_CONNECTION_REFUSED"])
    endless.stop()
    assert not go_on(page, WEST, most=25)["crossed"]
    assert "does not come" in page.locator(".word").inner_text()
    before = page.evaluate("walk.focus.x")
    page.evaluate("walker.go(walker.place.x + 9, walker.place.z); walk.pass(3)")
    assert page.evaluate("walk.focus.x") > before + 5, "she goes on in the window that is there"
    endless.start()
    assert go_on(page, WEST, most=300)["crossed"]
    assert page.locator(".word").inner_text() == ""
