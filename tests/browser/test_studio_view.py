"""What one sees of a land, in a real browser: noise on the card, light, water, map, drops."""

import base64
import functools
import io

import numpy as np
import pytest
from PIL import Image

GROUND = {"ny": 48, "nx": 64, "cell_size": 40}
FBM = {"op": "fields.fbm", "wavelength": 900, "amplitude": 300, "octaves": 7}
RIDGED = {"op": "fields.ridged", "wavelength": 700, "amplitude": 150, "offset": -20}
ISLAND = {"op": "fields.island", "radius": 1000, "squareness": 0.4, "steepness": 3}


def recipe_of(*steps, **more):
    return {"grid": GROUND, "seed": "11", "steps": list(steps)} | more


# --- noise on the card ---


def sampled(page, recipe, size, time=0):
    """The heights that the page's shader draws."""
    heights = page.evaluate(
        """async ([recipe, size, time]) => {
            const read = await downcut.landscape.swell.sample(recipe, size, time);
            return read && Array.from(read);
        }""",
        [recipe, size, time],
    )
    return None if heights is None else np.array(heights, np.float32)


@pytest.mark.parametrize(
    "steps",
    [
        [FBM],
        [{**FBM, "noise": "perlin", "lacunarity": 2.3, "gain": 0.7}],
        [RIDGED],
        [{**RIDGED, "op": "fields.billow", "octaves": 1}],
        [FBM, ISLAND],
        [FBM, {**ISLAND, "blend": "add", "top": 0, "rim": -200, "centre_east": 300}],
        [FBM, {**RIDGED, "blend": "max"}, {**FBM, "wavelength": 311, "blend": "min"}],
    ],
    ids=["fbm", "perlin", "ridged", "billow", "island", "coast", "blends"],
)
def test_the_shader_makes_the_kernels_noise(open_studio, land, steps):
    page = open_studio()
    recipe = recipe_of(*steps)
    there = sampled(page, recipe, 64).reshape(48, 64)
    here = land.grow(recipe)["elevation"]
    amplitude = max(abs(step.get("amplitude", 0)) for step in steps)
    assert np.abs(there - here).max() <= 1e-4 * amplitude
    assert here.std() > 0.05 * amplitude


def test_the_shader_makes_the_island_preset(open_studio, land):
    from downcut import presets

    page = open_studio()
    recipe = presets.load("island")
    there = sampled(page, recipe, 128).reshape(128, 128)
    here = land.grow(recipe, 128)["elevation"]
    assert np.abs(there - here).max() <= 1e-4 * 34


def test_time_moves_the_noise_and_no_time_does_not(open_studio):
    page = open_studio()
    recipe = recipe_of(FBM)
    still = sampled(page, recipe, 64)
    moved = sampled(page, recipe, 64, time=3)
    # 0.02 wavelengths a second, east and north: a grid of that step sees the same land.
    step = {**recipe, "grid": {"ny": 48, "nx": 64, "cell_size": 0.02 * 3 * FBM["wavelength"]}}
    grid = sampled(page, step, 64).reshape(48, 64)
    drifted = sampled(page, step, 64, time=3).reshape(48, 64)
    assert np.abs(moved - still).mean() > 5
    assert np.abs(drifted[1:, :-1] - grid[:-1, 1:]).max() <= 1e-3 * FBM["amplitude"]


def test_what_erodes_is_left_to_the_engine(open_studio):
    page = open_studio()
    assert sampled(page, recipe_of(FBM, {"op": "erosion.thermal"}), 64) is None


# --- what the person sees ---


def drawn(page):
    """The canvas itself, without what lies over it, (height, width, 3), once all is at rest."""
    data = page.evaluate(
        """async () => {
            const { stage } = downcut;
            const pause = time => new Promise(done => setTimeout(done, time));
            const begun = performance.now();
            for (let still = 0; still < 3;) {
                await pause(150);
                still = stage.isResting ? still + 1 : 0;
                if (performance.now() - begun > 60_000) throw new Error("it never comes to rest");
            }
            stage.paint();
            const reader = new FileReader();
            const blob = await new Promise(done => stage.canvas.toBlob(done));
            await new Promise(done => { reader.onload = done; reader.readAsDataURL(blob); });
            return reader.result.split(",")[1];
        }"""
    )
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return np.asarray(image.convert("RGB")).astype(np.int16)


def dial(page, label, value):
    page.get_by_role("slider", name=label, exact=True).fill(str(value))


def difference(one, other):
    return float(np.abs(one - other).mean())


MIDDLE = (slice(200, 290), slice(325, 500))
"""Where the land is in a picture."""


@pytest.fixture
def see(open_studio):
    """open_studio, with as many pixels as points: the stage is drawn finer than the screen."""
    return functools.partial(open_studio, device_scale_factor=2 / 3)


