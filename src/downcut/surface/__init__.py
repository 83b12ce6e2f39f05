"""Surface dresses the land: light, colour, biomes, materials."""

from downcut.surface.biomes import Biomes
from downcut.surface.hillshade import Hillshade
from downcut.surface.materials import Materials
from downcut.surface.normals import Normals
from downcut.surface.occlusion import Occlusion
from downcut.surface.palette import Palette
from downcut.surface.splat import Splat

__all__ = ["Biomes", "Hillshade", "Materials", "Normals", "Occlusion", "Palette", "Splat"]
