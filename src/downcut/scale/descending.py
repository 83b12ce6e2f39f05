"""Steepest descent in tiles: each on as much around it as its flats reach, and the pits it has."""

from dataclasses import dataclass

import numpy as np

from downcut._jit import kernel
from downcut.errors import DowncutError
from downcut.flow.basins import label_pits, label_slopes
from downcut.flow.descent import drain_flats, steepest
from downcut.grid import D8_COL, D8_ROW
from downcut.scale.parts import Array, Box, Parts
from downcut.scale.passes import WHOLE, Pass, Work, place_of
from downcut.scale.sea import SEA
from downcut.scale.ways import code, followed, in_land, rim_of

WAY = "_way"
AROUND = 8
"""Cells around a tile at first; four times as many as long as a flat goes on beyond them."""
FARTHEST = 2
"""Tiles around one that may be asked, at most."""
RIM = ("cell", "last", "to", "pit")
"""Columns that a tile tells of its rim: a cell, the last cell of the way from it in the tile, and
either where that leads beyond or the pit it ends in; all by their place in the land."""


@dataclass(frozen=True)
class Window:
    """A tile with its surroundings, and where water runs there until it has to climb."""

    box: Box
    z: Array
    receivers: Array
    labels: Array
    """0 at outlets, from 1 for the cells of pits, −1 elsewhere; flat."""
    pits: Array
    """The first cell of each pit, in the land."""


def ground(reads: dict[str, int], box: Box, work: Work) -> tuple[Array, Array]:
    """Return the heights of a box with the sea at its level, and where the sea is."""
    parts = work.parts
    z = parts.read(reads["elevation"], "elevation", box)
    if SEA not in reads:
        return z, np.zeros(z.shape, np.bool_)
    sea = parts.read(reads[SEA], SEA, box) != 0
    z[sea] = np.float32(work.recipe.sea_level)
    return z, sea


def descended(reads: dict[str, int], place: tuple[int, int], work: Work) -> Window:
    """Route a tile on enough around it that no flat is cut.

    Raises
    ------
    DowncutError
        If a flat is too wide, or land lies level with the sea beside it: which way water takes
        there is decided far away.
    """
    parts, around = work.parts, AROUND
    while True:
        box = parts.box(place, around)
        z, sea = ground(reads, box, work)
        window, cut = _descend(z, sea, box, parts.box(place), work)
        if not cut:
            return window
        if around > FARTHEST * parts.tile:
            raise DowncutError(
                f"a flat goes on for more than {around} cells, or lies level with the sea: ask "
                "for a larger --tile, or give the ground a little noise before"
            )
        around *= 4


def _descend(z: Array, sea: Array, box: Box, core: Box, work: Work) -> tuple[Window, bool]:
    ny, nx = z.shape
    wide, high = work.parts.nx, work.parts.ny
    receivers = np.empty(z.size, np.int32)
    steepest(z, receivers, 0, ny, 0.0, np.uint64(0))
    own = np.arange(z.size, dtype=np.int32)
    receivers[sea.ravel()] = own[sea.ravel()]
    ends = (receivers == own).reshape(z.shape)
    labels = np.full(z.shape, -1, np.int32)
    labels[sea] = 0
    for line in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        labels[line] = np.where(ends[line], 0, -1)
    limits = np.array([box[0] > 0, box[1] < high, box[2] > 0, box[3] < wide])
    inner = (core[0] - box[0], core[1] - box[0], core[2] - box[2], core[3] - box[2])
    cut = bool(_is_cut(z, ends & ~sea, sea, limits, inner, np.empty(z.size, np.int32)))
    flat = labels.ravel()
    drain_flats(z.ravel(), receivers, flat, np.empty_like(receivers), nx)
    label_pits(z.ravel(), receivers, flat, np.empty_like(receivers), nx)
    cells = np.flatnonzero(flat > 0)
    first = cells[np.unique(flat[cells], return_index=True)[1]]
    return Window(box, z, receivers, flat, in_land(first, box, wide)), cut


