"""MuJoCo: a height field with its colours, in a scene that loads in one line."""

import io
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from PIL import Image

from downcut.export.files import Delivery
from downcut.export.mesh import colours
from downcut.export.origin import about, ground
from downcut.export.targets.target import Handed, Option, Plan, Target, between
from downcut.shading import to_srgb
from downcut.terrain import Terrain

SCENE = """\
<!-- {about} -->
<mujoco model={name}>
  <compiler angle="degree"/>
  <statistic center="0 0 {middle:.9g}" extent="{extent:.9g}"/>
  <visual>
    <headlight ambient="0.3 0.3 0.3" diffuse="0.3 0.3 0.3" specular="0 0 0"/>
    <map znear="0.001" zfar="20"/>
  </visual>
  <custom>
    <text name="downcut" data={digest}/>
  </custom>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0.55 0.7 0.9" rgb2="0.9 0.93 0.97"
             width="256" height="256"/>
    <texture name="land" type="2d" file={picture}/>
    <material name="land" texture="land" specular="0" shininess="0"/>
    <hfield name="land" file={heights} size="{x:.17g} {y:.17g} {z:.17g} {base:.17g}"/>
  </asset>
  <worldbody>
    <light name="sun" directional="true" pos="0 0 {above:.9g}" dir="1 -1 -1.2" castshadow="false"
           diffuse="0.8 0.76 0.7" specular="0 0 0"/>
    <geom name="land" type="hfield" hfield="land" pos="0 0 {low:.17g}" material="land"
          friction="{friction:.9g} 0.005 0.0001"/>
  </worldbody>
</mujoco>
"""
FLAT = 1e-3
"""Height [m] of a field without relief: MuJoCo wants one above 0, and all its samples are 0."""


def write(terrain: Terrain, plan: Plan, delivery: Delivery, folder: Path) -> Handed:
    """Write the heights, the picture and the scene."""
    grid, (low, high) = terrain.grid, terrain.relief
    names = {
        "scene": f"{plan.name}.xml",
        "heights": f"{plan.name}_heights.bin",
        "picture": f"{plan.name}_colours.png",
    }
    numbers = {
        "x_half_extent": (grid.nx - 1) * grid.cell_size / 2,
        "y_half_extent": (grid.ny - 1) * grid.cell_size / 2,
        "z_top": max(high - low, FLAT),
        "z_bottom": plan.options["base"],
        "geom_z": low,
        "nrow": grid.ny,
        "ncol": grid.nx,
        "metres_per_sample": grid.cell_size,
        "friction": plan.options["friction"],
    }
    with delivery.file(folder / names["heights"], 8 + 4 * grid.cells) as file:
        file.write(heights(terrain))
    with delivery.file(folder / names["picture"], 3 * grid.cells) as file:
        file.write(_picture(terrain))
    with delivery.file(folder / names["scene"], 5000) as file:
        file.write(_scene(terrain, plan.name, names, numbers).encode())
    files = {
        names["scene"]: "the scene: height field, sun, sky",
        names["heights"]: "heights, MuJoCo's own binary form, south first",
        names["picture"]: "colours of the ground",
    }
    return Handed(numbers, _how(names["scene"], numbers), files)


def heights(terrain: Terrain) -> bytes:
    """Return the heights in MuJoCo's form: rows, columns (int32), then float32 from the south.

    MuJoCo stretches what it reads to 0…1, so these are metres above the lowest ground.
    """
    elevation = ground(terrain)
    above = (elevation[::-1] - elevation.min()).astype("<f4")
    return bytes(np.array(above.shape, "<i4").data) + bytes(above.data)


def _picture(terrain: Terrain) -> bytes:
    file = io.BytesIO()
    Image.fromarray(to_srgb(colours(terrain))).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _scene(terrain: Terrain, name: str, names: dict[str, str], numbers: dict[str, Any]) -> str:
    facts = about(terrain)
    extent = float(np.hypot(numbers["x_half_extent"], numbers["y_half_extent"]))
    return SCENE.format(
        about=f"downcut {facts['version']}: metres, Z up, X east, Y north",
        name=quoteattr(name),
        digest=quoteattr(f"{facts['version']} {facts['digest']}"),
        picture=quoteattr(names["picture"]),
        heights=quoteattr(names["heights"]),
        middle=numbers["geom_z"] + numbers["z_top"] / 2,
        above=numbers["geom_z"] + numbers["z_top"] + extent,
        extent=extent,
        x=numbers["x_half_extent"],
        y=numbers["y_half_extent"],
        z=numbers["z_top"],
        base=numbers["z_bottom"],
        low=numbers["geom_z"],
        friction=numbers["friction"],
    )


def _how(scene: str, numbers: dict[str, Any]) -> list[str]:
    top = numbers["geom_z"] + numbers["z_top"]
    return [
        f'Python: model = mujoco.MjModel.from_xml_path("{scene}")',
        f"To look at it: python -m mujoco.viewer --mjcf={scene}",
        f'In a scene of your own: <include file="{scene}"/>; the geom and the height field are '
        "called land.",
        f"Metres, Z up, X east, Y north, the middle of the land at x = y = 0; heights are the "
        f"land's own, from {numbers['geom_z']:.9g} to {top:.9g} m.",
    ]


TARGET = Target(
    name="mujoco",
    program="MuJoCo",
    write=write,
    sizes=between(2, 4096),
    posts=True,
    most_tiles=1,
    layers=("drainage_area", "channel", "water_surface"),
    options={
        "base": Option(1.0, "metres of solid ground below the lowest place", bounds=(0.001, 1e6)),
        "friction": Option(1.0, "sliding friction of the ground", bounds=(0, 100)),
    },
)
