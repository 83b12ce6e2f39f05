"""The report of a land's figures, and the curves they were read off."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from downcut.errors import DowncutError
from downcut.measuring.figures import KINDS, Figure
from downcut.step import Array

if TYPE_CHECKING:
    from rich.table import Table

    from downcut.measuring.slope_area import SlopeArea
    from downcut.measuring.spectrum import Spectrum

POINTS = 200
"""Of a curve, about."""

Profile = tuple[Array, Array]
"""(way from the mouth [m], elevation [m]), from the mouth up."""


@dataclass(frozen=True)
class Curves:
    """What the picture draws."""

    slope_area: "SlopeArea"
    hypsometry: tuple[Array, Array]
    profiles: tuple[Profile, ...]
    """Of the main rivers, the longest first."""
    spectrum: "Spectrum | None"

    def to_dict(self, cell_size: float) -> dict[str, Any]:
        """Return the points of each curve as pairs, ready for JSON.

        Slope [m/m] over drainage area [km²]; height [% of the relief] over land above [%];
        elevation [m] over the way from the mouth [km] of each main river; power over
        wavelength [m].
        """
        slopes, (share, height), spectrum = self.slope_area, self.hypsometry, self.spectrum
        return {
            "slope_area": _pairs(slopes.area * cell_size**2 / 1e6, slopes.slope),
            "hypsometry": _pairs(100 * share, 100 * height),
            "profiles": [_pairs(way / 1000, z) for way, z in self.profiles],
            "spectrum": _pairs(spectrum.wavelength * cell_size, spectrum.power) if spectrum else [],
        }


def _pairs(x: Array, y: Array) -> list[tuple[float, float]]:
    """Return at most so many points as a small plot can show, each of six digits that count."""
    sound = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    kept = sound[:: max(1, sound.size // POINTS)]
    return [(float(f"{a:.6g}"), float(f"{b:.6g}")) for a, b in zip(x[kept], y[kept], strict=True)]


@dataclass(frozen=True)
class Report:
    """The figures of a land. `report["hack_exponent"].value` is one of them.

    Attributes
    ----------
    name : str
        What was measured.
    size : (ny, nx)
    cell_size : float [m]
    left_out : int
        Cells that did not count: sea, and cells without data.
    figures : tuple of Figure
    notes : tuple of str
        What a reader must know to trust them.
    lands : int
        How many lands the values are the mean of.
    """

    name: str
    size: tuple[int, int]
    cell_size: float
    left_out: int
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    lands: int = 1
    curves: Curves | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> Figure:
        """Return the figure of this name."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        known = ", ".join(figure.name for figure in self.figures)
        raise DowncutError(f"no figure {name!r}; there are {known}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON: no NaN, None where nothing could be measured."""
        return {
            "name": self.name,
            "size": {"ny": self.size[0], "nx": self.size[1], "cell_size": self.cell_size},
            "left_out": self.left_out,
            "lands": self.lands,
            "notes": list(self.notes),
            "figures": [figure.to_dict() for figure in self.figures],
        }

    def to_table(self) -> "Table":
        """Return a table for `rich.print`."""
        from downcut.measuring.table import table

        return table(self.to_dict())


def mean(reports: Sequence[Report]) -> Report:
    """Return the mean of each figure over several lands, such as seeds of one recipe.

    Lands where a figure could not be measured do not count for it.

    Raises
    ------
    DowncutError
        Without any report.
    """
    if not reports:
        raise DowncutError("there is no report to take the mean of")
    figures = []
    for name, kind in KINDS.items():
        values = [v for report in reports if (v := report[name].value) is not None]
        figures.append(Figure(name, float(np.mean(values)) if values else None, kind))
    first = reports[0]
    notes = tuple(dict.fromkeys(note for report in reports for note in report.notes))
    left_out = round(float(np.mean([report.left_out for report in reports])))
    lands = sum(report.lands for report in reports)
    return Report(first.name, first.size, first.cell_size, left_out, tuple(figures), notes, lands)
