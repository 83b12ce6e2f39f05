"""What a program wants of a land: its sizes, its tiles, its layers, and how it is written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError, shown
from downcut.export.files import Delivery
from downcut.export.placement import Placement
from downcut.importing.stored import StoredLand
from downcut.terrain import Terrain

IN_MEMORY = 4100
"""Samples along a tile of which some layers are in memory at once."""
IN_PARTS = 1_000_000
"""Samples along a land that is written part by part, whatever its size."""


@dataclass(frozen=True)
class Sizes:
    """Which numbers of samples a program takes along an edge.

    Examples
    --------
    >>> listed(127, 253, 505).nearest(300), listed(127, 253, 505).words
    (253, '127, 253 or 505')
    >>> multiples(256, 16384).nearest(500)
    512
    """

    nearest: Callable[[int], int]
    """From a number of samples to the nearest that the program takes."""
    words: str
    """For a person: "127, 253 or 505"."""
    square: bool = False
    """Whether both edges must have the same number."""


def listed(*counts: int, square: bool = False) -> Sizes:
    """Return sizes of which there are only these."""
    *most, last = map(str, counts)
    return Sizes(
        lambda count: min(counts, key=lambda legal: (abs(legal - count), -legal)),
        f"{', '.join(most)} or {last}" if most else last,
        square,
    )


def multiples(of: int, most: int, square: bool = False) -> Sizes:
    """Return the multiples of `of`, from 1 of them up to `most` samples."""
    return Sizes(
        lambda count: of * min(max(round(count / of), 1), most // of),
        f"a multiple of {of} up to {most}",
        square,
    )


def between(least: int, most: int) -> Sizes:
    """Return sizes of which any will do between these."""
    return Sizes(lambda count: min(max(count, least), most), f"from {least} to {most}")


@dataclass(frozen=True)
class Option:
    """A choice that `--with name=value` makes for one target; values have the default's type."""

    default: Any
    meaning: str
    """A sentence for the person who may want another value."""
    choices: tuple[Any, ...] = ()
    bounds: tuple[float, float] | None = None
    """Least and most of a number."""


@dataclass(frozen=True)
class Plan:
    """What was decided before the land is grown: the same for every tile."""

    name: str
    """The land's name, safe as the stem of file names."""
    tiles: tuple[int, int] = (1, 1)
    """Rows and columns of tiles."""
    overlap: int = 0
    """1 where neighbouring tiles hold the same edge, 0 where they abut."""
    layers: tuple[str, ...] = ()
    """The layers beside the elevation that are to be written, of those the target wants."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Every option of the target, the defaults filled in."""
    place: Placement | None = None
    """Where the middle of the land lies on the Earth; None where nobody said."""

    @property
    def tiled(self) -> bool:
        """Whether there is more than one tile."""
        return self.tiles != (1, 1)

    def pieces(self, terrain: Terrain) -> Iterator[tuple[int, int, Terrain]]:
        """Yield (row, column, land) of every tile, from the north-west, row by row.

        A tile's arrays are views of the land's, or of a stored land read when they are asked for;
        its grid says where it lies in the world, and its recipe grows the whole.
        """
        rows, cols = self.tiles
        ny, nx = (
            (n - self.overlap) // k for n, k in zip(terrain.grid.shape, self.tiles, strict=True)
        )
        for row in range(rows):
            for col in range(cols):
                shape = (ny + self.overlap, nx + self.overlap)
                tile = terrain.window(row * ny, col * nx, *shape)
                if isinstance(tile, StoredLand) and self.tiled:
                    tile = tile.read()
                yield row, col, tile


@dataclass(frozen=True)
class Handed:
    """What a target's `write` says of what it wrote."""

    numbers: dict[str, Any]
    """What is typed into the program, ready for JSON, units in the names: z_scale, low_m …"""
    how: list[str]
    """What to do in that program, step by step, the very numbers among the words."""
    files: dict[str, str]
    """Each file's name below the folder, and what it is."""


@dataclass(frozen=True)
class Target:
    """A program that takes lands, and its customs."""

    name: str
    program: str
    write: Callable[[Terrain, Plan, Delivery, Path], Handed]
    """Called with the grown land; every file goes through `delivery.file(folder / name, bytes)`.
    README.txt and export.json are written afterwards, from what it returns."""
    sizes: Sizes = between(1, 1_000_000)  # noqa: RUF009 - a frozen record
    """Of the land, or of each tile."""
    posts: bool = False
    """True: the outermost samples lie on the land's edges, as vertices do, so the cell is the
    extent / (n − 1). False: samples are the middles of cells that fill the land."""
    shared_edges: bool = False
    """Whether neighbouring tiles hold the same edge samples; else they abut."""
    most_tiles: int = 32
    """Along an edge; 1 for a target without tiles."""
    layers: tuple[str, ...] = ()
    """Layers it can take beside the elevation, made by default steps where the recipe makes none:
    all of them, or those that `--with layers=a,b` names (or none). Write those of `plan.layers`."""
    options: Mapping[str, Option] = field(default_factory=dict)
    placed: bool = False
    """Whether it can lie at a place on the Earth: `Plan.place`."""
    stored_edge: int = 0
    """Of a land in a store: samples along a tile that `write` may be given, with no more of it in
    memory than that; 0 for a target that needs a land in memory."""
    needs: tuple[tuple[str, str], ...] = ()
    """Packages it cannot do without, each with the name of downcut's extra that brings it."""

    def chosen(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all options, with what was given in place of the defaults.

        Raises
        ------
        DowncutError
            For an option that there is not, or a value of another type than its default's or out of
            its bounds.
        """
        for name, value in given.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise DowncutError(f"{self.name} has no option {shown(name)}; there are {known}")
            self._check(name, value)
        return {name: given.get(name, option.default) for name, option in self.options.items()}

    def chosen_layers(self, words: str | None) -> tuple[str, ...]:
        """Return the layers that `--with layers=` asks for: all, none or names with commas.

        Raises
        ------
        DowncutError
            For a layer that the target does not take.
        """
        if words in (None, "all"):
            return self.layers
        asked = [] if words == "none" else str(words).split(",")
        for name in asked:
            if name not in self.layers:
                known = ", ".join(("all", "none", *self.layers))
                raise DowncutError(
                    f"{self.name} takes no layer {shown(name)}: give some of {known}"
                )
        return tuple(name for name in self.layers if name in asked)

    def _check(self, name: str, value: Any) -> None:
        option = self.options[name]
        kind = type(option.default)
        kinds = (int, float) if kind is float else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and kind is not bool):
            raise DowncutError(
                f"option {name} of {self.name} is {shown(value)}: give a value as "
                f"{option.default!r} ({option.meaning})"
            )
        if option.choices and value not in option.choices:
            known = ", ".join(map(str, option.choices))
            raise DowncutError(f"option {name} of {self.name} is {shown(value)}: give {known}")
        if option.bounds and not option.bounds[0] <= value <= option.bounds[1]:
            low, high = option.bounds
            raise DowncutError(
                f"option {name} of {self.name} is {shown(value)}: give {low:g} to {high:g} "
                f"({option.meaning})"
            )
