"""How soon the studio answers, timed in its page: `python benchmarks/studio.py [--size 1024]`.

A browser opens the preset alpine and changes it as a person does. From the moment a slider is let
go it is timed until the first new surface is drawn, and until the finished land is; beside it,
round by round, the library grows the same land alone. Needs the extra `test`, for the browser.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tables import figure, table

import downcut as dc

sys.path.append(str(Path(__file__).parents[1] / "scripts"))
import chromium  # the browser that starts here

WINDOW = {"width": 1280, "height": 720}
PATIENCE = 180_000
"""How long the page may take for anything [ms]."""

LISTEN = """() => {
    const status = document.querySelector(".status");
    const frame = () => new Promise(requestAnimationFrame);
    const now = () => performance.now() / 1000;
    const times = window.times = {};
    let land = status.dataset.checksum;
    const begin = () => {
        for (const key of Object.keys(times)) delete times[key];
        times.begun = now();
        land = status.dataset.checksum;
    };
    document.addEventListener("change", begin, true);
    document.addEventListener("click", begin, true);
    new MutationObserver(async () => {
        if (status.dataset.checksum === land) return;
        land = status.dataset.checksum;
        const finished = status.dataset.doing === "";
        if (!times.came) times.came = now();
        await frame();
        await frame();
        if (!times.first) times.first = now();
        if (finished) times.final = now();
    }).observe(status, { attributes: true });
}"""
TURN = """async () => {
    const { stage } = downcut;
    const begun = performance.now();
    let frames = 0;
    while (performance.now() - begun < 4000) {
        stage.camera.position.applyAxisAngle(stage.camera.up, 0.01);
        stage.controls.update();
        stage.invalidate();
        await new Promise(requestAnimationFrame);
        frames += 1;
    }
    const { calls, triangles } = stage.cost;
    return { frames: frames / (performance.now() - begun) * 1000, calls, triangles };
}"""


@contextmanager
def studio(size: int) -> Iterator[str]:
    """Run a studio beside this process; lend the link that opens it."""
    command = [sys.executable, "-m", "downcut", "studio", "alpine", "--size", str(size)]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "--port", "0", "--no-browser"], stderr=pipe, text=True) as run:
        try:
            assert run.stderr is not None
            yield next(word for line in run.stderr for word in line.split() if "token=" in word)
        finally:
            run.terminate()


def timed(page: Page, act: Callable[[], None]) -> dict[str, float]:
    """Do something and return the seconds until the page has the new land and has drawn it."""
    act()
    page.wait_for_function("() => times.final", timeout=PATIENCE)
    times: dict[str, float] = page.evaluate("times")
    return {key: times[key] - times["begun"] for key in ("came", "first", "final")}


def slide(page: Page, step: str, parameter: str) -> Callable[[], None]:
    """Return what moves a slider by a key, as far as it can go without a person seeing why."""
    page.locator(".left .step .name", has_text=step).last.click()
    slider = page.locator(".left .body").get_by_role("slider", name=parameter, exact=True)
    slider.scroll_into_view_if_needed()
    return lambda: slider.press("ArrowRight")


def measure(page: Page, size: int, rounds: int) -> dict[str, Any]:
    """Change rivers, then the seed, again and again."""
    page.wait_for_selector('.status[data-doing=""][data-checksum]', timeout=PATIENCE)
    page.evaluate(LISTEN)
    rivers = slide(page, "rivers", "channel area")
    dice = page.get_by_role("button", name="Another seed, by chance").click
    found: dict[str, Any] = {"rivers": [], "seed": [], "library": []}
    for _ in range(rounds):
        found["rivers"].append(timed(page, rivers))
        found["seed"].append(timed(page, dice))
        time.sleep(3)  # the page draws finely once it has come to rest
        begun = time.perf_counter()
        dc.generate(dc.preset("alpine", seed=len(found["library"]) + 100, size=size))
        found["library"].append({"final": time.perf_counter() - begun})
    return found | {"drawing": page.evaluate(TURN)}


def told(found: dict[str, Any], size: int) -> str:
    """Return a table of medians [s] and a line about drawing."""
    rows, words = [], {"rivers": "rivers: channel area", "seed": "another seed", "library": ""}
    words["library"] = "the library alone, another seed"
    for name, label in words.items():
        row = [statistics.median(r[k] for r in found[name]) if k in found[name][0] else None
               for k in ("came", "first", "final")]  # fmt: skip
        rows.append([label, *map(figure, row)])
    pairs = zip(found["seed"], found["library"], strict=True)
    ratio = statistics.median(page["final"] / alone["final"] for page, alone in pairs)
    head = ["change", "first land came [s]", "drawn [s]", f"finished, {size}² [s]"]
    drawing = found["drawing"]
    return (
        f"{table(head, rows)}\nFinished over the library alone, round by round: {ratio:.2f}. "
        f"Turning it: {drawing['frames']:.0f} frames a second, {drawing['calls']} draw calls, "
        f"{drawing['triangles']:,} triangles, at {WINDOW['width']} × {WINDOW['height']}.\n"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    wish = parser.parse_args()
    dc.generate(dc.preset("alpine", size=wish.size))
    with studio(wish.size) as link, sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        assert browser, "no Chromium starts here: python scripts/chromium.py installs one"
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
        page.goto(link, wait_until="commit")
        print(told(measure(page, wish.size, wish.rounds), wish.size))
        browser.close()


if __name__ == "__main__":
    main()
