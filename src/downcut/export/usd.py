"""USD, for Omniverse, Isaac, Blender, Houdini and Unreal; as .usdz for phones."""

import errno
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.export.mesh import Anchor, colours, vertices
from downcut.export.origin import about, ground
from downcut.export.simplify import chosen
from downcut.terrain import Terrain

DATED = 315_619_200.0
"""2 January 1980: the age of files in a package, so that the same land is the same bytes."""


def write_usd(
    terrain: Terrain, file: BinaryIO, *, max_error: float | None = None, up: str = "z"
) -> dict[str, Any]:
    """Write the land as a USD stage in the binary form (.usdc, .usd): metres, Z up, X east.

    `upAxis` and `metersPerUnit` are authored. The default prim /Land stands at the land's place
    in the world; below it /Land/Ground is a polygonal mesh with normals and displayColor, a vertex
    in the middle of each cell. Recipe, digest and version are in customLayerData under `downcut`.
    A land one cell wide is points.

    Parameters
    ----------
    max_error : float, optional [m]
        Leave vertices out as long as no cell is farther than this from the mesh, up or down.
    up : "z" or "y"
        With "y" north is −Z, as in glTF.

    Returns
    -------
    dict
        What `about` says, with `vertices` and `triangles`.

    Raises
    ------
    DowncutError
        If usd-core is not installed, or for an option out of its range.
    """
    return _write(terrain, file, ".usdc", max_error, up)


def write_usda(
    terrain: Terrain, file: BinaryIO, *, max_error: float | None = None, up: str = "z"
) -> dict[str, Any]:
    """Write the land as a USD stage in plain text (.usda); see `write_usd`."""
    return _write(terrain, file, ".usda", max_error, up)


def write_usdz(
    terrain: Terrain, file: BinaryIO, *, max_error: float | None = None, up: str = "y"
) -> dict[str, Any]:
    """Write the land as a USD package (.usdz); Y up, as phones want it; see `write_usd`."""
    return _write(terrain, file, ".usdz", max_error, up)


def _write(
    terrain: Terrain, file: BinaryIO, suffix: str, max_error: float | None, up: str
) -> dict[str, Any]:
    """Let the package write to a folder of its own, since it knows paths only."""
    try:
        from pxr import Sdf, Tf, Usd, UsdUtils
    except ImportError:
        raise DowncutError("USD needs usd-core: pip install 'downcut[usd]'") from None
    if up not in ("y", "z"):
        raise DowncutError(f"up is {shown(up)}: give y or z")
    with tempfile.TemporaryDirectory(prefix="downcut-") as folder:
        layer = Sdf.Layer.CreateAnonymous()
        facts = _author(Usd.Stage.Open(layer), terrain, max_error, up)
        path = Path(folder, f"land{'.usdc' if suffix == '.usdz' else suffix}")
        try:
            done = layer.Export(str(path))
            if done and suffix == ".usdz":
                os.utime(path, (DATED, DATED))
                path, asset = path.with_suffix(suffix), Sdf.AssetPath(str(path))
                done = UsdUtils.CreateNewUsdzPackage(asset, str(path))
        except Tf.ErrorException:
            done = False
        if not done:  # what else can go wrong in a new folder of our own?
            raise OSError(errno.ENOSPC, f"USD could not write its draft to {folder}")
        with path.open("rb") as draft:
            shutil.copyfileobj(draft, file, 1 << 24)
    return facts


def _author(stage: Any, terrain: Terrain, max_error: float | None, up: str) -> dict[str, Any]:
    """Put the land on a stage, and return its facts."""
    from pxr import Gf, Kind, Usd, UsdGeom

    elevation = ground(terrain)
    anchor = Anchor.of(terrain.grid, elevation)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z if up == "z" else UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    land = UsdGeom.Xform.Define(stage, "/Land")
    stage.SetDefaultPrim(land.GetPrim())
    Usd.ModelAPI(land).SetKind(Kind.Tokens.component)
    across = (anchor.north, anchor.up) if up == "z" else (anchor.up, 0.0 - anchor.north)
    land.AddTranslateOp().Set(Gf.Vec3d(anchor.east, *across))
    told = _define(stage, terrain, elevation, anchor, max_error, up)
    facts = {**about(terrain), **told, **anchor.facts, "up": up, "metres_per_unit": 1.0}
    options = {"up": up} if max_error is None else {"up": up, "max_error": float(max_error)}
    facts["written_with"] = options
    kept = {name: value for name, value in facts.items() if value is not None}
    if "recipe" in kept:
        kept["recipe"] = json.dumps(kept["recipe"], ensure_ascii=False)
    stage.SetMetadata("customLayerData", {"downcut": kept})
    return facts


def _define(
    stage: Any,
    terrain: Terrain,
    elevation: NDArray[np.float32],
    anchor: Anchor,
    max_error: float | None,
    up: str,
) -> dict[str, Any]:
    """Define /Land/Ground, a mesh or, without triangles, points; return what it is made of."""
    from pxr import UsdGeom, Vt

    positions, normals = vertices(terrain.grid, elevation, anchor, y_up=up == "y")
    paint = colours(terrain).reshape(-1, 3)
    if min(elevation.shape) < 2:
        told: dict[str, Any] = {"vertices": len(positions), "triangles": 0}
        shape = UsdGeom.Points.Define(stage, "/Land/Ground")
        shape.CreateWidthsAttr(Vt.FloatArray(len(positions), terrain.grid.cell_size))
        shape.SetWidthsInterpolation(UsdGeom.Tokens.vertex)
    else:
        cells, faces, reached = chosen(elevation, max_error)
        positions, normals, paint = positions[cells], normals[cells], paint[cells]
        told = {"vertices": len(positions), "triangles": len(faces), "measured_error_m": reached}
        shape = UsdGeom.Mesh.Define(stage, "/Land/Ground")
        shape.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        shape.CreateFaceVertexCountsAttr(Vt.IntArray(len(faces), 3))
        corners = faces.astype(np.int32).reshape(-1)
        shape.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(corners))
    shape.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(positions))
    shape.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(normals))
    shape.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    colour = shape.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex)
    colour.Set(Vt.Vec3fArray.FromNumpy(paint))
    extent = np.stack([positions.min(axis=0), positions.max(axis=0)])
    shape.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(extent))
    return told
