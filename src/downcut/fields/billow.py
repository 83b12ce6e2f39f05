"""Billow noise: round humps and sharp creases."""

from typing import ClassVar, Literal

from downcut.fields.noise import Noise


class Billow(Noise):
    """Humps: 2·|noise| − 1 in every octave; between −amplitude and +amplitude.

    Examples
    --------
    >>> import downcut as dc
    >>> dunes = dc.fields.Billow(amplitude=100)(grid=dc.Grid(64, 64, cell_size=30), seed=7)
    >>> bool(dunes.min() >= -100 and dunes.max() <= 100)
    True
    """

    op: Literal["fields.billow"] = "fields.billow"
    shape: ClassVar[tuple[float, float, float]] = (2.0, 0.0, -1.0)
