"""What may go wrong in an endless land: it is told in a sentence, and goes on by itself."""

import numpy as np
import pytest

GONE = ["ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE", "404 (Not Found)"]
"""What the browser says itself of a server that is gone, or has come back and knows no world."""
CARD = ["Context Lost", "Context Restored"]
"""And what three.js says of the card."""
RESTING = "() => downcut.scenery.isResting"
FAR = """() => {
    const { pose } = downcut.scenery.flight;
    downcut.scenery.jump({ ...pose, x: pose.x + 300000 });
}"""


def test_a_server_that_stops_is_told_of_and_the_land_goes_on_when_it_is_back(explore):
    page = explore(explore.place(), expected=GONE)
    explore.studio.stop()
    try:
        page.evaluate(FAR)
        page.wait_for_selector("[role=alert]")
        assert "does not answer" in page.inner_text("[role=alert]")
    finally:
        explore.studio.start()
    page.wait_for_selector("[role=alert]", state="detached")
    page.wait_for_selector("[data-ready]", state="attached")
    assert (explore.land(page).sum(axis=2) > 20).all()


def test_a_card_that_lets_go_of_the_picture_gets_it_back(explore):
    page = explore(explore.place(), expected=CARD)
    before = explore.land(page)
    assert (before.sum(axis=2) > 20).all()
    page.add_style_tag(content="#panel { visibility: visible !important }")
    page.evaluate(
        """() => {
            window.card = downcut.scenery.renderer.getContext().getExtension("WEBGL_lose_context");
            card.loseContext();
        }"""
    )
    page.wait_for_selector("[role=alert]")
    page.evaluate("() => card.restoreContext()")
    page.wait_for_selector("[role=alert]", state="detached")
    page.add_style_tag(content="#panel { visibility: hidden !important }")
    after = explore.land(page)
    assert np.abs(after - before).mean() < 1


def test_a_link_leads_to_the_other_side_of_the_world(explore):
    page = explore(explore.place())
    for east in (-250_000_000, 10**14):
        page.evaluate(f"location.hash = location.hash.split('@')[0] + '@{east},5e5,700,30,-35'")
        page.evaluate(f"location.hash = location.hash.split('@')[0] + '@{east},500000,700,30,-35'")
        page.wait_for_function("(east) => downcut.scenery.flight.pose.x * east > 1e15", arg=east)
        page.wait_for_function(RESTING)
        assert page.locator("[role=alert]").count() == 0
        assert page.evaluate("() => downcut.scenery.below(downcut.scenery.flight.pose.x, -5e5)")
    assert (explore.land(page).sum(axis=2) > 20).all()


def test_twenty_fast_zooms_end_over_land(explore):
    page = explore(explore.place())
    page.mouse.move(200, 150)
    for k in range(20):
        page.mouse.wheel(0, 120 if k % 10 < 5 else -120)
    page.wait_for_function(RESTING)
    pose = page.evaluate("() => downcut.scenery.flight.pose")
    assert 0 < pose["y"] <= 5 * 1280
    assert (explore.land(page).sum(axis=2) > 20).all()


def test_two_fingers_that_part_go_to_where_one_looks(explore):
    page = explore(explore.place())
    devtools = page.context.new_cdp_session(page)
    moves = (("touchStart", 20), ("touchMove", 60), ("touchMove", 120), ("touchEnd", None))
    for kind, gap in moves:
        points = [{"x": 240 + k * gap, "y": 150, "id": k + 1} for k in (-1, 1)] if gap else []
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_function(RESTING)
    pose = page.evaluate("() => downcut.scenery.flight.pose")
    assert pose["y"] < 690
    assert np.hypot(pose["x"], pose["z"]) > 10
    assert np.degrees(np.arctan2(pose["x"], -pose["z"])) == pytest.approx(30, abs=1)


def test_a_hidden_page_rests_and_goes_on_when_it_is_seen_again(explore):
    page = explore(explore.place())
    hide = """(hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    frames = "() => downcut.scenery.renderer.info.render.frame"
    page.evaluate(hide, True)
    before = page.evaluate(frames)
    page.evaluate(FAR)
    page.wait_for_timeout(400)
    assert page.evaluate(frames) == before
    page.evaluate(hide, False)
    page.wait_for_function(f"(before) => ({frames})() > before", arg=before)
    page.wait_for_function(RESTING)
    assert page.evaluate("() => downcut.scenery.terrain.choice.drawn.length") > 0


@pytest.mark.parametrize("width", [360, 1280])
def test_all_controls_are_on_the_screen(explore, width):
    page = explore(explore.place(), width=width)
    for control in page.locator(".above > *, .minimap, .where").all():
        if box := control.bounding_box():
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= 300
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    named = page.locator(".above a, .above button")
    assert all(each.get_attribute("aria-label") or each.inner_text() for each in named.all())
