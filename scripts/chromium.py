"""Find a Chromium that starts here, or install one: what the tests of the pages look through."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from playwright.sync_api import Browser, BrowserType, Error, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "libegl1", "libegl-mesa0", "libgl1-mesa-dri")
# Mesa draws in software at a fraction of SwiftShader's time; not every machine has it.
MESA = ("--use-angle=gl-egl", "--ignore-gpu-blocklist")
SWIFTSHADER = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
DRAWS = "() => document.createElement('canvas').getContext('webgl2') !== null"


def launch(chromium: BrowserType) -> Browser | None:
    """Start the first browser that draws WebGL here; None where there is none."""
    for path in _paths():
        for renderer in (MESA, SWIFTSHADER):
            if browser := _start(chromium, path, renderer):
                return browser
    return None


def _paths() -> Iterator[str | None]:
    """Yield the machine's own browsers; None last, which is Playwright's."""
    yield from filter(None, map(shutil.which, NAMES))
    yield None


def _start(chromium: BrowserType, path: str | None, renderer: tuple[str, ...]) -> Browser | None:
    # Its sandbox refuses root, and needs rights that containers seldom give.
    try:
        browser = chromium.launch(executable_path=path, args=list(renderer), chromium_sandbox=False)
    except Error:
        return None
    page = browser.new_page()
    draws = page.evaluate(DRAWS)
    page.close()
    if draws:
        return browser
    browser.close()
    return None


def _is_there() -> bool:
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        if browser:
            browser.close()
        return browser is not None


def _ways() -> Iterator[list[str]]:
    """Yield the commands that may install one."""
    yield [sys.executable, "-m", "playwright", "install", "chromium"]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        yield ["apt-get", "update", "-qq"]
        yield ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES]


def main() -> None:
    """Make sure that there is one."""
    if _is_there():
        return
    for command in _ways():
        print("no Chromium starts here: trying", " ".join(command), file=sys.stderr)
        if subprocess.run(command, stdout=sys.stderr).returncode == 0 and _is_there():
            return
    sys.exit(
        "the tests of the pages need a Chromium that starts, and none could be installed: install "
        "your system's chromium (Debian: apt install chromium), then run this again"
    )


if __name__ == "__main__":
    main()
