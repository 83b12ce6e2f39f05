"""A window is the same bytes whatever its size, whoever asks, and whatever was asked before."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import downcut as dc
from downcut.grid import Grid

FAR = 10**7


def same(window, larger, top, left):
    """Whether every layer of a window is the part of a larger one that starts there."""
    ny, nx = window.grid.shape
    return window.layers.keys() == larger.layers.keys() and all(
        np.array_equal(array, larger[name][top : top + ny, left : left + nx])
        for name, array in window.layers.items()
    )


places = st.one_of(st.integers(-FAR, FAR), st.integers(-40, 40))
sizes = st.integers(1, 300)


@settings(max_examples=200)
@given(places, places, sizes, sizes, st.integers(0, 6), st.integers(0, 40), st.integers(0, 40))
def test_a_plain_window_is_the_crop_of_a_larger_one(row, col, ny, nx, level, up, left):
    world = dc.World("chunks", disk=0)
    window = world.window(row, col, ny, nx, level)
    larger = world.window(row - up, col - left, ny + up + 7, nx + left + 5, level)
    assert same(window, larger, up, left)


def draws(count, seed, most, deepest):
    chance = np.random.default_rng(seed)
    for number in range(count):
        far = FAR if number % 3 else 300
        row, col = (int(n) for n in chance.integers(-far, far, 2))
        ny, nx, up, left = (int(n) for n in chance.integers(1, most, 4))
        yield row, col, ny, nx, up, left, int(chance.integers(0, deepest + 1)) if number % 2 else 0


def crops(recipe, folder, count, seed, most=300, deepest=6):
    """Grow random windows, and larger ones in another world that has not seen them."""
    for row, col, ny, nx, up, left, level in draws(count, seed, most, deepest):
        window = dc.World(recipe, folder=folder, disk=0).window(row, col, ny, nx, level)
        larger = dc.World(recipe, folder=folder, disk=0).window(
            row - up, col - left, ny + up + 3, nx + left + 1, level
        )
        assert same(window, larger, up, left), (row, col, ny, nx, level)


def test_an_eroded_window_is_the_crop_of_a_larger_one(local_recipe, tmp_path):
    crops(local_recipe, tmp_path, 12, seed=1)


def test_a_window_of_provinces_is_the_crop_of_a_larger_one(small_recipe, tmp_path):
    crops(small_recipe, tmp_path, 6, seed=2, most=80, deepest=2)


def test_an_eroded_window_without_chunks_is_the_same(local_recipe, tmp_path):
    """Chunks only keep: grown at once with its halo, a window across four of them is the same."""
    from downcut.grid import Grid
    from downcut.world.window import grow

    world = dc.World(local_recipe, folder=tmp_path, disk=0)
    window = world.window(-40, 200, 90, 110)
    grid = Grid(90, 110, 10.0, -40, 200)
    grown = grow(world.plan, grid, 0, (), 1, None)
    assert all(np.array_equal(grown[name], window[name]) for name in window.layers)
    bare = dc.World(local_recipe.changed(settings={"steps.1.droplets_per_cell": 1e-6}), disk=0)
    assert not np.array_equal(bare.window(-40, 200, 90, 110)["elevation"], window["elevation"])


GROW = """
import sys, downcut as dc
world = dc.World(dc.Recipe.from_json(sys.argv[1]), disk=0, threads=1)
for place in eval(sys.argv[2]):
    print(world.window(*place).checksum)
