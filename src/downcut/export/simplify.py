"""Fewer triangles: the land to within an error in metres, and the error that was reached."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.export.mesh import triangles
from downcut.run import Run

FACES = 1 << 16
"""Triangles that are measured at a time."""


def chosen(
    elevation: NDArray[np.float32], max_error: float | None
) -> tuple[Any, NDArray[Any], float]:
    """Return which cells become vertices, the triangles between them, and the error [m].

    With None every cell does, and the error is 0. The cells are an index of arrays of all cells,
    and the triangles, (triangles, 3), count only those.
    """
    if max_error is None:
        return slice(None), triangles(elevation).reshape(-1, 3), 0.0
    faces, reached = simplified(elevation, max_error)
    cells = np.unique(faces)
    return cells, np.searchsorted(cells, faces), reached


def simplified(elevation: NDArray[np.float32], max_error: float) -> tuple[NDArray[np.int64], float]:
    """Return triangles that leave no cell farther than `max_error` from the land, up or down.

    Greedy insertion [garland1995]: beginning with two triangles, the cell with the
    largest error becomes a vertex until none is above the limit. So vertices are cells, and the
    land's edges stay where they are. Counter-clockwise seen from above; the same land gives the
    same triangles in the same order.

    Parameters
    ----------
    elevation : (ny, nx) float32 array [m], at least 2 × 2
    max_error : float, above 0 [m]

    Returns
    -------
    faces : (triangles, 3) int64
        Numbers of cells, row · nx + column.
    error : float
        What `vertical_error` measures [m], at most `max_error`.

    Raises
    ------
    DowncutError
        For an error that is no length above 0, or if pydelatin is not installed.
    """
    if not (isinstance(max_error, int | float) and 0 < max_error < math.inf):
        raise DowncutError(
            f"max_error is {shown(max_error)}: give how far the mesh may lie from the land, in "
            "metres above 0"
        )
    heights = elevation - elevation.min()
    rounding = float(heights.max()) * 2.0**-22  # the package reckons in float32
    while True:
        faces = _inserted(heights, max(float(max_error) - rounding, 0.0))
        if (error := vertical_error(elevation, faces)) <= max_error or rounding > max_error:
            return faces, error
        rounding *= 4


def _inserted(heights: NDArray[np.float32], limit: float) -> NDArray[np.int64]:
    """Return the triangles that the package finds, as numbers of cells, neighbours together."""
    try:
        from pydelatin import Delatin
    except ImportError:
        raise DowncutError("max_error needs pydelatin: pip install 'downcut[mesh]'") from None
    ny, nx = heights.shape
    found = Delatin(heights, max_error=limit)
    places = found.vertices[:, :2].astype(np.int64)  # whole columns, and rows from the south
    cells = (ny - 1 - places[:, 1]) * nx + places[:, 0]
    faces: NDArray[np.int64] = cells[found.triangles]
    return faces[np.argsort(faces.min(axis=1), kind="stable")]


def vertical_error(elevation: NDArray[np.float32], faces: NDArray[np.int64]) -> float:
    """Return how far triangles lie from the land at most [m], measured at every cell below them.

    Parameters
    ----------
    elevation : (ny, nx) float32 array [m]
    faces : (triangles, 3) int64
        Numbers of cells, as from `simplified`.
    """

    def work(start: int, stop: int) -> float:
        cells, heights = surface_heights(elevation, faces[start:stop])
        return float(np.abs(heights - elevation.reshape(-1)[cells]).max(initial=0))

    return max(Run().slices(work, len(faces), FACES))


def surface_heights(
    elevation: NDArray[np.float32], faces: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the cells that triangles cover, their edges included, and the triangles' height there.

    A cell on an edge comes once for each triangle. Triangles are cut into rows and rows into cells.
    """
    nx = elevation.shape[1]
    row, col = np.divmod(faces, nx)
    order = np.argsort(row, axis=1, kind="stable")
    row, col = (np.take_along_axis(each, order, 1).T for each in (row, col))
    z = elevation.reshape(-1)[np.take_along_axis(faces, order, 1)].astype(np.float64).T
    face, down = _spread(row[2] - row[0] + 1)
    left, right = _span(row[:, face], col[:, face], down)
    part, along = _spread(right - left + 1)
    face, down, across = face[part], down[part], left[part] + along
    dz_down, dz_across = _plane(row, col, z)
    across -= col[0, face]
    heights = z[0, face] + dz_across[face] * across + dz_down[face] * down
    return (row[0, face] + down) * nx + across + col[0, face], heights


def _spread(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every number i counts[i] times, and beside it 0, 1 … counts[i] − 1."""
    owner = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - first[owner]


def _span(row: Any, col: Any, down: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the first and last column of triangles in one of their rows each.

    Corners are sorted by row: one long edge from the first to the last, and two short ones.
    """
    upper = (down <= row[1] - row[0]) & (row[1] > row[0])
    top, bottom = np.where(upper, 0, 1), np.where(upper, 1, 2)
    each = np.arange(len(down))
    ends = []
    for a, b in ((0, 2), (top, bottom)):
        first, fall = row[a, each], row[b, each] - row[a, each]
        along = (down + row[0] - first) / np.maximum(fall, 1)
        ends.append(col[a, each] + (col[b, each] - col[a, each]) * along)
    left, right = np.ceil(np.minimum(*ends)), np.floor(np.maximum(*ends))
    return left.astype(np.int64), np.maximum(right, left - 1).astype(np.int64)


def _plane(row: Any, col: Any, z: Any) -> tuple[Any, Any]:
    """Return how triangles rise from a row to the next and from a column to the next."""
    r1, c1, z1 = row[1] - row[0], col[1] - col[0], z[1] - z[0]
    r2, c2, z2 = row[2] - row[0], col[2] - col[0], z[2] - z[0]
    area = c1 * r2 - c2 * r1
    return (c1 * z2 - c2 * z1) / area, (z1 * r2 - z2 * r1) / area
