"""Ways of water within a tile: a code for each cell, the tile's rim, and where ways leave it."""

import numpy as np

from downcut._jit import kernel
from downcut.grid import D8_COL, D8_ROW
from downcut.scale.parts import Array, Box, Parts

ENDS = 8
"""The code of a cell whose water goes nowhere; others are places in the D8 table."""
NOWHERE = -1


def rim_of(shape: tuple[int, int]) -> Array:
    """Return the flat indices of a tile's outermost cells, in order."""
    ny, nx = shape
    rows, cols = np.arange(ny) * nx, np.arange(nx)
    return np.unique(np.concatenate([cols, rows, rows + nx - 1, (ny - 1) * nx + cols]))


def in_land(cells: Array, box: Box, wide: int) -> Array:
    """Return flat indices in the land, of flat indices in a box of it."""
    top, _, left, right = box
    row, col = np.divmod(cells.astype(np.int64), right - left)
    return (row + top) * wide + col + left


def in_box(cells: Array, box: Box, wide: int) -> Array:
    """Return flat indices in a box, of flat indices in the land."""
    top, _, left, right = box
    row, col = np.divmod(cells, wide)
    return (row - top) * (right - left) + col - left


def by_tile(cells: Array, parts: Parts) -> tuple[Array, Array]:
    """Return an order of cells that is tile by tile, and where each tile's begin in it."""
    row, col = np.divmod(cells, parts.nx)
    across = -(-parts.nx // parts.tile)
    tile = row // parts.tile * across + col // parts.tile
    order = np.argsort(tile, kind="stable")
    counts = np.bincount(tile, minlength=len(parts.places))
    return order, np.concatenate([[0], np.cumsum(counts)])


def slice_of(starts: Array, place: tuple[int, int], parts: Parts) -> slice:
    """Return which of things sorted by tile are a tile's."""
    number = place[0] * -(-parts.nx // parts.tile) + place[1]
    return slice(int(starts[number]), int(starts[number + 1]))


@kernel
def code(receivers, box, inner, out):  # type: ignore[no-untyped-def]
    """Turn the receivers of a box into the codes of a part of it."""
    nx = box[3] - box[2]
    top, left = inner[0] - box[0], inner[2] - box[2]
    for row in range(out.shape[0]):
        for col in range(out.shape[1]):
            cell = (row + top) * nx + col + left
            down = receivers[cell] // nx - (row + top)
            right = receivers[cell] % nx - (col + left)
            out[row, col] = ENDS
            for k in range(8):
                if D8_ROW[k] == down and D8_COL[k] == right:
                    out[row, col] = k


@kernel
def decode(way, receivers):  # type: ignore[no-untyped-def]
    """Turn codes into flat receivers; a way that leaves the tile ends at its last cell."""
    ny, nx = way.shape
    for row in range(ny):
        for col in range(nx):
            k = way[row, col]
            r, c = row, col
            if k < ENDS:
                r, c = row + D8_ROW[k], col + D8_COL[k]
                if r < 0 or r >= ny or c < 0 or c >= nx:
                    r, c = row, col
            receivers[row * nx + col] = r * nx + c


@kernel
def follow(way, starts, top, left, wide, last, to):  # type: ignore[no-untyped-def]
    """Follow ways from `starts` to their last cell in the tile, and to where they leave it.

    `last` counts in the tile, `to` in the land; it is NOWHERE for a way that ends in the tile.
    """
    ny, nx = way.shape
    for n in range(starts.size):
        row, col = starts[n] // nx, starts[n] % nx
        while True:
            k = way[row, col]
            last[n], to[n] = row * nx + col, NOWHERE
            if k == ENDS:
                break
            row, col = row + D8_ROW[k], col + D8_COL[k]
            if row < 0 or row >= ny or col < 0 or col >= nx:
                to[n] = (row + top) * wide + col + left
                break


def followed(way: Array, starts: Array, box: Box, wide: int) -> tuple[Array, Array]:
    """Return where ways from `starts` end within a tile, and where they leave it to."""
    last, to = np.empty(starts.size, np.int64), np.empty(starts.size, np.int64)
    follow(way, starts.astype(np.int64), box[0], box[2], wide, last, to)
    return last, to
