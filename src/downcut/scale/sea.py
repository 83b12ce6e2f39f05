"""The sea in tiles: ground below its level that touches, joined over the seams up to the edge."""

from dataclasses import dataclass

import numpy as np

from downcut.scale.parts import Array, Parts
from downcut.scale.passes import WHOLE, Pass, Work, place_of
from downcut.scale.pieces import edges_of, joined, pieces_of

SEA = "_sea"


def below(elevation: Array, level: float) -> Array:
    """Return where the ground lies below the sea's level."""
    return elevation < np.float32(level)


@dataclass(frozen=True)
class Hollows(Pass):
    """In each tile, the pieces of ground below the sea's level, and which reach the map's edge."""

    @property
    def title(self) -> str:
        """What is done."""
        return "looking for the sea"

    def memory(self, parts: Parts) -> int:
        """Heights, numbers and a stack."""
        return 20 * parts.tile**2

    def do(self, unit: str, work: Work) -> None:
        """Name the pieces of a tile."""
        parts, place = work.parts, place_of(unit)
        labels = _pieces(self.reads["elevation"], place, work)
        top, bottom, left, right = parts.box(place)
        outer = [
            line
            for line, there in (
                (labels[0], top == 0), (labels[-1], bottom == parts.ny),
                (labels[:, 0], left == 0), (labels[:, -1], right == parts.nx),
            )
            if there
        ]  # fmt: skip
        open_ = np.zeros(int(labels.max()) + 1, np.bool_)
        for line in outer:
            open_[line] = True
        parts.keep(self.number, f"open.{unit}", open_[1:])
        parts.keep(self.number, f"edge.{unit}", edges_of(labels))


def _pieces(number: int, place: tuple[int, int], work: Work) -> Array:
    assert work.recipe.sea_level is not None
    ground = work.parts.read(number, "elevation", work.parts.box(place))
    return pieces_of(below(ground, work.recipe.sea_level))[0]


@dataclass(frozen=True)
class Joined(Pass):
    """Which pieces of all tiles hang together with the map's edge: those are sea."""

    @property
    def title(self) -> str:
        """What is done."""
        return "joining the sea"

    def units(self, parts: Parts) -> list[str]:
        """Return one."""
        return [WHOLE]

    def memory(self, parts: Parts) -> int:
        """The edges of all tiles, and a number a piece."""
        return 64 * len(parts.places) * parts.tile

    def do(self, unit: str, work: Work) -> None:
        """Join them, and keep a mark a piece, tile by tile."""
        parts, before = work.parts, self.number - 1
        opens = [parts.kept(before, f"open.{r}.{c}") for r, c in parts.places]
        counts = np.array([len(each) for each in opens])
        root = joined(parts, before, "edge", counts)
        wet = np.zeros(root.size, np.bool_)
        wet[root[1:][np.concatenate(opens)]] = True
        flooded = np.split(wet[root[1:]], np.cumsum(counts)[:-1])
        for (r, c), each in zip(parts.places, flooded, strict=True):
            parts.keep(self.number, f"flooded.{r}.{c}", each)


@dataclass(frozen=True)
class Cover(Pass):
    """The sea as a layer."""

    @property
    def title(self) -> str:
        """What is done."""
        return "letting in the sea"

    @property
    def writes(self) -> tuple[str, ...]:
        """A layer of its own."""
        return (SEA,)

    def memory(self, parts: Parts) -> int:
        """Heights, numbers and a stack."""
        return 20 * parts.tile**2

    def do(self, unit: str, work: Work) -> None:
        """Mark the cells of the pieces that are sea."""
        place = place_of(unit)
        labels = _pieces(self.reads["elevation"], place, work)
        flooded = work.parts.kept(self.number - 1, f"flooded.{unit}")
        sea = np.concatenate([[False], flooded])[labels]
        work.parts.write(self.number, place, {SEA: sea.astype(np.uint8)})


def sea_passes(number: int, elevation: int) -> list[Pass]:
    """Return the passes that find the sea on an elevation; the last of them makes the layer."""
    reads = {"elevation": elevation}
    return [Hollows(number, reads), Joined(number + 1, {}), Cover(number + 2, reads)]
