"""Nothing of a tile's edge is seen in a land built in tiles; and others read what is written."""

import re
from pathlib import Path

import numpy as np
import pytest

import downcut as dc
from downcut.scale.blueprint import Blueprint
from downcut.scale.estimate import Estimate
from downcut.scale.journal import Journal
from downcut.scale.working import do

zarr = pytest.importorskip("zarr")
TILE = 32
ERODED = dc.Recipe.from_dict({
    "grid": {"ny": 160, "nx": 192, "cell_size": 10}, "seed": 5,
    "steps": [
        {"op": "fields.fbm", "wavelength": 500, "amplitude": 150, "octaves": 7},
        {"op": "erosion.droplets", "droplets_per_cell": 3, "lifetime": 20},
        {"op": "erosion.thermal", "passes": 10, "talus_angle": 25},
        {"op": "erosion.hillslope", "time_step": 2000},
    ],
})  # fmt: skip


def test_erosion_neither_stops_nor_ridges_at_a_tiles_edge(tmp_path):
    """What erosion moved, and how rough it left the ground, is alike on seams and elsewhere."""
    path = dc.build(ERODED, tmp_path / "a.zarr", tile=TILE, workers=0).path
    land = dc.open_land(path).read()["elevation"].astype(float)
    bare = dc.generate(ERODED.model_copy(update={"steps": ERODED.steps[:1]}))["elevation"]
    moved = np.abs(land - bare)
    bend = np.abs(np.diff(land, 2, axis=1))
    columns = np.arange(1, land.shape[1] - 1)
    seam = (columns % TILE < 1) | (columns % TILE == TILE - 1)
    inner = slice(TILE // 2, -TILE // 2)
    for what in (moved[inner, 1:-1], bend[inner]):
        each = what.mean(axis=0)[inner]
        on, off = each[seam[inner]], each[~seam[inner]]
        assert off.mean() > 0.01  # it is rough ground, and much was moved
        assert abs(on.mean() - off.mean()) < 3 * off.std() / np.sqrt(on.size)
    np.testing.assert_array_equal(land, dc.generate(ERODED)["elevation"])


def test_a_task_that_runs_twice_changes_nothing(tmp_path):
    """Every unit is done again after it is done, and beside its neighbours, with the same files."""
    recipe = dc.preset("rolling", size=(40, 50))
    plan, folder = Blueprint(recipe, TILE), tmp_path / "a.zarr.building"
    journal = Journal(folder)
    journal.begin(recipe.to_json(), TILE, digest=recipe.digest, resume=False, force=False)
    parts = plan.parts(folder)
    for each in plan.passes:
        for unit in each.units(parts):
            marks = []
            for _ in range(2):
                marks.append(do(str(folder), each.number, unit, 1))
                journal.of(each.number, unit).unlink()  # as if its word had been lost
            assert marks[0]["written"] == marks[1]["written"]
            assert marks[0]["notes"] == marks[1]["notes"]
    stored = zarr.open_group(folder / "store", mode="r")["0/elevation"][:]
    np.testing.assert_array_equal(stored, dc.generate(recipe)["elevation"])


def test_sinks_on_both_sides_of_a_seam_are_one_lake(tmp_path):
    """East, sink, sink, west, cut between the sinks: one label, whatever the tile."""
    heights = np.full((3 * 16, 4 * 16), 9.0, np.float32)
    heights[16:32, 1:-1] = np.abs(np.arange(1, 63) - 31.5)[None, :] / 8
    np.save(tmp_path / "pit.npy", heights)
    recipe = dc.recipe_of(tmp_path / "pit.npy", cell_size=10)
    recipe = dc.Recipe.from_dict({
        **recipe.model_dump(mode="json"),
        "steps": [*recipe.model_dump(mode="json")["steps"], {"op": "hydrology.lakes"}],
    })  # fmt: skip
    for tile in (16, 32, 48):
        path = dc.build(recipe, tmp_path / f"{tile}.zarr", tile=tile, workers=0).path
        lake = dc.open_land(path).read()["lake"]
        assert lake[24, 31] == lake[24, 32] == 1
        assert set(np.unique(lake)) == {0, 1}


def test_tasks_are_few_and_bounded(tmp_path):
    """Each pass has a task a tile at most, and passes do not grow with the land."""
    plans = [Blueprint(dc.preset("alpine", size=n), 1024) for n in (4096, 16384, 65536)]
    assert (
        len({len(plan.passes) - levels for plan, levels in zip(plans, (5, 7, 9), strict=True)}) == 1
    )
    for plan in plans:
        parts = plan.parts(Path())
        tiles = len(parts.places)
        assert all(len(each.units(parts)) <= max(tiles, 10 * 64) for each in plan.passes)
        assert sum(len(each.units(parts)) for each in plan.passes) < 20 * tiles + 1000


def test_gdal_reads_the_store(tmp_path):
    """GDAL's own Zarr driver sees the heights, where it knows version 3 with shards."""
    rasterio = pytest.importorskip("rasterio")
    version = tuple(map(int, re.findall(r"\d+", rasterio.__gdal_version__)[:2]))
    if version < (3, 11):
        pytest.skip(f"GDAL {rasterio.__gdal_version__} reads no shards of Zarr 3: 3.11 does")
    path = dc.build(ERODED, tmp_path / "a.zarr", tile=64, workers=0).path
    with rasterio.open(f'ZARR:"{path}":/0/elevation') as dataset:
        assert (dataset.read(1) == dc.open_land(path).read()["elevation"]).all()


def test_a_dry_run_tells_the_disk_that_is_taken(tmp_path):
    """What lies on the disk at most, while a land is built, is about what was told before."""
    recipe, seen = dc.preset("rolling", size=320), []
    told = Estimate.of(Blueprint(recipe, 128), None, 1).disk

    def look(_):
        files = (tmp_path / "a.zarr.building").rglob("*.*")
        seen.append(sum(f.stat().st_size for f in files if f.is_file()))

    dc.build(recipe, tmp_path / "a.zarr", tile=128, workers=0, on_progress=look)
    assert told / 1.5 < max(seen) < told * 1.5