def test_light_comes_from_the_sun_and_shadows_fall_away_from_it(see):
    page = see()
    for away, sun, at in ((90, 270, [-60, 0]), (0, 180, [0, 36])):
        light = {}
        for way in (away, sun):
            dial(page, "Sun, direction", way)
            picture = drawn(page)
            x, y = page.evaluate(ON_THE_TABLE, at)
            light[way] = picture[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3].mean()
        assert light[away] < light[sun] - 8, "the block throws no shadow on the table"
    dial(page, "Sun, height", 5)
    red, _, blue = drawn(page)[MIDDLE].mean(axis=(0, 1))
    red_before, _, blue_before = picture[MIDDLE].mean(axis=(0, 1))
    assert red / blue > 1.2 * red_before / blue_before


ON_THE_TABLE = """([x, z]) => {
    const { stage, landscape } = downcut;
    const place = stage.camera.position.clone().set(x, landscape.now.relief.uFoot.value, z);
    const at = place.project(stage.camera);
    const { clientWidth, clientHeight } = stage.canvas;
    return [(at.x + 1) / 2 * clientWidth, (1 - at.y) / 2 * clientHeight];
}"""


def test_haze_and_exaggeration_are_seen_at_once(see):
    page = see()
    first = drawn(page)
    dial(page, "Haze", 1)
    hazy = drawn(page)
    assert hazy[MIDDLE].std() < 0.8 * first[MIDDLE].std()
    dial(page, "Haze", 0.3)
    dial(page, "Heights exaggerated", 4)
    assert difference(drawn(page)[MIDDLE], first[MIDDLE]) > 5


def test_the_sea_is_blue_and_the_land_is_not(see, land):
    page = see(land.recipe | {"sea_level": 60})
    dial(page, "Heights exaggerated", 1)
    page.get_by_role("button", name="Map", exact=True).click()
    picture = drawn(page)
    heights = land.grow(land.recipe | {"sea_level": 60})["elevation"]
    blue = picture[..., 2] > 1.25 * picture[..., 0]
    spots = page.evaluate(PLACES, [[x, y] for x in (-1500, 0, 1500) for y in (-700, 0, 700)])
    for (x, y), (left, top) in spots:
        cell = heights[int(27 - y / 40), int(48 + x / 40)]
        if abs(cell - 60) > 15:
            assert blue[int(top), int(left)] == (cell < 60), (x, y, cell)


PLACES = """places => places.map(([x, y]) => {
    const { now, map } = downcut.landscape;
    const at = now.above(x, y, 0).project(map.camera);
    const { clientWidth, clientHeight } = downcut.stage.canvas;
    return [[x, y], [(at.x + 1) / 2 * clientWidth, (1 - at.y) / 2 * clientHeight]];
})"""


def test_the_pointer_reads_the_map(see, land):
    page = see()
    page.get_by_role("button", name="Map", exact=True).click()
    drawn(page)
    grown = land.grow(land.recipe)
    for (x, y), (left, top) in page.evaluate(PLACES, [[20, 20], [620, -380]]):
        read = page.evaluate(READ, [left, top])
        cell = int(27 - y / 40), int(48 + x / 40)
        assert (read["x"], read["y"]) == pytest.approx((x, y), abs=1)
        assert read["elevation"] == pytest.approx(grown["elevation"][cell], abs=1)
        assert read["drains"] == pytest.approx(float(grown["drainage_area"][cell]), rel=1e-6)


READ = """async ([x, y]) => {
    const { glance } = downcut.landscape;
    for (let tries = 0; tries < 100; tries++) { // how much drains there is fetched
        const place = glance.placeAt(x, y);
        if (place.drains !== null) return place;
        await new Promise(done => setTimeout(done, 50));
    }
}"""


def test_a_layer_that_was_not_sent_is_fetched_and_told(see, land):
    more = {"op": "surface.occlusion"}
    page = see(land.recipe | {"steps": [*land.recipe["steps"], more]})
    page.get_by_role("button", name="Map", exact=True).click()
    plain = drawn(page)
    page.get_by_role("combobox", name="Layer").select_option("occlusion")
    coloured = drawn(page)
    assert difference(plain[MIDDLE], coloured[MIDDLE]) > 8
    page.get_by_role("checkbox", name="Contours").check()
    lined = drawn(page)
    darker = lined.mean(axis=-1) < coloured.mean(axis=-1) - 12
    assert 0.005 < darker[MIDDLE].mean() < 0.4


def test_before_and_after_stand_side_by_side(see, land):
    page = see()
    first = drawn(page)
    shown = land.checksum(page)
    seed = page.get_by_role("textbox", name="Seed")
    seed.fill("99")
    seed.press("Enter")
    land.wait(page, 96, than=shown)
    second = drawn(page)
    page.get_by_role("button", name="Compare", exact=True).click()
    both = drawn(page)
    left, right = (MIDDLE[0], slice(320, 395)), (MIDDLE[0], slice(405, 500))
    assert difference(both[left], first[left]) < 2 < difference(both[left], second[left])
    assert difference(both[right], second[right]) < 2 < difference(both[right], first[right])
    line = page.get_by_role("slider", name="Compare")
    line.focus()
    for _ in range(30):
        line.press("ArrowRight")
    assert difference(drawn(page)[right], first[right]) < 2


