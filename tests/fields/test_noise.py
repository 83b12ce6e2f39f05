"""Noise: the same place has the same value in any window, however far, and never twice."""

from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import downcut as dc
from downcut.errors import DowncutError
from downcut.fields import lattice
from downcut.randomness import derive
from downcut.run import Run

NOISES = ("simplex", "perlin")
F2, G2 = lattice.F2, np.float32(lattice.G2)


def one_octave(noise="simplex", **settings):
    """Noise with a lattice cell of 1 m and values in [-1, 1]."""
    return dc.fields.Fbm(
        **{"noise": noise, "wavelength": 1, "amplitude": 1, "octaves": 1} | settings
    )


def correlation(a, b):
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


# --- windows --------------------------------------------------------------------------------

kinds = st.sampled_from([dc.fields.Fbm, dc.fields.Ridged, dc.fields.Billow])
warps = st.none() | st.builds(
    dc.fields.Warp,
    displacement=st.floats(0, 1000),
    wavelength=st.floats(10, 1e5),
    octaves=st.integers(1, 3),
)
noises = st.builds(
    lambda kind, **settings: kind(**settings),
    kinds,
    wavelength=st.floats(30, 1e6),
    octaves=st.integers(1, 4),
    lacunarity=st.floats(1, 3),
    gain=st.floats(0, 1),
    noise=st.sampled_from(NOISES),
    warp=warps,
)


@settings(max_examples=100)
@given(
    noises,
    st.tuples(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6)),
    st.sampled_from([0.0, 0.5]),
    st.tuples(st.integers(1, 40), st.integers(1, 70)),
    st.data(),
)
def test_any_window_is_the_crop_of_a_larger_one(field, corner, half, shape, data):
    grid = dc.Grid(*shape, 30, corner[0] + half, corner[1] + half)
    whole = field(grid=grid, seed=5)
    row, col = (data.draw(st.integers(0, n - 1)) for n in shape)
    ny, nx = (data.draw(st.integers(1, n - at)) for n, at in zip(shape, (row, col), strict=True))
    window = field(grid=grid.window(row, col, ny, nx), seed=5)
    assert window.tobytes() == whole[row : row + ny, col : col + nx].tobytes()


@settings(max_examples=60)
@given(
    st.sampled_from(NOISES),
    st.tuples(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9)),
    st.integers(0, 39),
)
def test_windows_a_thousand_million_cells_away_are_crops_too(noise, corner, at):
    field = one_octave(noise, wavelength=4, octaves=2)
    grid = dc.Grid(40, 40, 1, *corner)
    whole = field(grid=grid)
    assert field(grid=grid.window(at, 0, 1, 40)).tobytes() == whole[at].tobytes()
    column = field(grid=grid.window(0, at, 40, 1))
    assert column[:, 0].tobytes() == whole[:, at].tobytes()


def test_tiles_share_their_posts():
    """Windows that overlap by a row or column of samples agree on it, on all four sides."""
    field = dc.fields.Ridged(wavelength=300, warp=dc.fields.Warp())
    grid = dc.Grid(129, 129, 10, -3, -7)
    whole = field(grid=grid, seed=1)
    parts = [[field(grid=grid.window(r, c, 65, 65), seed=1) for c in (0, 64)] for r in (0, 64)]
    assert (parts[0][0][:, -1] == parts[0][1][:, 0]).all()
    assert (parts[0][0][-1] == parts[1][0][0]).all()
    joined = np.block([[parts[0][0], parts[0][1][:, 1:]], [parts[1][0][1:], parts[1][1][1:, 1:]]])
    assert joined.tobytes() == whole.tobytes()


# --- far from the origin --------------------------------------------------------------------

FAR = [10**6, 10**7, 2 * 10**7, -(10**7), 2**30 + 0.5]


def rows_of_quarter_steps(noise, east):
    """32 rows, two lattice cells apart, of 64 samples a quarter of a cell apart."""
    grid = dc.Grid(256, 64, 0.25, 0, 4 * east)
    return one_octave(noise)(grid=grid, seed=3)[::8]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("east", FAR)
def test_far_away_noise_is_as_fine_as_at_the_origin(noise, east):
    far = rows_of_quarter_steps(noise, east)
    assert all(len(np.unique(row)) == 64 for row in far)

    def bend(rows):
        return np.sqrt(np.mean(np.diff(rows.astype(np.float64), 2, axis=1) ** 2))

    assert 0.8 < bend(far) / bend(rows_of_quarter_steps(noise, 0)) < 1.25


