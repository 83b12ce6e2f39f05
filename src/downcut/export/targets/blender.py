"""Blender: heights in metres as float EXR, or as 16-bit PNG, and a colour picture."""

from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.save import deliver
from downcut.export.targets.heights import PAINT, Range, painter, write_picture
from downcut.export.targets.target import IN_MEMORY, Handed, Option, Plan, Target, between
from downcut.terrain import Terrain


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write heights and colours of each tile."""
    exr = plan.options["format"] == "exr"
    span, files = Range.of(terrain), {}
    paint = painter(terrain)
    for row, col, tile in plan.pieces(terrain):
        where = f"_x{col}_y{row}" if plan.tiled else ""
        name = f"{plan.name}{where}.{plan.options['format']}"
        if exr:
            deliver(delivery, tile, folder / name)
            files[name] = "heights in metres, 32-bit float"
        else:
            span.write(tile, delivery, folder / name)
            files[name] = "heights as 16-bit levels"
        picture = f"{plan.name}_colour{where}.png"
        write_picture(paint(tile.grid), delivery, folder / picture)
        files[picture] = "colours of ground and water, sRGB"
    numbers = _numbers(terrain, plan, None if exr else span)
    return Handed(numbers, _how(plan, numbers), files)


def _numbers(terrain: Terrain, plan: Plan, span: Range | None) -> dict[str, Any]:
    (rows, cols), (ny, nx) = plan.tiles, terrain.grid.shape
    cell = terrain.grid.cell_size
    return {
        "plane_x_m": nx // cols * cell,
        "plane_y_m": ny // rows * cell,
        "subdivisions_x": nx // cols,
        "subdivisions_y": ny // rows,
        "midlevel": 0.0,
        "strength": span.high - span.low if span else 1.0,
        "location_z_m": span.low if span else 0.0,
        "metres_per_sample": cell,
    }


def _how(plan: Plan, numbers: dict[str, Any]) -> list[str]:
    suffix = plan.options["format"]
    name = f"{plan.name}_x0_y0.{suffix}" if plan.tiled else f"{plan.name}.{suffix}"
    most = max(numbers["subdivisions_x"], numbers["subdivisions_y"])
    return [
        f"Add, Mesh, Grid: X subdivisions {numbers['subdivisions_x']}, Y subdivisions "
        f"{numbers['subdivisions_y']}; then Dimensions X {numbers['plane_x_m']:.10g} m, Y "
        f"{numbers['plane_y_m']:.10g} m, and Ctrl-A, Apply Scale.",
        f"Open {name} as an image; Color Space: Non-Color.",
        "Modifiers, Displace: New Texture (Image or Movie) with that image, Extension: Extend. "
        f"Coordinates UV, Direction Z, Midlevel 0, Strength {numbers['strength']:.10g}.",
        f"Location Z {numbers['location_z_m']:.10g} m. Heights are then this land's metres; north "
        "is +Y.",
        f"Base Color of its material: Image Texture {plan.name}_colour"
        f"{'_x0_y0' if plan.tiled else ''}.png.",
        f"View, Clip End: at least {10 ** len(str(int(most * numbers['metres_per_sample']))):,} m, "
        "else large lands vanish.",
    ]


TARGET = Target(
    name="blender",
    program="Blender",
    write=write,
    sizes=between(2, 16384),
    layers=PAINT,
    stored_edge=IN_MEMORY,
    needs=(("OpenEXR", "exr"),),
    options={"format": Option("exr", "exr: floats in metres; png: 16-bit levels", ("exr", "png"))},
)
