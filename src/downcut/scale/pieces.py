"""Pieces: cells of a kind that touch, named in each tile and joined across the seams."""

import numpy as np

from downcut._jit import inlined, kernel
from downcut.grid import D8_COL, D8_ROW
from downcut.scale.parts import Array, Parts


def pieces_of(mask: Array) -> tuple[Array, int]:
    """Return (ny, nx) int32 numbers from 1 of the pieces that touch, corners included; how many."""
    labels = np.zeros(mask.shape, np.int32)
    stack = np.empty(mask.size, np.int64)
    return labels, int(_label(mask, labels, stack))


def edges_of(labels: Array) -> Array:
    """Return the numbers along a tile's top, bottom, left and right."""
    return np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])


def joined(parts: Parts, number: int, name: str, counts: Array) -> Array:
    """Return, for every piece of all tiles and 0 for none, the least that it hangs together with.

    `counts` are how many each tile has, in the order of `places`; the edges lie with pass
    `number` under `name`.
    """
    starts = np.concatenate([[0], np.cumsum(counts)])
    root = np.arange(starts[-1] + 1)
    rows, cols = (-(-count // parts.tile) for count in (parts.ny, parts.nx))

    def edge(r: int, c: int, which: int) -> Array:
        top, bottom, left, right = parts.box((r, c))
        ny, nx = bottom - top, right - left
        cuts = np.cumsum([nx, nx, ny])
        found = np.split(parts.kept(number, f"{name}.{r}.{c}"), cuts)[which]
        return np.where(found > 0, found + starts[r * cols + c], 0)

    for r in range(rows - 1):
        above = np.concatenate([edge(r, c, 1) for c in range(cols)])
        below = np.concatenate([edge(r + 1, c, 0) for c in range(cols)])
        _join(root, above, below)
    for c in range(cols - 1):
        left = np.concatenate([edge(r, c, 3) for r in range(rows)])
        right = np.concatenate([edge(r, c + 1, 2) for r in range(rows)])
        _join(root, left, right)
    _flatten(root)
    return root


@kernel
def _label(mask, labels, stack):  # type: ignore[no-untyped-def]
    """Number pieces row by row of their first cells; return how many there are."""
    ny, nx = mask.shape
    count = 0
    for row in range(ny):
        for col in range(nx):
            if not mask[row, col] or labels[row, col] != 0:
                continue
            count += 1
            labels[row, col] = count
            stack[0] = row * nx + col
            left = 1
            while left > 0:
                left -= 1
                i, j = stack[left] // nx, stack[left] % nx
                for k in range(8):
                    r, c = i + D8_ROW[k], j + D8_COL[k]
                    if 0 <= r < ny and 0 <= c < nx and mask[r, c] and labels[r, c] == 0:
                        labels[r, c] = count
                        stack[left] = r * nx + c
                        left += 1
    return count


@inlined
def _root(root, piece):  # type: ignore[no-untyped-def]
    while root[piece] != piece:
        root[piece] = root[root[piece]]
        piece = root[piece]
    return piece


@kernel
def _join(root, one, other):  # type: ignore[no-untyped-def]
    """Join pieces that meet over a seam; `one` and `other` are the cells on its sides."""
    for i in range(one.size):
        for j in range(max(i - 1, 0), min(i + 2, other.size)):
            if one[i] > 0 and other[j] > 0:
                a, b = _root(root, one[i]), _root(root, other[j])
                root[max(a, b)] = min(a, b)


@kernel
def _flatten(root):  # type: ignore[no-untyped-def]
    for piece in range(root.size):
        root[piece] = _root(root, piece)
