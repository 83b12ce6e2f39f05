"""Web pages and engines that read glTF: one GLB with levels of detail."""

from pathlib import Path
from typing import Any

from downcut.export.files import Delivery
from downcut.export.save import deliver
from downcut.export.targets.target import Handed, Option, Plan, Target, between
from downcut.export.things import WAYS
from downcut.terrain import Terrain

FINE = 1000
"""Without a stated error the finest level is as near the land as this part of its relief."""


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write the GLB."""
    low, high = terrain.relief
    error = plan.options["max_error"] or max((high - low) / FINE, 0.001)
    name = f"{plan.name}.glb"
    options = {key: plan.options[key] for key in ("levels", "plants")}
    facts = deliver(delivery, terrain, folder / name, max_error=error, **options)
    levels = facts["levels_of_detail"]
    numbers = {
        "unit": "metre",
        "up": "+Y (east +X, north -Z)",
        "origin_east_north_up_m": facts["origin_east_north_up_m"],
        "levels_of_detail": {f"node {level['node']}": _told(level) for level in levels},
    }
    if "things" in facts:
        numbers["things"] = facts["things"]
    files = {name: f"the land in {len(levels)} levels of detail, with a picture of its colours"}
    return Handed(numbers, _how(name, levels), files)


def _told(level: dict[str, Any]) -> dict[str, Any]:
    """Return what is to be known of a level, to four digits."""
    names = ("triangles", "max_error_m", "measured_error_m", "from_distance_m")
    return {name: float(f"{level[name]:.4g}") if "_m" in name else level[name] for name in names}


def _how(name: str, levels: list[dict[str, Any]]) -> list[str]:
    distances = ", ".join(f"{level['from_distance_m']:.0f}" for level in levels)
    return [
        f"three.js: const gltf = await new GLTFLoader().loadAsync('{name}'); "
        "scene.add(gltf.scene) shows the finest level.",
        "With all levels: const lod = new THREE.LOD(); for (const level of "
        "gltf.scene.children[0].userData.levels_of_detail) lod.addLevel(await "
        "gltf.parser.getDependency('node', level.node), level.from_distance_m); scene.add(lod).",
        f"Babylon.js: SceneLoader.Append('', '{name}', scene) shows the coarsest level first and "
        "finer ones as they load (MSFT_lod).",
        "Godot, Blender and Unreal open the finest level as it is.",
        f"The levels will do from {distances} m on a screen 1080 pixels high with a view of 60°: "
        "their error is a pixel there.",
    ]


TARGET = Target(
    name="web",
    program="web pages (glTF with levels of detail)",
    write=write,
    sizes=between(2, 8192),
    posts=True,
    most_tiles=1,
    layers=("drainage_area", "channel", "water_surface"),
    options={
        "max_error": Option(
            0.0, "metres that the finest level may lie off; 0: relief / 1000", bounds=(0, 1e6)
        ),
        "levels": Option(4, "levels of detail, each with 4 times the error", tuple(range(1, 9))),
        "plants": Option("none", "what stands on the land: instances (three.js), or nodes", WAYS),
    },
    needs=(("pygltflib", "mesh"), ("pydelatin", "mesh")),
)
