"""The land that the studio shows at once is the first preset's, small, and is told to anybody."""

import gzip

import numpy as np

import downcut as dc
from downcut import presets
from downcut.export.blocks import joined, read_blocks, seen


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
    assert blocks["tint"][1].shape == (*land.grid.shape, 4)
    assert (blocks["tint"][1][..., 3] > 0).any(), "its rivers are drawn"


def test_it_is_small_enough_to_ship():
    assert len(presets.first_land()) <= 600_000


def first():
    return list(read_blocks(gzip.decompress(presets.first_land())))


def test_water_and_ground_are_cut_in_the_same_steps():
    land = dc.generate(dc.preset("archipelago", size=64))
    wet = land["water_depth"] > 0
    assert wet.any()
    blocks = {header["layer"]: (header, array) for header, array in read(seen(land))}
    (ground, codes), (water, levels) = blocks["elevation"], blocks["water_surface"]
    assert (water["scale"], water["offset"]) == (ground["scale"], ground["offset"])
    assert not (levels > codes)[~wet].any()
    assert (levels > codes)[land["water_depth"] > ground["scale"]].all()


def test_a_dry_land_has_no_water_to_send():
    land = dc.generate(dc.preset("sine-hills", size=32))
    assert list(seen(land)) == ["elevation", "tint"]


def read(blocks):
    return read_blocks(joined(blocks))
