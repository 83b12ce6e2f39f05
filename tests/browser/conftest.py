"""A Chromium, a static server, and a visitor who fails the test when the page complains."""

import base64
import contextlib
import functools
import http.server
import io
import json
import socket
import threading
import zlib
from types import SimpleNamespace

import chromium
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

import downcut as dc

VIEW = {"width": 600, "height": 420}
"""Small, because a page without a graphics card is drawn by the processor."""
PATIENCE = 60_000
"""How long a page may take to be ready [ms], on a busy machine."""

TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""After these a page that has something to draw has said that it is not ready."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def chrome():
    """A Chromium, for one module: Playwright's event loop shall not outlive it."""
    with sync_playwright() as playwright:
        found = chromium.launch(playwright.chromium)
        assert found, "no Chromium starts here: python scripts/chromium.py installs one"
        yield found
        found.close()


@pytest.fixture(scope="session")
def serve():
    """serve(folder) lends a folder to browsers and returns its address, which ends in /."""
    with contextlib.ExitStack() as servers:

        def start(folder):
            handler = functools.partial(_Quiet, directory=folder)
            server = servers.enter_context(
                http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            )
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            servers.callback(thread.join)
            servers.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}/"

        yield start


@pytest.fixture
def visit(chrome):
    """visit(address, **context) opens a page and waits until it says that it is ready.

    Afterwards the test fails for whatever the page had to complain of: a word in the console, an
    exception, a request that failed or went to another host. `expected` (a text, or several)
    excuses what contains it; `ready=None` waits for nothing.
    """
    complaints, contexts, excused = [], [], []

    def open_page(address, *, ready="[data-ready]", expected=None, **options):
        context = chrome.new_context(viewport=options.pop("viewport", VIEW), **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        excused.extend([expected] if isinstance(expected, str) else expected or [])
        home = address.split("/")[2]
        page.on("console", lambda said: complaints.append(f"console {said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
        page.on("requestfailed", lambda lost: complaints.append(f"lost: {lost.url} {lost.failure}"))
        page.on("request", lambda sent: _stay_home(sent.url, home, complaints))
        page.goto(address, wait_until="commit")
        if ready:
            page.wait_for_selector(ready, state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    left = [text for text in complaints if not any(word in text for word in excused)]
    assert not left, "\n".join(left)


def _stay_home(address, home, complaints):
    if not address.startswith(("data:", "blob:")) and address.split("/")[2] != home:
        complaints.append(f"another host: {address}")


@pytest.fixture
def look():
    """look(page) takes its picture once all is drawn, (height, width, 3) uint8."""

    def picture(page, **options):
        page.evaluate(TWO_FRAMES)
        page.wait_for_selector("[data-ready]", state="attached")
        with Image.open(io.BytesIO(page.screenshot(timeout=PATIENCE, **options))) as image:
            return np.asarray(image.convert("RGB"))

    return picture


# --- the studio ---

SMALL = {
    "title": "Small hills",
    "grid": {"ny": 54, "nx": 96, "cell_size": 40},
    "seed": "3",
    "sea_level": 0,
    "steps": [
        {"op": "fields.fbm", "wavelength": 1500, "amplitude": 260, "offset": 60},
        {"op": "erosion.droplets", "droplets_per_cell": 0.5, "rounds": 6},
        {"op": "hydrology.lakes"},
        {"op": "hydrology.drainage"},
        {"op": "hydrology.rivers", "channel_area": 40_000},
    ],
}
"""Grows in a moment, and has all that the page can show."""


class Studio:
    """A studio that runs beside the test; it can be stopped and come back at the same address."""

    token = "key"

    def __init__(self, source=None):
        self.source = source
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self.link = f"{self.address}?token={self.token}"
        self.start()

    def start(self):
        """Open it."""
        import uvicorn

        from downcut.server.app import create_app
        from downcut.server.studio import Studio as State

        app = create_app(State(threads=2, source=self.source), port=self.port, token=self.token)
        config = uvicorn.Config(
            app,
            port=self.port,
            log_level="critical",
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def stop(self):
        """Close it, whoever is connected."""
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture(scope="module")
def studio_with():
    """studio_with(recipe) runs a studio that was started with a land, for one module."""
    running = []

    def start(recipe):
        running.append(Studio(recipe))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture(scope="module")
def studio():
    """A studio for one module."""
    running = Studio()
    yield running
    running.stop()


@pytest.fixture
def open_studio(studio, visit):
    """open_studio(recipe, **context) opens the page of a recipe and waits for its finished land."""

    def open_page(recipe=SMALL, **options):
        options = {"reduced_motion": "reduce", "viewport": {"width": 800, "height": 480}} | options
        address = studio.link + (f"#{fragment_of(recipe)}" if recipe else "")
        page = visit(address, ready=None, **options)
        await_land(page, max(recipe["grid"]["ny"], recipe["grid"]["nx"]) if recipe else None)
        return page

    return open_page


def fragment_of(recipe):
    """Return the part of a link behind the #, as the page writes it."""
    packer = zlib.compressobj(wbits=-15)
    content = packer.compress(json.dumps({"r": recipe}).encode()) + packer.flush()
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def recipe_of(page):
    """Return the recipe that the page's link holds, once it holds the newest."""
    page.wait_for_timeout(500)
    text = page.evaluate("location.hash").removeprefix("#")
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return json.loads(zlib.decompress(content, wbits=-15))["r"]


def await_land(page, size=None, than=None):
    """Wait until a land is finished, of a size, and another than that of this checksum."""
    page.wait_for_function(
        """([size, than]) => {
            const status = document.querySelector(".status")?.dataset;
            return status?.checksum && status.doing === "" && status.checksum !== than
              && (!size || Number(status.size) === size);
        }""",
        arg=[size, than],
    )
    return checksum_of(page)


def checksum_of(page):
    """Return the checksum of the land that the page shows."""
    return page.get_attribute(".status", "data-checksum")


def grown_by_the_library(recipe, size=None):
    """Return the land that the library grows."""
    land = dc.Recipe.from_dict(recipe)
    return dc.generate(land.changed(size=size) if size else land)


@pytest.fixture
def land():
    """What tests of the studio ask of pages and links."""
    return SimpleNamespace(
        recipe=SMALL,
        fragment=fragment_of,
        link=recipe_of,
        wait=await_land,
        checksum=checksum_of,
        grow=grown_by_the_library,
    )


@pytest.fixture
def look_at():
    """look_at(page, selector) takes a picture of a part of the page, (height, width, 3)."""

    def picture(page, selector):
        data = page.locator(selector).screenshot(timeout=PATIENCE)
        with Image.open(io.BytesIO(data)) as image:
            return np.asarray(image.convert("RGB")).astype(np.int16)

    return picture


@pytest.fixture
def stage():
    """stage(page) takes a picture of the land between the panels, once it is drawn."""

    def picture(page):
        page.wait_for_timeout(900)  # light is drawn finely when the land has come to rest
        box = {"x": 312, "y": 90, "width": 220, "height": 190}
        with Image.open(io.BytesIO(page.screenshot(timeout=PATIENCE, clip=box))) as image:
            return np.asarray(image.convert("RGB")).astype(np.int16)

    return picture
