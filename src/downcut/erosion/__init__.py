"""Erosion changes elevation, and accounts for the earth it moves."""

from downcut.erosion.droplets import Droplets
from downcut.erosion.thermal import Thermal

__all__ = ["Droplets", "Thermal"]
