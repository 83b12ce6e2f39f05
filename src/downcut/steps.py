"""Every step there is, and the one way to combine them."""

from typing import Annotated, Literal, TypeAlias, Union, get_args

from pydantic import Field

from downcut.erosion.breach import Breach
from downcut.erosion.carve_rivers import CarveRivers
from downcut.erosion.coast import Coast
from downcut.erosion.droplets import Droplets
from downcut.erosion.hillslope import Hillslope
from downcut.erosion.stream_power import StreamPower
from downcut.erosion.thermal import Thermal
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
from downcut.hydrology.basins import Basins
from downcut.hydrology.distance_to_water import DistanceToWater
from downcut.hydrology.drainage import Drainage
from downcut.hydrology.height_above_drainage import HeightAboveDrainage
from downcut.hydrology.lakes import Lakes
from downcut.hydrology.rivers import Rivers
from downcut.hydrology.wetness import Wetness
from downcut.step import Count, FeatureSize, Record, Step
from downcut.surface.biomes import Biomes
from downcut.surface.hillshade import Hillshade
from downcut.surface.materials import Materials
from downcut.surface.meadow import Meadow
from downcut.surface.normals import Normals
from downcut.surface.occlusion import Occlusion
from downcut.surface.palette import Palette
from downcut.surface.scatter import Scatter
from downcut.surface.splat import Splat

# Every step there is: a new one takes one line here.
AnyStep: TypeAlias = Annotated[
    Union[  # `|` does not take the name of a class that comes later
        Fbm,
        Ridged,
        Billow,
        Constant,
        Island,
        Sines,
        Glade,
        Valley,
        Strata,
        Continents,
        Heightmap,
        Droplets,
        Thermal,
        StreamPower,
        Hillslope,
        Breach,
        CarveRivers,
        Coast,
        Lakes,
        Drainage,
        Rivers,
        Basins,
        DistanceToWater,
        HeightAboveDrainage,
        Wetness,
        Normals,
        Hillshade,
        Palette,
        Biomes,
        Materials,
        Occlusion,
        Splat,
        Scatter,
        Meadow,
        "Repeat",
    ],
    Field(discriminator="op"),
]

STEPS: tuple[type[Step], ...] = tuple(
    s for s in get_args(get_args(AnyStep)[0]) if isinstance(s, type)
)


class Repeat(Record):
    """Do several steps in turn, many times: rain and sliding slopes, uplift and rivers."""

    op: Literal["repeat"] = "repeat"
    times: Count = Field(10, ge=1, le=10_000)
    """How many rounds."""
    feature_size: FeatureSize = None
    """Cell of the lattice that all rounds run on; none for the land's own cells."""
    steps: list[AnyStep] = Field(min_length=1, max_length=100)
    """The steps of a round, in order."""


def op_of(step: type[Step]) -> str:
    """Return the name that recipes call a kind of step by."""
    return str(step.model_fields["op"].default)


Repeat.model_rebuild()
