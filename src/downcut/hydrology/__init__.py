"""Hydrology reads elevation and names water."""

from downcut.hydrology.basins import Basins
from downcut.hydrology.distance_to_water import DistanceToWater
from downcut.hydrology.drainage import Drainage
from downcut.hydrology.height_above_drainage import HeightAboveDrainage
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers
from downcut.hydrology.wetness import Wetness

__all__ = [
    "Basins",
    "DistanceToWater",
    "Drainage",
    "HeightAboveDrainage",
    "Lakes",
    "Rivers",
    "Wetness",
]
