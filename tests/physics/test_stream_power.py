"""Stream power against what the law says on paper."""

import numpy as np
import pytest

import downcut as dc
from downcut.flow.accumulate import accumulate
from downcut.flow.routing import receivers
from downcut.run import Run


def rough(grid, amplitude=5.0, seed=7):
    return dc.fields.Fbm(amplitude=amplitude, wavelength=30 * grid.cell_size)(grid=grid, seed=seed)


@pytest.mark.parametrize(("m", "n"), [(0.5, 1.0), (0.4, 1.0), (0.8, 2.0), (0.35, 0.7)])
def test_steady_slopes_follow_the_law(m, n):
    grid = dc.Grid(48, 40, cell_size=100)
    uplift, erodibility = 1e-3, 1e-3 / 40**n if n != 1 else 2e-5
    step = dc.erosion.StreamPower(
        time_step=200_000,
        uplift_rate=uplift,
        erodibility=erodibility,
        area_exponent=m,
        slope_exponent=n,
    )
    z = rough(grid)
    for _ in range(400):
        z = step(z, grid=grid)
    flow = receivers(z)
    area = accumulate(flow) * grid.cell_area
    flat, target = z.ravel().astype(np.float64), flow.ravel()
    apart = np.abs(np.arange(z.size) - target)
    distance = np.where((apart == 1) | (apart == grid.nx), 1.0, np.sqrt(2)) * grid.cell_size
    moving = target != np.arange(z.size)
    slope = (flat - flat[target])[moving] / distance[moving]
    expected = (uplift / erodibility) ** (1 / n) * area.ravel()[moving] ** (-m / n)
    assert np.abs(slope / expected - 1).max() < 0.01


def test_a_knickpoint_moves_up_at_its_celerity():
    grid = dc.Grid(1, 2000, cell_size=50)
    erodibility, m, time = 1e-5, 0.5, 1e4
    z = np.where(np.arange(2000) > 200, 200.0, 0.0)[None, :] + np.arange(2000)[None, :] * 1e-4
    rain = np.zeros((1, 2000))
    rain[0, -1] = 4e6 / grid.cell_area  # all water enters at the head: A is 4 km² everywhere
    step = dc.erosion.StreamPower(
        time_step=time, uplift_rate=0, erodibility=erodibility, area_exponent=m, rain="rain"
    )
    speed = erodibility * 4e6**m  # [m/yr], for n = 1
    for _ in range(200):
        z = step(z, rain, grid=grid)
    half = np.flatnonzero(z[0] > 100)[0] * grid.cell_size
    assert half - 200 * grid.cell_size == pytest.approx(speed * time * 200, rel=0.02)


def test_finer_time_and_cells_converge_to_the_steady_profile():
    """Along one river that gathers water evenly, dz/dx = U/K · (w·x)^−m has a closed integral."""
    uplift, erodibility, m, length = 1e-3, 2e-5, 0.5, 20_000.0
    errors = []
    for nx in (50, 100, 200):
        grid = dc.Grid(1, nx, cell_size=length / nx)
        rain = np.full((1, nx), 1000.0 / grid.cell_size)  # a valley 1 km wide
        z = np.arange(nx)[None, :] * 1e-3
        step = dc.erosion.StreamPower(
            time_step=1e6, uplift_rate=uplift, erodibility=erodibility, area_exponent=m, rain="r"
        )
        for _ in range(60):
            z = step(z, rain, grid=grid)
        head = (nx - np.arange(nx)) * grid.cell_size  # distance from the divide, cell included
        k = uplift / erodibility / np.sqrt(1000.0)
        exact = 2 * k * (np.sqrt(head[0]) - np.sqrt(head))
        away = slice(0, nx * 9 // 10)  # at the divide itself the slope has no bound
        errors.append(np.abs(z[0] - z[0, 0] - exact)[away].max() / exact.max())
    assert errors[0] > 1.7 * errors[1] > 2.8 * errors[2]
    assert errors[2] < 0.005


def test_the_ledger_closes():
    grid = dc.Grid(60, 70, cell_size=90)
    z, run = rough(grid, 300), Run()
    after = dc.erosion.StreamPower()(z, grid=grid, run=run)
    change = (after.astype(np.float64) - z).sum() * grid.cell_area
    ledger = run.ledger
    assert ledger.uplifted > 0
    assert ledger.eroded > 0
    assert change == pytest.approx(
        ledger.uplifted - ledger.eroded + ledger.clamped, rel=1e-9, abs=1e-9 * ledger.eroded
    )
    assert ledger.carried_out == ledger.eroded


def test_no_time_step_is_too_long():
    grid = dc.Grid(64, 64, cell_size=30)
    z = rough(grid, 400)
    low = dc.erosion.StreamPower(time_step=1e9, uplift_rate=0)(z, grid=grid)
    assert np.isfinite(low).all()
    assert low.min() >= z.min()
    assert (low <= z).all()


def test_rivers_never_climb_at_steady_state_and_depressions_drain():
    grid = dc.Grid(64, 64, cell_size=100)
    z = rough(grid, 300)
    step = dc.erosion.StreamPower(time_step=100_000)
    for _ in range(60):
        z = step(z, grid=grid)
    flow = receivers(z).ravel()
    assert (z.ravel() >= z.ravel()[flow]).all()


def test_hardness_uplift_and_mask_say_where():
    grid = dc.Grid(40, 40, cell_size=100)
    z = rough(grid, 100)
    half = np.zeros(grid.shape)
    half[:, :20] = 1
    masked = dc.erosion.StreamPower(mask="mask")(z, half, grid=grid)
    assert (masked[:, 20:] == z[:, 20:]).all()
    assert (masked[1:-1, 1:20] != z[1:-1, 1:20]).any()
    lifted = dc.erosion.StreamPower(uplift="where", erodibility=0)(z, half, grid=grid)
    assert np.allclose((lifted - z)[1:-1, 1:20], 25, atol=1e-3)
    assert (lifted[:, 20:] == z[:, 20:]).all()
    soft = dc.erosion.StreamPower(uplift_rate=0)(z, grid=grid)
    hard = dc.erosion.StreamPower(uplift_rate=0, hardness="h")(
        z, np.full(grid.shape, 100), grid=grid
    )
    assert (z - hard).sum() < 0.2 * (z - soft).sum()


def test_the_sea_is_the_base_level():
    grid = dc.Grid(40, 40, cell_size=100)
    z = np.add.outer(np.zeros(40), np.linspace(-200, 400, 40)) + rough(grid, 5)
    out = dc.erosion.StreamPower(time_step=1e6)(z, grid=grid, sea_level=0)
    under = z.astype(np.float32) < 0
    assert (out[under] == z.astype(np.float32)[under]).all()
    assert out[~under].min() >= 0
