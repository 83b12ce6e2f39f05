"""Godot with Terrain3D: float EXR in metres, with a control map for its textures."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.export.files import Delivery
from downcut.export.save import deliver
from downcut.export.targets.heights import PAINT, painter, write_picture
from downcut.export.targets.target import IN_MEMORY, Handed, Plan, Target, multiples
from downcut.shading import SPLAT
from downcut.terrain import Terrain

REGIONS = (256, 512, 1024, 2048)
"""Vertices along a region of Terrain3D: 256 as it comes."""
MOST_REGIONS = 32
"""Along an edge of its world."""


def control(weights: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return Terrain3D's control map for splat weights (ny, nx, bands).

    The heaviest material is the base (bits 28 to 32), the second the overlay (23 to 27), and the
    blend (15 to 22) is the overlay's share of both, 0 to 255.

    >>> f"{control(np.array([[[200, 0, 0, 55]]], np.uint8))[0, 0]:032b}"
    '00000000110011011100000000000000'
    """
    order = np.argsort(weights, axis=-1, kind="stable")
    base, over = order[..., -1], order[..., -2]
    heavy, light = (
        np.take_along_axis(weights, which[..., None], -1)[..., 0].astype(np.uint32)
        for which in (base, over)
    )
    blend = (255 * light + (heavy + light) // 2) // np.maximum(heavy + light, 1)
    words = np.zeros(base.shape, np.uint32)
    for field, bit in ((base, 27), (over, 22), (blend, 14)):
        words |= np.left_shift(field, bit, dtype=np.uint32, casting="unsafe")
    return words


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write heights, control map and colours of each tile."""
    files: dict[str, str] = {}
    positions: dict[str, list[float]] = {}
    paint = painter(terrain)
    for row, col, tile in plan.pieces(terrain):
        where = f"_x{col}_y{row}" if plan.tiled else ""
        name = f"{plan.name}{where}.exr"
        deliver(delivery, tile, folder / name, channels="RGB")
        files[name] = "heights in metres, 32-bit float"
        positions[name] = _position(terrain, plan, row, col)
        if "splat" in plan.layers:
            kept = f"{plan.name}_control{where}.exr"
            bits = control(tile["splat"]).view(np.float32)
            deliver(
                delivery, Terrain(tile.grid, {"control": bits}, recipe=tile.recipe), folder / kept,
                layer="control",
            )  # fmt: skip
            files[kept] = f"control map: textures 0 to 3 are {', '.join(t.name for t in SPLAT)}"
        picture = f"{plan.name}_colour{where}.png"
        write_picture(paint(tile.grid), delivery, folder / picture)
        files[picture] = "colour map: ground and water, sRGB"
    numbers = _numbers(terrain, positions)
    return Handed(numbers, _how(plan, numbers), files)


def _region(terrain: Terrain) -> int:
    """Return the smallest region of which there are enough for the land."""
    return next(size for size in REGIONS if max(terrain.grid.shape) <= size * MOST_REGIONS)


def _position(terrain: Terrain, plan: Plan, row: int, col: int) -> list[float]:
    """Return where a tile's north-west corner goes: whole regions from the middle of the world."""
    cell, region = terrain.grid.cell_size, _region(terrain)
    (ny, nx), (rows, cols) = terrain.grid.shape, plan.tiles
    west, north = (-(n // region // 2) * region for n in (nx, ny))
    return [(west + col * (nx // cols)) * cell, 0.0, (north + row * (ny // rows)) * cell]


def _numbers(terrain: Terrain, positions: dict[str, list[float]]) -> dict[str, Any]:
    cell = terrain.grid.cell_size
    sea = getattr(terrain.recipe, "sea_level", None)
    only = next(iter(positions.values()))
    return {
        "vertex_spacing": cell,
        "region_size": _region(terrain),
        "height_offset": 0.0,
        "import_scale": 1.0,
        "import_position": positions if len(positions) > 1 else only,
        **({} if sea is None else {"sea_y_m": sea}),
        "metres_per_sample": cell,
    }


def _how(plan: Plan, numbers: dict[str, Any]) -> list[str]:
    tiles = list(numbers["import_position"].items()) if plan.tiled else []
    x, _, z = tiles[0][1] if tiles else numbers["import_position"]
    where = "_x0_y0" if tiles else ""
    control = f"Control File Name: {plan.name}_control{where}.exr. "
    return [
        "Install Terrain3D, copy these files beside your project and open "
        "addons/terrain_3d/tools/importer.tscn.",
        f"On the Importer node: Region Size {numbers['region_size']}, Vertex Spacing "
        f"{numbers['vertex_spacing']:.10g}.",
        f"Height File Name: {plan.name}{where}.exr. {control if 'splat' in plan.layers else ''}"
        f"Color File Name: {plan.name}_colour{where}.png (leave it out where "
        "textures have colours of their own).",
        f"Import Position ({x:.10g}, 0, {z:.10g}), Import Scale 1, Height Offset 0; then Run "
        "Import." + (" So with every tile, at its own position (below)." if tiles else ""),
        "Heights are this land's metres; north is −Z. Choose a Data Directory and save.",
    ]


TARGET = Target(
    name="godot",
    program="Godot (Terrain3D)",
    write=write,
    sizes=multiples(REGIONS[0], 16384),
    layers=("splat", *PAINT),
    stored_edge=IN_MEMORY,
    needs=(("OpenEXR", "exr"),),
)
