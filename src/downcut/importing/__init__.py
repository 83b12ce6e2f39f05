"""Hostile files in, clean arrays out: heights in metres on square cells, from any heightmap."""

from downcut.importing.asked import Asked
from downcut.importing.heightmap import Heightmap
from downcut.importing.reading import kept, read

__all__ = ["Asked", "Heightmap", "kept", "read"]
