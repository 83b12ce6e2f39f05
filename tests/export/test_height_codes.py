"""Heights as colours, against the formulas that programs decode them with."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from downcut.export.height_codes import CODINGS


def decoded(colours, name):
    """As the makers of the two encodings publish it."""
    red, green, blue = np.moveaxis(np.asarray(colours, np.float64), -1, 0)
    if name == "terrarium":
        return red * 256 + green + blue / 256 - 32768
    return -10000 + (red * 256 * 256 + green * 256 + blue) * 0.1


TABLE = [
    (0.0, (128, 0, 0), (1, 134, 160)),
    (8848.86, (162, 144, 220), (2, 224, 73)),
    (-0.001, (128, 0, 0), (1, 134, 160)),
    (123.456, (128, 123, 117), (1, 139, 115)),
    (np.nan, (128, 0, 0), (1, 134, 160)),
]


@pytest.mark.parametrize(("height", "terrarium", "terrain_rgb"), TABLE)
def test_known_heights_have_known_colours(height, terrarium, terrain_rgb):
    assert tuple(CODINGS["terrarium"].encode(np.array(height))) == terrarium
    assert tuple(CODINGS["terrain-rgb"].encode(np.array(height))) == terrain_rgb


def test_half_a_code_may_go_either_way():
    assert tuple(CODINGS["terrarium"].encode(np.array(0.05))) == (128, 0, 13)
    assert tuple(CODINGS["terrain-rgb"].encode(np.array(0.05))) in ((1, 134, 160), (1, 134, 161))
    assert tuple(CODINGS["terrarium"].encode(np.array(-10994.0))) == (85, 14, 0)


@pytest.mark.parametrize(
    ("name", "height", "colour"),
    [
        ("terrain-rgb", -10994.0, (0, 0, 0)),
        ("terrain-rgb", 1e9, (255, 255, 255)),
        ("terrarium", 1e9, (255, 255, 255)),
        ("terrarium", -1e9, (0, 0, 0)),
        ("terrarium", np.inf, (255, 255, 255)),
    ],
)
def test_heights_out_of_reach_are_cut_off_with_a_warning(name, height, colour):
    with pytest.warns(UserWarning, match="cut off"):
        assert tuple(CODINGS[name].encode(np.array(height))) == colour


def test_nodata_is_the_height_that_is_declared():
    gap = CODINGS["terrarium"].encode(np.array([np.nan, 5.0]), nodata=-7.25)
    assert decoded(gap, "terrarium").tolist() == [-7.25, 5.0]


@pytest.mark.parametrize(("name", "error"), [("terrarium", 1 / 512), ("terrain-rgb", 0.05)])
@given(heights=st.lists(st.floats(-9999, 30000, width=32), min_size=1, max_size=40))
def test_heights_come_back_within_half_a_code(name, error, heights):
    values = np.array(heights, np.float32).reshape(1, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = decoded(CODINGS[name].encode(values), name)
    assert back.shape == values.shape
    assert np.abs(back - values).max() <= error * (1 + 1e-9)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4", "i2", "u1"])
def test_every_dtype_and_stride(dtype):
    values = np.arange(24).reshape(4, 6)[::-1, ::2].astype(dtype)
    back = decoded(CODINGS["terrarium"].encode(values), "terrarium")
    np.testing.assert_array_equal(back, values.astype(float))
