"""Fields without chance against their formulas, and how any field meets what a layer holds."""

import math

import numpy as np
import pytest

import downcut as dc
from downcut.fields.glade import stream_line

GRID = dc.Grid(60, 80, 10)


@pytest.fixture(scope="module")
def base():
    y, x = np.mgrid[0:60, 0:80]
    return (200 + 150 * np.sin(x / 9) * np.cos(y / 7)).astype(np.float32)


@pytest.fixture(scope="module")
def mask():
    y, x = np.mgrid[0:60, 0:80]
    return (0.5 + 0.8 * np.sin(x / 13 + y / 17)).astype(np.float32)  # below 0 and above 1 too


FIELDS = [
    dc.fields.Fbm(wavelength=300, amplitude=100, offset=150),
    dc.fields.Ridged(wavelength=300, amplitude=400, noise="perlin"),
    dc.fields.Billow(wavelength=300, amplitude=100, offset=200, warp={"wavelength": 200}),
    dc.fields.Island(radius=350, top=300, rim=-20),
    dc.fields.Sines(start=400, amplitude=100, highest=400),
    dc.fields.Glade(depth=100, bank=50, rolling=80),
]
every_field = pytest.mark.parametrize("field", FIELDS, ids=lambda f: f.op)
BLENDS = {
    "add": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "multiply": np.multiply,
    "replace": lambda base, value: value,
}


def again(field, **settings):
    return type(field)(**{**field.model_dump(), **settings})


@every_field
@pytest.mark.parametrize("blend", BLENDS)
def test_a_field_meets_a_layer_as_numpy_would(field, blend, base):
    alone = again(field, blend="replace")(grid=GRID, seed=4)
    made = again(field, blend=blend)
    given = [base] if made.inputs() else []
    together = made(*given, grid=GRID, seed=4)
    assert together.dtype == np.float32
    assert (together == BLENDS[blend](base, alone)).all()
    assert not (together == base).all()


@every_field
@pytest.mark.parametrize("blend", BLENDS)
def test_a_mask_says_how_much_of_the_blend_happens(field, blend, base, mask):
    alone = again(field, blend="replace")(grid=GRID, seed=4)
    made = again(field, blend=blend, mask="mask")(base, mask, grid=GRID, seed=4)
    share = np.clip(mask, 0, 1)
    blended = BLENDS[blend](base, alone).astype(np.float64)
    np.testing.assert_allclose(made, base + share * (blended - base), rtol=1e-5, atol=1e-2)
    outside = mask <= 0
    assert 0.1 < outside.mean() < 0.9
    assert (made[outside] == base[outside]).all()
    inside = mask >= 1
    np.testing.assert_allclose(made[inside], blended[inside], rtol=1e-5, atol=1e-3)


@every_field
def test_the_first_field_of_a_layer_fills_it(field):
    alone = again(field, blend="replace")(grid=GRID, seed=4)
    for blend in BLENDS:
        assert (again(field, blend=blend)(grid=GRID, seed=4) == alone).all()


@every_field
def test_under_a_mask_the_first_field_fills_only_where_it_acts(field, mask):
    alone = again(field, blend="replace")(grid=GRID, seed=4)
    made = again(field, mask="mask")(mask=mask, grid=GRID, seed=4)
    np.testing.assert_allclose(made, alone * np.clip(mask, 0, 1), rtol=1e-6)


@every_field
def test_a_field_goes_into_the_layer_it_names(field):
    ground = {"ny": 20, "nx": 30, "cell_size": 10}
    steps = [
        {"op": "fields.fbm"},
        again(field, into="erodibility").model_dump(mode="json"),
        again(field, into="erodibility", blend="add").model_dump(mode="json"),
    ]
    land = dc.generate({"grid": ground, "steps": steps, "seed": 4})
    plain = dc.generate({"grid": ground, "steps": steps[:1], "seed": 4})
    assert list(land.layers) == ["elevation", "erodibility"]
    assert (land["elevation"] == plain["elevation"]).all()
    assert np.ptp(land["erodibility"]) > 0


def test_a_mask_made_by_a_field_decides_where_another_acts():
    ground = {"ny": 40, "nx": 40, "cell_size": 10}
    island = {"op": "fields.island", "radius": 100, "into": "where", "blend": "replace"}
    hills = {"op": "fields.fbm", "wavelength": 100, "amplitude": 50, "mask": "where"}
    land = dc.generate({"grid": ground, "steps": [island, hills]})
    outside = land["where"] == 0
    assert 0.5 < outside.mean() < 0.9
    assert (land["elevation"][outside] == 0).all()
    assert land["elevation"][~outside].std() > 3


# --- sines ----------------------------------------------------------------------------------


def test_sines_are_the_four_waves_of_96_cells():
    """Σ a·sin(x·f)·cos(y·f + octave), f from 0.04 × 2.1, a from 1 × 0.55; (v + 2)/4 in 0…1.2."""
    made = dc.fields.Sines()(grid=dc.Grid(96, 96))
    expected = np.zeros((96, 96))
    for y in range(96):
        for x in range(96):
            f, a, v = 0.04, 1.0, 0.0
            for octave in range(4):
                v += a * math.sin(x * f) * math.cos(y * f + octave)
                f, a = f * 2.1, a * 0.55
            expected[y, x] = min(max((v + 2) * 0.25, 0), 1.2)
    np.testing.assert_allclose(made, expected, atol=1e-6)
    assert made[0, 0] == pytest.approx(0.5, abs=1e-6)


