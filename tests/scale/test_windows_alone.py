"""A window made alone has the bits of the whole: whatever nothing far away decides."""

import numpy as np
import pytest

import downcut as dc
from downcut.alone import Alone
from downcut.windows import run_step

GLOBAL = {
    "lake", "water_depth", "water_surface", "drainage_area", "channel", "stream_order", "discharge",
}  # fmt: skip


def corners(ny, nx, edge):
    places = [(r, c) for r in (0, ny - edge) for c in (0, nx - edge)]
    return [(r, r + edge, c, c + edge) for r, c in [*places, (ny // 3, nx // 2)]]


@pytest.mark.parametrize("name", ["alpine", "old-hills", "badlands", "rolling", "chunks"])
def test_corners_and_middle_of_presets(name):
    recipe = dc.preset(name, size=(150, 170))
    land, alone = dc.generate(recipe), Alone(recipe)
    assert alone.layers == {*land.layers} - GLOBAL
    for box in corners(150, 170, 24):
        for layer, values in alone.window(box).items():
            whole = land[layer][box[0] : box[1], box[2] : box[3]]
            assert values.dtype == whole.dtype
            assert values.tobytes() == whole.tobytes(), (layer, box)


def test_far_less_than_the_land_is_grown(monkeypatch):
    """Creep's influence ends: a window needs so many cells around it, not the whole land."""
    recipe = dc.Recipe.from_dict({
        "grid": {"ny": 300, "nx": 300, "cell_size": 10}, "steps": [
            {"op": "fields.fbm", "wavelength": 400, "amplitude": 80},
            {"op": "erosion.hillslope", "time_step": 1000, "diffusivity": 0.01},
        ],
    })  # fmt: skip
    alone, seen = Alone(recipe), []

    def watched(task, layers, grid, run, tile):
        seen.append(max(grid.shape))
        return run_step(task, layers, grid, run, tile)

    monkeypatch.setattr("downcut.alone.run_step", watched)
    box = (140, 160, 100, 120)
    whole = dc.generate(recipe)["elevation"][140:160, 100:120]
    np.testing.assert_array_equal(alone.window(box)["elevation"], whole)
    assert max(seen) < 150


def test_what_the_sea_decides_is_left_out():
    alone = Alone(dc.preset("archipelago", size=64))
    assert "elevation" not in alone.layers  # its beaches need to know which hollow the sea reaches
