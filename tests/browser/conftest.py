"""A Chromium, a static server, and a visitor who fails the test when the page complains."""

import contextlib
import functools
import http.server
import io
import threading

import chromium
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

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
    exception, a request that failed or went to another host. `expected` (a text) excuses what
    contains it; `ready=None` waits for nothing.
    """
    complaints, contexts, excused = [], [], []

    def open_page(address, *, ready="[data-ready]", expected=None, **options):
        context = chrome.new_context(viewport=options.pop("viewport", VIEW), **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        excused.extend([expected] if expected else [])
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
