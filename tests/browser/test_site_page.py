"""The page of a land, from a plain static server, and its loader in a page of three.js' own."""

import json

import pytest

import downcut as dc
from downcut.handover.exporting import export_for


@pytest.fixture(scope="module")
def site(tmp_path_factory, serve):
    folder = tmp_path_factory.mktemp("site") / "land"
    export_for(dc.preset("volcano", size=64), "site", folder)
    return folder, serve(folder)


def test_the_land_is_seen_and_the_sliders_change_it(site, visit, look):
    page = visit(site[1])
    assert page.title() == "Volcano"
    before = look(page)
    middle = before[120:300, 150:450].reshape(-1, 3)
    assert middle.std(axis=0).max() > 15, "a land, and not an empty stage"
    page.locator("summary").click()
    page.locator("#exaggeration").fill("3")
    page.wait_for_timeout(1500)
    after = look(page)
    assert (abs(after.astype(int) - before).max(axis=2) > 12).mean() > 0.05


@pytest.mark.parametrize("viewport", [{"width": 800, "height": 480}, {"width": 390, "height": 700}])
def test_no_caption_covers_the_land(site, visit, viewport):
    page = visit(site[1], viewport=viewport, reduced_motion="reduce")
    lowest = page.evaluate("""() => {
        const { camera } = downcut.stage;
        const { wide, deep, low } = downcut.landscape.now.box;
        const corners = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].map((z) =>
            camera.position.clone().set(x * wide, low, z * deep).project(camera).y));
        return (0.5 - Math.min(...corners) / 2) * innerHeight;
    }""")
    caption = page.locator("#about").bounding_box()
    assert lowest <= caption["y"] + 1


def test_what_is_missing_is_said_in_a_sentence(site, visit, tmp_path, serve):
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(site[0], broken)
    (broken / "layers" / "tint.bin").unlink()
    page = visit(serve(broken), ready="#trouble:not([hidden])", expected="404")
    assert "is not there (404)" in page.locator("#trouble").inner_text()


def test_the_loader_gives_metres_to_any_page(site, visit):
    folder, address = site
    (folder / "own.html").write_text("<!doctype html><link rel=icon href=data:,><p data-ready>mine")
    page = visit(f"{address}own.html")
    got = page.evaluate("""async () => {
        const { loadLand } = await import("./downcut-land.js");
        const land = await loadLand("land.json", []);
        const low = land.elevation.reduce((a, b) => Math.min(a, b));
        const high = land.elevation.reduce((a, b) => Math.max(a, b));
        return [low, high, land.elevation.length, Object.keys(land.layers)];
    }""")
    about = json.loads((folder / "land.json").read_text("utf-8"))
    assert got[:2] == pytest.approx(about["range"], abs=0.01)
    assert got[2:] == [64 * 64, ["elevation"]]
