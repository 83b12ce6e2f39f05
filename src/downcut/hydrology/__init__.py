"""Hydrology reads elevation and names water."""

from downcut.hydrology.drainage import Drainage
from downcut.hydrology.rivers import Rivers
from downcut.hydrology.standing_water import StandingWater

__all__ = ["Drainage", "Rivers", "StandingWater"]
