"""Curves of a report as plain data: what a page plots."""

import json

import numpy as np
import pytest

import downcut as dc
from downcut.measuring import measure


def test_curves_are_pairs_in_the_units_that_they_say():
    cell = 20.0
    grid = dc.Grid(96, 96, cell_size=cell)
    hills = dc.fields.Fbm(wavelength=900, amplitude=200)(grid=grid, seed=3)
    report = measure(hills, grid)
    drawn = json.loads(json.dumps(report.curves.to_dict(cell), allow_nan=False))
    above = np.array(drawn["hypsometry"])
    assert above[0].tolist() == [0, 100]
    assert above[-1].tolist() == [100, 0]
    integral = np.trapezoid(above[:, 1], above[:, 0]) / 100**2
    assert integral == pytest.approx(report["hypsometric_integral"].value, abs=0.01)
    extent = 96 * cell / 1000
    assert 0 < max(area for area, _ in drawn["slope_area"]) < extent**2
    longest = [profile[-1] for profile in drawn["profiles"]]
    assert all(way <= 4 * extent for way, _ in longest)
    assert all(hills.min() <= z <= hills.max() + 200 for _, z in longest)
    assert max(wave for wave, _ in drawn["spectrum"]) <= 96 * cell
