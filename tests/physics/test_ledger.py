"""The ledger of a whole recipe closes, lattices and all."""

import numpy as np
import pytest

import downcut as dc


def volume(terrain):
    return float(terrain["elevation"].sum(dtype=np.float64)) * terrain.grid.cell_area


@pytest.mark.parametrize("size", [64, 100, 257, (96, 160)])
@pytest.mark.parametrize("name", ["alpine", "canyon", "volcano"])
def test_what_the_ground_gained_is_what_was_counted(name, size):
    """Against the fields alone; the lattices' own sums are of the land, not of their apron."""
    recipe = dc.preset(name, size=size)
    land = dc.generate(recipe)
    fields = [step for step in recipe.steps if step.op.startswith("fields.")]
    before = dc.generate(recipe.model_copy(update={"steps": fields}))
    ledger = land.ledger
    grown = volume(land) - volume(before)
    assert grown == pytest.approx(ledger.change, abs=1e-9 * (ledger.uplifted + ledger.eroded))
    area = land.grid.cells * land.grid.cell_area
    assert abs(ledger.clamped) / area < 5  # metres: what the spline and skipped rims account for


def test_the_earth_of_a_lattice_is_that_of_the_land():
    recipe = {
        "grid": {"ny": 64, "nx": 64, "cell_size": 50},
        "steps": [
            {"op": "fields.constant", "value": 100},
            {
                "op": "erosion.stream_power",
                "feature_size": 100,
                "erodibility": 0,
                "uplift_rate": 0.001,
                "time_step": 10_000,
            },
        ],
    }
    land = dc.generate(recipe)
    assert np.allclose(land["elevation"], 110, atol=1e-3)
    assert land.ledger.uplifted == pytest.approx(10 * 3200**2, rel=1e-6)
    assert abs(land.ledger.clamped) < 1e-5 * land.ledger.uplifted
