"""Continents: borders are sea by construction, and every window agrees on them."""

import numpy as np
import pytest

import downcut as dc
from downcut.randomness import derive
from downcut.run import Run

GRID = dc.Grid(240, 300, 400)
RISE = {"province_size": 20_000, "strait": 1500, "shore": 3500, "rim": -250}


def ground(step):
    return step(np.full(GRID.shape, 300, np.float32), grid=GRID, seed=3)


def alone(step, place, key):
    flat = np.full(GRID.shape, 300, np.float32)
    return step.sink(flat, place, grid=GRID, key=key, run=Run())[1]


@pytest.mark.parametrize("warp", [None, {"displacement": 3000, "wavelength": 12_000}])
def test_the_land_is_the_sum_of_provinces_that_do_not_touch(warp):
    step = dc.fields.Continents(**RISE, warp=warp)
    key = derive(3, step.op, 0)
    half = GRID.ny * 200.0, GRID.nx * 200.0
    places = list(step.provinces((-half[0], half[0], -half[1], half[1]), key))
    lands = [alone(step, place, key) for place in places]
    total, inland = np.sum(lands, axis=0), ground(step)[1]
    assert np.array_equal(total, inland)
    dry = np.array([land > 0 for land in lands])
    assert dry.sum(axis=0).max() == 1
    sea = int(RISE["strait"] / GRID.cell_size / 2)  # straight borders; warped ones bend this
    if warp is None:
        for land in dry:
            others = dry.any(axis=0) & ~land
            for shift in range(1, sea + 1):
                assert not (land[:, shift:] & others[:, :-shift]).any()
                assert not (land[shift:] & others[:-shift]).any()


def test_borders_are_exactly_the_rim_and_inland_is_as_it_was():
    ridge = np.linspace(0, 900, GRID.nx, dtype=np.float32) * np.ones((GRID.ny, 1), np.float32)
    made, inland = dc.fields.Continents(**RISE)(ridge, grid=GRID, seed=3)
    assert (made[inland == 0] == -250).all()
    assert np.array_equal(made[inland == 1], ridge[inland == 1])
    assert 0.05 < (inland == 0).mean() < 0.5
    assert (inland == 1).mean() > 0.1


def test_an_ocean_has_no_land_and_the_rest_keeps_its_own():
    all_land, some = (ground(dc.fields.Continents(**RISE, ocean=o))[1] for o in (0, 0.5))
    assert not ground(dc.fields.Continents(**RISE, ocean=1))[1].any()
    assert np.array_equal(some[some > 0], all_land[some > 0])
    assert 0.2 < (some > 0).sum() / (all_land > 0).sum() < 0.8


def test_no_province_reaches_farther_than_it_says():
    step = dc.fields.Continents(**RISE, warp={"displacement": 4000, "wavelength": 9000})
    key = derive(3, step.op, 0)
    for place in ((0, 0), (-1, 1), (1, -2)):
        (south, _), (east, _) = step.centres(place, key)
        rows, cols = np.nonzero(alone(step, place, key))
        assert rows.size
        assert np.abs(-GRID.y[rows] - south).max() < step.reach
        assert np.abs(GRID.x[cols] - east).max() < step.reach


def test_no_room_for_land_is_refused():
    with pytest.raises(ValueError, match="leave no inland"):
        dc.fields.Continents(province_size=10_000, strait=2000, shore=4000)
