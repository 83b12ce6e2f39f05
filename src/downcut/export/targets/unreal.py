"""Unreal Engine's Landscape: 16-bit PNG, the sea at 32768, sizes that its components make up."""

import math
from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.targets.heights import Range, write_png, write_sidecar
from downcut.export.targets.target import Handed, Plan, Target, listed
from downcut.terrain import Terrain

MIDDLE = 32768
"""The level that stands for the landscape's own height; Z scale 100 gives 1/128 m a level."""

COMPONENTS = {
    127: "1 × 1 components of 2 × 2 sections of 63 quads",
    253: "2 × 2 components of 2 × 2 sections of 63 quads",
    505: "4 × 4 components of 2 × 2 sections of 63 quads",
    1009: "8 × 8 components of 2 × 2 sections of 63 quads",
    2017: "16 × 16 components of 2 × 2 sections of 63 quads",
    4033: "32 × 32 components of 2 × 2 sections of 63 quads",
    8129: "32 × 32 components of 2 × 2 sections of 127 quads",
}
"""The sizes that Epic recommends, and what the import dialogue then says."""


def z_scale(low: float, high: float, zero: float) -> float:
    """Return the least Z scale, to a hundredth, at which `low` and `high` fit around `zero`.

    A level is z_scale / 12800 m: height = zero + (level − 32768) · z_scale / 12800.

    >>> z_scale(-256.0, 100.0, 0.0), z_scale(-300.0, 299.9, 0.0), z_scale(5.0, 5.0, 5.0)
    (100.0, 117.19, 100.0)
    """
    reach = max((zero - low) / MIDDLE, (high - zero) / (MIDDLE - 1))
    return math.ceil(round(reach * 12800 * 100, 6)) / 100 or 100.0


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write one PNG a tile, all with one range."""
    low, high = terrain.relief
    sea = getattr(terrain.recipe, "sea_level", None)
    zero = float(sea) if sea is not None else round((low + high) / 2, 2)
    scale = z_scale(low, high, zero)
    span = Range.of_step(scale / 12800, {MIDDLE: zero})
    files: dict[str, str] = {}
    for row, col, tile in plan.pieces(terrain):
        name = f"{plan.name}_x{col}_y{row}.png" if plan.tiled else f"{plan.name}.png"
        write_png(tile, span, delivery, folder / name)
        write_sidecar(tile, span, delivery, folder / f"{name}.json")
        files[name] = f"heights, {tile.grid.nx} × {tile.grid.ny}, 16-bit grey"
    numbers = _numbers(terrain, span, scale, zero)
    return Handed(numbers, _how(plan, numbers), files)


def _numbers(terrain: Terrain, span: Range, scale: float, zero: float) -> dict[str, Any]:
    cell = terrain.grid.cell_size
    return {
        "x_scale": cell * 100,
        "y_scale": cell * 100,
        "z_scale": scale,
        "z_location_cm": zero * 100,
        "metres_of_0": span.low,
        "metres_of_32768": zero,
        "metres_of_65535": span.high,
        "metres_per_level": span.step,
        "metres_per_sample": cell,
    }


def _how(plan: Plan, numbers: dict[str, Any]) -> list[str]:
    which = f"{plan.name}_x0_y0.png (the others are found by their names)"
    return [
        "In Landscape mode choose Manage, New, Import from File.",
        f"Heightmap File: {which if plan.tiled else f'{plan.name}.png'}.",
        f"Scale: X {numbers['x_scale']:.10g}, Y {numbers['y_scale']:.10g}, "
        f"Z {numbers['z_scale']:.10g}.",
        f"Location Z: {numbers['z_location_cm']:.10g}. Heights in Unreal are then this land's, "
        "in centimetres.",
    ]


TARGET = Target(
    name="unreal",
    program="Unreal Engine (Landscape)",
    write=write,
    sizes=listed(*COMPONENTS),
    posts=True,
    shared_edges=True,
)