@kernel
def _is_cut(z, ends, sea, limits, inner, queue):  # type: ignore[no-untyped-def]
    """Tell whether a flat that goes on beyond the window, or along the sea, reaches the tile."""
    ny, nx = z.shape
    count = 0
    for row in range(ny):
        for col in range(nx):
            if not ends[row, col]:
                continue
            for k in range(8):
                r, c = row + D8_ROW[k], col + D8_COL[k]
                if r < 0 or r >= ny or c < 0 or c >= nx or z[r, c] != z[row, col]:
                    continue
                outside = (r == 0 and limits[0]) or (r == ny - 1 and limits[1])
                outside = outside or (c == 0 and limits[2]) or (c == nx - 1 and limits[3])
                if outside or sea[r, c]:
                    ends[row, col] = False
                    queue[count] = row * nx + col
                    count += 1
                    break
    done = 0
    while done < count:
        row, col = queue[done] // nx, queue[done] % nx
        done += 1
        if inner[0] <= row < inner[1] and inner[2] <= col < inner[3]:
            return True
        for k in range(8):
            r, c = row + D8_ROW[k], col + D8_COL[k]
            if 0 <= r < ny and 0 <= c < nx and ends[r, c] and z[r, c] == z[row, col]:
                ends[r, c] = False
                queue[count] = r * nx + c
                count += 1
    return False


@dataclass(frozen=True)
class Descend(Pass):
    """Where water goes from each cell as long as there is lower or level ground; the pits."""

    @property
    def title(self) -> str:
        """What is done."""
        return "descent"

    @property
    def writes(self) -> tuple[str, ...]:
        """Ways, as codes."""
        return (WAY,)

    def memory(self, parts: Parts) -> int:
        """Heights, receivers, labels and queues, on a window."""
        return 40 * (parts.tile + 2 * AROUND) ** 2

    def nanoseconds(self, parts: Parts) -> float:
        """Descent, flats, pits."""
        return 40.0 * parts.ny * parts.nx

    def do(self, unit: str, work: Work) -> None:
        """Route a tile, and tell of its rim."""
        place, parts = place_of(unit), work.parts
        core, wide = parts.box(place), parts.nx
        window = descended(dict(self.reads), place, work)
        way = np.empty((core[1] - core[0], core[3] - core[2]), np.uint8)
        code(window.receivers, np.array(window.box), np.array(core), way)
        pit = _pits(window, core, wide)
        rim = rim_of(way.shape)
        last, to = followed(way, rim, core, wide)
        ended = np.where(to < 0, pit.ravel()[last], -1)
        cells = [in_land(each, core, wide) for each in (rim, last)]
        parts.write(self.number, place, {WAY: way})
        parts.keep(self.number, f"rim.{unit}", np.stack([*cells, to, ended], axis=1))
        own = np.flatnonzero(pit.ravel() >= 0)
        first = pit.ravel()[own]
        sizes = np.bincount(window.labels[window.labels > 0], minlength=len(window.pits) + 1)[1:]
        flat = sizes[np.searchsorted(window.pits, first)] > 1
        parts.keep(self.number, f"own.{unit}", np.stack([own, first, flat], axis=1))
        here = in_land(own, core, wide) == first
        parts.keep(self.number, f"pits.{unit}", first[here])


def _pits(window: Window, core: Box, wide: int) -> Array:
    """Return for each cell of the tile the first cell of the pit that it belongs to, or −1."""
    box = window.box
    shape = (box[1] - box[0], box[3] - box[2])
    rows, cols = (
        slice(core[0] - box[0], core[1] - box[0]),
        slice(core[2] - box[2], core[3] - box[2]),
    )
    labels = window.labels.reshape(shape)[rows, cols]
    found: Array = np.concatenate([[-1], window.pits])[np.maximum(labels, 0)]
    return found


@dataclass(frozen=True)
class Number(Pass):
    """The pits of the land, numbered row by row; and which basin each rim's cells drain to."""

    @property
    def title(self) -> str:
        """What is done."""
        return "numbering basins"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """The rims of all tiles, and every pit."""
        return 300 * len(parts.places) * parts.tile + parts.ny * parts.nx // 10

    def do(self, unit: str, work: Work) -> None:
        """Put rims and pits together; basin 0 is what reaches an outlet by itself."""
        parts, before = work.parts, self.number - 1
        pits = np.sort(
            np.concatenate([parts.kept(before, f"pits.{r}.{c}") for r, c in parts.places])
        )
        cell, last, to, pit = rims(parts, before)
        after = np.where(to >= 0, np.searchsorted(cell, to), -1)
        basin = np.where(pit >= 0, 1 + np.searchsorted(pits, pit), np.where(to >= 0, -1, 0))
        label_slopes(after, basin, 0, basin.size)
        parts.keep(self.number, "pits", pits)
        for name, values in {"cell": cell, "last": last, "after": after, "basin": basin}.items():
            parts.keep(self.number, name, values)


def rims(parts: Parts, number: int) -> Array:
    """Return what all tiles told of their rims, column by column, sorted by the cell."""
    table = np.concatenate([parts.kept(number, f"rim.{r}.{c}") for r, c in parts.places])
    return np.ascontiguousarray(table[np.argsort(table[:, 0])].T)
