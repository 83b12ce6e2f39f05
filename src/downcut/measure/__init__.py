"""Measuring land by the figures that geomorphologists use, beside their range in real DEMs."""

from downcut.measure.figures import Figure, Kind
from downcut.measure.land import measure
from downcut.measure.reading import measure_file
from downcut.measure.report import Report, mean

__all__ = ["Figure", "Kind", "Report", "mean", "measure", "measure_file"]
