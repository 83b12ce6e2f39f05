"""Continents: the plane divided into provinces, each a land of its own with sea all round."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from downcut._jit import finite_kernel, inlined
from downcut.fields.warp import Warp
from downcut.grid import Grid
from downcut.randomness import hash64
from downcut.run import Run
from downcut.step import Array, Metres, Share, Step

ROWS = 32
FARTHEST_SHIFT = 0.35
"""How far from the middle of its square a province's centre lies at most, in squares."""
SEEN = 0.45
"""Distances from a border are known up to this share of a square."""
_UNIT = 2.0**-32


class Continents(Step):
    """Divide the plane into provinces and sink the ground at their borders under the sea.

    Every square of `province_size` has one centre, somewhere about its middle; a province is all
    that lies nearest to its centre, on a plan bent by `warp`. With d the distance from the
    nearest border and m = smoothstep((d − strait / 2) / shore), the ground becomes
    rim + (elevation − rim) · m: exactly `rim` in a strip of at least the width `strait` along
    every border, and as it was inland. So no water runs from one province into another, and each
    can be grown alone. Straits and shores are up to half as wide again in some provinces, and a
    share `ocean` of them holds no land at all.

    Reads and writes elevation (ny, nx) float32 [m]; writes `inland`, m, 0 in the sea to 1. Exact in
    every window; about 100 ns a cell.

    Examples
    --------
    >>> import downcut as dc
    >>> grid = dc.Grid(96, 96, cell_size=1000)
    >>> high = dc.fields.Constant(value=300)(grid=grid)
    >>> ground, inland = dc.fields.Continents()(high, grid=grid, seed=7)
    >>> float(ground.min()), float(ground.max()), bool((ground[inland == 0] == -300).all())
    (-300.0, 300.0, True)
    """

    op: Literal["fields.continents"] = "fields.continents"
    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("elevation", "inland")
    nanoseconds: ClassVar[float] = 120.0

    province_size: Metres = Field(48_000.0, ge=100, le=1e7)
    """From the centre of a province to the next, about."""
    strait: Metres = Field(3000.0, ge=0, le=1e6)
    """Width of the sea between provinces where it is narrowest."""
    shore: Metres = Field(9000.0, gt=0, le=1e6)
    """Over how far the ground rises from the rim to its full height."""
    rim: Metres = Field(-300.0, ge=-20_000, le=20_000)
    """Height of the floor of the straits."""
    ocean: Share = 0.0
    """Share of the provinces that are open sea."""
    warp: Warp | None = None
    """Bends the borders; none leaves them straight."""

    @model_validator(mode="after")
    def _has_room(self) -> "Continents":
        if 1.5 * (self.strait / 2 + self.shore) > SEEN * self.province_size:
            raise ValueError(
                f"a strait of {self.strait:g} m and a shore of {self.shore:g} m leave no inland in "
                f"provinces of {self.province_size:g} m: half the strait and the shore are "
                f"together {SEEN * self.province_size / 1.5:g} m at most"
            )
        return self

    def halo(self, grid: Grid) -> int | None:
        """A place knows its province by itself."""
        return 0

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> tuple[Array, ...]:
        """Sink the borders."""
        return self.sink(arrays[0], None, grid=grid, key=key, run=run)

    def sink(
        self,
        elevation: Array,
        only: tuple[int, int] | None,
        *,
        grid: Grid,
        key: int,
        run: Run,
        together: int = 1,
    ) -> tuple[Array, Array]:
        """Return the ground and `inland`; sea alone outside the province asked for.

        With `together` = n, `only` is a block of n × n provinces: row and column count blocks.
        """
        inland = np.empty(grid.shape, np.float32)
        east, north = self._bent(grid, key, run)
        row, col = (0, 0) if only is None else only
        place = np.array([only is not None, row * together, col * together, together], np.int64)
        plan = (self.province_size, self.strait / 2, self.shore, self.ocean)

        def rows(first: int, last: int) -> None:
            _inland(inland, first, last, grid.x, -grid.y, east, north, np.uint64(key), plan, place)

        run.slices(rows, grid.ny, ROWS, (2, 3) if self.warp else (0, 1))
        rim = np.float32(self.rim)
        ground: Array = rim + (elevation - rim) * inland
        np.copyto(ground, elevation, where=inland == 1)  # free of rounding
        return ground, inland

    def provinces(
        self, bounds: tuple[float, float, float, float], key: int, together: int = 1
    ) -> Iterator[tuple[int, int]]:
        """Yield the (row, column) of every province with land that might lie in the bounds.

        `bounds` are the least and greatest distance south and east of the origin [m]. With
        `together` = n they are blocks of n × n provinces.
        """
        size, reach = self.province_size * together, self.reach
        top, bottom, left, right = bounds
        for row in range(_square(top - reach, size), _square(bottom + reach, size) + 1):
            for col in range(_square(left - reach, size), _square(right + reach, size) + 1):
                if together > 1:
                    yield row, col
                    continue
                south, east, _, ocean = _centre(np.uint64(key), row, col)
                south, east = south * size, east * size
                near = top - reach <= south <= bottom + reach
                if near and left - reach <= east <= right + reach and ocean >= self.ocean:
                    yield row, col

    def centres(
        self, place: tuple[int, int], key: int, together: int = 1
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return between what distances south, and east, of the origin centres lie [m].

        Those of the one province at a place, or of the block of `together` × `together` there.
        """
        size, least = self.province_size, 0.5 - FARTHEST_SHIFT
        if together == 1:
            south, east, _, _ = _centre(np.uint64(key), *place)
            return (south * size, south * size), (east * size, east * size)
        rows, cols = (
            ((n * together + least) * size, ((n + 1) * together - least) * size) for n in place
        )
        return rows, cols

    @property
    def reach(self) -> float:
        """How far from its centre a province's land may lie, north-south and east-west [m]."""
        widest = np.sqrt(2) * (0.5 + FARTHEST_SHIFT) * self.province_size
        return float(widest) - self.strait / 2 + (self.warp.displacement if self.warp else 0.0)

    def _bent(self, grid: Grid, key: int, run: Run) -> tuple[Any, Any]:
        return self.warp.push(grid=grid, key=key, run=run) if self.warp else (None, None)


def _square(place: float, size: float) -> int:
    return int(np.floor(place / size))


@inlined
def _centre(key, row, col):  # type: ignore[no-untyped-def]
    """A centre's place [squares], and two numbers from 0 to 1: its character and its luck."""
    h = hash64(key, np.int64(row), np.int64(col))
    south = (h >> np.uint64(32)) * _UNIT
    east = (h & np.uint64(0xFFFFFFFF)) * _UNIT
    more = hash64(h, np.int64(1), np.int64(2))
    wide = 2.0 * FARTHEST_SHIFT
    return (
        row + 0.5 + (south - 0.5) * wide,
        col + 0.5 + (east - 0.5) * wide,
        (more >> np.uint64(32)) * _UNIT,
        (more & np.uint64(0xFFFFFFFF)) * _UNIT,
    )


@finite_kernel
def _inland(out, first, last, x, y, east, north, key, plan, place):  # type: ignore[no-untyped-def]
    """Find each cell's centre, how far the nearest bisector is, and the smoothstep of that."""
    size, half, shore, ocean = plan
    centres = np.empty((25, 4))
    known_row, known_col = np.int64(-(2**62)), np.int64(-(2**62))
    for i in range(first, last):
        for j in range(out.shape[1]):
            u, v = y[i], x[j]
            if east is not None:
                u, v = u - north[i, j], v + east[i, j]
            u, v = u / size, v / size
            row, col = np.int64(np.floor(u)), np.int64(np.floor(v))
            if row != known_row or col != known_col:
                known_row, known_col = row, col
                for n in range(25):
                    a, b, c, d = _centre(key, row + n // 5 - 2, col + n % 5 - 2)
                    centres[n, 0], centres[n, 1], centres[n, 2], centres[n, 3] = a, b, c, d
            best, near = 0, 1e30
            for n in range(25):
                away = (u - centres[n, 0]) ** 2 + (v - centres[n, 1]) ** 2
                if away < near:
                    best, near = n, away
            down, right = row + best // 5 - 2 - place[1], col + best % 5 - 2 - place[2]
            mine = place[0] == 0 or (0 <= down < place[3] and 0 <= right < place[3])
            if not mine or centres[best, 3] < ocean:
                out[i, j] = 0.0
                continue
            border = 1e30
            for n in range(25):
                if n != best:
                    away = (u - centres[n, 0]) ** 2 + (v - centres[n, 1]) ** 2
                    south, west = centres[n, 0] - centres[best, 0], centres[n, 1] - centres[best, 1]
                    gap = np.sqrt(south * south + west * west)
                    border = min(border, (away - near) / (2.0 * gap))
            wide = 1.0 + 0.5 * centres[best, 2]
            t = min(max((border * size / wide - half) / shore, 0.0), 1.0)
            out[i, j] = t * t * (3.0 - 2.0 * t)
