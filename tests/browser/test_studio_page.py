"""The studio's page in a real browser: a land at once, sliders, undo, links."""

import numpy as np
import pytest

FBM, DROPLETS = 0, 1


def change(before, after):
    """How much two pictures differ, of 255."""
    return float(np.abs(after - before).mean())


def open_step(page, index):
    page.locator(".left .step .name").nth(index).click()
    return page.locator(f'[data-place="steps.{index}"] .body')


def slide(body, label, keys):
    """Move a parameter's slider by keys, as a person without a mouse does."""
    slider = body.get_by_role("slider", name=label, exact=True)
    slider.focus()
    for key in keys:
        slider.press(key)


def test_a_newcomer_sees_a_land_and_pictures_of_others(open_studio, stage):
    page = open_studio(None, viewport={"width": 800, "height": 620})
    assert stage(page).std() > 12, "the stage is empty"
    assert page.title() == "downcut studio"
    pictures = page.locator(".gallery img")
    assert pictures.count() >= 10
    sizes = pictures.evaluate_all("all => all.map(each => each.naturalWidth)")
    assert min(sizes) > 100, "a preset has no picture"
    assert page.get_by_role("textbox", name="What the land is called").input_value() == "Alpine"


def test_a_slider_changes_the_land_and_undo_brings_it_back(open_studio, stage, land):
    page = open_studio()
    body = open_step(page, FBM)
    first, picture = land.checksum(page), stage(page)
    assert first == land.grow(land.recipe).checksum
    slide(body, "amplitude", ["ArrowRight"] * 40)
    second = land.wait(page, 96, than=first)
    now = land.link(page)
    assert now["steps"][FBM]["amplitude"] > 1.3 * land.recipe["steps"][FBM]["amplitude"]
    assert second == land.grow(now).checksum
    raised = stage(page)
    assert change(picture, raised) > 2
    page.keyboard.press("Control+z")
    assert land.wait(page, 96, than=second) == first
    assert land.link(page) == land.recipe
    assert change(picture, stage(page)) < 1
    page.get_by_role("button", name="Redo").click()
    assert land.wait(page, 96, than=first) == second
    assert land.link(page) == now


def test_what_shapes_the_land_comes_first_and_its_layer_last(open_studio):
    body = open_step(open_studio(), FBM)
    labels = body.locator(":scope > .parameter .words label").all_inner_texts()
    assert labels[0] in ("wavelength", "amplitude")
    assert labels[-1] == "goes into"
    assert labels.index("joined by") > labels.index("octaves")


