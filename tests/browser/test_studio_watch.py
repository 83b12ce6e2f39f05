"""Watching, measuring and letting droplets fall, in a real browser."""

import numpy as np
import pytest


def tab(page, name):
    page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel")


def is_playing(page):
    return page.get_attribute(".status", "data-doing") == "watch"


def test_what_is_watched_is_what_the_batch_grows(open_studio, land):
    page = open_studio()
    room = tab(page, "Watch")
    room.get_by_label("What to watch").select_option("1")
    room.get_by_role("slider", name="Fields a second").press("End")
    room.get_by_role("button", name="Play").click()
    page.wait_for_selector(".status[data-doing=watch]:not([data-checksum])")
    assert land.wait(page, 96) == land.grow(land.recipe).checksum


def test_what_was_eroded_stays_coloured_and_compared_when_it_has_ended(open_studio, land, stage):
    page = open_studio()
    room = tab(page, "Watch")
    room.get_by_label("What to watch").select_option("1")
    colours = room.get_by_role("checkbox", name="Colour what was eroded and deposited")
    colours.check()
    room.get_by_role("slider", name="Fields a second").press("End")
    room.get_by_role("button", name="Play").click()
    page.wait_for_selector(".status[data-doing=watch]")
    land.wait(page, 96)
    red, green, blue = np.moveaxis(stage(page), 2, 0)
    assert ((red > green + 40) & (red > blue + 40)).mean() > 0.03, "eroded"
    assert ((blue > red + 40) & (blue > green + 15)).mean() > 0.03, "deposited"
    colours.uncheck()
    room.get_by_role("checkbox", name="Compare with the start").check()
    start = page.evaluate("Array.from(downcut.landscape.past.ground.metres)")
    bare = {**land.recipe, "steps": land.recipe["steps"][:1]}
    assert np.array_equal(np.float32(start), land.grow(bare)["elevation"].ravel())
    halves = np.split(stage(page)[60:150, 8:168], [80], axis=1)
    left, right = (half.mean(axis=(0, 1)) for half in halves)
    assert np.abs(left - right).max() < 25, "one palette"
    assert np.abs(halves[0] - halves[1]).mean() > 3, "two lands"


def test_what_can_be_watched_is_called_as_in_the_list_of_steps(open_studio, land):
    steps = [
        land.recipe["steps"][0],
        {"op": "fields.constant", "into": "rain", "value": 1},
        {"op": "repeat", "times": 3, "steps": [{"op": "erosion.thermal"}]},
    ]
    page = open_studio({**land.recipe, "steps": steps})
    listed = page.locator(".left .step .name").all_inner_texts()
    choices = tab(page, "Watch").get_by_label("What to watch").locator("option")
    said = [text.split(". ")[1].strip() for text in choices.all_inner_texts()[1:]]
    assert said == [" ".join(words.split()) for words in listed]
    assert "3 × thermal" in said[2]
    room = page.get_by_role("tabpanel")
    room.get_by_label("What to watch").select_option("2")
    assert room.get_by_label("What to watch").input_value() == "2"
    page.locator(".left .step[data-place='steps.2']").get_by_role("switch").click()
    assert room.get_by_label("What to watch").input_value() == "", "what is off is not watched"


def test_noise_flows_where_there_is_nothing_but_noise(open_studio, land):
    page = open_studio()
    flow = tab(page, "Watch").get_by_role("slider", name="Let the noise flow")
    page.wait_for_timeout(500)
    assert flow.count() == 0, "rain does not flow back"
    for step in range(1, 5):
        page.locator(".left .step").nth(step).get_by_role("switch").click()
    flow.wait_for()


