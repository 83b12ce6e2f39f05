"""What one sees of a land, in a real browser: noise on the card, light, water, map, drops."""

import numpy as np
import pytest

GROUND = {"ny": 48, "nx": 64, "cell_size": 40}
FBM = {"op": "fields.fbm", "wavelength": 900, "amplitude": 300, "octaves": 7}
RIDGED = {"op": "fields.ridged", "wavelength": 700, "amplitude": 150, "offset": -20}
ISLAND = {"op": "fields.island", "radius": 1000, "squareness": 0.4, "steepness": 3}


def recipe_of(*steps, **more):
    return {"grid": GROUND, "seed": "11", "steps": list(steps)} | more


# --- noise on the card ---


def sampled(page, recipe, size, time=0):
    """The heights that the page's shader draws."""
    heights = page.evaluate(
        """async ([recipe, size, time]) => {
            const read = await downcut.landscape.swell.sample(recipe, size, time);
            return read && Array.from(read);
        }""",
        [recipe, size, time],
    )
    return None if heights is None else np.array(heights, np.float32)


@pytest.mark.parametrize(
    "steps",
    [
        [FBM],
        [{**FBM, "noise": "perlin", "lacunarity": 2.3, "gain": 0.7}],
        [RIDGED],
        [{**RIDGED, "op": "fields.billow", "octaves": 1}],
        [FBM, ISLAND],
        [FBM, {**ISLAND, "blend": "add", "top": 0, "rim": -200, "centre_east": 300}],
        [FBM, {**RIDGED, "blend": "max"}, {**FBM, "wavelength": 311, "blend": "min"}],
    ],
    ids=["fbm", "perlin", "ridged", "billow", "island", "coast", "blends"],
)
def test_the_shader_makes_the_kernels_noise(open_studio, land, steps):
    page = open_studio()
    recipe = recipe_of(*steps)
    there = sampled(page, recipe, 64).reshape(48, 64)
    here = land.grow(recipe)["elevation"]
    amplitude = max(abs(step.get("amplitude", 0)) for step in steps)
    assert np.abs(there - here).max() <= 1e-4 * amplitude
    assert here.std() > 0.05 * amplitude


def test_the_shader_makes_the_island_preset(open_studio, land):
    from downcut import presets

    page = open_studio()
    recipe = presets.load("island")
    there = sampled(page, recipe, 128).reshape(128, 128)
    here = land.grow(recipe, 128)["elevation"]
    assert np.abs(there - here).max() <= 1e-4 * 34


def test_time_moves_the_noise_and_no_time_does_not(open_studio):
    page = open_studio()
    recipe = recipe_of(FBM)
    still = sampled(page, recipe, 64)
    moved = sampled(page, recipe, 64, time=3)
    # 0.02 wavelengths a second, east and north: a grid of that step sees the same land.
    step = {**recipe, "grid": {"ny": 48, "nx": 64, "cell_size": 0.02 * 3 * FBM["wavelength"]}}
    grid = sampled(page, step, 64).reshape(48, 64)
    drifted = sampled(page, step, 64, time=3).reshape(48, 64)
    assert np.abs(moved - still).mean() > 5
    assert np.abs(drifted[1:, :-1] - grid[:-1, 1:]).max() <= 1e-3 * FBM["amplitude"]


def test_what_erodes_is_left_to_the_engine(open_studio):
    page = open_studio()
    assert sampled(page, recipe_of(FBM, {"op": "erosion.thermal"}), 64) is None
