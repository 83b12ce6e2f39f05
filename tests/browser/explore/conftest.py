"""What tests of the endless land ask of its page."""

import io

import numpy as np
import pytest
from PIL import Image

HILLS = {
    "title": "Hills",
    "grid": {"ny": 64, "nx": 64, "cell_size": 20},
    "seed": "3",
    "sea_level": 0,
    "steps": [{"op": "fields.fbm", "wavelength": 900, "amplitude": 260, "offset": 60}],
}
EXCUSED = ["ERR_ABORTED", "422 (Unprocessable"]
"""What the browser says of chunks that are not wanted any more, and of a recipe that is refused."""


class Explorer:
    """Opens worlds in a browser, and looks at them."""

    recipe = HILLS
    excused = EXCUSED

    def __init__(self, studio, visit, land):
        self.studio, self._visit, self._land = studio, visit, land

    def __call__(self, place="", recipe=HILLS, ready="[data-ready]", width=480, expected=()):
        """Open the world of a recipe and wait until nothing is missing."""
        page = self._visit(
            self.studio.link,
            ready=None,
            viewport={"width": width, "height": 300},
            reduced_motion="reduce",
            expected=[*EXCUSED, *expected],
        )
        page.goto(f"{self.studio.address}explore.html#{self._land.fragment(recipe)}{place}")
        if ready:
            page.wait_for_selector(ready, state="attached")
        return page

    def place(self, east=0.0, north=0.0, height=700.0, heading=30.0, pitch=-35.0, foot=""):
        """Return the part of a link that is a place and a look."""
        return f"@{east},{north},{height},{heading},{pitch}{foot}"

    def land(self, page):
        """The picture of the land alone, (height, width, 3): black where none is drawn."""
        page.evaluate("() => { downcut.scenery.air.dome.visible = false; downcut.scenery.stir(); }")
        page.add_style_tag(content="#panel { visibility: hidden }")
        page.wait_for_timeout(400)
        page.wait_for_selector("[data-ready]", state="attached")
        with Image.open(io.BytesIO(page.screenshot())) as image:
            return np.asarray(image.convert("RGB")).astype(int)


@pytest.fixture
def explore(studio, visit, land):
    """explore(place, recipe) opens a world; see Explorer."""
    return Explorer(studio, visit, land)