def test_it_pauses_goes_a_field_further_and_ends(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    room = tab(page, "Watch")
    room.get_by_role("slider", name="Fields a second").press("Home")
    room.get_by_role("button", name="Play").click()
    room.get_by_role("button", name="Pause").click()
    shares = []
    for _ in range(3):
        page.wait_for_timeout(400)
        shares.append(room.get_by_role("progressbar").get_attribute("value"))
        room.get_by_role("button", name="One field further").click()
    page.wait_for_timeout(400)
    assert is_playing(page), "it waits for the person"
    assert float(room.get_by_role("progressbar").get_attribute("value")) > float(shares[0])
    room.get_by_role("button", name="Finish").click()
    assert land.wait(page, 96) == first


def test_settings_of_the_watched_step_play_it_anew(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    room = tab(page, "Watch")
    room.get_by_label("What to watch").select_option("1")
    room.get_by_role("slider", name="Fields a second").press("End")
    room.get_by_role("button", name="Play").click()
    field = room.get_by_role("spinbutton", name="lifetime")
    field.fill("20")
    field.press("Enter")
    other = land.wait(page, 96, than=first)
    recipe = land.link(page)
    assert recipe["steps"][1]["lifetime"] == 20
    assert other == land.grow(recipe).checksum


def test_a_droplet_tells_its_way(open_studio):
    page = open_studio()
    room = tab(page, "Watch")
    page.mouse.click(420, 240)
    said = room.get_by_role("region", name="One droplet")
    said.wait_for()
    assert "steps" in said.inner_text()
    assert said.get_by_role("img").count() == 2
    assert said.get_by_text("Longer dashes: faster").is_visible()
    room.get_by_role("checkbox", name="Colour what was eroded and deposited").check()
    assert room.get_by_text("deposited", exact=True).is_visible()


def test_a_droplets_way_is_seen_from_afar(open_studio, stage):
    page = open_studio()
    page.locator("#stage").focus()
    page.keyboard.down("Minus")
    page.wait_for_timeout(900)
    page.keyboard.up("Minus")
    bare = stage(page)
    page.mouse.click(420, 240)
    tab(page, "Watch").get_by_role("region", name="One droplet").wait_for()
    drawn = np.abs(stage(page) - bare).max(axis=2) > 30
    inner = drawn[1:-1, 1:-1].copy()  # what is three pixels wide and tall at least
    for row, col in np.ndindex(3, 3):
        inner &= drawn[row : row + inner.shape[0], col : col + inner.shape[1]]
    assert inner.sum() > 10
    rows, cols = np.nonzero(drawn)
    assert max(np.ptp(rows), np.ptp(cols)) > 20, "a way, and not the drop alone"


@pytest.fixture
def measured(open_studio):
    page = open_studio()
    room = tab(page, "Measure")
    room.get_by_role("button", name="Measure this land").click()
    room.get_by_role("table", name="Beside real land").wait_for()
    return page, room


def test_a_land_is_measured_and_its_rivers_are_shown(measured, land):
    _, room = measured
    from downcut.measuring import measure

    report = measure(land.grow(land.recipe))
    table = room.get_by_role("table", name="Beside real land")
    for figure in ("hypsometric_integral", "slope_variation"):
        row = table.get_by_role("row").filter(has_text=report[figure].kind.title).first
        shown = row.get_by_role("cell").first.inner_text().split()[0]
        assert float(shown) == pytest.approx(report[figure].value, rel=0.006)
        low, high = report[figure].kind.real
        said = row.get_by_role("cell").last.inner_text().strip()
        assert said == ("inside" if low <= report[figure].value <= high else "outside")
    assert room.get_by_role("img", name="How much lies how high").is_visible()
    rivers = land.grow(land.recipe).features["rivers"]
    room.get_by_label("Click a river, or choose one").select_option("0")
    assert room.get_by_role("img", name="Long profile of river 1").is_visible()
    length = room.locator(".told div", has_text="length").locator("dd").inner_text()
    shown = float(length.split()[0].replace(",", ""))
    assert shown == pytest.approx(float(rivers.columns["length"][0]), rel=0.006)
    assert room.locator(".moves").inner_text().count("m³") >= 2
