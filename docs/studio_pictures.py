"""The studio's pictures: the page as it opens, and rain on its way, in a real Chromium.

python docs/studio_pictures.py
"""

import io
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
import chromium

from downcut.server.app import create_app

FOLDER = Path(__file__).parent / "studio"
SIZE = {"width": 1360, "height": 800}
PATIENCE = 120_000
TOKEN = "picture"


def write(folder: Path) -> None:
    """Take both pictures."""
    folder.mkdir(exist_ok=True)
    with _served() as address, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        if browser is None:
            sys.exit("no Chromium starts here: python scripts/chromium.py installs one")
        page = browser.new_page(viewport=SIZE, color_scheme="dark", reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}?token={TOKEN}")
        _grown(page)
        _keep(page, folder / "begin.jpg")
        page.keyboard.press("p")
        page.locator(".left .step .name", has_text="droplets").click()
        page.locator('[data-place="steps.9"]').scroll_into_view_if_needed()
        page.get_by_role("tab", name="Watch").click()
        room = page.get_by_role("tabpanel")
        room.get_by_label("What to watch").select_option("9")
        page.mouse.click(SIZE["width"] / 2, SIZE["height"] / 2)
        room.get_by_role("region", name="One droplet").wait_for()
        _keep(page, folder / "droplet.jpg")
        browser.close()


@contextmanager
def _served() -> Iterator[str]:
    """Run the studio on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = uvicorn.Config(
        create_app(port=port, token=TOKEN),
        port=port,
        log_level="critical",
        ws="websockets-sansio",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join()


def _grown(page: Page) -> None:
    page.wait_for_selector(".status[data-checksum][data-doing='']", state="attached")


def _keep(page: Page, place: Path) -> None:
    """Save the page once light is drawn finely."""
    page.wait_for_timeout(4000)
    data = page.screenshot(timeout=PATIENCE)
    with Image.open(io.BytesIO(data)) as image:
        image.convert("RGB").save(place, quality=76, optimize=True, progressive=True)


if __name__ == "__main__":
    write(FOLDER)
