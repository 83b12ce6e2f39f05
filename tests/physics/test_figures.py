"""The lands that rivers shaped measure like real ones."""

import pytest

import downcut as dc
from downcut.measuring import mean

SEEDS = (1, 2, 3, 4)


def measured(name):
    lands = (dc.generate(dc.preset(name, size=512, seed=seed)) for seed in SEEDS)
    return mean([dc.measure(land) for land in lands])


@pytest.mark.parametrize("name", ["alpine", "old-hills"])
def test_every_figure_is_in_its_range(name):
    report = measured(name)
    aimed = [figure for figure in report.figures if figure.kind.target is not None]
    assert len(aimed) >= 15
    for figure in aimed:
        low, high = figure.kind.target
        assert low <= figure.value <= high, figure.name


@pytest.mark.parametrize("name", ["canyon", "badlands", "volcano", "archipelago"])
def test_no_river_stops_in_a_hollow_and_networks_branch(name):
    report = measured(name)
    for figure in ("depressions", "channels_in_depressions", "pits", "hack_exponent"):
        low, high = report[figure].kind.target
        assert low <= report[figure].value <= high, figure


def test_plain_noise_does_not_pass():
    """The same figures tell noise from land: else they would say nothing."""
    recipe = {
        "grid": {"ny": 512, "nx": 512, "cell_size": 31.25},
        "steps": [{"op": "fields.fbm", "wavelength": 9000, "amplitude": 1000, "octaves": 9}],
    }
    report = dc.measure(dc.generate(recipe))
    for figure in ("depressions", "channels_in_depressions", "pits", "hack_exponent"):
        low, high = report[figure].kind.target
        assert not low <= report[figure].value <= high, figure
