"""Unreal Engine's Landscape: 16-bit PNG, the sea at 32768, sizes that its components make up."""

import math
from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.targets.heights import Range, write_picture
from downcut.export.targets.target import IN_MEMORY, Handed, Option, Plan, Target, listed
from downcut.shading import SPLAT
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
"""The sizes that Epic recommends, and what they are made of in the dialogue."""


def z_scale(low: float, high: float, zero: float) -> float:
    """Return the least Z scale, to four decimals, at which `low` and `high` fit around `zero`.

    height = zero + (level − 32768) · z_scale / 12800, so that 512 m of range take Z scale 100:
    about range · 100 / 512, whichever side of `zero` reaches farther.

    >>> z_scale(-256.0, 100.0, 0.0), z_scale(-2048.0, 2047.0, 0.0), z_scale(5.0, 5.0, 5.0)
    (100.0, 800.0, 100.0)
    """
    reach = max((zero - low) / MIDDLE, (high - zero) / (MIDDLE - 1))
    return math.ceil(round(reach * 12800 * 10_000, 4)) / 10_000 or 100.0


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write one heightmap a tile, all with one range, and a picture for each material."""
    low, high = terrain.relief
    sea = getattr(terrain.recipe, "sea_level", None)
    zero = float(sea) if sea is not None else round((low + high) / 2, 2)
    scale = z_scale(low, high, zero)
    span = Range.of_step(scale / 12800, {MIDDLE: zero}).around(low, high)
    suffix, files = plan.options["format"], {}
    for row, col, tile in plan.pieces(terrain):
        where = f"_x{col}_y{row}" if plan.tiled else ""
        name = f"{plan.name}{where}.{suffix}"
        span.write(tile, delivery, folder / name)
        files[name] = f"heights, {tile.grid.nx} × {tile.grid.ny}, 16-bit"
        if "splat" in plan.layers:
            files |= _write_weights(tile, plan, where, delivery, folder)
    numbers = _numbers(terrain, span, scale, zero)
    return Handed(numbers, _how(plan, numbers, terrain, suffix), files)


def _write_weights(
    tile: Terrain, plan: Plan, where: str, delivery: Delivery, folder: Path
) -> dict[str, str]:
    files = {}
    for band, tone in enumerate(SPLAT):
        name = f"{plan.name}_{tone.name}{where}.png"
        write_picture(tile["splat"][..., band], delivery, folder / name)
        files[name] = f"weight of {tone.name}, 8-bit; the {len(SPLAT)} sum to 255"
    return files


def _numbers(terrain: Terrain, span: Range, scale: float, zero: float) -> dict[str, Any]:
    cell = terrain.grid.cell_size
    return {
        "x_scale": cell * 100,
        "y_scale": cell * 100,
        "z_scale": scale,
        "z_location_cm": zero * 100,
        "metres_of_32768": zero,
        **span.told(),
        "metres_per_sample": cell,
    }


def _how(plan: Plan, numbers: dict[str, Any], terrain: Terrain, suffix: str) -> list[str]:
    first = f"{plan.name}_x0_y0.{suffix}" if plan.tiled else f"{plan.name}.{suffix}"
    others = " (Unreal finds the other tiles by their names)" if plan.tiled else ""
    (ny, nx), (rows, cols) = terrain.grid.shape, plan.tiles
    edges = {(ny - 1) // rows + 1, (nx - 1) // cols + 1}
    made_of = "".join(f" {edge} × {edge} are {COMPONENTS[edge]}." for edge in edges & {*COMPONENTS})
    weights = [
        f"For each layer of your material choose its Layer File: {plan.name}_"
        f"{', _'.join(tone.name for tone in SPLAT)}; as Weight-Blended layers."
    ]
    return [
        "In Landscape mode choose Manage, New, Import from File.",
        f"Heightmap File: {first}{others}.{made_of}",
        f"Scale: X {numbers['x_scale']:.10g}, Y {numbers['y_scale']:.10g}, "
        f"Z {numbers['z_scale']:.10g}.",
        f"Location Z: {numbers['z_location_cm']:.10g}. Heights in Unreal are then this land's, "
        "in centimetres; north is −Y.",
        *(weights if "splat" in plan.layers else []),
    ]


TARGET = Target(
    name="unreal",
    program="Unreal Engine (Landscape)",
    write=write,
    sizes=listed(*COMPONENTS),
    posts=True,
    shared_edges=True,
    stored_edge=IN_MEMORY,
    layers=("splat",),
    options={
        "format": Option(
            "png", "png, or r16: 16-bit little endian without a header", ("png", "r16")
        )
    },
)