def test_past_the_limit_a_field_is_refused_by_the_limit():
    for far in (2**31 + 10, -(2**31) - 10, 2**40):
        for at in ((0, far), (far, 0)):
            with pytest.raises(DowncutError, match=r"2\^31 is the limit.*longer wavelength"):
                one_octave()(grid=dc.Grid(4, 4, 1, *at))
    with pytest.raises(DowncutError, match=r"2\^31"):
        one_octave(octaves=10)(grid=dc.Grid(4, 4, 1, 0, 2**23))
    with pytest.raises(DowncutError, match=r"2\^31"):
        one_octave(warp={"wavelength": 0.5})(grid=dc.Grid(4, 4, 1, 0, 2**30))


@pytest.mark.parametrize("noise", NOISES)
def test_just_inside_the_limit_it_is_still_noise(noise):
    edge = int(2**31 / (1 + 2 * F2 if noise == "simplex" else 1))
    for east in (edge - 200, -edge + 100):
        made = one_octave(noise)(grid=dc.Grid(100, 100, 0.5, -50, 2 * east))
        assert made.std() > 0.15
        assert len(np.unique(made)) > 9000


# --- no period, no clash of seeds -----------------------------------------------------------


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("period", [256, 289, 512, 1024, 4096, 65536, 2**24])
def test_the_world_does_not_repeat(noise, period):
    def window(row, col):
        return one_octave(noise)(grid=dc.Grid(64, 64, 0.5, 2 * row, 2 * col), seed=9)

    here = window(0, 0)
    for shift in ((0, period), (period, 0), (period, period), (-period, period)):
        there = window(*shift)
        assert (there != here).mean() > 0.99
        assert abs(correlation(here, there)) < 0.15


SEEDS = [*range(64), 3423, 3424, 2**31, 2**32, 2**32 + 1, 2**63, 2**64 - 1, "mountain", "mountaim"]


@pytest.mark.parametrize("noise", NOISES)
def test_lands_of_different_seeds_have_nothing_in_common(noise):
    grid = dc.Grid(64, 64, 0.5)
    lands = [one_octave(noise)(grid=grid, seed=seed).ravel() for seed in SEEDS]
    table = np.corrcoef(np.array(lands, dtype=np.float64))
    np.fill_diagonal(table, 0)
    assert np.abs(table).max() < 0.15
    assert len({land.tobytes() for land in lands}) == len(SEEDS)


@pytest.mark.parametrize("noise", NOISES)
def test_octaves_are_independent_even_at_one_frequency(noise):
    grid = dc.Grid(128, 128, 0.5)
    sums = [np.zeros(grid.shape)]
    for octaves in range(1, 6):
        field = one_octave(noise, octaves=octaves, lacunarity=1, gain=1, amplitude=octaves)
        sums.append(field(grid=grid, seed=2).astype(np.float64))
    each = np.diff(np.array(sums), axis=0)
    table = np.corrcoef(each.reshape(5, -1))
    np.fill_diagonal(table, 0)
    assert np.abs(table).max() < 0.1


def test_the_two_ways_of_a_warp_and_the_field_it_bends_are_independent():
    grid = dc.Grid(128, 128, 0.5)
    warp = dc.fields.Warp(displacement=1, wavelength=1, octaves=1)
    key = derive(4, "fields.fbm", 0)
    east, north = warp.push(grid=grid, key=key, run=Run())
    straight = one_octave()(grid=grid, seed=4)
    for a, b in ((east, north), (east, straight), (north, straight)):
        assert abs(correlation(a, b)) < 0.1
    assert abs(east).max() <= 1
    assert east.std() > 0.2


def test_the_origin_is_no_special_place():
    """Over many seeds the value there is as anywhere: of mean 0, spread, hardly ever 0."""
    for noise in NOISES:
        field = one_octave(noise, octaves=4)
        values = np.array([field(grid=dc.Grid(1, 1), seed=s)[0, 0] for s in range(400)])
        assert abs(values.mean()) < 5 * values.std() / 20
        assert values.std() > 0.1
        assert (values == 0).mean() < 0.02


