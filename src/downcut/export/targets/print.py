"""3D printers: closed solids in millimetres, cut so that each fits the bed."""

import math
from pathlib import Path

from downcut.errors import DowncutError
from downcut.export.files import Delivery
from downcut.export.sidecar import beside
from downcut.export.sidecar import write as write_sidecar
from downcut.export.stl import LENGTHS, Printing, write_solid
from downcut.export.targets.target import Handed, Option, Plan, Target, between
from downcut.grid import Grid
from downcut.terrain import Terrain

MOST_TILES = 32

BYTES_PER_CELL = 200


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write one STL a tile, all at one scale above one base."""
    how, files = _printing(terrain, plan), {}
    highest = 0.0
    for row, col, tile in plan.pieces(terrain):
        where = f"_x{col}_y{row}" if plan.tiled else ""
        path = folder / f"{plan.name}{where}.stl"
        with delivery.file(path, tile.grid.cells * BYTES_PER_CELL) as file:
            facts = write_solid(tile, file, how)
        with delivery.file(beside(path), 20_000) as file:
            write_sidecar(facts, file)
        highest = max(highest, facts["height_mm"])
        size = f"{facts['width_mm']:.1f} × {facts['depth_mm']:.1f} × {facts['height_mm']:.1f} mm"
        files[path.name] = f"solid, {size}"
    width, depth = how.size(terrain.grid)
    numbers = {
        "unit": "mm",
        "up": "z",
        "scale": how.scale,
        "width_mm": width,
        "depth_mm": depth,
        "height_mm": highest,
        "base_mm": how.base,
        "exaggeration": how.exaggeration,
        "metres_per_mm": how.scale / 1000,
        "metres_per_mm_of_height": how.scale / 1000 / how.exaggeration,
        "metres_on_the_base": how.floor,
    }
    return Handed(numbers, _how(plan, how), files)


def _printing(terrain: Terrain, plan: Plan) -> Printing:
    """Return the scale that was asked for, or the one at which the longer edge of a tile fits."""
    options, (rows, cols), grid = plan.options, plan.tiles, terrain.grid
    tile = Grid((grid.ny - 1) // rows + 1, (grid.nx - 1) // cols + 1, grid.cell_size)
    wanted = {name: options[name] for name in ("bed", "base", "exaggeration")}
    scale = options["scale"] or None
    how = Printing.fitted(tile, terrain.relief[0], scale=scale, **wanted)
    if max(how.size(tile)) > options["bed"] * (1 + 1e-9):
        width, depth = how.size(grid)
        least = [math.ceil(edge / options["bed"] - 1e-9) for edge in (depth, width)]
        cut = f"cut it with --tiles {least[0]}x{least[1]}, or " if max(least) <= MOST_TILES else ""
        raise DowncutError(
            f"at 1 : {how.scale:g} the land is {width:.6g} × {depth:.6g} mm and the bed "
            f"{options['bed']:g} mm: {cut}leave scale out"
        )
    return how


def _how(plan: Plan, how: Printing) -> list[str]:
    what = "each tile by itself" if plan.tiled else f"{plan.name}.stl"
    times = f", heights {how.exaggeration:g} times" if how.exaggeration != 1 else ""
    steps = [
        f"Open {what} in the slicer. STL has no unit: where it asks, it is millimetres; Z is up.",
        f"Leave the scale at 100 %: it is 1 : {how.scale:,.0f}{times}.",
        "It stands on a flat foot and has no overhangs: print without supports.",
    ]
    if plan.tiled:
        steps.append(
            "Beside each other the tiles make the land: x counts from the west, y from the "
            "north; all have the same base, so heights meet."
        )
    return steps


TARGET = Target(
    name="print",
    program="3D printers (STL)",
    write=write,
    sizes=between(2, 4096),
    posts=True,
    shared_edges=True,
    most_tiles=MOST_TILES,
    options={
        "bed": Option(
            200.0,
            "mm along an edge of the bed; a land or tile is made to fill it",
            bounds=LENGTHS["bed"],
        ),
        "base": Option(3.0, "mm of material below the lowest ground", bounds=LENGTHS["base"]),
        "exaggeration": Option(
            1.0, "times that heights are higher than to scale", bounds=LENGTHS["exaggeration"]
        ),
        "scale": Option(0.0, "25000 for 1 : 25000; 0 to fill the bed", bounds=(0, 1e12)),
    },
)
