"""A small world that is quick to grow: provinces of 8 km, with all that a large one has."""

import pytest

import downcut as dc

UPLIFT = {"op": "erosion.stream_power", "time_step": 20_000, "uplift_rate": 0.002,
          "erodibility": 1e-4, "area_exponent": 0.4, "uplift": "uplift"}  # fmt: skip
STEPS = [
    {"op": "fields.fbm", "wavelength": 5000, "amplitude": 400, "offset": 150, "octaves": 6},
    {"op": "fields.continents", "province_size": 8000, "strait": 500, "shore": 1500, "rim": -200,
     "ocean": 0.15, "warp": {"displacement": 900, "wavelength": 5000, "octaves": 4}},
    {"op": "fields.fbm", "into": "uplift", "wavelength": 4000, "amplitude": 1, "offset": 1,
     "octaves": 3, "mask": "inland"},
    {"op": "repeat", "times": 8, "feature_size": 250, "steps": [UPLIFT]},
    {"op": "repeat", "times": 4, "feature_size": 125, "steps": [
        UPLIFT, {"op": "erosion.thermal", "passes": 2}]},
    {"op": "fields.fbm", "wavelength": 300, "amplitude": 8, "octaves": 3},
    {"op": "erosion.droplets", "droplets_per_cell": 0.05, "lifetime": 16},
    {"op": "erosion.thermal", "talus_angle": 40, "passes": 1},
    {"op": "erosion.carve_rivers", "channel_area": 250_000},
    {"op": "hydrology.lakes", "min_depth": 0.5, "min_area": 20_000},
    {"op": "hydrology.drainage"},
    {"op": "hydrology.rivers", "channel_area": 250_000},
    {"op": "surface.materials"},
    {"op": "surface.normals"},
    {"op": "surface.palette"},
]  # fmt: skip


@pytest.fixture(scope="session")
def small_recipe():
    """The recipe of the small world."""
    return dc.Recipe.from_dict(
        {"grid": {"ny": 64, "nx": 64, "cell_size": 31.25}, "sea_level": 0, "steps": STEPS}
    )


@pytest.fixture(scope="session")
def small_world(small_recipe, tmp_path_factory):
    """The small world, with a folder of its own."""
    return dc.World(small_recipe, folder=tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="session", params=["small", pytest.param("endless", marks=pytest.mark.slow)])
def carved_world(request, tmp_path_factory):
    """A world of provinces: the small one, and the one that ships."""
    if request.param == "small":
        return request.getfixturevalue("small_world")
    return dc.World("endless", folder=tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="session")
def local_recipe():
    """A recipe without provinces, eroded by local steps alone."""
    steps = [
        {"op": "fields.fbm", "wavelength": 900, "amplitude": 150, "octaves": 7},
        {"op": "erosion.droplets", "droplets_per_cell": 0.2, "lifetime": 16},
        {"op": "erosion.thermal", "talus_angle": 35, "passes": 3},
        {"op": "surface.normals"},
        {"op": "surface.palette"},
    ]
    return dc.Recipe.from_dict({"grid": {"cell_size": 10}, "steps": steps})