# --- values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", NOISES)
def test_values_fill_their_range_and_never_leave_it(noise):
    made = one_octave(noise)(grid=dc.Grid(1500, 1500, 0.37), seed=1)
    assert abs(made).max() <= 1
    assert made.max() > 0.8
    assert made.min() < -0.8
    assert abs(made.mean()) < 0.01


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("octaves", [1, 7])
def test_amplitude_bounds_and_offset_moves(noise, octaves):
    grid = dc.Grid(300, 300, 0.37)
    common = {"noise": noise, "wavelength": 1, "amplitude": 250, "octaves": octaves}

    def with_one_chance(kind, **more):
        return kind(**common | more).on({}, grid=grid, key=1234, run=Run())

    hills = with_one_chance(dc.fields.Fbm)
    crests = with_one_chance(dc.fields.Ridged)
    humps = with_one_chance(dc.fields.Billow)
    slack = 250 * 1e-5
    assert abs(hills).max() <= 250 + slack
    assert -slack <= crests.min() < crests.max() <= 250 + slack
    assert abs(humps).max() <= 250 + slack
    if octaves == 1:
        np.testing.assert_allclose(crests, 250 - abs(hills), atol=slack)
        np.testing.assert_allclose(humps, 2 * abs(hills) - 250, atol=slack)
    np.testing.assert_allclose(humps, 250 - 2 * crests, atol=1e-3)
    moved = with_one_chance(dc.fields.Fbm, offset=1000)
    np.testing.assert_allclose(moved, hills + 1000, atol=1e-3)
    flipped = with_one_chance(dc.fields.Fbm, amplitude=-250)
    np.testing.assert_allclose(flipped, -hills, atol=1e-4)


def test_gain_sets_the_height_of_octaves():
    grid = dc.Grid(64, 64, 0.5)
    first = one_octave()(grid=grid, seed=1)
    both = one_octave(octaves=2, gain=0.25)(grid=grid, seed=1)
    second = both - first * np.float32(0.8)
    assert abs(second).max() <= 0.2 + 1e-6
    assert abs(second).max() > 0.1
    np.testing.assert_allclose(one_octave(octaves=5, gain=0)(grid=grid, seed=1), first, atol=1e-7)


@pytest.mark.parametrize("noise", NOISES)
def test_the_wavelength_is_the_length_of_forms(noise):
    """Twice the wavelength on twice the cells is the same land, stretched."""
    near = one_octave(noise, wavelength=8, octaves=3)(grid=dc.Grid(64, 64, 1), seed=1)
    far = one_octave(noise, wavelength=16, octaves=3)(grid=dc.Grid(64, 64, 2), seed=1)
    assert (near == far).all()


@pytest.mark.parametrize(("noise", "limit"), [("simplex", 1.15), ("perlin", 1.35)])
def test_no_direction_is_favoured(noise, limit):
    """The mean square slope along each of 12 directions, over many lattice cells, is alike."""
    made = one_octave(noise)(grid=dc.Grid(1200, 1200, 1 / 6), seed=8).astype(np.float64)
    north, east = np.gradient(made, 1 / 6)
    angles = np.radians(np.arange(0, 180, 15))
    energy = [np.mean((np.cos(a) * east + np.sin(a) * north) ** 2) for a in angles]
    assert max(energy) / min(energy) < limit


def test_octaves_of_perlin_are_turned_so_that_squares_do_not_line_up():
    """Perlin's noise is 0 on lattice points, which straight octaves would share."""
    lines = one_octave("perlin", octaves=4, gain=1, lacunarity=2)
    rows = lines(grid=dc.Grid(800, 800, 1 / 8), seed=1).astype(np.float64)
    along = (rows**2).mean(axis=1)
    assert along.min() > 0.4 * along.mean()


# --- a plain reference ----------------------------------------------------------------------
# The same arithmetic, written a value at a time from the papers and rounded to float32 alike.


def plain_hash(i, j, key):
    m = 0xFFFFFFFF
    h = ((i & m) * 0x9E3779B1 & m) ^ ((j & m) * 0x85EBCA77 & m)
    h = (h ^ key) * 0x2C1B3C6D & m
    h ^= h >> 15
    return h * 0x297A2D39 & m


def plain_gradient(h):
    """The unit vector that the upper four bits name: 11.25° or 33.75°, mirrored three times."""
    angle = 11.25 if h >> 31 else 33.75
    x, y = np.float32(np.cos(np.radians(angle))), np.float32(np.sin(np.radians(angle)))
    if h >> 29 & 1:
        y = -y
    if h >> 28 & 1:
        x, y = -x, -y
    return (y, x) if h >> 30 & 1 else (x, y)


def plain_slope(h, x, y):
    gx, gy = plain_gradient(h)
    return gx * x + gy * y


