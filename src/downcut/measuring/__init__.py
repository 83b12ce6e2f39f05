"""Measuring land by the figures that geomorphologists use, beside their range in real DEMs."""

from downcut.measuring.figures import Figure, Kind
from downcut.measuring.land import measure
from downcut.measuring.reading import measure_file
from downcut.measuring.report import Report, mean

__all__ = ["Figure", "Kind", "Report", "mean", "measure", "measure_file"]
