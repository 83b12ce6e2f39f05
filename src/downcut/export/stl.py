"""STL for printers: a closed solid in millimetres, standing on a flat base."""

from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.export.mesh import triangles
from downcut.export.origin import about, ground
from downcut.grid import Grid
from downcut.run import Run
from downcut.terrain import Terrain

TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
"""50 bytes: all that a binary STL says of a triangle."""

Part: TypeAlias = tuple[NDArray[Any], int]
"""Triangles, (triangles, 3), and what their names are counted from: small types stay small."""

SLICE, BATCH = 1 << 15, 1 << 19
"""Triangles that one thread makes at a time, and that are held in memory."""

LENGTHS = {"bed": (1, 100_000), "base": (0.01, 10_000), "exaggeration": (0.001, 1000)}
"""What is sensible for a printer, and in mm what float32 can tell apart."""


@dataclass(frozen=True)
class Printing:
    """How metres of land become millimetres of plastic."""

    scale: float
    """The land is this many times as long as the print."""
    base: float
    """Thickness below the lowest ground [mm]."""
    exaggeration: float
    """How many times higher heights are printed than they are."""
    floor: float
    """Height of the ground [m] that lies right on the base."""

    @classmethod
    def fitted(
        cls,
        grid: Grid,
        floor: float,
        *,
        bed: float,
        base: float,
        exaggeration: float,
        scale: float | None,
    ) -> "Printing":
        """Return the printing at this scale, or (None) with the longer edge as long as the bed.

        Raises
        ------
        DowncutError
            For a land one cell wide, which encloses nothing, and for lengths out of reach.
        """
        if min(grid.shape) < 2:
            raise DowncutError(
                f"a land of {grid.ny} × {grid.nx} cells encloses no volume: a solid takes 2 × 2 "
                "or more"
            )
        for name, value in (("bed", bed), ("base", base), ("exaggeration", exaggeration)):
            low, high = LENGTHS[name]
            if not (isinstance(value, int | float) and low <= value <= high):
                unit = "" if name == "exaggeration" else " mm"
                raise DowncutError(f"{name} is {shown(value)}: give {low:g} to {high:g}{unit}")
        longest = (max(grid.shape) - 1) * grid.cell_size * 1000
        scale = longest / bed if scale is None else scale
        if not (isinstance(scale, int | float) and 0 < scale <= longest):
            raise DowncutError(
                f"scale is {shown(scale)}: give 25000 for a print of 1 : 25000, and at most "
                f"{longest:.0f}, where this land is 1 mm long"
            )
        return cls(float(scale), float(base), float(exaggeration), floor)

    def size(self, grid: Grid) -> tuple[float, float]:
        """Return how long the print is from west to east and from south to north [mm]."""
        mm = grid.cell_size * 1000 / self.scale
        return (grid.nx - 1) * mm, (grid.ny - 1) * mm

    def heights(self, elevation: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the heights of the print above its foot [mm]."""
        mm = 1000 * self.exaggeration / self.scale
        return (elevation.astype(np.float64) - self.floor) * mm + self.base


def write_stl(
    terrain: Terrain,
    file: BinaryIO,
    *,
    bed: float = 200.0,
    base: float = 3.0,
    exaggeration: float = 1.0,
    scale: float | None = None,
) -> dict[str, Any]:
    """Write the land as a solid that can be printed: millimetres, Z up, X east, Y north.

    The middles of the outermost cells become the walls; the south-western corner of the foot is
    the origin, wherever the land lies in the world. Every edge belongs to exactly two triangles,
    which face outwards: 4(nx − 1)(ny − 1) + 4(nx + ny − 2) of them.

    Parameters
    ----------
    bed : float [mm]
        Length that the longer edge gets; with `scale`, the length that it may have.
    base : float [mm]
        Thickness below the lowest ground.
    exaggeration : float
        How many times higher than to scale heights are printed.
    scale : float, optional
        Print at 1 : scale.

    Returns
    -------
    dict
        What `about` says, with the scale and the size of the print [mm].

    Raises
    ------
    DowncutError
        For a land one cell wide, lengths out of reach, or a scale at which it exceeds the bed.
    """
    elevation = ground(terrain)
    grid, lowest = terrain.grid, float(elevation.min())
    how = Printing.fitted(grid, lowest, bed=bed, base=base, exaggeration=exaggeration, scale=scale)
    if max(how.size(grid)) > bed * (1 + 1e-9):
        raise DowncutError(
            f"at 1 : {how.scale:g} the land is {max(how.size(grid)):.6g} mm long and the bed "
            f"{bed:g} mm: give a larger bed or a smaller scale, or cut it into tiles with "
            "downcut export --for print"
        )
    return write_solid(terrain, file, how)


def write_solid(terrain: Terrain, file: BinaryIO, how: Printing) -> dict[str, Any]:
    """Write the land as a solid, and return its facts; see `write_stl`."""
    elevation = ground(terrain)
    top = how.heights(elevation)
    vertices, parts = solid(top, terrain.grid.cell_size * 1000 / how.scale, triangles(elevation))
    facts = about(terrain)
    count = sum(len(faces) for faces, _ in parts)
    title = f"downcut {facts['version']}, recipe {facts['digest']}, mm, Z up"
    file.write(title.encode()[:80].ljust(80) + count.to_bytes(4, "little"))
    for part in parts:
        _write(vertices, part, file)
    width, depth = how.size(terrain.grid)
    return {
        "kind": "downcut solid for printing (STL)",
        "unit": "mm",
        "up": "z",
        "scale": how.scale,
        "width_mm": width,
        "depth_mm": depth,
        "height_mm": float(top.max()),
        "base_mm": how.base,
        "exaggeration": how.exaggeration,
        "metres_on_the_base": how.floor,
        "triangles": count,
        "written_with": asdict(how),
        **facts,
    }


def solid(
    top: NDArray[np.float64], cell: float, faces: NDArray[Any]
) -> tuple[NDArray[np.float32], list[Part]]:
    """Return the vertices of a solid, (2 cells, 3), and the triangles of top, foot and walls.

    `faces` are the triangles of the top; the foot lies at 0.
    """
    ny, nx = top.shape
    vertices = np.zeros((2, ny, nx, 3), np.float32)
    vertices[..., 0] = np.arange(nx) * cell
    vertices[..., 1] = (np.arange(ny)[::-1] * cell)[:, None]
    vertices[0, ..., 2] = top
    foot = triangles(np.zeros(top.shape, np.float32)).reshape(-1, 3)[:, ::-1]
    cells = np.arange(ny * nx).reshape(ny, nx)
    rim = np.concatenate(  # counter-clockwise from the north-west
        [cells[:-1, 0], cells[-1, :-1], cells[:0:-1, -1], cells[0, :0:-1]]
    )
    a, b = rim, np.roll(rim, -1)
    below = ny * nx
    walls = np.stack([a + below, b + below, b, a + below, b, a], axis=1).reshape(-1, 3)
    return vertices.reshape(-1, 3), [(faces.reshape(-1, 3), 0), (foot, below), (walls, 0)]


def _write(vertices: NDArray[np.float32], part: Part, file: BinaryIO) -> None:
    """Write triangles, some at a time."""
    faces, first = part
    for begin in range(0, len(faces), BATCH):
        batch = faces[begin : begin + BATCH]
        records = np.zeros(len(batch), TRIANGLE)

        def work(start: int, stop: int, batch: Any = batch, records: Any = records) -> None:
            corners = vertices[batch[start:stop].astype(np.int64) + first]
            a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
            normal = np.empty_like(a)
            for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                normal[:, i] = a[:, j] * b[:, k] - a[:, k] * b[:, j]
            normal /= np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None]
            records["corners"][start:stop] = corners
            records["normal"][start:stop] = normal

        Run().slices(work, len(batch), SLICE)
        file.write(records.view(np.uint8).data)