def test_a_drag_is_undone_in_one_go(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    slider = open_step(page, DROPLETS).get_by_role("slider", name="lifetime", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for share in (0.6, 0.7, 0.8):
        page.mouse.move(box["x"] + share * box["width"], middle, steps=3)
        page.wait_for_timeout(500)
    moving = land.checksum(page)
    assert moving != first, "the land follows while the slider moves"
    page.mouse.up()
    land.wait(page, 96)
    recipe = land.link(page)
    assert land.checksum(page) == land.grow(recipe).checksum
    page.keyboard.press("Control+z")
    assert land.wait(page, 96, than=moving) == first


def test_a_number_is_kept_in_its_bounds(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    field = open_step(page, FBM).get_by_role("spinbutton", name="octaves")
    field.fill("99")
    field.press("Enter")
    land.wait(page, 96, than=first)
    assert land.link(page)["steps"][FBM]["octaves"] == 24
    assert field.input_value() == "24"


def test_a_link_is_a_landscape(open_studio, visit, land):
    page = open_studio()
    first = land.checksum(page)
    page.get_by_role("button", name="Another seed").click()
    checksum = land.wait(page, 96, than=first)
    recipe = land.link(page)
    fresh = visit(page.url, ready=None, storage_state=page.context.storage_state())
    assert land.wait(fresh, 96) == checksum
    assert land.link(fresh) == recipe


def test_back_and_forward_are_lands_seen_before(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    land.link(page)
    page.keyboard.press("n")
    second = land.wait(page, 96, than=first)
    land.link(page)
    page.go_back()
    assert land.wait(page, 96, than=second) == first
    page.go_forward()
    assert land.wait(page, 96, than=first) == second


def test_a_preset_is_taken_and_undone(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    page.keyboard.press("p")
    page.get_by_role("button", name="Sine hills").click()
    land.wait(page, 96, than=first)
    assert land.link(page)["title"] == "Sine hills"
    page.get_by_role("button", name="Undo").click()
    land.wait(page, 96)
    assert land.link(page) == land.recipe


def test_a_green_sand_box_shows_its_forms_in_its_colours(open_studio, stage):
    from downcut import presets

    page = open_studio(presets.load("sine-hills"))
    red, green, blue = np.moveaxis(stage(page), 2, 0)
    hues = (red / np.maximum(green, 1))[green > blue + 25]  # from moss to straw and bare earth
    assert np.ptp(np.percentile(hues, (5, 95))) > 0.22


def test_another_size_is_the_same_land_drawn_finely(open_studio, land):
    page = open_studio()
    page.get_by_label("Cells").select_option("128")
    checksum = land.wait(page, 128)
    assert checksum == land.grow(land.recipe, size=(72, 128)).checksum


def test_a_wrong_recipe_says_so_at_its_step(open_studio, land):
    broken = {**land.recipe, "steps": [*land.recipe["steps"]]}
    page = open_studio()
    open_step(page, FBM)
    page.get_by_text("More settings").first.click()
    body = page.locator('[data-place="steps.0"] .body')
    body.get_by_role("switch", name="Give mask").click()
    said = page.locator('[data-place="steps.0"] > .wrongly')
    assert "steps.0 (fields.fbm) reads the layer 'elevation'" in said.inner_text()
    assert land.checksum(page) == land.grow(broken).checksum
    page.get_by_role("button", name="Undo").click()
    said.wait_for(state="detached")


@pytest.mark.parametrize("way", ["grip", "keys"])
def test_steps_are_moved(open_studio, land, way):
    page = open_studio()
    first = land.checksum(page)
    if way == "grip":
        grips = page.locator(".left .grip")
        grips.nth(3).hover()
        page.mouse.down()
        target = grips.nth(1).bounding_box()
        page.mouse.move(target["x"] + 8, target["y"] + 20, steps=4)
        page.mouse.move(target["x"] + 8, target["y"] + 4, steps=4)
        page.mouse.up()
    else:
        name = page.locator(".left .step .name").nth(3)
        name.press("Alt+ArrowUp")
        page.keyboard.press("Alt+ArrowUp")  # the focus goes with the step
    land.wait(page, 96, than=first)
    ops = [step["op"] for step in land.link(page)["steps"]]
    moved = "hydrology.drainage"
    assert ops == ["fields.fbm", moved, "erosion.droplets", "hydrology.lakes", "hydrology.rivers"]


def test_steps_are_added_copied_switched_off_and_removed(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    page.get_by_role("button", name="Add a step", exact=True).click()
    page.get_by_role("searchbox").fill("angle of repose")
    page.keyboard.press("Enter")
    second = land.wait(page, 96, than=first)
    assert land.link(page)["steps"][-1] == {"op": "erosion.thermal"}
    page.get_by_role("switch", name="thermal is switched on").click()
    assert land.wait(page, 96, than=second) == first
    body = page.locator('[data-place="steps.5"] .body')  # opens by itself
    body.get_by_role("button", name="Duplicate").click()
    assert [s["op"] for s in land.link(page)["steps"]][-2:] == ["erosion.thermal"] * 2
    body.get_by_role("button", name="Remove").click()
    assert len(land.link(page)["steps"]) == 6


def test_a_repeat_asks_what_it_repeats(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    page.get_by_role("button", name="Add a step", exact=True).click()
    page.get_by_role("searchbox").fill("repeat")
    page.locator(".kind", has_text="repeat").first.click()
    page.locator(".kind", has_text="hillslope").click()
    land.wait(page, 96, than=first)
    assert land.link(page)["steps"][-1] == {
        "op": "repeat",
        "steps": [{"op": "erosion.hillslope"}],
    }


def test_a_chosen_layer_is_shown_on_the_map_with_its_legend(open_studio):
    page = open_studio()
    page.get_by_role("combobox", name="Layer").select_option("elevation")
    assert (
        page.get_by_role("button", name="Map", exact=True).get_attribute("aria-pressed") == "true"
    )
    legend = page.locator(".map-legend")
    legend.wait_for()
    grown = page.evaluate("downcut.engine && [downcut.landscape.now.range]")[0]
    low, high = (
        float(each.split()[0].replace("−", "-").replace(",", ""))
        for each in legend.locator("p span").all_inner_texts()
    )
    assert (low, high) == pytest.approx((grown["low"], grown["high"]), rel=0.01, abs=0.5)


def test_rivers_are_told_by_their_order_in_the_legend(open_studio, land):
    page = open_studio()
    page.get_by_role("combobox", name="Layer").select_option("stream_order")
    keys = page.locator(".map-legend li")
    keys.first.wait_for()
    orders = np.unique(land.grow(land.recipe)["stream_order"])
    assert [int(words) for words in keys.all_inner_texts()] == orders.tolist()
    page.get_by_role("combobox", name="Layer").select_option("channel")
    keys.nth(len(orders) - 1).wait_for(state="detached") if len(orders) > 2 else None
    assert [words.strip() for words in keys.all_inner_texts()] == ["0", "1"]


def test_a_large_land_is_shown_with_fewer_cells_and_says_so(open_studio, land):
    ramp = {"grid": {"ny": 6, "nx": 4000, "cell_size": 10}, "steps": land.recipe["steps"][:1]}
    page = open_studio(ramp)
    assert "6 × 4,000" in page.locator(".pill").inner_text().replace("4000", "4,000")
    assert "3 × 2000 of them shown here" in page.locator(".pill").inner_text()
    assert land.checksum(page) == land.grow(ramp).checksum
