"""Unity's Terrain: 16-bit RAW, little endian, 2^n + 1 samples, the first row in the south."""

from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.save import deliver
from downcut.export.sidecar import NORTH, SOUTH
from downcut.export.targets.heights import Range, between_posts
from downcut.export.targets.target import IN_MEMORY, Handed, Option, Plan, Target, listed
from downcut.shading import SPLAT
from downcut.terrain import Terrain

SIZES = (33, 65, 129, 257, 513, 1025, 2049, 4097)
UNITYS_LEVELS = 65536
"""What Unity divides a level by when it imports RAW, so that 65535 falls short of the height."""


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write one RAW a tile, all with one range, and the weights of its materials."""
    span = Range.of(terrain)
    order = SOUTH if plan.options["rows"] == "south" else NORTH
    rows, files = plan.tiles[0], {}
    for row, col, tile in plan.pieces(terrain):
        where = f"_{col}_{rows - 1 - row}" if plan.tiled else ""  # Z counts from the south
        name = f"{plan.name}{where}.raw"
        span.write(tile, delivery, folder / name, byte_order="little", row_order=order)
        files[name] = f"heights, {tile.grid.nx} × {tile.grid.ny}, 16-bit little endian, {order}"
        if "splat" in plan.layers:
            picture = f"{plan.name}_splat{where}.png"
            weights = between_posts(tile)
            deliver(delivery, weights, folder / picture, layer="splat")
            files[picture] = f"weights of {', '.join(t.name for t in SPLAT)} as RGBA"
    numbers = _numbers(terrain, plan, span)
    return Handed(numbers, _how(plan, numbers, order), files)


def _numbers(terrain: Terrain, plan: Plan, span: Range) -> dict[str, Any]:
    cell = terrain.grid.cell_size
    (rows, cols), (ny, nx) = plan.tiles, terrain.grid.shape
    sea = getattr(terrain.recipe, "sea_level", None)
    return {
        "heightmap_resolution": (nx - 1) // cols + 1,
        "terrain_width_m": (nx - 1) // cols * cell,
        "terrain_length_m": (ny - 1) // rows * cell,
        "terrain_height_m": span.step * UNITYS_LEVELS,
        "position_y_m": span.low,
        **({} if sea is None else {"sea_y_m": sea}),
        **span.told(),
        "metres_per_sample": cell,
    }


def _how(plan: Plan, numbers: dict[str, Any], order: str) -> list[str]:
    size = (
        f"Width {numbers['terrain_width_m']:.10g}, Length {numbers['terrain_length_m']:.10g}, "
        f"Height {numbers['terrain_height_m']:.10g}"
    )
    flip = "off" if order == SOUTH else "on"
    which = f"{plan.name}_X_Z.raw" if plan.tiled else f"{plan.name}.raw"
    place = (
        f"Place terrain X, Z at ({numbers['terrain_width_m']:.10g} · X, "
        f"{numbers['position_y_m']:.10g}, {numbers['terrain_length_m']:.10g} · Z): X counts "
        "eastward, Z northward from the south-west. Neighbours share their edge samples."
        if plan.tiled
        else f"Position Y: {numbers['position_y_m']:.10g}. Heights are then this land's metres."
    )
    weights = [
        f"{plan.name}_splat: an alphamap of {numbers['heightmap_resolution'] - 1}², one channel a "
        f"terrain layer: {', '.join(f'{c} {t.name}' for c, t in zip('RGBA', SPLAT, strict=True))}. "
        "Import it as texture with Read/Write on, sRGB off and no compression; its top row is "
        "north."
    ]
    return [
        "Add a Terrain; in its Terrain Settings under Texture Resolutions choose Import Raw.",
        f"Select {which}: Depth 16 bit, Resolution {numbers['heightmap_resolution']}, Byte Order "
        f"Windows, Flip Vertically {flip}.",
        f"Terrain Size: {size}. (Unity divides levels by 65536, which this height allows for.)",
        place,
        *(weights if "splat" in plan.layers else []),
    ]


TARGET = Target(
    name="unity",
    program="Unity (Terrain)",
    write=write,
    sizes=listed(*SIZES, square=True),
    posts=True,
    shared_edges=True,
    stored_edge=IN_MEMORY,
    layers=("splat",),
    options={
        "rows": Option("south", "south: as Unity reads them; north: tick Flip", ("south", "north"))
    },
)
