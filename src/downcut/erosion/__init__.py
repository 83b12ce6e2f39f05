"""Erosion changes elevation, and accounts for the earth it moves."""

from downcut.erosion.breach import Breach
from downcut.erosion.carve_rivers import CarveRivers
from downcut.erosion.coast import Coast
from downcut.erosion.droplets import Droplets
from downcut.erosion.hillslope import Hillslope
from downcut.erosion.stream_power import StreamPower
from downcut.erosion.thermal import Thermal

__all__ = ["Breach", "CarveRivers", "Coast", "Droplets", "Hillslope", "StreamPower", "Thermal"]