def plain_simplex(i, j, u, v, key):
    one = np.float32(1)
    t = (u + v) * G2
    x0, y0 = u - t, v - t
    di, dj = (1, 0) if u > v else (0, 1)
    corners = [
        (0, 0, x0, y0),
        (di, dj, x0 - np.float32(di) + G2, y0 - np.float32(dj) + G2),
        (1, 1, x0 - one + np.float32(2) * G2, y0 - one + np.float32(2) * G2),
    ]
    total = np.float32(0)
    for a, b, x, y in corners:
        t = np.float32(0.5) - x * x - y * y
        if t > 0:
            total += t * t * (t * t) * plain_slope(plain_hash(i + a, j + b, key), x, y)
    return np.float32(lattice.SIMPLEX_SCALE) * total


def plain_perlin(i, j, u, v, key):
    def fade(t):
        return t * t * t * (t * (t * np.float32(6) - np.float32(15)) + np.float32(10))

    def corner(a, b):
        return plain_slope(plain_hash(i + a, j + b, key), u - np.float32(a), v - np.float32(b))

    near = corner(0, 0) + fade(u) * (corner(1, 0) - corner(0, 0))
    far = corner(0, 1) + fade(u) * (corner(1, 1) - corner(0, 1))
    return np.float32(lattice.PERLIN_SCALE) * (near + fade(v) * (far - near))


def plain_places(grid, frequency, octave, key, skewed):
    """Lattice cell and 24-bit fraction of every sample, with whole numbers of any length."""
    cosine, sine = 1.0, 0.0
    for _ in range(octave):
        cosine, sine = 0.6 * cosine - 0.8 * sine, 0.6 * sine + 0.8 * cosine
    s = F2 if skewed else 0.0
    x, y = (cosine, sine), (-sine, cosine)  # where a metre east and a metre north lead
    steps = [[frequency * (way[a] + s * (way[0] + way[1])) for a in (0, 1)] for way in (x, y)]
    offset = [derive(key, "offset", octave, axis) for axis in (0, 1)]

    def fixed(step, halves):
        scaled = Fraction(step * (grid.cell_size / 2)) * 2**64
        return floor(scaled) * halves >> 32

    row, col = grid.corner
    for r in range(grid.ny):
        for c in range(grid.nx):
            east, south = int(2 * (col + c)) + 1, int(2 * (row + r)) + 1
            place = []
            for a in (0, 1):
                q = fixed(steps[0][a], east) + fixed(steps[1][a], -south) + offset[a]
                fraction = np.float32((q >> 8) & 0xFFFFFF) * np.float32(2**-24)
                place.append((q >> 32, fraction))
            yield (r, c), place


def plain_fbm(field, grid, key):
    noise = plain_perlin if field.noise == "perlin" else plain_simplex
    shares = [field.gain**k for k in range(field.octaves)]
    out = np.full(grid.shape, field.offset, np.float32)
    for k, share in enumerate(shares):
        octave = derive(key, "octave", k) & 0xFFFFFFFF
        weight = np.float32(share / sum(shares)) * np.float32(field.amplitude)
        frequency = field.lacunarity**k / field.wavelength
        for at, ((i, u), (j, v)) in plain_places(grid, frequency, k, key, field.noise == "simplex"):
            n = noise(i, j, u, v, octave)
            if isinstance(field, dc.fields.Ridged):
                n = np.float32(1) - abs(n)
            out[at] += weight * n
    return out


@pytest.mark.parametrize("kind", [dc.fields.Fbm, dc.fields.Ridged])
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("corner", [(-6, -11), (10**7, -(10**7) - 3), (-(10**6) + 0.5, 0.5)])
def test_the_fast_kernel_gives_the_bits_of_a_plain_one(kind, noise, corner):
    grid = dc.Grid(12, 21, 3.7, *corner)
    field = kind(noise=noise, wavelength=24, amplitude=100, offset=5, octaves=3, gain=0.5)
    made = field(grid=grid, seed=6)
    assert (made == plain_fbm(field, grid, derive(6, field.op, 0))).all()


