"""The preset `endless`: any window is the crop of a larger one, whoever grew either of them."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import downcut as dc

FAR = 10**7
DEEPEST = 6


def windows(count, seed, most):
    """Places anywhere, some near the origin; all levels, the eroded one as often as the others."""
    chance = np.random.default_rng(seed)
    for number in range(count):
        far = 500 if number % 5 == 1 else FAR
        row, col = (int(n) for n in chance.integers(-far, far, 2, endpoint=True))
        ny, nx = (int(n) for n in chance.integers(1, most, 2, endpoint=True))
        level = 0 if number % 2 else int(chance.integers(0, DEEPEST, endpoint=True))
        yield (row, col, ny, nx, level), tuple(int(n) for n in chance.integers(0, 40, 4))


def crops(count, seed, most):
    """Grow each window in one world, and a larger one in another that never saw it."""
    one, other = (dc.World("endless", disk=0) for _ in range(2))
    eroded = high = 0
    for place, (up, left, down, right) in windows(count, seed, most):
        row, col, ny, nx, level = place
        part = one.window(*place)
        whole = other.window(row - up, col - left, ny + up + down, nx + left + right, level)
        assert part.layers.keys() == whole.layers.keys()
        for name, array in part.layers.items():
            inner = whole[name][up : up + ny, left : left + nx]
            assert np.array_equal(array, inner), (place, name)
        eroded += level == 0
        high += part["elevation"].max() > 0
    return eroded, high


def test_a_few_windows_are_crops_of_larger_ones():
    eroded, high = crops(3, seed=8, most=60)
    assert eroded >= 1
    assert high >= 1


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_two_hundred_windows_are_crops_of_larger_ones():
    eroded, high = crops(200, seed=9, most=300)
    assert eroded >= 100
    assert high >= 60


GROW = """
import downcut as dc, sys
world = dc.World("endless", disk=0, threads=1)
for place in eval(sys.argv[1]):
    print(world.window(*place).checksum)
"""


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_one_process_four_and_threads_make_the_same_bytes():
    """In any order, south-east and north-west of the origin, over corners of chunks."""
    places = [(r, c, 90, 70, level) for level in (0, 1, 3) for r in (-300, 220) for c in (-290, 5)]
    alone = dc.World("endless", disk=0, threads=1)
    expected = {place: alone.window(*place).checksum for place in places}
    assert len(set(expected.values())) == len(places)
    shares = [places[::-1][n::4] for n in range(4)]
    apart = [
        subprocess.Popen(
            [sys.executable, "-c", GROW, repr(share)], stdout=subprocess.PIPE, text=True
        )
        for share in shares
    ]
    for share, process in zip(shares, apart, strict=True):
        assert process.communicate()[0].split() == [expected[place] for place in share]
    together = dc.World("endless", disk=0)
    with ThreadPoolExecutor(4) as threads:
        grown = threads.map(lambda place: together.window(*place).checksum, places[::-1])
    assert dict(zip(places[::-1], grown, strict=True)) == expected


def test_neighbours_meet_in_height_light_colour_and_ground():
    """With colours and materials after the preset's own steps: no seam in any of them."""
    plain = dc.preset("endless").model_dump(mode="json")
    plain["steps"] += [{"op": "surface.palette"}, {"op": "surface.materials"}]
    world = dc.World(plain, disk=0)
    names = ("elevation", "normals", "colour", "rock", "discharge", "drainage_area")
    row, col = -320, -700  # the corner of four chunks lies between them
    whole = world.window(row, col, 129, 129)
    for top, left in ((0, 0), (0, 64), (64, 0), (64, 64)):
        part = world.window(row + top, col + left, 65, 65)
        for name in names:
            inner = whole[name][top : top + 65, left : left + 65]
            assert np.array_equal(part[name], inner), name
    assert whole["elevation"].std() > 5
    assert whole["rock"].std() > 0
