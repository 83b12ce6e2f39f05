"""Wetness: where water gathers and lingers in the ground, by how the land is shaped."""

import math
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from downcut._jit import inlined, kernel
from downcut.flow.drained import drain
from downcut.grid import D8_COL, D8_DISTANCE, D8_ROW, Grid
from downcut.run import Run
from downcut.step import Array, Number, Step

CONTOUR = np.where(D8_DISTANCE > 1.2, math.sqrt(0.125), 0.5)
"""Length of contour that faces each neighbour, in cells (Quinn 1991)."""


class Wetness(Step):
    """Measure the topographic wetness index ln(a / tan β) (Beven & Kirkby 1979).

    a is the ground that drains through a metre of contour [m], tan β the slope: wet are the
    places that much drains to and little drains from. Water flows to all lower neighbours i at
    once, in shares of Lᵢ · tan βᵢ^exponent (Freeman 1991; Lᵢ is the contour that faces each,
    Quinn et al. 1991), over the land with its depressions full and out of flats by the shortest
    way: so the index is ln(A / Σ Lᵢ tan βᵢ). Slopes under `min_slope` count as that, which caps
    it where the land is flat.

    Reads elevation (ny, nx) [m]. Writes wetness (ny, nx) float32, ln of metres: about 4 on steep
    crests, 8 on slopes, above 12 on flood plains and lakes. Cells of the sea are the wettest that
    `min_slope` allows for their own area.

    Examples
    --------
    >>> ramp = [[30.0, 20.0, 10.0, 0.0]] * 3
    >>> wet = Wetness()(ramp, grid=Grid(3, 4, cell_size=10.0))
    >>> bool((wet[:, 1:] > wet[:, :-1]).all())
    True
    """

    op: Literal["hydrology.wetness"] = "hydrology.wetness"
    exponent: Number = Field(1.1, ge=0.1, le=20)
    """How much of the water the steeper ways get: 1 spreads it widely, 20 sends it down one way."""
    min_slope: Number = Field(0.001, ge=1e-6, le=1)
    """The gentlest slope that counts [m/m]."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("wetness",)
    cites: ClassVar[tuple[str, ...]] = ("beven1979", "freeman1991", "quinn1991")
    exact: ClassVar[bool] = False  # powers and logarithms
    nanoseconds: ClassVar[float] = 300.0
    working_bytes: ClassVar[int] = 40

    def halo(self, grid: Grid) -> int | None:
        """Water may come from anywhere: the whole map decides."""
        return None

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array:
        """Route the water and follow it down from every crest."""
        drained = drain(arrays[0], run)
        flow = drained.receivers.ravel()
        waiting = np.zeros(flow.size, np.uint8)
        _count_donors(drained.level, flow, waiting)
        area = np.full(flow.size, grid.cell_area)
        law = (grid.cell_size, self.exponent, self.min_slope)
        wetness = np.empty(grid.shape, np.float32)
        stack = np.empty(flow.size, flow.dtype)
        _follow(drained.level, flow, waiting, stack, area, law, wetness.ravel())
        return wetness


@inlined
def _is_lower(level, row, col, k):  # type: ignore[no-untyped-def]
    """Whether neighbour k is on the map and lower."""
    r, c = row + D8_ROW[k], col + D8_COL[k]
    inside = 0 <= r < level.shape[0] and 0 <= c < level.shape[1]
    return inside and level[r, c] < level[row, col]


@kernel
def _count_donors(level, receivers, waiting):  # type: ignore[no-untyped-def]
    """Count the cells from which each gets water: higher ones, and in flats the one before."""
    nx = level.shape[1]
    for cell in range(receivers.size):
        if receivers[cell] == cell:
            continue
        row, col = cell // nx, cell % nx
        found = False
        for k in range(8):
            if _is_lower(level, row, col, k):
                waiting[cell + D8_ROW[k] * nx + D8_COL[k]] += 1
                found = True
        if not found:
            waiting[receivers[cell]] += 1


@kernel
def _follow(level, receivers, waiting, stack, area, law, wetness):  # type: ignore[no-untyped-def]
    """Visit each cell after all that drains into it; a stack keeps those that are ready."""
    shares = np.zeros(8)
    count = 0
    for start in range(receivers.size):
        if waiting[start] == 0:
            stack[count] = start
            count += 1
    while count > 0:
        count -= 1
        count = _hand_on(level, receivers, waiting, stack, count, area, law, wetness, shares)


@inlined
def _hand_on(level, receivers, waiting, stack, count, area, law, wetness, shares):  # type: ignore[no-untyped-def]
    """Note how wet the cell on the stack is, hand its water on; return the cells on the stack."""
    cell_size, exponent, least = law
    nx = level.shape[1]
    cell = stack[count]
    row, col = cell // nx, cell % nx
    face, width, total = 0.0, 0.0, 0.0
    if receivers[cell] != cell:
        for k in range(8):
            shares[k] = 0.0
            if _is_lower(level, row, col, k):
                drop = level[row, col] - np.float64(level[row + D8_ROW[k], col + D8_COL[k]])
                slope = drop / (D8_DISTANCE[k] * cell_size)
                face += CONTOUR[k] * slope
                width += CONTOUR[k]
                shares[k] = CONTOUR[k] * (slope if exponent == 1.0 else slope**exponent)
                total += shares[k]
    width = width if width > 0.0 else 0.5
    wetness[cell] = math.log(area[cell] / (cell_size * max(face, least * width)))
    if receivers[cell] == cell:
        return count
    if total == 0.0:  # level ground, or a drop too small for its power: down the shortest way
        for k in range(8):
            below = cell + D8_ROW[k] * nx + D8_COL[k]
            lower = _is_lower(level, row, col, k)
            shares[k] = 1.0 if lower or (face == 0.0 and below == receivers[cell]) else 0.0
            total += shares[k]
    for k in range(8):
        if shares[k] > 0.0:
            below = cell + D8_ROW[k] * nx + D8_COL[k]
            area[below] += area[cell] * (shares[k] / total)
            waiting[below] -= 1
            if waiting[below] == 0:
                stack[count] = below
                count += 1
    return count
