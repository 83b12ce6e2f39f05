"""The farthest and finest that noise reaches: right to the limit, refused beyond it."""

import numpy as np
import pytest

import downcut as dc
from downcut.errors import DowncutError

SHAPES = [(1, 1), (1, 2), (2, 1), (3, 3), (8, 8)]
FINE = {"octaves": 24, "lacunarity": 8}


@pytest.mark.parametrize("kind", [dc.fields.Fbm, dc.fields.Ridged, dc.fields.Billow])
@pytest.mark.parametrize("noise", ["simplex", "perlin"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_octaves_finer_than_the_lattice_can_tell_are_refused_on_any_map(kind, noise, shape):
    for wavelength, cell_size in ((1e8, 30.0), (0.01, 1e5), (4000.0, 1.0)):
        grid = dc.Grid(*shape, cell_size)
        with pytest.raises(DowncutError, match=r"2\^31 is the limit"):
            kind(wavelength=wavelength, noise=noise, **FINE)(grid=grid)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_just_below_the_limit_it_is_noise(shape):
    grid = dc.Grid(*shape, 1e5)
    made = dc.fields.Fbm(wavelength=1e-3 * max(shape) + 0.01, octaves=1)(grid=grid)
    assert np.isfinite(made).all()
    assert made.all()