"""


def test_order_threads_and_processes_change_nothing(small_recipe):
    order = [(r, c, 70, 50, level) for r in (-60, 10) for c in (-30, 20) for level in (0, 1)]
    alone = dc.World(small_recipe, disk=0, threads=1)
    expected = {place: alone.window(*place).checksum for place in order}
    shares = [order[::-1][n::4] for n in range(4)]
    told = [sys.executable, "-c", GROW, small_recipe.to_json()]
    apart = [
        subprocess.Popen([*told, repr(share)], stdout=subprocess.PIPE, text=True)
        for share in shares
    ]
    for share, process in zip(shares, apart, strict=True):
        assert process.communicate()[0].split() == [expected[place] for place in share]
    world = dc.World(small_recipe, disk=0)
    with ThreadPoolExecutor(4) as threads:
        grown = threads.map(lambda place: world.window(*place).checksum, order[::-1])
    assert dict(zip(order[::-1], grown, strict=True)) == expected


def test_what_the_disk_keeps_is_what_was_grown(small_recipe, tmp_path):
    first = dc.World(small_recipe, folder=tmp_path).window(-30, -30, 60, 60)
    assert list(tmp_path.glob("*/province *.npz"))
    assert list(tmp_path.glob("*/chunk *.npz"))
    again = dc.World(small_recipe, folder=tmp_path).window(-30, -30, 60, 60)
    assert again.checksum == first.checksum
    for name, table in first.features.items():
        assert all(np.array_equal(table[c], again.features[name][c]) for c in table.columns)
    for path in tmp_path.glob("*/*.npz"):
        path.write_bytes(path.read_bytes()[:1000])
    damaged = dc.World(small_recipe, folder=tmp_path).window(-30, -30, 60, 60)
    assert damaged.checksum == first.checksum


def test_what_is_kept_stays_within_its_bounds(local_recipe, tmp_path):
    world = dc.World(local_recipe, folder=tmp_path, memory=4_000_000, disk=6_000_000)
    for n in range(8):
        world.window(256 * n, 0, 256, 256)
    assert 0 < world.chunks.nbytes <= 2_000_000
    kept = [path.stat().st_size for path in tmp_path.glob("*/*.npz")]
    assert 0 < sum(kept) <= 6_000_000
    assert len(kept) < 8


def test_levels_stay_near_the_mean_of_finer_ones(small_world):
    """Within a quarter of the level's cell, root mean square: half of what a step of 1:2 makes."""
    for world, deepest in ((dc.World("chunks", disk=0), 4), (small_world, 2)):
        fine = world.window(-256, -256, 512, 512)["elevation"].astype(np.float64)
        for level in range(1, deepest + 1):
            step = 2**level
            mean = fine.reshape(512 // step, step, 512 // step, step).mean(axis=(1, 3))
            made = world.window(-256 // step, -256 // step, *mean.shape, level)["elevation"]
            assert np.sqrt(((made - mean) ** 2).mean()) < world.cell_size(level) / 4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((0.5, 0, 1, 1), "row is 0.5"),
        ((0, True, 1, 1), "col is True"),
        ((0, 0, 0, 1), "ny is 0"),
        ((0, 0, 1, 10**9), "nx is 1000000000"),
        ((0, 0, 2**14, 2**14), "larger than"),
        ((0, 0, 1, 1, 17), "level is 17"),
        ((2**41, 0, 1, 1), "row is"),
        ((0, 0, 1, 1, 0, ["gold"]), "no layer 'gold'"),
    ],
)
def test_a_wrong_window_is_refused_in_a_sentence(wrong, said):
    with pytest.raises(dc.DowncutError, match=said):
        dc.World("chunks", disk=0).window(*wrong)


def test_only_the_layers_asked_for_are_made():
    world = dc.World("chunks", disk=0)
    window = world.window(3, 4, 20, 30, layers=["colour"])
    assert list(window.layers) == ["colour"]
    assert np.array_equal(window["colour"], world.window(3, 4, 20, 30)["colour"])


@pytest.mark.parametrize("side", ["north", "south", "west", "east"])
def test_a_province_counts_as_far_as_the_halo_reaches(small_world, side):
    cell = small_world.cell_size()
    land = next(small_world.provinces.near(Grid(1400, 1400, cell), 0)).province.grid
    ratio = land.cell_size / cell
    (top, left), (ny, nx) = (
        [int(n * ratio) for n in pair] for pair in (land.corner, (land.ny, land.nx))
    )
    row = {"north": top - 11, "south": top + ny + 10}.get(side, top)
    col = {"west": left - 11, "east": left + nx + 10}.get(side, left)

    def names(halo):
        near = small_world.provinces.near(Grid(1, 1, cell, row, col), 0, halo)
        return {grown.place for grown in near}

    assert names(11) - names(9)
