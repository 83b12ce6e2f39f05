"""What is measured: each figure's unit, range in real land, target, and what it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Range = tuple[float | None, float | None]
"""(lowest, highest); None leaves a side open."""
Verdict = Literal["inside", "near", "outside", "no range", "not measured"]

NEARLY = 0.1
"""Share of a range's width beyond its ends that still counts as near."""


@dataclass(frozen=True)
class Kind:
    """A figure that geomorphologists use."""

    title: str
    unit: str
    meaning: str
    real: Range | None = None
    """What it is in DEMs of real landscapes."""
    target: Range | None = None
    """What land grown by rivers should reach, as the mean of a few seeds."""


@dataclass(frozen=True)
class Figure:
    """One figure of one land."""

    name: str
    value: float | None
    """None where the land is too small or too plain to say."""
    kind: Kind

    @property
    def verdict(self) -> Verdict:
        """How the value stands to the target.

        "near" is outside the target but within the range of real land, or within a tenth of the
        target's width.
        """
        if self.value is None:
            return "not measured"
        if self.kind.target is None:
            return "no range"
        if _within(self.value, self.kind.target):
            return "inside"
        if self.kind.real is not None and _within(self.value, self.kind.real):
            return "near"
        return "near" if _within(self.value, _widened(self.kind.target)) else "outside"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {
            "name": self.name,
            "title": self.kind.title,
            "value": self.value,
            "unit": self.kind.unit,
            "real": list(self.kind.real) if self.kind.real else None,
            "target": list(self.kind.target) if self.kind.target else None,
            "verdict": self.verdict,
            "meaning": self.kind.meaning,
        }


def _within(value: float, bounds: Range) -> bool:
    low, high = bounds
    return (low is None or value >= low) and (high is None or value <= high)


def _widened(bounds: Range) -> Range:
    low, high = bounds
    slack = NEARLY * ((high if high is not None else 1.0) - (low if low is not None else 0.0))
    return (None if low is None else low - slack, None if high is None else high + slack)


KINDS: Mapping[str, Kind] = {
    "depressions": Kind(
        "cells in depressions", "%",
        "Rivers cut through to the sea; noise is full of hollows deeper than 0.5 % of the relief.",
        (0.1, 2.2), (0, 2),
    ),
    "channels_in_depressions": Kind(
        "channels in depressions", "%",
        "How much of the rivers' way (100 cells drain there) lies in hollows they should have cut.",
        (1, 24), (0, 5),
    ),
    "pits": Kind(
        "pits", "per 10⁴ cells",
        "Cells lower than all around them: in measured land mostly errors, in noise everywhere.",
        (10, 94), (0, 50),
    ),
    "hack_exponent": Kind(
        "Hack exponent", "1",
        "How the longest river grows with its basin: 0.5 keeps the shape, more makes basins long.",
        (0.49, 0.56), (0.46, 0.60),
    ),
    "area_exponent": Kind(
        "drainage area exponent", "1",
        "How fast places that drain more than an area become rare: how water gathers.",
        (0.45, 0.60), (0.42, 0.62),
    ),
    "concavity": Kind(
        "concavity θ", "1",
        "How river slopes fall with the area drained: 0 straight rivers, more hollow profiles.",
        (0.16, 0.57), (0.22, 0.60),
    ),
    "concavity_r2": Kind(
        "R² of the concavity", "1",
        "How well one law of slope and area holds for all rivers of the land.",
        (0.9, 1), (0.75, 1),
    ),
    "branching_ratio": Kind(
        "branching ratio R_B", "1",
        "How many times fewer streams there are in each higher order.",
        (3.8, 4.9), (3.5, 5.0),
    ),
    "length_ratio": Kind(
        "length ratio R_L", "1",
        "How many times longer streams are in each higher order.",
        (1.6, 2.6), (1.6, 2.8),
    ),
    "area_ratio": Kind(
        "area ratio R_A", "1",
        "How many times larger basins are in each higher order; 3 to 6 in most of the world.",
    ),
    "drainage_density": Kind(
        "drainage density", "km/km²",
        "Length of channels per ground; they begin at 100 cells, so it depends on the cell size.",
    ),
    "spectral_slope": Kind(
        "spectral slope β", "1",
        "How quickly relief fades from long waves to short, over 64 to 4 cells.",
        (3.3, 4.2), (3.2, 4.3),
    ),
    "spectral_slope_detail": Kind(
        "spectral slope β, 2–8 cells", "1",
        "The same for the finest detail: noise is rough there, slopes and channels are smooth.",
        (3.9, 5.3), (3.8, 5.3),
    ),
    "slope_variation": Kind(
        "slope variation", "1",
        "Spread of slopes over their mean: even flanks little, plains with cliffs much.",
        (0.47, 0.84), (0.42, 0.87),
    ),
    "slope_median": Kind(
        "median slope", "°", "Half of the land is steeper; depends on the cell size.",
    ),
    "slope_steep": Kind(
        "slope of the steepest tenth", "°", "A tenth of the land is steeper than this.",
    ),
    "hypsometric_integral": Kind(
        "hypsometric integral", "1",
        "Mean height between lowest (0) and highest (1): young land high, worn land low.",
        (0.35, 0.58), (0.33, 0.61),
    ),
    "ridges": Kind(
        "ridges", "%", "Ground that falls away to both sides, within 10 cells.",
        (8, 15), (7.8, 15.3),
    ),
    "valleys": Kind(
        "valleys", "%", "Ground that rises to both sides, within 10 cells.",
        (10, 17), (9.2, 17.8),
    ),
    "pit_forms": Kind(
        "pits seen from 10 cells", "%", "Ground that rises in all eight directions.",
        (0.5, 4), (0, 4),
    ),
}  # fmt: skip
"""Every figure, in the order of a report. Ranges are those of seven DEMs of 30 to 100 m cells."""
