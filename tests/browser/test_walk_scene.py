"""The scene of a walk in a real Chromium: a small glade, drawn on demand."""

import json

import numpy as np
import pytest

import downcut as dc
from downcut.export.blocks import block
from downcut.pages import page as page_of

# Without a graphics card a meadow takes seconds a picture: `make test-all` looks.
pytestmark = pytest.mark.slow

SMALL = "?still&blades=1500&leaves=0.05&shadow=256&fine=0&samples=0"
VIEW = {"width": 480, "height": 270}


@pytest.fixture(scope="module")
def walk(tmp_path_factory, serve):
    """A folder with the page and a land of 96 x 96 cells through which a stream runs."""
    folder = tmp_path_factory.mktemp("walk")
    for item in page_of("walk").iterdir():
        (folder / item.name).write_bytes(item.read_bytes())
    land = dc.generate(dc.preset("glade", size=96))
    z = np.arange(-100.0, 100.0, 4.0)
    line = 8 + 2.6 * np.sin(0.045 * z) + 1.3 * np.sin(0.11 * z + 1.3)
    same = np.ones_like(z)
    river = np.stack([line, -0.3 * same, z, 6 * same, same, 1e6 * same, 0 * same], axis=1)
    chance = np.random.default_rng(1)
    things = {}
    for kind, count, size in [("grass", 1500, 1.05), ("tree", 6, 8.0), ("great_tree", 1, 13.0)]:
        away = 20 * np.sqrt(chance.random(count)) * np.array([-1, 1])[:, None]
        rest = chance.random((3, count))
        things[kind] = (size, np.concatenate([away, rest + 0.4]).T)
    tables = {"rivers": river} | {kind: rows for kind, (_, rows) in things.items()}
    (folder / "elevation.bin").write_bytes(block("elevation", land["elevation"]))
    for name, rows in tables.items():
        (folder / f"{name}.bin").write_bytes(_table(rows.astype(np.float32)))
    columns = ["x", "z", "scale", "turn", "tint"]
    about = {
        "format": "downcut-walk",
        "version": 1,
        "title": "Small glade",
        "description": "",
        "grid": {"ny": 96, "nx": 96, "cell_size": land.grid.cell_size},
        "range": list(land.relief),
        "sea_level": None,
        "layers": {"elevation": {"file": "elevation.bin"}},
        "rivers": {
            "file": "rivers.bin",
            "columns": ["x", "surface", "z", "width", "depth", "discharge", "line"],
        },
        "scatter": [
            {"kind": k, "file": f"{k}.bin", "size": size, "columns": columns, "species": []}
            for k, (size, _) in things.items()
        ],
        "grass_patch": None,
        "around": None,
        "start": {"x": 2.0, "z": 5.0, "heading": 30},
        "limits": {"circle": None, "clearance": 4.4, "margin": 4, "wade": 0.4, "climb": 38},
        "viewpoints": [],
    }
    (folder / "walk.json").write_text(json.dumps(about))
    return serve(folder)


def _table(rows):
    head = {"layer": "table", "dtype": "float32", "shape": list(rows.shape), "unit": "m"}
    text = json.dumps(head).encode()
    text += b" " * (-(4 + len(text)) % 8)
    return len(text).to_bytes(4, "little") + text + rows.tobytes()


def test_the_glade_is_seen_and_costs_what_it_may(walk, visit, look):
    page = visit(walk + SMALL, viewport=VIEW)
    assert page.title() == "Small glade"
    seen = look(page)
    sky, meadow = seen[20:90].reshape(-1, 3), seen[180:].reshape(-1, 3)
    assert sky.mean() > meadow.mean() + 20, "an evening sky above darker ground"
    assert meadow.std(axis=0).max() > 12, "blades, water and ground, and not an even colour"
    figures = page.evaluate("walk.figures()")
    assert figures["calls"] <= 60
    assert figures["instances"]["grass"] == 1500
    assert sum(name == "grass" for name in figures["instances"]) == 1, "all blades in one call"
    assert figures["milliseconds"] < 4


def test_time_moves_what_moves_and_the_same_time_is_the_same_picture(walk, visit, look):
    page = visit(walk + SMALL, viewport=VIEW)
    before = look(page).astype(int)
    page.evaluate("walk.pass(2)")
    after = look(page).astype(int)
    assert (abs(after - before).max(axis=2) > 8).mean() > 0.01, "grass and water moved"
    again = visit(walk + SMALL, viewport=VIEW)
    assert (abs(look(again).astype(int) - before).max(axis=2) > 2).mean() < 0.001


def test_a_calm_page_does_not_turn_and_another_does_until_it_is_touched(walk, visit):
    moving = walk + SMALL.replace("still&", "")
    calm = visit(moving, viewport=VIEW, reduced_motion="reduce")
    assert calm.evaluate("walk.controls.autoRotate") is False
    lively = visit(moving, viewport=VIEW, reduced_motion="no-preference")
    assert lively.evaluate("walk.controls.autoRotate") is True
    lively.mouse.click(200, 150)
    assert lively.evaluate("walk.controls.autoRotate") is False


def test_a_paused_walk_stands_still(walk, visit):
    page = visit(walk + SMALL.replace("still&", ""), viewport=VIEW)
    page.evaluate("walk.paused.value = true")
    page.wait_for_timeout(400)
    time = page.evaluate("walk.seconds")
    page.wait_for_timeout(400)
    assert page.evaluate("walk.seconds") == time
    page.evaluate("walk.paused.value = false")
    page.wait_for_function(f"walk.seconds > {time}")


def test_what_is_no_walk_is_said_in_a_sentence(walk, visit):
    page = visit(
        walk + "?land=nothing.json",
        ready="#trouble:not([hidden])",
        expected=["nothing.json", "404"],
    )
    assert "nothing.json is not there (404)" in page.locator("#trouble").inner_text()
