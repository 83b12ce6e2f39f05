"""The walk's pictures and what its scenes cost, in a real Chromium, into docs/walk and walk.md.

python docs/walk_pictures.py            # takes some minutes where there is no graphics card
"""

import functools
import http.server
import io
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
import chromium

import downcut as dc
from downcut.walking.deliver import deliver
from downcut.walking.window import Asked, suited, walk

DOCS = Path(__file__).parent
SIZE = {"width": 800, "height": 450}
PATIENCE = 240_000
BETWEEN = re.compile(r"(<!-- figures -->\n).*?(<!-- end -->)", re.S)


class Sight(NamedTuple):
    """A place to look from: where the window lies, which viewpoint, and when."""

    preset: str
    at: tuple[float, float] | None
    viewpoint: int
    hour: float
    mist: float


SIGHTS = {
    "glade": Sight("glade", None, 0, 19, 0.3),
    "alpine": Sight("alpine", None, 0, 16.5, 0.3),
    "canyon": Sight("canyon", None, 0, 17.5, 0.25),
    "archipelago": Sight("archipelago", (-2288.0, 702.0), 0, 18, 0.25),
}
LOOK = """([viewpoint, hour, mist]) => {
  walk.mood.hour.value = hour;
  walk.mood.mist.value = mist;
  walker.take(walk.land.about.viewpoints[viewpoint]);
  walk.pass(1);
}"""
# Parts alone, as they are called before every frame; the first seconds choose what stands near.
FRAMES = """() => {
  walk.pass(3);
  const began = performance.now();
  walk.pass(10);
  return (performance.now() - began) / 200;
}"""


def write() -> None:
    """Take all pictures and write the table."""
    (DOCS / "walk").mkdir(exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        if browser is None:
            sys.exit("no Chromium starts here: python scripts/chromium.py installs one")
        for name, sight in SIGHTS.items():
            land = dc.generate(suited(dc.preset(sight.preset)))
            deliver(walk(land, Asked(at=sight.at)), Path(folder) / name)
            with _served(Path(folder) / name) as address:
                page = browser.new_page(viewport=SIZE)
                page.set_default_timeout(PATIENCE)
                rows.append((name, *_seen(page, f"{address}?still", sight, name)))
                page.close()
        browser.close()
    text = (DOCS / "walk.md").read_text("utf-8")
    table = BETWEEN.sub(lambda found: found[1] + _table(rows) + found[2], text)
    (DOCS / "walk.md").write_text(table, "utf-8")


def _seen(page: Page, address: str, sight: Sight, name: str) -> tuple[dict[str, Any], float]:
    """Look from a place, keep the picture, and return what the scene costs."""
    page.goto(address)
    _ready(page)
    page.add_style_tag(content=".walk-panel { display: none !important }")
    page.evaluate(LOOK, [sight.viewpoint, sight.hour, sight.mist])
    page.wait_for_timeout(400)  # the sky is baked anew once the hour rests
    page.evaluate("walk.pass(0.1)")
    _ready(page)
    with Image.open(io.BytesIO(page.screenshot(timeout=PATIENCE))) as image:
        image.convert("RGB").save(
            DOCS / "walk" / f"{name}.jpg", quality=74, optimize=True, progressive=True
        )
    figures = page.evaluate("walk.figures()")
    return figures, page.evaluate(FRAMES)


def _ready(page: Page) -> None:
    page.wait_for_timeout(100)
    page.wait_for_selector("html[data-ready]", state="attached")


def _table(rows: list[tuple[str, dict[str, Any], float]]) -> str:
    """Return a row for each land."""
    head = "| land | draw calls | triangles | instances | textures | on the card | before a frame |"
    lines = [head, "|---|---|---|---|---|---|---|"]
    for name, figures, milliseconds in rows:
        instances = sum(figures["instances"].values())
        lines.append(
            f"| `{name}` | {figures['calls']} | {round(figures['triangles'], -3):,.0f} "
            f"| {instances:,} | {figures['textures']} | {figures['bytes'] / 1e6:.1f} MB "
            f"| {milliseconds:.1f} ms |"
        )
    return "\n".join(lines) + "\n"


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine."""
    handler = functools.partial(_Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    write()