def test_sines_of_any_numbers_follow_the_formula():
    field = dc.fields.Sines(
        wavelength=50, octaves=3, lacunarity=1.7, gain=0.4, level=1, amplitude=3, start=7,
        lowest=-100, highest=100,
    )  # fmt: skip
    made = field(grid=dc.Grid(31, 17, 2.5))
    grid = dc.Grid(31, 17, 2.5)
    for r, c in ((0, 0), (30, 16), (4, 11)):
        x, y = grid.x[c] + 7 - 1.25, 7 - grid.y[r] - 1.25
        v = 0.0
        for k in range(3):
            f = 2 * math.pi / 50 * 1.7**k
            v += 0.4**k * math.sin(x * f) * math.cos(y * f + k)
        assert made[r, c] == pytest.approx((v + 1) * 3, abs=1e-5)


def test_sines_are_clamped():
    made = dc.fields.Sines(lowest=0.4, highest=0.6)(grid=dc.Grid(96, 96))
    assert made.min() == pytest.approx(0.4)
    assert made.max() == pytest.approx(0.6)
    assert 0.1 < (made == made.max()).mean() < 0.9


# --- island ---------------------------------------------------------------------------------


def test_the_island_is_one_minus_the_larger_coordinate():
    """edge = 1 − max(|x|, |y|) with x and y from −1 to 1 over the square of its radius."""
    field = dc.fields.Island(radius=50, blend="replace")
    grid = dc.Grid(201, 201, 0.5)
    made = field(grid=grid)
    x, y = np.meshgrid(grid.x / 50, grid.y / 50)
    np.testing.assert_allclose(made, np.maximum(1 - np.maximum(abs(x), abs(y)), 0), atol=1e-6)
    assert made[100, 100] == 1
    assert (made[0] == 0).all()
    assert (made == np.rot90(made)).all()


def test_the_island_s_rim_top_place_and_outline():
    grid = dc.Grid(41, 61, 10)
    x, y = np.meshgrid(grid.x - 40, grid.y + 30)
    round_one = dc.fields.Island(
        radius=150, top=80, rim=-5, squareness=0, centre_east=40, centre_north=-30, blend="replace"
    )(grid=grid)
    inside = np.maximum(1 - np.hypot(x, y) / 150, 0)
    np.testing.assert_allclose(round_one, -5 + 85 * inside, atol=1e-4)
    half = dc.fields.Island(
        radius=150, squareness=0.5, centre_east=40, centre_north=-30, blend="replace"
    )(grid=grid)
    square = np.maximum(1 - np.maximum(abs(x), abs(y)) / 150, 0)
    mixed = np.maximum(1 - (np.hypot(x, y) + np.maximum(abs(x), abs(y))) / 300, 0)
    np.testing.assert_allclose(half, mixed, atol=1e-6)
    assert (half <= square + 1e-6).all()


def test_steepness_lifts_the_flanks_and_keeps_both_ends():
    grid = dc.Grid(101, 101, 1)
    even, steep = (
        dc.fields.Island(radius=50, steepness=s, blend="replace")(grid=grid) for s in (1, 5)
    )
    assert (steep[even == 0] == 0).all()
    assert steep[50, 50] == even[50, 50] == 1
    between = (even > 0) & (even < 1)
    assert (steep[between] > even[between]).all()
    order = np.argsort(even.ravel(), kind="stable")
    assert (np.diff(steep.ravel()[order]) >= 0).all()


def test_an_island_multiplied_into_hills_ends_at_the_edge_of_its_radius():
    hills = dc.fields.Fbm(wavelength=100, amplitude=50, offset=60)(grid=GRID, seed=1)
    made = dc.fields.Island(radius=250)(hills, grid=GRID)
    assert (made[0] == 0).all()
    assert made[30, 40] == pytest.approx(hills[30, 40], rel=0.05)


# --- glade ----------------------------------------------------------------------------------


def height_of_the_glade(x, z):
    """The source's one height function, in plain Python."""

    def ss(a, b, t):
        t = min(max((t - a) / (b - a), 0.0), 1.0)
        return t * t * (3 - 2 * t)

    cx = 8 + 2.6 * math.sin(0.045 * z) + 1.3 * math.sin(0.11 * z + 1.3)
    d = abs(x - cx)
    rolling = 0.35 * (math.sin(0.13 * x + 0.07 * z) + math.sin(0.05 * x - 0.11 * z + 1.7))
    rolling += 0.9 * math.sin(0.021 * x + 0.017 * z + 0.5)
    bank = 0.28 * math.exp(-((d - 5.6) ** 2) / 3)
    return rolling * ss(3.2, 7.5, d) - 1.15 * (1 - ss(0, 4.6, d)) + bank


def test_the_glade_is_its_one_height_function():
    grid = dc.Grid(480, 480, 0.5)
    made = dc.fields.Glade()(grid=grid)
    for r in range(0, 480, 37):
        for c in range(0, 480, 11):
            expected = height_of_the_glade(grid.x[c], -grid.y[r])
            assert made[r, c] == pytest.approx(expected, abs=1e-6)


def test_the_stream_lies_on_its_line_and_is_as_deep_as_asked():
    for z in (-90.0, 0.0, 33.3):
        x = float(stream_line(np.array(z)))
        field = dc.fields.Glade(depth=2, bank=0)
        assert field.height(np.array(x), np.array(z)) == pytest.approx(-2)
        assert field.height(np.array(x + 30), np.array(z)) > -1.7
        assert dc.fields.Glade(rolling=0, bank=0.5).height(np.array(x + 5.6), np.array(z)) == (
            pytest.approx(0.5)
        )
