"""Hydrology reads elevation and names water."""

from downcut.hydrology.drainage import Drainage
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers

__all__ = ["Drainage", "Lakes", "Rivers"]
