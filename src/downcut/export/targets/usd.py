"""USD, for Omniverse, Isaac Sim, Houdini, Blender, Unreal and phones."""

from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.save import deliver
from downcut.export.targets.target import Handed, Option, Plan, Target, between
from downcut.terrain import Terrain


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write the stage."""
    name = f"{plan.name}.{plan.options['format']}"
    options: dict[str, Any] = {"up": plan.options["up"]}
    if plan.options["max_error"]:
        options["max_error"] = plan.options["max_error"]
    facts = deliver(delivery, terrain, folder / name, **options)
    numbers = {
        "upAxis": facts["up"].upper(),
        "metersPerUnit": facts["metres_per_unit"],
        "default_prim": "/Land",
        "mesh": "/Land/Ground",
        "origin_east_north_up_m": facts["origin_east_north_up_m"],
        "vertices": facts["vertices"],
        "triangles": facts["triangles"],
        "measured_error_m": facts["measured_error_m"],
    }
    north = "+Y" if facts["up"] == "z" else "-Z"
    how = [
        f"usdview {name}, or File, Open in Omniverse, Isaac Sim, Houdini or Blender.",
        f"In a stage of your own: reference @{name}@; its default prim is /Land.",
        f"One unit is 1 m and {facts['up'].upper()} is up (east +X, north {north}); both are "
        "authored. A stage with other units or another axis needs a scale and a turn of the "
        "reference: USD does neither by itself.",
        "For physics add PhysicsCollisionAPI with the approximation none (the triangles "
        "themselves) to /Land/Ground.",
    ]
    return Handed(numbers, how, {name: f"the land, {facts['triangles']:,} triangles"})


TARGET = Target(
    name="usd",
    program="USD (Omniverse, Isaac Sim, Houdini, Blender)",
    write=write,
    sizes=between(2, 8192),
    posts=True,
    most_tiles=1,
    layers=("drainage_area", "channel", "water_surface"),
    options={
        "format": Option(
            "usdc", "usdc: binary; usda: text; usdz: package", ("usdc", "usda", "usdz")
        ),
        "up": Option("z", "which axis is up", ("z", "y")),
        "max_error": Option(
            0.0, "metres that the mesh may lie off; 0 for every cell", bounds=(0, 1e6)
        ),
    },
    needs=(("pxr", "usd"), ("pydelatin", "mesh")),
)
