"""Where a made-up land lies on the Earth: nowhere, unless a person says so."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.grid import Grid

EQUATOR = 6378137.0
"""Radius of the Earth's equator [m], of WGS84 and of Web Mercator's sphere."""
FLATTENING = 1 / 298.257223563
ECCENTRICITY = math.sqrt(FLATTENING * (2 - FLATTENING))

WORLD = math.pi * EQUATOR
"""Web Mercator's map of the Earth is a square from -WORLD to WORLD [m] both ways."""
FARTHEST_LATITUDE = math.degrees(math.atan(math.sinh(math.pi)))
"""The northern edge of that square, 85.05°."""
HIGHEST_LATITUDE = 80.0
"""Of a land's middle: nearer to a pole Mercator stretches even a small land visibly."""

Numbers: TypeAlias = NDArray[np.float64]

_WKT = (
    'PROJCS["downcut land at {lon!r}, {lat!r}",GEOGCS["WGS 84",DATUM["WGS_1984",'
    'SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],'
    'PROJECTION["Mercator_2SP"],PARAMETER["standard_parallel_1",{lat!r}],'
    'PARAMETER["central_meridian",{lon!r}],PARAMETER["false_easting",0],'
    'PARAMETER["false_northing",{north!r}],UNIT["metre",1],AXIS["Easting",EAST],'
    'AXIS["Northing",NORTH]]'
)


@dataclass(frozen=True)
class Placement:
    """The land's middle (the world's origin) laid down at a place on the Earth.

    The land's x and y are metres of the Mercator projection of WGS84 that is true to scale on
    the parallel of that place: any GIS measures the recipe's metres there, north stays up, and
    the land is an upright rectangle in Web Mercator too. Going north or south by d the scale
    changes by tan φ · d / 6378 km: not at all on the equator, by 0.17 % at 10 km from 46.5°.

    One metre of the land is about 1 / cos φ metres of Web Mercator (EPSG:3857): exactly
    √(1 − e² sin² φ) / cos φ eastward.

    Parameters
    ----------
    longitude, latitude : float [°]
        Of WGS84; latitude within ±80°. By default in the Gulf of Guinea, where both are 0 and
        Web Mercator's metres are the land's.

    Raises
    ------
    DowncutError
        For a place that is none.

    Examples
    --------
    >>> alps = Placement.of("8.5,46.5")
    >>> east, north = alps.lonlat([0.0, 10_000.0], [0.0, 0.0])
    >>> east.round(4).tolist(), north.round(4).tolist()
    ([8.5, 8.6303], [46.5, 46.5])
    """

    longitude: float = 0.0
    latitude: float = 0.0

    def __post_init__(self) -> None:
        for name, most in (("longitude", 180.0), ("latitude", HIGHEST_LATITUDE)):
            value = getattr(self, name)
            if not abs(value) <= most:
                raise DowncutError(
                    f"{name} is {value:g}: a land's middle lies within ±{most:g}°; "
                    "give longitude first, as in 8.5,46.5"
                )

    @classmethod
    def of(cls, place: "Place | None") -> "Placement":
        """Return the placement that a text "8.5,46.5" or a pair of numbers asks for.

        Raises
        ------
        DowncutError
            If it is no pair of numbers, or no place for a land.
        """
        if isinstance(place, Placement):
            return place
        if place is None:
            return cls()
        parts = place.split(",") if isinstance(place, str) else place
        try:
            longitude, latitude = (float(part) for part in parts)
        except (TypeError, ValueError):
            raise DowncutError(
                f"at is {shown(place)}: give longitude and latitude in degrees, as in 8.5,46.5"
            ) from None
        return cls(longitude, latitude)

    @property
    def radius(self) -> float:
        """Radius of the parallel of the land's middle [m]."""
        phi = math.radians(self.latitude)
        return EQUATOR * math.cos(phi) / math.sqrt(1 - (ECCENTRICITY * math.sin(phi)) ** 2)

    @property
    def wkt(self) -> str:
        """The projection as WKT: its easting and northing are the land's own x and y [m]."""
        return _WKT.format(lon=self.longitude, lat=self.latitude, north=-self._middle)

    @property
    def _middle(self) -> float:
        """Distance on the map from the equator to the land's middle [m]."""
        return self.radius * float(_isometric(np.radians([self.latitude]))[0])

    def lonlat(self, x: Iterable[float], y: Iterable[float]) -> tuple[Numbers, Numbers]:
        """Return longitude and latitude [°, WGS84] of points x, y [m] of the land."""
        longitude = self.longitude + np.degrees(np.asarray(x, np.float64) / self.radius)
        return longitude, np.degrees(_latitude((np.asarray(y) + self._middle) / self.radius))

    def web_mercator(self, x: Iterable[float], y: Iterable[float]) -> tuple[Numbers, Numbers]:
        """Return easting and northing of EPSG:3857 [m] of points x, y [m] of the land."""
        longitude, latitude = self.lonlat(x, y)
        return EQUATOR * np.radians(longitude), EQUATOR * np.arcsinh(np.tan(np.radians(latitude)))

    def land(self, east: Iterable[float], north: Iterable[float]) -> tuple[Numbers, Numbers]:
        """Return x, y [m] of the land of points of EPSG:3857 [m]: `web_mercator` backwards."""
        x = (np.asarray(east, np.float64) / EQUATOR - math.radians(self.longitude)) * self.radius
        phi = np.arctan(np.sinh(np.asarray(north, np.float64) / EQUATOR))
        return x, self.radius * _isometric(phi) - self._middle

    def bounds(self, grid: Grid) -> tuple[float, float, float, float]:
        """Return west, south, east, north [°] of a land's outer edges.

        Raises
        ------
        DowncutError
            If the land reaches over the 180th meridian, or farther north or south than Web
            Mercator.
        """
        west, south, east, north = edges(grid)
        with np.errstate(over="ignore"):
            longitude, latitude = self.lonlat((west, east), (south, north))
        reach = max(abs(longitude).max() / 180, abs(latitude).max() / FARTHEST_LATITUDE)
        if reach > 1:
            raise DowncutError(
                f"a land of {east - west:,.0f} × {north - south:,.0f} m at {self.longitude:g},"
                f"{self.latitude:g} reaches over the edge of the map of the Earth (180° east and "
                "west, 85.05° north and south): place it elsewhere, or give a smaller cell size"
            )
        return float(longitude[0]), float(latitude[0]), float(longitude[1]), float(latitude[1])


Place: TypeAlias = str | tuple[float, float] | Placement


def edges(grid: Grid) -> tuple[float, float, float, float]:
    """Return west, south, east, north [m] of a grid's outer edges."""
    row, col = grid.corner
    cell = grid.cell_size
    return col * cell, -(row + grid.ny) * cell, (col + grid.nx) * cell, -row * cell


def _isometric(phi: Numbers) -> Numbers:
    """Return the isometric latitude of WGS84: how far from the equator Mercator draws it."""
    sine = np.sin(phi)
    isometric: Numbers = np.arctanh(sine) - ECCENTRICITY * np.arctanh(ECCENTRICITY * sine)
    return isometric


def _latitude(isometric: Numbers) -> Numbers:
    """Return the latitude [rad] of an isometric latitude: `_isometric` backwards.

    Each round adds more than two digits, e² being 1/149.
    """
    phi = np.arctan(np.sinh(isometric))
    for _ in range(8):
        lift = ECCENTRICITY * np.arctanh(ECCENTRICITY * np.sin(phi))
        phi = np.arctan(np.sinh(isometric + lift))
    return phi
