"""Hillslope creep against the heat equation's own solutions."""

import numpy as np
import pytest

import downcut as dc
from downcut.run import Run


def gaussian(grid, variance):
    r2 = grid.x[None, :] ** 2 + grid.y[:, None] ** 2
    return 100 * np.exp(-r2 / (2 * variance)) / variance


def test_a_gaussian_hill_widens_as_it_must():
    """Its variance grows by 2·D·t along each axis."""
    grid = dc.Grid(160, 160, cell_size=2.0)
    start, diffusivity, time = 400.0, 0.01, 20_000.0
    step = dc.erosion.Hillslope(diffusivity=diffusivity, time_step=time, substeps=40)
    hill = step(gaussian(grid, start), grid=grid)
    exact = gaussian(grid, start + 2 * diffusivity * time)
    assert np.linalg.norm(hill - exact) < 0.01 * np.linalg.norm(exact)


def test_shorter_substeps_converge():
    grid = dc.Grid(80, 80, cell_size=2.0)
    exact = gaussian(grid, 100 + 2 * 0.01 * 5000)
    errors = [
        np.linalg.norm(
            dc.erosion.Hillslope(diffusivity=0.01, time_step=5000, substeps=n)(
                gaussian(grid, 100), grid=grid
            )
            - exact
        )
        for n in (2, 8, 32)
    ]
    assert errors[0] > 2.5 * errors[1] > 5 * errors[2]


@pytest.mark.parametrize("time", [1.0, 1e4, 1e9])
def test_no_step_makes_a_new_peak_or_pit(time):
    z = dc.fields.Fbm(amplitude=300, wavelength=500)(grid=(grid := dc.Grid(50, 70, 10)), seed=3)
    out = dc.erosion.Hillslope(time_step=time, diffusivity=0.05)(z, grid=grid)
    assert out.max() <= z.max()
    assert out.min() >= z.min()


@pytest.mark.parametrize("hold", [True, False])
def test_earth_is_kept_and_counted(hold):
    grid = dc.Grid(50, 70, cell_size=10)
    z, run = dc.fields.Fbm(amplitude=300, wavelength=500)(grid=grid, seed=3), Run()
    step = dc.erosion.Hillslope(time_step=5e4, hold_border=hold, substeps=3)
    out = step(z, grid=grid, run=run)
    ledger = run.ledger
    change = (out.astype(np.float64) - z).sum() * grid.cell_area
    assert change == pytest.approx(
        ledger.deposited - ledger.eroded + ledger.clamped, abs=1e-9 * ledger.eroded
    )
    assert ledger.eroded - ledger.deposited == pytest.approx(
        ledger.carried_out, abs=1e-9 * ledger.eroded
    )
    assert (ledger.carried_out == 0) != hold
    if hold:
        for side in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
            assert (out[side] == z[side]).all()


def test_a_plane_and_a_held_crest_stay():
    grid = dc.Grid(30, 40, cell_size=5)
    plane = grid.x[None, :] * 0.3 + grid.y[:, None] * 0.1
    out = dc.erosion.Hillslope(time_step=1e5)(plane, grid=grid)
    assert np.allclose(out, plane, atol=1e-4)


def test_the_mask_keeps_the_rest():
    grid = dc.Grid(30, 40, cell_size=5)
    z = dc.fields.Fbm(amplitude=30, wavelength=100)(grid=grid, seed=3)
    mask = np.zeros(grid.shape)
    mask[:, :20] = 1
    run = Run()
    out = dc.erosion.Hillslope(mask="mask", hold_border=False)(z, mask, grid=grid, run=run)
    assert (out[:, 20:] == z[:, 20:]).all()
    assert (out[:, :20] != z[:, :20]).any()
    assert out.astype(np.float64).sum() == pytest.approx(z.astype(np.float64).sum(), abs=0.01)
