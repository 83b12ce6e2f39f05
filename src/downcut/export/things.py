"""What stands on the land as instances of small meshes, for glTF: plain shapes to be replaced."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError, shown
from downcut.export.gltf import Model
from downcut.export.mesh import Anchor
from downcut.export.walk import SIZE, TABLES
from downcut.features import KINDS, SPECIES
from downcut.shading import to_linear
from downcut.terrain import Terrain

WAYS = ("none", "instances", "nodes")
MOST_NODES = 20_000
"""Things that are written as nodes of their own: more bring programs to a halt."""
SIDES = 7

Profile = tuple[tuple[float, float], ...]
Colour = tuple[int, int, int]
WOOD, BARK = (92, 70, 52), (212, 208, 198)
LEAVES, NEEDLES, BIRCH = (84, 116, 58), (52, 84, 60), (128, 148, 70)
STEM, ROCK = (94, 128, 66), (140, 134, 126)

TRUNK: Profile = ((0.06, 0.0), (0.035, 0.5), (0.0, 0.8))
CROWN: Profile = ((0.0, 0.28), (0.24, 0.38), (0.33, 0.58), (0.24, 0.82), (0.0, 1.0))
SPIRE: Profile = ((0.0, 0.14), (0.24, 0.16), (0.11, 0.6), (0.0, 1.0))
ROUND: Profile = ((0.42, 0.0), (0.55, 0.35), (0.4, 0.75), (0.0, 1.0))
STALK: Profile = ((0.03, 0.0), (0.025, 0.7), (0.0, 1.0))
HEAD: Profile = ((0.0, 0.85), (0.16, 0.92), (0.0, 1.0))

Parts = tuple[tuple[Profile, Colour], ...]
BROADLEAF: Parts = ((TRUNK, WOOD), (CROWN, LEAVES))
SHAPES: dict[tuple[str, int], Parts] = {
    ("great_tree", 0): BROADLEAF,
    ("tree", 0): BROADLEAF,
    ("tree", 1): ((TRUNK, WOOD), (SPIRE, NEEDLES)),
    ("tree", 2): ((TRUNK, BARK), (CROWN, BIRCH)),
    ("tree", 3): ((TRUNK, WOOD), (CROWN, NEEDLES)),
    ("far_tree", 0): ((SPIRE, NEEDLES),),
    ("bush", 0): ((ROUND, LEAVES),),
    ("flower", 0): ((STALK, STEM), (HEAD, (240, 238, 228))),
    ("flower", 1): ((STALK, STEM), (HEAD, (236, 200, 80))),
    ("flower", 2): ((STALK, STEM), (HEAD, (150, 110, 190))),
    ("reed", 0): ((STALK, (150, 148, 88)),),
    ("stone", 0): ((ROUND, ROCK),),
    ("pebble", 0): ((ROUND, ROCK),),
    ("grass", 0): ((STALK, LEAVES),),
}
"""Surfaces of revolution of height 1: each a line of (radius, height) and a colour."""


@dataclass(frozen=True)
class Group:
    """Things of one kind and species: their place in the world, in glTF's axes."""

    name: str
    parts: Parts
    translation: NDArray[np.float32]
    rotation: NDArray[np.float32]
    scale: NDArray[np.float32]


def check_way(way: str) -> None:
    """Refuse a way to write things that there is not.

    Raises
    ------
    DowncutError
    """
    if way not in WAYS:
        raise DowncutError(f"plants is {shown(way)}: give {', '.join(WAYS)}")


def add_things(model: Model, terrain: Terrain, anchor: Anchor, way: str) -> dict[str, int]:
    """Add what stands on the land to a model; return how many of each there are.

    Raises
    ------
    DowncutError
        For a land on which nothing stands, or more nodes than programs bear.
    """
    if way == "none":
        return {}
    found = list(groups(terrain, anchor))
    if not found:
        raise DowncutError("nothing stands on this land: add surface.scatter to its recipe")
    count = sum(len(group.scale) for group in found)
    if way == "nodes" and count > MOST_NODES:
        raise DowncutError(
            f"{count:,} things stand on this land and as nodes {MOST_NODES:,} are the limit: "
            "write plants=instances, or a smaller land"
        )
    for group in found:
        points, normals, colours, faces = mesh(group.parts)
        attributes = {
            "POSITION": model.vertices(points, bounds=True),
            "NORMAL": model.vertices(normals),
            "COLOR_0": model.vertices(colours),
        }
        model.add_group(group, attributes, model.indices(faces, len(points)), nodes=way == "nodes")
    return {group.name: len(group.scale) for group in found}


def groups(terrain: Terrain, anchor: Anchor) -> Iterator[Group]:
    """Yield what stands on the land, kind by kind and species by species."""
    for table in (terrain.features[name] for name in TABLES if name in terrain.features):
        for number in np.unique(table["kind"]):
            kind = KINDS[number]
            for species in np.unique(table["species"][table["kind"] == number]):
                mine = (table["kind"] == number) & (table["species"] == species)
                names = SPECIES.get(kind, [kind])
                own = names[species] if species < len(names) else kind
                place = [table["x"] - anchor.east, table["elevation"] - anchor.up]
                place.append(anchor.north - table["y"])
                half = table["turn"][mine] / 2
                turn = np.zeros((len(half), 4), np.float32)
                turn[:, 1], turn[:, 3] = np.sin(half), np.cos(half)
                scale = np.repeat(table["scale"][mine, None] * SIZE[kind], 3, axis=1)
                yield Group(
                    kind if own == kind else f"{kind}_{own}",
                    SHAPES[kind, int(species) if (kind, int(species)) in SHAPES else 0],
                    np.stack(place, axis=1)[mine].astype(np.float32),
                    turn,
                    scale.astype(np.float32),
                )


def mesh(parts: Parts) -> tuple[Any, Any, Any, NDArray[np.uint16]]:
    """Return points, normals, colours (linear, uint16 shares) and corners of surfaces turned."""
    points, normals, colours, faces, count = [], [], [], [], 0
    angle = 2 * np.pi * np.arange(SIDES) / SIDES
    ring = np.stack([np.sin(angle), np.zeros(SIDES), np.cos(angle)], axis=1)
    for profile, colour in parts:
        line = np.array(profile)
        radius, height = line.T
        out = np.stack([np.gradient(height), -np.gradient(radius)], axis=1)
        out /= np.hypot(*out.T)[:, None]
        points.append((ring * radius[:, None, None]) + height[:, None, None] * [0, 1, 0])
        normals.append((ring * out[:, :1, None]) + out[:, 1:, None] * [0, 1, 0])
        light = to_linear(np.array([[colour]], np.uint8))[0, 0]
        shade = np.append(np.rint(light * 65535), 65535).astype(np.uint16)
        colours.append(np.tile(shade, (len(line) * SIDES, 1)))
        a = np.arange((len(line) - 1) * SIDES).reshape(-1, SIDES) + count
        b = np.roll(a, -1, axis=1)
        faces.append(np.stack([a, b, b + SIDES, a, b + SIDES, a + SIDES], axis=2).reshape(-1))
        count += len(line) * SIDES
    whole = [np.concatenate([part.reshape(-1, 3) for part in each]) for each in (points, normals)]
    flat = np.concatenate(faces).astype(np.uint16)
    return whole[0].astype("f4"), whole[1].astype("f4"), np.concatenate(colours), flat
