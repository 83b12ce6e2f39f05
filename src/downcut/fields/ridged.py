"""Ridged noise: sharp crests where the noise crosses zero."""

from typing import ClassVar, Literal

from downcut.fields.noise import Noise


class Ridged(Noise):
    """Crests: 1 − |noise| in every octave; between 0 and amplitude (Musgrave 1989).

    Examples
    --------
    >>> import downcut as dc
    >>> crests = dc.fields.Ridged(amplitude=100)(grid=dc.Grid(64, 64, cell_size=30), seed=7)
    >>> bool(crests.min() >= 0 and crests.max() <= 100)
    True
    """

    op: Literal["fields.ridged"] = "fields.ridged"
    shape: ClassVar[tuple[float, float, float]] = (-1.0, 0.0, 1.0)
