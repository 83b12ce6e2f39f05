"""downcut makes land: from a recipe and a seed to an eroded terrain.

>>> import downcut as dc
>>> terrain = dc.generate(dc.preset("alpine", size=64, seed=7))
>>> terrain["elevation"].shape
(64, 64)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from downcut import erosion, fields, hydrology, presets, surface
    from downcut.errors import Cancelled, DowncutError
    from downcut.export.save import save
    from downcut.grid import Grid
    from downcut.grow import generate, preset
    from downcut.handover.exporting import export_for
    from downcut.handover.many import generate_many
    from downcut.handover.source import recipe_of
    from downcut.handover.verifying import verify
    from downcut.measuring.land import measure
    from downcut.measuring.reading import measure_file
    from downcut.recipe import Recipe
    from downcut.scale.building import build
    from downcut.scale.reading import open_land, open_store
    from downcut.steps import Repeat
    from downcut.terrain import Terrain
    from downcut.world.world import World

__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "DowncutError",
    "Grid",
    "Recipe",
    "Repeat",
    "Terrain",
    "World",
    "build",
    "erosion",
    "export_for",
    "fields",
    "generate",
    "generate_many",
    "hydrology",
    "measure",
    "measure_file",
    "open_land",
    "open_store",
    "preset",
    "presets",
    "recipe_of",
    "save",
    "surface",
    "verify",
]

# Names are imported when first used: `import downcut` and the command line's --help stay quick.
_HOMES = {
    "Cancelled": "errors",
    "DowncutError": "errors",
    "Grid": "grid",
    "Recipe": "recipe",
    "Repeat": "steps",
    "Terrain": "terrain",
    "World": "world.world",
    "build": "scale.building",
    "save": "export.save",
    "export_for": "handover.exporting",
    "generate": "grow",
    "generate_many": "handover.many",
    "measure": "measuring.land",
    "measure_file": "measuring.reading",
    "open_land": "scale.reading",
    "open_store": "scale.reading",
    "preset": "grow",
    "recipe_of": "handover.source",
    "verify": "handover.verifying",
}


def __getattr__(name: str) -> Any:
    if name in ("erosion", "fields", "hydrology", "presets", "surface"):
        return importlib.import_module(f"downcut.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"downcut.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'downcut' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
