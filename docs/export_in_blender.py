"""Render an export in Blender as a module (pip install bpy): kind, folder, picture.

The plane of `blender` is displaced as README.txt of the export says; the other kinds are
imported by Blender's own readers.
"""

import json
import math
import sys
from pathlib import Path

import bpy
from mathutils import Vector


def displaced(folder: Path) -> bpy.types.Object:
    """Follow README.txt: a grid, the EXR as texture of Displace, the picture as colour."""
    card = json.loads((folder / "export.json").read_text("utf-8"))
    said = card["numbers"]
    bpy.ops.mesh.primitive_grid_add(
        x_subdivisions=said["subdivisions_x"], y_subdivisions=said["subdivisions_y"], size=1
    )
    plane = bpy.context.object
    plane.dimensions = said["plane_x_m"], said["plane_y_m"], 0
    bpy.ops.object.transform_apply(scale=True)
    image = bpy.data.images.load(str(next(folder.glob("*.exr"))))
    image.colorspace_settings.name = "Non-Color"
    texture = bpy.data.textures.new("heights", "IMAGE")
    texture.image, texture.extension = image, "EXTEND"
    displace = plane.modifiers.new("heights", "DISPLACE")
    displace.texture, displace.texture_coords, displace.direction = texture, "UV", "Z"
    displace.mid_level, displace.strength = said["midlevel"], said["strength"]
    paint(plane, bpy.data.images.load(str(next(folder.glob("*_colour.png")))))
    return plane


def paint(thing: bpy.types.Object, image: bpy.types.Image | None) -> None:
    """Give a material: a picture's colours, the mesh's own (USD's displayColor), or plastic."""
    material = bpy.data.materials.new("land")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Base Color"].default_value = 0.75, 0.5, 0.3, 1
    if image:
        source = nodes.new("ShaderNodeTexImage")
        source.image = image
        links.new(source.outputs["Color"], surface.inputs["Base Color"])
    elif thing.data.color_attributes:
        source = nodes.new("ShaderNodeVertexColor")
        source.layer_name = thing.data.color_attributes[0].name
        links.new(source.outputs["Color"], surface.inputs["Base Color"])
    thing.data.materials.clear()
    thing.data.materials.append(material)


def imported(kind: str, folder: Path) -> bpy.types.Object:
    """Read a file by Blender's own reader, and keep the finest mesh."""
    if kind == "web":
        bpy.ops.import_scene.gltf(filepath=str(next(folder.glob("*.glb"))))
    elif kind == "usd":
        bpy.ops.wm.usd_import(filepath=str(next(folder.glob("*.usd*"))))
    else:
        bpy.ops.wm.stl_import(filepath=str(next(folder.glob("*.stl"))))
    meshes = [each for each in bpy.context.scene.objects if each.type == "MESH"]
    finest = max(meshes, key=lambda each: len(each.data.vertices))
    for each in meshes:
        each.hide_render = each is not finest
    if kind != "web":  # only glTF brings a material
        paint(finest, None)
    for face in finest.data.polygons:
        face.use_smooth = kind != "print"
    return finest


def look_at(thing: bpy.types.Object) -> None:
    """Put a camera, a sun and a sky where the whole is seen from the south-east."""
    corners = [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
    middle = sum(corners, Vector()) / 8
    reach = max((corner - middle).length for corner in corners)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + Vector((1.15, -1.6, 1.1)) * reach
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_end, camera.data.clip_start = 10 * reach, reach / 1000
    camera.data.lens = 45
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 3.2, (math.radians(55), 0, math.radians(-40))
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = 0.55, 0.7, 0.9, 1
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.6
    scene = bpy.context.scene
    scene.world, scene.camera = world, camera
    for each in (camera, sun):
        scene.collection.objects.link(each)


def main() -> None:
    """Read, look, render."""
    kind, folder, target = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    look_at(displaced(folder) if kind == "blender" else imported(kind, folder))
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 16, False
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath = target
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