@pytest.mark.parametrize(
    ("fast", "plain"), [(lattice.simplex, plain_simplex), (lattice.perlin, plain_perlin)]
)
def test_one_sample_of_the_kernel_is_the_plain_one_anywhere(fast, plain):
    chance = np.random.default_rng(1)
    ends = np.array([0, 1, 255, 256, 2**31, 2**32 - 1], dtype=np.uint32)
    for n in range(1500):
        i, j = (int(k) for k in chance.integers(-(2**31), 2**31, 2))
        u, v = chance.integers(0, 2**32, 2, dtype=np.uint32)
        if n < 36:
            u, v = ends[n // 6], ends[n % 6]
        key = int(chance.integers(0, 2**32))
        got = fast(np.int32(i), np.int32(j), u, v, np.uint32(key))
        share = [np.float32(int(w) >> 8) * np.float32(2**-24) for w in (u, v)]
        assert np.float32(got) == plain(i, j, *share, key)


def test_the_sixteen_gradients_are_unit_vectors_evenly_round():
    one, zero = np.float32(1), np.float32(0)
    angles, total = [], np.zeros(2)
    for top in range(16):
        h = np.uint32(top << 28 | 12345)
        x, y = float(lattice._slope(h, one, zero)), float(lattice._slope(h, zero, one))
        assert np.hypot(x, y) == pytest.approx(1, abs=1e-7)
        angles.append(np.degrees(np.arctan2(y, x)) % 360)
        total += (x, y)
    np.testing.assert_allclose(np.diff(sorted(angles)), 22.5, atol=1e-4)
    np.testing.assert_allclose(total, 0, atol=1e-6)


def test_each_gradient_is_met_as_often_and_neighbours_do_not_care():
    cells = [plain_hash(i, j, 77) >> 28 for i in range(-64, 64) for j in range(-64, 64)]
    counts = np.bincount(cells, minlength=16)
    expected = len(cells) / 16
    assert ((counts - expected) ** 2 / expected).sum() < 45  # χ², 15 degrees: 1 in 10⁴
    grid = np.array(cells).reshape(128, 128)
    for other in (np.roll(grid, 1, 0), np.roll(grid, 1, 1), np.roll(grid, (1, 1), (0, 1))):
        pairs = np.bincount((grid * 16 + other).ravel(), minlength=256)
        assert ((pairs - expected / 16) ** 2 / (expected / 16)).sum() < 350  # 255 degrees


# --- warp -----------------------------------------------------------------------------------


def test_a_warp_of_nothing_changes_nothing():
    grid = dc.Grid(70, 50, 10, -(10**6), 10**6)
    for noise in NOISES:
        straight = dc.fields.Fbm(noise=noise, wavelength=300)
        still = dc.fields.Fbm(noise=noise, wavelength=300, warp={"displacement": 0})
        assert (straight(grid=grid, seed=2) == still(grid=grid, seed=2)).all()


@pytest.mark.parametrize("noise", NOISES)
def test_a_warp_reads_the_field_where_it_pushes(noise):
    """Sampled densely, the straight field at the pushed places is the warped one."""
    warp = dc.fields.Warp(displacement=6, wavelength=40, octaves=2)
    common = {"noise": noise, "wavelength": 60, "amplitude": 100, "octaves": 2}
    bent, straight = dc.fields.Fbm(**common, warp=warp), dc.fields.Fbm(**common)
    grid = dc.Grid(24, 24, 2)
    made = bent(grid=grid, seed=3)
    east, north = warp.push(grid=grid, key=derive(3, "fields.fbm", 0), run=Run())
    fine = 2.0**-6
    for r, c in ((0, 0), (5, 17), (23, 2), (12, 12)):
        x, y = grid.x[c] + east[r, c], grid.y[r] + north[r, c]
        col, row = floor(x / fine), floor(-y / fine)
        there = straight(grid=dc.Grid(1, 1, fine, row, col), seed=3)
        assert made[r, c] == pytest.approx(there[0, 0], abs=0.5)  # a place 1/64 m off at most
    assert correlation(made, straight(grid=grid, seed=3)) < 0.999


# --- previews -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [dc.fields.Fbm, dc.fields.Ridged, dc.fields.Billow])
def test_a_preview_shows_the_ground_of_the_full_size(kind):
    field = kind(wavelength=4000, amplitude=500, warp={"displacement": 200})
    small = field(grid=dc.Grid(256, 256, 40), seed=5)
    large = field(grid=dc.Grid(1024, 1024, 10), seed=5)
    blocks = large.reshape(256, 4, 256, 4).mean(axis=(1, 3))
    assert np.sqrt(np.mean((blocks - small) ** 2)) < 0.03 * small.std()


@pytest.mark.parametrize("ratio", [3, 5])
def test_at_an_odd_ratio_the_middle_cells_are_the_preview_s(ratio):
    for warp in (None, {"displacement": 200}):
        field = dc.fields.Fbm(wavelength=4000, amplitude=500, warp=warp)
        small = field(grid=dc.Grid(50, 61, 30), seed=5)
        large = field(grid=dc.Grid(50 * ratio, 61 * ratio, 30 / ratio), seed=5)
        np.testing.assert_allclose(
            large[ratio // 2 :: ratio, ratio // 2 :: ratio], small, atol=500 * 1e-5
        )
