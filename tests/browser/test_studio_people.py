"""The studio for everybody: by keys, on a telephone, with still eyes, without its engine."""

import re

import numpy as np

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
CORNERS = """() => {
    const { camera, canvas } = downcut.stage;
    const { wide, deep, low, high } = downcut.landscape.now.box;
    const place = camera.position.clone();
    const rect = canvas.getBoundingClientRect();
    return [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((z) => [low, high].map((y) => {
        const at = place.set(x * wide, y, z * deep).project(camera);
        return [rect.x + (0.5 + at.x / 2) * rect.width, rect.y + (0.5 - at.y / 2) * rect.height];
    })));
}"""
"""Where the corners of the land's block are seen [pixels]."""
COVERS = """() => [...document.querySelectorAll(".bar, .side, .gallery, .nav, .pill")]
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect())
    .map(({ left, right, top, bottom }) => [left, right, top, bottom])"""
"""Left, right, top and bottom of what may lie over the land."""
LOST = ("ERR_CONNECTION_REFUSED", "WebSocket", "ERR_CONNECTION_RESET")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def focus(page):
    return page.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
    )


def tab_to(page, name, most=60):
    """Go on by the Tab key until the control of this name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if re.fullmatch(name, (focus(page) or "").strip()):
            return
    raise AssertionError(f"no way by Tab to {name}")


def test_all_can_be_done_by_keys(open_studio, land):
    page = open_studio()
    first = land.checksum(page)
    tab_to(page, "fbm.*")
    press(page, "Enter")
    tab_to(page, "amplitude")
    press(page, "Shift+Tab", "Tab", *["ArrowRight"] * 5)
    second = land.wait(page, 96, than=first)
    press(page, "Control+z")
    assert land.wait(page, 96, than=second) == first
    press(page, "?")
    helping = page.get_by_role("dialog", name="Keys")
    helping.get_by_text("Undo").wait_for()
    press(page, "Escape")
    helping.wait_for(state="hidden")
    press(page, "m")
    page.get_by_role("tab", name="Measure", selected=True).wait_for()
    tab_to(page, "Measure")
    press(page, "ArrowLeft")
    page.get_by_role("tab", name="Watch", selected=True).wait_for()
    press(page, "e")
    page.get_by_role("dialog", name="Export").wait_for()


def doing(page):
    return page.get_attribute(".status", "data-doing")


def test_space_plays_unless_a_control_has_it(open_studio, land):
    page = open_studio()
    press(page, " ")
    page.get_by_role("tab", name="Watch", selected=True).wait_for()
    page.get_by_role("button", name="Pause").wait_for()
    press(page, " ")
    page.get_by_role("button", name="Play").wait_for()
    tab_to(page, "Finish")
    press(page, " ")
    land.wait(page, 96)
    page.get_by_role("tab", name="Look").click()
    page.locator(".check input").press(" ")
    assert page.locator(".check input").is_checked()
    assert doing(page) == "", "the checkbox took it"
    page.get_by_role("button", name="Map", exact=True).click()
    press(page, " ")
    page.wait_for_selector(".status[data-doing=watch]")  # a clicked button has done its deed


def test_letters_are_the_pages_unless_they_are_typed(open_studio):
    page = open_studio()
    page.mouse.click(420, 240)  # the land, which flies by these letters when Tab leads to it
    for letter, name in (("w", "Watch"), ("L", "Look"), ("m", "Measure")):
        press(page, letter)
        page.get_by_role("tab", name=name, selected=True).wait_for()
    title = page.get_by_role("textbox", name="What the land is called")
    title.click()
    page.keyboard.type("welcome Pens?")
    assert title.input_value().endswith("welcome Pens?")
    assert page.get_by_role("tab", name="Measure", selected=True).is_visible()
    assert page.get_by_role("dialog").count() == 0
    assert page.locator(".gallery:visible").count() == 0


def test_escape_closes_what_is_on_top_and_nothing_else(open_studio):
    page = open_studio()
    press(page, "p")
    pictures = page.locator(".gallery")
    pictures.wait_for()
    press(page, "e")
    dialog = page.get_by_role("dialog", name="Export")
    dialog.wait_for()
    dialog.get_by_role("heading", name="Export").click()  # nothing there takes keys
    press(page, "p", "w")
    press(page, "Escape")
    dialog.wait_for(state="hidden")
    assert pictures.is_visible()
    assert page.get_by_role("tab", name="Look", selected=True).is_visible()
    press(page, "Escape")
    pictures.wait_for(state="hidden")


def test_every_control_has_a_name(open_studio):
    page = open_studio()
    page.locator(".left .step .name").nth(1).click()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a, [role=switch]")]
            .filter((each) => each.checkVisibility() && !(each.getAttribute("aria-label")
              || each.innerText?.trim() || each.labels?.length))
            .map((each) => each.outerHTML)"""
    )
    assert nameless == []


