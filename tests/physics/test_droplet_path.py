"""The way of one droplet is what the rain does: down, over the same ground, with the same earth."""

import numpy as np
import pytest

import downcut as dc
from downcut._jit import kernel
from downcut.erosion.rain import BLOCK, cast, chance
from downcut.randomness import derive
from downcut.run import Run

Droplets = dc.erosion.Droplets
GRID = dc.Grid(48, 48, 20)


def way(elevation, x, y, grid=GRID, **parameters):
    return Droplets(**parameters).trace(elevation, x, y, grid=grid).line(0)


def test_a_droplet_runs_down_a_plane_in_steps_of_a_cell_to_the_border():
    plane = np.broadcast_to(-0.2 * GRID.x, GRID.shape)
    path = way(plane, -200, 7, evaporation=0, lifetime=512, erosion_rate=0)
    assert len(path["x"]) > 30
    np.testing.assert_allclose(np.diff(path["x"])[:-1], 20, rtol=1e-5)  # the last leaves the map
    np.testing.assert_allclose(path["y"], 7, atol=1e-3)
    assert (np.diff(path["elevation"])[:-1] < 0).all()
    assert GRID.x[-1] - 20 < path["x"][-1] < GRID.x[-1]
    # speed² gains gravity · fall, in cells, in every step
    np.testing.assert_allclose(np.diff(path["speed"] ** 2)[:-1], 4 * 0.2, rtol=1e-3)


def test_water_evaporates_and_its_end_is_the_droplets():
    plane = np.broadcast_to(-0.2 * GRID.x, GRID.shape)
    path = way(plane, -400, 0, evaporation=0.3, lifetime=100)
    np.testing.assert_allclose(path["water"][1:] / path["water"][:-1], 0.7)
    assert path["water"][-1] < 0.01 <= path["water"][-2]
    assert path["x"][-1] < 0  # it dried up long before the border


def test_a_droplet_stays_in_a_bowl_and_its_path_ends_near_the_bottom():
    bowl = np.hypot(GRID.x, GRID.y[:, None]) * 0.5
    path = way(bowl, 300, 100, lifetime=200, evaporation=0)
    assert np.hypot(path["x"][-1], path["y"][-1]) < 60
    assert path["elevation"][0] > 100
    assert path["elevation"][-1] < 40


def test_a_flat_place_keeps_the_droplet_where_it_fell():
    path = way(np.zeros(GRID.shape), 3, 4)
    np.testing.assert_allclose(
        (path["x"], path["y"]), np.array([[3.0], [4.0]]) + 0 * path["x"], rtol=1e-5
    )
    assert not path["sediment"].any()


def test_the_ground_given_stays_as_it_is():
    land = np.add.outer(GRID.y, GRID.x).astype(np.float32)
    before = land.copy()
    way(land, 0, 0)
    np.testing.assert_array_equal(land, before)


@pytest.mark.parametrize("place", [(1000, 0), (0, -1000), (GRID.x[-1], 0), (np.nan, 0)])
def test_a_place_off_the_map_is_refused(place):
    with pytest.raises(dc.DowncutError, match="a droplet falls within"):
        way(np.zeros(GRID.shape), *place)


@pytest.mark.parametrize("parameters", [{}, {"brush_radius": 2}, {"steering": "damping"}], ids=str)
def test_a_path_has_the_earth_that_a_rain_of_one_droplet_moves(fractal, parameters):
    grid = dc.Grid(BLOCK, BLOCK, 10, 0, 0)
    land = fractal(BLOCK, relief=60)
    step = Droplets(droplets_per_cell=1 / BLOCK**2, hold_border=False, **parameters)
    seed, (row, col) = next(
        (seed, place) for seed in range(99) if (place := _falls(step, seed)) is not None
    )
    run = Run()
    step(land, grid=grid, seed=seed, run=run)
    path = step.trace(land, grid.x[0] + col * 10, grid.y[0] - row * 10, grid=grid).line(0)
    moved = np.diff(path["sediment"])
    ended = run.ledger.deposited / grid.cell_area - -moved[moved < 0].sum()
    assert run.ledger.eroded > 0
    np.testing.assert_allclose(moved[moved > 0].sum() * grid.cell_area, run.ledger.eroded)
    # at its end it drops what it carries, or takes it off the map
    carried_out = run.ledger.carried_out / grid.cell_area
    np.testing.assert_allclose(ended + carried_out, path["sediment"][-1], atol=1e-9)


@kernel
def _first(key):
    """Of the first droplet of a shower on the block: the odds it beats, its row and column."""
    bits = chance(key, 0, 0, 0)
    return np.float64(bits >> np.uint64(40)) * 2.0**-24, cast(bits >> np.uint64(20)), cast(bits)


def _falls(step, seed):
    """Where the first droplet of a rain falls on the one block, if it does, in the middle."""
    key = np.uint64(derive(derive(seed, step.op, 0), "shower", 0))
    odds, row, col = _first(key)
    if odds >= step.rain().density * BLOCK**2:
        return None
    return (row, col) if 2 < min(row, col) <= max(row, col) < 5 else None
