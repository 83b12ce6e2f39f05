"""Which species of its kind a thing is: by height, by the shore, by the biome."""

import numpy as np

from downcut.shading import BIOMES, smoothstep
from downcut.surface.spots import Numbers

DRY = [number for number, tone in enumerate(BIOMES) if tone.name in ("desert", "scrub")]
SHORE = 45.0
"""Up to so high above the sea [m] pines grow for the salt and the wind."""


def species_of(
    kind: str, chance: Numbers, height: Numbers, highest: float, biome: Numbers | None, sea: bool
) -> Numbers:
    """Return the species of things of a kind.

    Trees: more conifers towards the tree line, pines by the sea and on dry ground, some birches.
    Bushes: heather, then tussocks of grass, up the slopes; sage and a few cacti on dry ground.
    Flowers: one of three.

    Parameters
    ----------
    chance : (n,) 0 to 1
    height : (n,) [m] above the sea, or above the datum
    highest : float [m]
        Where the kind ends.
    biome : (n,) or None
        Numbers of `BIOMES`.
    sea : bool
        Whether there is one.
    """
    dry = np.isin(biome, DRY) if biome is not None else np.zeros(chance.size, np.bool_)
    up = height / max(highest, 1.0)
    if kind == "flower":
        of_three: Numbers = np.floor(3 * chance)
        return of_three
    if kind == "tree":
        conifers = 0.08 + 0.92 * smoothstep(0.2, 0.75, up)
        tree = np.where(chance < conifers, 1, np.where(chance > 0.84, 2, 0))
        shore = 1 - smoothstep(0.3 * SHORE, SHORE, height) if sea else np.zeros(chance.size)
        pine: Numbers = np.where(dry | (chance < 0.75 * shore), 3, tree)
        return pine
    if kind == "bush":
        heather = smoothstep(0.2, 0.5, up)
        tussock = smoothstep(0.45, 0.8, up)
        high = np.where(chance < tussock, 4, np.where(chance < heather, 1, 0))
        bush: Numbers = np.where(dry, np.where(chance < 0.12, 3, 2), high)
        return bush
    return np.zeros(chance.size)
