"""The land that the studio shows at once is the first preset's, small, and is told to anybody."""

import gzip

import numpy as np

import downcut as dc
from downcut import presets
from downcut.export.blocks import read_blocks


def test_the_shipped_land_is_the_one_that_the_first_preset_grows():
    blocks = {header["layer"]: (header, array) for header, array in first()}
    header, codes = blocks["elevation"]
    recipe = dc.preset(presets.FIRST, size=header["size"])
    assert header["digest"] == recipe.digest, "run `python docs/build.py first`"
    land = dc.generate(recipe)
    heights = header["offset"] + header["scale"] * codes.astype(np.float64)
    assert header["cell_size"] == land.grid.cell_size
    # other processors may round a step's last bit differently: most cells, not all
    assert np.median(np.abs(heights - land["elevation"])) <= header["scale"] * 0.5001
    np.testing.assert_allclose((header["low"], header["high"]), land.relief, atol=1)
    other, water = blocks["water_surface"]
    assert (other["scale"], other["offset"]) == (header["scale"], header["offset"])
    wet = land["water_depth"] > header["scale"]
    assert wet.any()
    assert np.mean((water > codes) != wet) < 1e-3
    assert blocks["tint"][1].shape == (*land.grid.shape, 4)
    assert (blocks["tint"][1][..., 3] > 0).any(), "its rivers are drawn"


def test_it_is_small_enough_to_ship():
    assert len(presets.first_land()) <= 600_000


def first():
    return list(read_blocks(gzip.decompress(presets.first_land())))
