"""The mesh: a GLB (glTF 2.0) that Blender, Godot, Unreal and three.js open as it is."""

from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.export.origin import about, ground
from downcut.export.tints import Scene, tints
from downcut.run import Run
from downcut.shading import gradient
from downcut.terrain import Terrain

ROUGHNESS = 0.95
SLICE = 128

# Numbers that glTF gives to kinds of data and of primitive.
FLOAT, UINT16, UINT32 = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963
POINTS, TRIANGLES = 0, 4
Part: TypeAlias = tuple[NDArray[Any], str, int, int]
"""An array, the shape and the number type of an element, and what it is for."""

INDEX16_LIMIT = 65535
"""Vertices that 16-bit indices can name: the last value means a restart."""


def write_glb(terrain: Terrain, file: BinaryIO) -> None:
    """Write the land as one mesh with normals and colours: Y up, metres.

    East is +X, up +Y, north −Z; a vertex in the middle of each cell; positions are relative to
    the node's place in the world, so that they stay exact far from its origin. Triangles are
    counter-clockwise seen from above and split each cell along its shorter diagonal. Colours are
    linear. A land one cell wide has no triangles and is written as points.

    Raises
    ------
    DowncutError
        If pygltflib is not installed.
    """
    try:
        import pygltflib as gltf
    except ImportError:
        raise DowncutError("GLB needs pygltflib: pip install 'downcut[mesh]'") from None
    elevation = ground(terrain)
    place, positions, normals = surface(terrain, elevation)
    parts: list[Part] = [
        (positions, "VEC3", FLOAT, VERTICES),
        (normals, "VEC3", FLOAT, VERTICES),
        (vertex_colours(terrain), "VEC4", UINT16, VERTICES),
    ]
    if min(elevation.shape) > 1:
        faces = triangles(elevation)
        parts.append((faces, "SCALAR", UINT16 if faces.dtype == np.uint16 else UINT32, INDICES))
    model = _model(gltf, terrain, place, parts)
    _write_chunks(file, model.to_json(), [part[0] for part in parts])


def surface(
    terrain: Terrain, elevation: NDArray[np.float32]
) -> tuple[list[float], NDArray[np.float32], NDArray[np.float32]]:
    """Return the node's place, and positions and unit normals in glTF's axes, (cells, 3)."""
    grid = terrain.grid
    x0, y0 = float((grid.x[0] + grid.x[-1]) / 2), float((grid.y[0] + grid.y[-1]) / 2)
    base = float(np.floor(elevation.min()))
    positions = np.empty((*grid.shape, 3), np.float32)
    normals = np.empty_like(positions)

    def work(start: int, stop: int) -> None:
        part, facing = positions[start:stop], normals[start:stop]
        part[..., 0] = grid.x - x0
        part[..., 1] = elevation[start:stop].astype(np.float64) - base
        part[..., 2] = (y0 - grid.y[start:stop])[:, None]
        east, north = gradient(elevation, grid.cell_size, start, stop)
        up = 1 / np.sqrt(1 + east * east + north * north)
        facing[..., 0], facing[..., 1], facing[..., 2] = -east * up, up, north * up

    Run().slices(work, grid.ny, SLICE)
    return [x0, base, -y0], positions.reshape(-1, 3), normals.reshape(-1, 3)


def vertex_colours(terrain: Terrain) -> NDArray[np.uint16]:
    """Return linear colours as normalised uint16, (cells, 4): four to keep vertices aligned."""
    scene = Scene.of(terrain)
    colours = np.full((*terrain.grid.shape, 4), 65535, np.uint16)

    def work(start: int, stop: int) -> None:
        light = tints(scene, start, stop)
        colours[start:stop, :, :3] = np.clip(light, 0, 1) * np.float32(65535) + np.float32(0.5)

    Run().slices(work, terrain.grid.ny, SLICE)
    return colours.reshape(-1, 4)


