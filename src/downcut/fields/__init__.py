"""Fields make elevation, or any layer, from positions alone, or from a file."""

from downcut.fields.billow import Billow
from downcut.fields.constant import Constant
from downcut.fields.continents import Continents
from downcut.fields.fbm import Fbm
from downcut.fields.glade import Glade
from downcut.fields.heightmap import Heightmap
from downcut.fields.island import Island
from downcut.fields.ridged import Ridged
from downcut.fields.sines import Sines
from downcut.fields.strata import Strata
from downcut.fields.valley import Valley
from downcut.fields.warp import Warp

__all__ = [
    "Billow",
    "Constant",
    "Continents",
    "Fbm",
    "Glade",
    "Heightmap",
    "Island",
    "Ridged",
    "Sines",
    "Strata",
    "Valley",
    "Warp",
]