def test_a_click_lets_a_drop_fall_and_a_drag_does_not(see):
    page = see()
    way = "downcut.landscape.trail.way.length"
    page.mouse.move(400, 240)
    page.mouse.down()
    page.mouse.move(430, 250, steps=4)
    page.mouse.up()
    page.wait_for_timeout(400)
    assert page.evaluate(way) == 0
    page.mouse.click(400, 230)
    page.wait_for_function(f"() => {way} > 1")
    page.wait_for_timeout(400)
    far = "downcut.stage.camera.position.distanceTo(downcut.stage.controls.target)"
    before = page.evaluate(far)
    page.mouse.dblclick(380, 240)
    drawn(page)
    assert page.evaluate(far) < 0.5 * before


@pytest.mark.slow  # many pictures, drawn without a graphics card
def test_keys_move_and_home_comes_back(see):
    page = see()
    first = drawn(page)
    page.locator("#stage").focus()
    for key in ("ArrowUp", "d", "e", "Equal"):
        page.keyboard.down(key)
        page.wait_for_timeout(400)
        page.keyboard.up(key)
        moved = drawn(page)
        assert difference(moved, first) > 1, key
    page.keyboard.press("Home")
    assert difference(drawn(page), first) < 1


SHOWN_BY_THE_CARD = """() => {
    const { stage, landscape: { swell, now } } = downcut;
    const shown = swell.waves.targets.find(({ texture }) => texture === now.relief.uHeight.value);
    const { width: cols, height: rows } = shown;
    const read = new Float32Array(4 * rows * cols);
    stage.renderer.readRenderTargetPixels(shown, 0, 0, cols, rows, read);
    return { size: [rows, cols], metres: Array.from(read.filter((_, k) => k % 4 === 0)) };
}"""


def test_a_slider_of_noise_moves_the_land_before_the_engine_does(see, land):
    recipe = recipe_of(FBM, ISLAND, title="Waves")
    page = see(recipe)
    page.locator(".left .step .name").nth(0).click()
    body = page.locator('[data-place="steps.0"] .body')
    slider = body.get_by_role("slider", name="amplitude", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    first, before = land.checksum(page), drawn(page)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.5, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, middle, steps=6)
    page.wait_for_function("() => downcut.landscape.now.surfing")
    page.mouse.move(box["x"] + box["width"] * 0.85, middle)
    assert difference(drawn(page)[MIDDLE], before[MIDDLE]) > 2
    heights = page.evaluate(SHOWN_BY_THE_CARD)
    page.mouse.up()
    assert land.wait(page, 64, than=first) == land.grow(land.link(page)).checksum
    assert not page.evaluate("downcut.landscape.now.surfing")
    here = land.grow(land.link(page), tuple(heights["size"]))["elevation"].ravel()
    assert np.abs(heights["metres"] - here).max() < 1e-4 * abs(here).max()


def test_a_lost_context_comes_back(see):
    page = see(expected="Context")
    first = drawn(page)
    page.evaluate(
        """async () => {
            const lost = downcut.stage.renderer.getContext().getExtension("WEBGL_lose_context");
            const heard = kind => new Promise((done, fail) => {
                downcut.stage.canvas.addEventListener(kind, done, { once: true });
                setTimeout(() => fail(new Error(`${kind} is never said`)), 60_000);
            });
            const gone = heard("webglcontextlost");
            lost.loseContext();
            await gone;
            await new Promise(done => setTimeout(done, 100));
            const back = heard("webglcontextrestored");
            lost.restoreContext();
            await back;
        }"""
    )
    assert difference(drawn(page), first) < 1


@pytest.mark.slow  # many pictures, drawn without a graphics card
def test_nothing_is_left_behind(see):
    page = see()
    seen = []
    for _ in range(4):
        for mode in ("Compare", "Map", "3-D"):
            page.get_by_role("button", name=mode, exact=True).click()
            drawn(page)
        sampled(page, recipe_of(FBM), 64)
        seen.append(page.evaluate("({ ...downcut.stage.renderer.info.memory })"))
    assert seen[-1] == seen[1]


def test_a_picture_is_finer_than_the_screen(see):
    page = see()
    with page.expect_download() as coming:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="Take a picture").click()
    with Image.open(coming.value.path()) as image:
        assert image.size[0] >= 2 * 800
        assert np.asarray(image.convert("RGB")).std() > 12


def test_still_eyes_see_a_still_land(see):
    page = see(reduced_motion="reduce")
    first = drawn(page)
    page.wait_for_timeout(1500)
    assert difference(drawn(page), first) == 0
    assert page.evaluate("downcut.stage.cost.calls") < 12