def triangles(elevation: NDArray[np.float32]) -> NDArray[Any]:
    """Return two triangles a quad, (quads · 6,) indices, 32-bit where 16 do not suffice.

    With the corners NW a, NE b, SW d, SE e: a d e, a e b along one diagonal, or a d b, b d e
    along the other.
    """
    ny, nx = elevation.shape
    kind: Any = np.uint16 if ny * nx <= INDEX16_LIMIT else np.uint32
    faces = np.empty((ny - 1, nx - 1, 6), kind)

    def work(start: int, stop: int) -> None:
        top, bottom = elevation[start:stop], elevation[start + 1 : stop + 1]
        falling = np.abs(top[:, :-1] - bottom[:, 1:]) <= np.abs(top[:, 1:] - bottom[:, :-1])
        a = (np.arange(start, stop)[:, None] * nx + np.arange(nx - 1)).astype(kind)
        b, d, e = a + kind(1), a + kind(nx), a + kind(nx + 1)
        part = faces[start:stop]
        part[..., 0], part[..., 1] = a, d
        part[..., 2] = np.where(falling, e, b)
        part[..., 3] = np.where(falling, a, b)
        part[..., 4] = np.where(falling, e, d)
        part[..., 5] = np.where(falling, b, e)

    Run().slices(work, ny - 1, SLICE)
    return faces.reshape(-1)


def _model(gltf: Any, terrain: Terrain, place: list[float], parts: list[Part]) -> Any:
    """Describe the scene: one node, one mesh, one matt material."""
    accessors, views = _describe_buffers(gltf, parts)
    facts = about(terrain)
    has_faces = len(parts) == 4
    primitive = gltf.Primitive(
        attributes=gltf.Attributes(POSITION=0, NORMAL=1, COLOR_0=2),
        indices=3 if has_faces else None,
        material=0,
        mode=TRIANGLES if has_faces else POINTS,
    )
    matt = gltf.PbrMetallicRoughness(metallicFactor=0.0, roughnessFactor=ROUGHNESS)
    return gltf.GLTF2(
        asset=gltf.Asset(version="2.0", generator=f"downcut {facts['version']}"),
        scene=0,
        scenes=[gltf.Scene(nodes=[0])],
        nodes=[gltf.Node(name="terrain", mesh=0, translation=place, extras=facts)],
        meshes=[gltf.Mesh(name="terrain", primitives=[primitive])],
        materials=[gltf.Material(name="ground", pbrMetallicRoughness=matt)],
        accessors=accessors,
        bufferViews=views,
        buffers=[gltf.Buffer(byteLength=sum(_padded(array) for array, *_ in parts))],
    )


def _describe_buffers(gltf: Any, parts: list[Part]) -> tuple[list[Any], list[Any]]:
    """Return an accessor and a view for each part, one after the other in the buffer."""
    accessors: list[Any] = []
    views: list[Any] = []
    offset = 0
    for array, shape, component, target in parts:
        views.append(
            gltf.BufferView(buffer=0, byteOffset=offset, byteLength=array.nbytes, target=target)
        )
        accessor = gltf.Accessor(
            bufferView=len(accessors), componentType=component, type=shape, count=len(array)
        )
        accessor.normalized = component == UINT16 and target == VERTICES
        accessors.append(accessor)
        offset += _padded(array)
    positions = parts[0][0]
    accessors[0].min = [float(v) for v in positions.min(axis=0)]
    accessors[0].max = [float(v) for v in positions.max(axis=0)]
    return accessors, views


def _padded(array: NDArray[Any]) -> int:
    """Return the bytes of an array, rounded up to whole fours."""
    return array.nbytes + -array.nbytes % 4


def _write_chunks(file: BinaryIO, text: str, arrays: list[NDArray[Any]]) -> None:
    """Write the GLB's header, its JSON (padded with spaces) and its buffer (with zeros)."""
    content = text.encode()
    content += b" " * (-len(content) % 4)
    size = sum(_padded(array) for array in arrays)
    total = 12 + 8 + len(content) + 8 + size
    if total >= 2**32:
        raise DowncutError(
            f"a GLB ends at 4 GB and this land needs {total / 1e9:.1f} GB: make a smaller one"
        )
    for number in (0x46546C67, 2, total, len(content), 0x4E4F534A):
        file.write(number.to_bytes(4, "little"))
    file.write(content)
    file.write(size.to_bytes(4, "little") + b"BIN\0")
    for array in arrays:
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        file.write(little.data)
        file.write(b"\0" * (-array.nbytes % 4))
