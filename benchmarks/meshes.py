"""Meshes beside trimesh, and solids beside numpy-stl: the same vertices and triangles to disk."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import downcut as dc
from downcut.export.mesh import Anchor, colours, triangles, vertices
from downcut.export.save import save
from downcut.export.stl import Printing, solid
from downcut.shading import to_srgb
from downcut.terrain import Terrain

Row = dict[str, Any]
Peer = Callable[[Terrain, Path], float]


def rows(terrain: Terrain, rounds: int = 3) -> list[Row]:
    """Time `save` of each format and each peer in turn; the fastest of `rounds` counts.

    Each row: format, peer, ours_s, peer_s, ratio (None where the peer is not installed) and
    megabytes. Positions and triangles are given to a peer ready made, while ours makes them, their
    colours, its checksum and its side file anew; a peer makes its normals.
    """
    with tempfile.TemporaryDirectory() as folder:
        return [_row(terrain, *duel, Path(folder), rounds) for duel in DUELS]


def _row(terrain: Terrain, suffix: str, name: str, peer: Peer, folder: Path, rounds: int) -> Row:
    ours, theirs = [], []
    for number in range(rounds):
        fresh = Terrain(terrain.grid, terrain.layers, recipe=terrain.recipe)
        path = folder / f"{number}-{name}{suffix}"
        ours.append(_seconds(lambda fresh=fresh, path=path: save(fresh, path)))
        try:
            theirs.append(peer(terrain, folder / f"{number}-{name}-peer{suffix}"))
        except ImportError:
            break
    return {
        "format": suffix,
        "peer": name,
        "ours_s": min(ours),
        "peer_s": min(theirs, default=None),
        "ratio": min(ours) / min(theirs) if theirs else None,
        "megabytes": path.stat().st_size / 1e6,
    }


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _lasting(path: Path, data: bytes | str) -> None:
    """Write a file and flush it to the disk, as ours is."""
    with path.open("wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        os.fsync(file.fileno())


def _trimesh(suffix: str) -> Peer:
    def peer(terrain: Terrain, path: Path) -> float:
        import trimesh

        heights = np.ascontiguousarray(terrain["elevation"])
        anchor = Anchor.of(terrain.grid, heights)
        points, _ = vertices(terrain.grid, heights, anchor, y_up=True)
        faces = triangles(heights).reshape(-1, 3)
        paint = to_srgb(colours(terrain)).reshape(-1, 3)

        def work() -> None:
            mesh = trimesh.Trimesh(points, faces, vertex_colors=paint, process=False)
            more = {} if suffix == ".obj" else {"include_normals": True}
            _lasting(path, mesh.export(file_type=suffix[1:], **more))

        return _seconds(work)

    return peer


def _printed(terrain: Terrain) -> tuple[np.ndarray, np.ndarray]:
    heights, grid = np.ascontiguousarray(terrain["elevation"]), terrain.grid
    wanted = {"bed": 200.0, "base": 3.0, "exaggeration": 1.0, "scale": None}
    how = Printing.fitted(grid, float(heights.min()), **wanted)
    cell = grid.cell_size * 1000 / how.scale
    points, parts = solid(how.heights(heights), cell, triangles(heights))
    return points, np.concatenate([faces.astype(np.int64) + first for faces, first in parts])


def _trimesh_solid(terrain: Terrain, path: Path) -> float:
    import trimesh

    points, faces = _printed(terrain)

    def work() -> None:
        _lasting(path, trimesh.Trimesh(points, faces, process=False).export(file_type="stl"))

    return _seconds(work)


def _numpy_stl(terrain: Terrain, path: Path) -> float:
    from stl import Mode
    from stl import mesh as made_by

    points, faces = _printed(terrain)

    def work() -> None:
        data = np.zeros(len(faces), made_by.Mesh.dtype)
        data["vectors"] = points[faces]
        with path.open("wb") as file:
            made_by.Mesh(data, calculate_normals=True).save("land", file, mode=Mode.BINARY)
            file.flush()
            os.fsync(file.fileno())

    return _seconds(work)


DUELS: list[tuple[str, str, Peer]] = [
    (".glb", "trimesh", _trimesh(".glb")),
    (".obj", "trimesh", _trimesh(".obj")),
    (".stl", "trimesh", _trimesh_solid),
    (".stl", "numpy-stl", _numpy_stl),
]

if __name__ == "__main__":
    grid = dc.Grid(1024, 1024, 10.0)
    land = dc.fields.Fbm(octaves=8, amplitude=300, wavelength=2000)(grid=grid, seed=1)
    for row in rows(Terrain(grid, {"elevation": land})):
        print(row)