def test_a_telephone_shows_one_sheet_at_a_time_and_nothing_overflows(open_studio, land):
    page = open_studio(**PHONE)
    first = land.checksum(page)
    nav = page.get_by_role("navigation")
    for sheet in ("Presets", "Recipe", "Look", "Watch", "Measure"):
        nav.get_by_role("button", name=sheet).tap()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), sheet
        wide = page.evaluate(
            """() => [...document.querySelectorAll(".page *")].filter((each) => {
                const { left, right, width } = each.getBoundingClientRect();
                return each.checkVisibility() && width > 0 && (right > innerWidth + 1 || left < -1)
                  && !each.closest(".unseen, [popover]");
            }).map((each) => each.className)"""
        )
        assert wide == [], sheet
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, select, input:not([type=checkbox])")]
                .filter((each) => each.checkVisibility() && !each.matches(".switch"))
                .map((each) => [each.outerHTML, each.getBoundingClientRect()])
                .filter(([, { width, height }]) => width < 40 || height < 40)
                .map(([text]) => text)"""
        )
        assert small == [], sheet
    nav.get_by_role("button", name="Recipe").tap()
    page.locator(".left .step .name").first.tap()
    field = page.get_by_role("spinbutton", name="amplitude")
    field.fill("400")
    field.press("Enter")
    land.wait(page, 96, than=first)


def stands_clear(page, width, share):
    """Whether no panel covers the land, and it has its share of the picture."""
    across, down = np.transpose(page.evaluate(CORNERS))
    left, right, top, bottom = across.min(), across.max(), down.min(), down.max()
    aside = [
        x1 <= left + 2 or x0 >= right - 2 or y1 <= top + 2 or y0 >= bottom - 2
        for x0, x1, y0, y1 in page.evaluate(COVERS)
    ]
    return all(aside) and 0 <= left < right <= width and right - left > share * width


def test_the_land_is_well_in_view_and_nothing_covers_it(open_studio):
    page = open_studio(None, viewport={"width": 960, "height": 600})
    for width, height, share in ((960, 600, 0.36), (1280, 720, 0.45), (390, 844, 0.85)):
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(40):  # panels fold and the camera moves, on a busy machine late
            page.wait_for_timeout(300)
            if stands_clear(page, width, share):
                break
        assert stands_clear(page, width, share), (width, height)


def test_light_and_dark_are_seen_and_chosen(open_studio, look_at):
    page = open_studio(color_scheme="dark")
    dark = look_at(page, ".left")
    page.get_by_role("button", name="More", exact=True).click()
    button = page.get_by_role("button", name="as the system has it")
    button.click()
    page.get_by_role("button", name="Light", exact=True).wait_for()
    light = look_at(page, ".left")
    assert light.mean() > dark.mean() + 80
    page.reload()
    page.locator(".step").first.wait_for()
    assert look_at(page, ".left").mean() > dark.mean() + 80, "the choice is kept"


def test_still_eyes_see_no_motion(open_studio, look_at):
    page = open_studio(reduced_motion="reduce")
    page.wait_for_timeout(1500)
    assert np.array_equal(look_at(page, "#stage"), look_at(page, "#stage"))


def test_a_lost_engine_is_told_and_found_again(open_studio, studio, land):
    page = open_studio(expected=LOST)
    first = land.checksum(page)
    studio.stop()
    banner = page.get_by_role("alert").filter(has_text="The engine does not answer")
    banner.wait_for()
    page.keyboard.press("n")  # what is asked meanwhile is done later
    studio.start()
    banner.wait_for(state="detached")
    second = land.wait(page, 96, than=first)
    assert second == land.grow(land.link(page)).checksum


def test_the_banner_of_a_lost_engine_covers_no_control_of_a_telephone(open_studio, studio):
    page = open_studio(expected=LOST, **PHONE)
    studio.stop()
    banner = page.get_by_role("alert").filter(has_text="The engine does not answer")
    banner.wait_for()
    for sheet in (None, "Look"):
        if sheet:
            page.get_by_role("navigation").get_by_role("button", name=sheet).tap()
        told = banner.bounding_box()
        for other in (".bar", ".nav", ".side.right"):
            if not page.locator(other).is_visible():
                continue
            box = page.locator(other).bounding_box()
            below = told["y"] >= box["y"] + box["height"]
            assert below or told["y"] + told["height"] <= box["y"], (sheet, other)
    studio.start()
    banner.wait_for(state="detached")


def test_the_keys_dialog_tells_what_drawing_costs(open_studio):
    page = open_studio()
    page.locator("#stage").focus()
    page.keyboard.down("ArrowLeft")
    page.wait_for_timeout(1500)
    page.keyboard.up("ArrowLeft")
    page.keyboard.press("?")
    said = page.get_by_role("dialog", name="Keys").get_by_text("frames a second").inner_text()
    frames, calls, triangles = (
        int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", said)
    )
    assert 1 <= frames <= 500
    assert calls >= 3, "the land, its walls and the sky at least"
    assert triangles >= 2 * 53 * 95, "two of each square between four cells"
