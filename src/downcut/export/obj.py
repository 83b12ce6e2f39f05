"""OBJ: the mesh as plain text, for programs that read nothing newer."""

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.export.mesh import Anchor, colours, vertices
from downcut.export.origin import about, ground
from downcut.export.simplify import chosen
from downcut.shading import to_srgb
from downcut.terrain import Terrain

SLICE = 1 << 17
"""Lines that are made at a time."""

Text = NDArray[np.uint8]
"""Bytes of text, a row each, with zeros where there is nothing."""


def write_obj(
    terrain: Terrain, file: BinaryIO, *, max_error: float | None = None
) -> dict[str, Any]:
    """Write the land as an OBJ: metres, Y up, X east, north −Z, a vertex in the middle of a cell.

    A vertex has its colour behind its place (`v x y z r g b`, sRGB), which Blender, MeshLab and
    three.js read and others skip. Places are relative to a point of the world that a comment and
    the side file name. Triangles are counter-clockwise seen from above; a land one cell wide is
    points.

    Parameters
    ----------
    max_error : float, optional [m]
        Leave vertices out as long as no cell is farther than this from the mesh, up or down.

    Returns
    -------
    dict
        What `about` says, with the place of the origin in the world [m].

    Raises
    ------
    DowncutError
        For an error that is no length above 0, or if pydelatin is not installed for it.
    """
    elevation = ground(terrain)
    anchor, facts = Anchor.of(terrain.grid, elevation), about(terrain)
    facts |= {"unit": "m", "up": "y", "written_with": {"max_error": max_error}, **anchor.facts}
    positions, _ = vertices(terrain.grid, elevation, anchor, y_up=True)
    paint = to_srgb(colours(terrain)).reshape(-1, 3)
    file.write(_head(facts))
    if min(elevation.shape) < 2:
        _write_vertices(file, positions, paint, terrain.grid.cell_size)
        _write_lines(file, b"p", np.arange(1, len(positions) + 1)[:, None])
        return facts
    cells, faces, facts["measured_error_m"] = chosen(elevation, max_error)
    _write_vertices(file, positions[cells], paint[cells], terrain.grid.cell_size)
    _write_lines(file, b"f", faces.astype(np.int64) + 1)
    return facts | {"vertices": len(positions[cells]), "triangles": len(faces)}


def _head(facts: dict[str, Any]) -> bytes:
    east, north, up = facts["origin_east_north_up_m"]
    return (
        f"# downcut {facts['version']}, recipe {facts['digest']}\n"
        "# metres, Y up: X is east, Y is up, -Z is north; v x y z red green blue (sRGB)\n"
        f"# 0 0 0 lies {east!r} m east, {north!r} m north and {up!r} m up in the world\n"
        "o land\ns 1\n"
    ).encode()


def _write_vertices(
    file: BinaryIO, positions: NDArray[np.float32], paint: NDArray[np.uint8], cell: float
) -> None:
    """Write places to a millimetre, or on small cells to their thousandth; colours likewise."""
    places = int(np.clip(np.ceil(3 - np.log10(cell)), 3, 9))
    shades = numbers(np.arange(256) / 255, 3)
    for start in range(0, len(positions), SLICE):
        rows = slice(start, start + SLICE)
        words = [numbers(positions[rows, axis], places) for axis in range(3)]
        words += [shades[paint[rows, band]] for band in range(3)]
        file.write(lines(b"v", words))


def _write_lines(file: BinaryIO, key: bytes, names: NDArray[np.int64]) -> None:
    """Write a line for each row of whole numbers above 0."""
    words = numbers(np.arange(names.max() + 1), 0)
    for start in range(0, len(names), SLICE):
        file.write(lines(key, [words[column] for column in names[start : start + SLICE].T]))


def lines(key: bytes, words: list[Text]) -> bytes:
    """Return lines that begin with a key, their words parted by spaces.

    >>> lines(b"v", [numbers(np.array([1.5, -20.0]), 2), numbers(np.array([7, 8]), 0)])
    b'v 1.50 7\\nv -20.00 8\\n'
    """
    rows = len(words[0])
    space = np.full((rows, 1), ord(" "), np.uint8)
    parts = [np.broadcast_to(np.frombuffer(key, np.uint8), (rows, len(key)))]
    for word in words:
        parts += [space, word]
    parts.append(np.full((rows, 1), ord("\n"), np.uint8))
    flat: Text = np.concatenate(parts, axis=1).reshape(-1)
    return bytes(flat[flat != 0].data)


def numbers(values: NDArray[Any], places: int) -> Text:
    """Return numbers as decimal text with so many places, a row each, with gaps of zeros."""
    left = np.rint(np.abs(values.astype(np.float64)) * 10**places).astype(np.uint64)
    digits = max(len(str(int(left.max(initial=0)))), places + 1)
    text = np.zeros((len(left), 1 + digits + (places > 0)), np.uint8)
    text[(values < 0) & (left > 0), 0] = ord("-")
    for number in range(digits):
        rest = left // np.uint64(10)
        digit = (left - rest * np.uint64(10)).astype(np.uint8) + np.uint8(ord("0"))
        if number > places:
            digit[left == 0] = 0
        text[:, -1 - number - (0 < places <= number)] = digit
        left = rest
    if places:
        text[:, -1 - places] = ord(".")
    return text
