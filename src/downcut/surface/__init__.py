"""Surface dresses the land: light, colour, biomes, materials, and what stands on it."""

from downcut.surface.biomes import Biomes
from downcut.surface.hillshade import Hillshade
from downcut.surface.materials import Materials
from downcut.surface.meadow import Meadow
from downcut.surface.normals import Normals
from downcut.surface.occlusion import Occlusion
from downcut.surface.palette import Palette
from downcut.surface.scatter import Scatter
from downcut.surface.splat import Splat

__all__ = [
    "Biomes",
    "Hillshade",
    "Materials",
    "Meadow",
    "Normals",
    "Occlusion",
    "Palette",
    "Scatter",
    "Splat",
]
