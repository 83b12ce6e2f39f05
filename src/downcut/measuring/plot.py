"""The picture of a report: four plots of the shapes behind the figures, as PNG."""

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from downcut.errors import DowncutError
from downcut.measuring.report import Curves, Report
from downcut.measuring.spectrum import DETAIL, FORMS, Spectrum
from downcut.measuring.table import number, title
from downcut.step import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, PAPER = "#26313b", "#8a949c", "#fbfaf7"
WATER, EARTH, LEAF = "#1f6f8b", "#b5651d", "#5a7d4f"
RIVERS = ("#12445a", "#1f6f8b", "#4d97ab", "#86b9c5", "#b7d4da")
"""From the river with the largest basin on."""
INCHES, DOTS = (11.0, 8.0), 130


def plot(report: Report) -> bytes:
    """Draw slope over area, the hypsometric curve, long profiles and the spectrum.

    Uses matplotlib's objects and no global state: nothing a caller has set is changed, and no
    display is needed.

    Returns
    -------
    bytes
        A PNG of 1430 × 1040 pixels.

    Raises
    ------
    DowncutError
        If matplotlib is not installed, or the report is a mean, which has no curves.
    """
    if report.curves is None:
        raise DowncutError("a mean of several lands has no curves to draw: plot one of them")
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise DowncutError("a picture needs matplotlib: pip install 'downcut[plots]'") from None
    figure = Figure(figsize=INCHES, dpi=DOTS, facecolor=PAPER)
    FigureCanvasAgg(figure)
    places = figure.subplots(2, 2)
    figure.subplots_adjust(0.07, 0.08, 0.97, 0.86, wspace=0.2, hspace=0.42)
    _head(figure, report)
    _slope_area(places[0, 0], report, report.curves)
    _hypsometry(places[0, 1], report, report.curves)
    _profiles(places[1, 0], report.curves)
    _spectrum(places[1, 1], report, report.curves.spectrum)
    file = io.BytesIO()
    figure.savefig(file, format="png", facecolor=PAPER)
    return file.getvalue()


def _head(figure: "Figure", report: Report) -> None:
    name, _, size = title(report.to_dict()).rpartition(": ")
    figure.text(0.07, 0.95, name, color=INK, fontsize=17, fontweight="bold", va="center")
    figure.text(0.97, 0.95, size, color=FAINT, fontsize=10, va="center", ha="right")


def _dress(axes: "Axes", heading: str, figures: str, x: str, y: str) -> None:
    """Give a plot its words and take the frame off."""
    axes.set_facecolor(PAPER)
    axes.set_title(heading, loc="left", color=INK, fontsize=11, fontweight="bold", pad=10)
    axes.set_title(figures, loc="right", color=FAINT, fontsize=9.5, pad=10)
    axes.set_xlabel(x, color=FAINT, fontsize=9)
    axes.set_ylabel(y, color=FAINT, fontsize=9)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
        axes.spines[side].set_linewidth(0.8)
    axes.tick_params(which="both", colors=FAINT, labelsize=8.5, width=0.6)
    axes.grid(True, color=INK, alpha=0.07, linewidth=0.8)
    axes.set_axisbelow(True)


def _slope_area(axes: "Axes", report: Report, curves: Curves) -> None:
    """Points are bins of drainage area; the line is S ∝ A^−θ."""
    found, cell = curves.slope_area, report.cell_size**2 / 1e6
    axes.set_xscale("log")
    axes.set_yscale("log")
    good = found.slope > 0
    axes.plot(found.area[good] * cell, found.slope[good], "o", color=WATER, ms=6, mec=PAPER)
    if found.fit:
        law = 10 ** (found.fit.intercept + found.fit.slope * np.log10(found.area))
        axes.plot(found.area * cell, law, color=EARTH, lw=1.6, zorder=1)
    _plain_ticks(axes)
    said = f"θ = {_value(report, 'concavity')}   R² = {_value(report, 'concavity_r2')}"
    _dress(axes, "Rivers flatten as they grow", said, "drainage area [km²]", "slope [m/m]")


def _plain_ticks(axes: "Axes") -> None:
    """Write 0.2 rather than 2 × 10⁻¹; the smaller ticks of a short axis need words too."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(base=10, subs=(1.0, 2.0, 3.0, 5.0), numticks=20))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


def _hypsometry(axes: "Axes", report: Report, curves: Curves) -> None:
    share, height = curves.hypsometry
    axes.fill_between(100 * share, 100 * height, color=LEAF, alpha=0.18, lw=0)
    axes.plot(100 * share, 100 * height, color=LEAF, lw=2)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    said = f"integral {_value(report, 'hypsometric_integral')}"
    _dress(axes, "How much lies how high", said, "land above [%]", "height [% of the relief]")


def _profiles(axes: "Axes", curves: Curves) -> None:
    """The largest basin's river on top."""
    lines = list(zip(curves.profiles, RIVERS, strict=False))
    for number_, ((way, height), colour) in enumerate(lines):
        axes.plot(way / 1000, height, color=colour, lw=2.2 - 0.3 * number_, zorder=9 - number_)
    axes.set_xlim(left=0)
    said = f"{len(lines)} largest basins" if lines else "no channels"
    _dress(axes, "How the main rivers fall", said, "way from the mouth [km]", "elevation [m]")


def _spectrum(axes: "Axes", report: Report, found: Spectrum | None) -> None:
    heading, x = "How relief fades with size", "wavelength [m]"
    if found is None:
        axes.set_xticks([])
        axes.set_yticks([])
        _dress(axes, heading, "too little land", x, "")
        return
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.plot(found.wavelength * report.cell_size, found.power, "o", color=INK, ms=3.5, alpha=0.7)
    for wavelengths, colour in ((FORMS, WATER), (DETAIL, EARTH)):
        _fit_between(axes, found, wavelengths, report.cell_size, colour)
    said = (
        f"β = {_value(report, 'spectral_slope')}   "
        f"fine β = {_value(report, 'spectral_slope_detail')}"
    )
    _dress(axes, heading, said, x, "power")


def _fit_between(
    axes: "Axes", found: Spectrum, wavelengths: tuple[float, float], size: float, colour: str
) -> None:
    """Draw the law over the wavelengths that it was fitted to."""
    beta = found.beta(wavelengths)
    if beta is None:
        return
    inside = (found.wavelength >= wavelengths[0]) & (found.wavelength <= wavelengths[1])
    at, power = np.log10(found.wavelength[inside]), np.log10(found.power[inside])
    ends: Array = np.array(wavelengths)
    law: Any = 10 ** (power.mean() + beta * (np.log10(ends) - at.mean()))
    axes.plot(ends * size, law, color=colour, lw=1.8, alpha=0.9)


def _value(report: Report, name: str) -> str:
    return number(report[name].value)
