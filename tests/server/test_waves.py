"""What a page draws noise from: told only where it can, and in step with the metres of the land."""

import base64

import numpy as np
import pytest

from downcut import presets
from downcut.errors import DowncutError
from downcut.server.waves import Sought, waves

GROUND = {"ny": 40, "nx": 64, "cell_size": 25}
HILLS = {"op": "fields.fbm", "wavelength": 900, "octaves": 3}
MASK = {"op": "fields.island", "radius": 700}
WARP = {"displacement": 90, "wavelength": 600, "octaves": 2}


def told(*steps, size=64):
    return waves(Sought(recipe={"grid": GROUND, "seed": "3", "steps": list(steps)}, size=size))


@pytest.mark.parametrize(
    ("steps", "drawable"),
    [
        ((HILLS,), True),
        ((HILLS, MASK, {"op": "fields.ridged", "blend": "max"}), True),
        ((HILLS, {"op": "hydrology.drainage"}), True),
        ((HILLS, {**HILLS, "into": "uplift", "warp": WARP}), True),
        (({**HILLS, "warp": WARP},), False),
        ((HILLS, {"op": "erosion.thermal"}), False),
        ((HILLS, {**HILLS, "into": "m"}, {**HILLS, "mask": "m"}), False),
        ((HILLS, {"op": "repeat", "times": 2, "steps": [HILLS]}), False),
    ],
)
def test_only_plain_noise_and_masks_are_drawn_by_pages(steps, drawable):
    assert (told(*steps)["steps"] is not None) == drawable


def test_steps_that_make_other_layers_are_left_out():
    steps = told({**HILLS, "into": "uplift"}, HILLS, MASK)["steps"]
    assert [(step["index"], step["kind"]) for step in steps] == [(1, "noise"), (2, "island")]


@pytest.mark.parametrize("noise", ["simplex", "perlin"])
def test_places_go_on_by_so_much_a_metre(noise):
    step = told({**HILLS, "noise": noise})["steps"][0]
    per_metre = np.array(step["per_metre"])
    assert len(step["keys"]) == 3
    assert per_metre.shape == (3, 2, 2)
    for name, n, axis, metres in (("columns", 64, 0, 25), ("rows", 40, 1, -25)):
        raw = np.frombuffer(base64.b64decode(step[name]), "<u4").reshape(3, n, 2, 2)
        fixed = (raw[..., 0].astype(np.int64) << 32) + raw[..., 1]
        steps = np.diff(fixed, axis=1).astype(np.float64) / 2**32
        expected = np.broadcast_to(per_metre[:, None, :, axis] * metres, steps.shape)
        np.testing.assert_allclose(steps, expected, atol=2**-31)


def test_numbers_that_are_not_named_are_the_defaults():
    step = told({**HILLS, "amplitude": 12})["steps"][0]
    assert step["values"]["amplitude"] == 12
    assert step["values"]["gain"] == step["defaults"]["gain"] == 0.5
    assert step["defaults"]["amplitude"] == 500


def test_the_island_preset_is_drawn_and_the_alpine_one_is_not():
    for name, drawn in (("island", True), ("alpine", False)):
        assert bool(waves(Sought(recipe=presets.load(name)))["steps"]) == drawn


def test_a_recipe_that_is_none_is_refused():
    with pytest.raises(DowncutError, match="nothing"):
        told({"op": "fields.nothing"})
