"""GLB (glTF 2.0), which browsers, Blender, Godot, Unreal and Unity open as it is."""

import io
import math
from collections.abc import Sequence
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.errors import DowncutError
from downcut.export.gltf import Model
from downcut.export.mesh import Anchor, colours, triangles, vertices
from downcut.export.origin import about, ground
from downcut.export.simplify import simplified
from downcut.export.things import add_things, check_way
from downcut.grid import Grid
from downcut.run import Run
from downcut.shading import to_srgb
from downcut.terrain import Terrain

SLICE = 128

MOST_LEVELS = 8
COARSER = 4
"""By how much the error grows from one level of detail to the next."""
PIXEL = 2 * math.tan(math.radians(30)) / 1080
"""How wide a pixel is a metre away, in a view 60° and 1080 pixels high: from where a level's error
is smaller than that, it will do."""

LARGEST_PICTURE = 4096
"""Pixels along the longer edge of the colour map: what every graphics card takes."""

Faces: TypeAlias = NDArray[Any]
Heights: TypeAlias = NDArray[np.float32]


def write_glb(
    terrain: Terrain,
    file: BinaryIO,
    *,
    max_error: float | None = None,
    levels: int = 1,
    plants: str = "none",
) -> dict[str, Any]:
    """Write the land as one mesh with normals and colours: Y up, metres.

    East is +X, up +Y, north −Z; vertices lie in the middle of cells; positions are relative to
    the node's place in the world, so that they stay exact far from its origin. Triangles are
    counter-clockwise seen from above. A land one cell wide has no triangles and is written as
    points. The recipe is in the asset's extras.

    Parameters
    ----------
    max_error : float, optional [m]
        Leave vertices out as long as no cell is farther than this from the mesh, up or down; the
        colours are then a picture on it. Without, every cell is a vertex with its own colour.
    levels : int, 1 to 8
        Levels of detail, each with 4 times the error of the one before. The scene shows the
        first, `land_lod0`; the others are nodes that its extension MSFT_lod names, and its extras
        say from what distance each will do.
    plants : "none", "instances" or "nodes"
        Whether what stands on the land (tables plants, stones and blades) is written too: each
        kind one plain mesh and its instances, by EXT_mesh_gpu_instancing, which three.js,
        Babylon.js and Blender 4 read; or each thing a node of its own, up to 20 000 of them, for
        programs that do not.

    Returns
    -------
    dict
        What `about` says, with `levels_of_detail`: node, triangles, the error asked for and the
        one measured [m], the distance from which it will do [m], and the share of the screen's
        height that the land fills where the next level will.

    Raises
    ------
    DowncutError
        If pygltflib or, for `max_error`, pydelatin is not installed, for levels without an error
        to begin with, and for a land whose GLB would be larger than 4 GB.
    """
    try:
        import pygltflib
    except ImportError:
        raise DowncutError("GLB needs pygltflib: pip install 'downcut[mesh]'") from None
    _check(levels, max_error)
    check_way(plants)
    elevation = ground(terrain)
    anchor, model = Anchor.of(terrain.grid, elevation), Model(pygltflib)
    facts = {**anchor.facts, **about(terrain)}
    facts["written_with"] = {"max_error": max_error, "levels": levels, "plants": plants}
    if max_error is None or min(elevation.shape) < 2:
        primitives = [_whole(model, terrain, elevation, anchor)]
    else:
        errors = [float(max_error) * COARSER**level for level in range(levels)]
        meshes, reached = zip(*(simplified(elevation, error) for error in errors), strict=True)
        primitives = _reduced(model, terrain, elevation, anchor, meshes)
        counts = [len(faces) for faces in meshes]
        facts["levels_of_detail"] = _details(terrain.grid, errors, reached, counts)
    if counts_of := add_things(model, terrain, anchor, plants):
        facts["things"] = counts_of
    model.write(file, anchor, facts, primitives)
    return facts


def _check(levels: int, max_error: float | None) -> None:
    if not (isinstance(levels, int) and 1 <= levels <= MOST_LEVELS):
        raise DowncutError(f"levels is {levels}: give 1 to {MOST_LEVELS} levels of detail")
    if levels > 1 and max_error is None:
        raise DowncutError(
            f"levels is {levels} without max_error: say how far the finest level may lie from "
            "the land, in metres"
        )


def _details(
    grid: Grid, errors: list[float], reached: Sequence[float], counts: list[int]
) -> list[dict[str, Any]]:
    """Return what is to be known of each level of detail."""
    distances = [0.0, *(error / PIXEL for error in errors[1:])]
    size = max(grid.shape) * grid.cell_size / (PIXEL * 1080)  # on a screen as high, a metre away
    shares = [*(min(size / distance, 1.0) for distance in distances[1:]), 0.0]
    return [
        {
            "node": number,
            "triangles": counts[number],
            "max_error_m": error,
            "measured_error_m": reached[number],
            "from_distance_m": distances[number],
            "screen_coverage": shares[number],
        }
        for number, error in enumerate(errors)
    ]


def _whole(model: Model, terrain: Terrain, elevation: Heights, anchor: Anchor) -> Any:
    """Add a vertex for each cell, with its colour."""
    positions, normals = vertices(terrain.grid, elevation, anchor, y_up=True)
    attributes = {
        "POSITION": model.vertices(positions, bounds=True),
        "NORMAL": model.vertices(normals),
        "COLOR_0": model.vertices(_shares(colours(terrain))),
    }
    if min(elevation.shape) < 2:
        return model.primitive(attributes, None)
    return model.primitive(attributes, model.indices(triangles(elevation), len(positions)))


def _shares(light: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Return linear colours as normalised uint16, (cells, 4): four to keep vertices aligned."""
    shares = np.full((*light.shape[:2], 4), 65535, np.uint16)

    def work(start: int, stop: int) -> None:
        shares[start:stop, :, :3] = light[start:stop] * np.float32(65535) + np.float32(0.5)

    Run().slices(work, len(light), SLICE)
    return shares.reshape(-1, 4)


def _reduced(
    model: Model, terrain: Terrain, elevation: Heights, anchor: Anchor, meshes: Sequence[Faces]
) -> list[Any]:
    """Add the vertices that the levels share, the picture on them, and each level's triangles."""
    cells = np.unique(np.concatenate([faces.reshape(-1) for faces in meshes]))
    positions, normals = vertices(terrain.grid, elevation, anchor, y_up=True)
    ny, nx = elevation.shape
    across = np.stack([(cells % nx + 0.5) / nx, (cells // nx + 0.5) / ny], axis=1)
    attributes = {
        "POSITION": model.vertices(positions[cells], bounds=True),
        "NORMAL": model.vertices(normals[cells]),
        "TEXCOORD_0": model.vertices(across.astype(np.float32)),
    }
    model.add_picture(colour_jpeg(terrain))
    corners = [np.searchsorted(cells, faces) for faces in meshes]
    return [model.primitive(attributes, model.indices(each, len(cells))) for each in corners]


def colour_jpeg(terrain: Terrain) -> bytes:
    """Return the colours of ground and water without light on them, north up, as a JPEG."""
    picture = Image.fromarray(to_srgb(colours(terrain)))
    picture.thumbnail((LARGEST_PICTURE, LARGEST_PICTURE), Image.Resampling.BOX)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=92, subsampling=0, optimize=True)
    return file.getvalue()
