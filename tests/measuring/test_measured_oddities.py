"""Files that look like a DEM and are none: refused at once, in a sentence."""

import os

import numpy as np
import pytest
import rasterio
from rasterio import Affine

from downcut.errors import DowncutError
from downcut.grid import LARGEST_CELL, SMALLEST_CELL, Grid
from downcut.measuring.reading import measure_file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_refused_rather_than_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.tif")
    with pytest.raises(DowncutError, match="is a device or a pipe"):
        measure_file(tmp_path / "a.tif")


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_cells_that_no_land_has_are_refused(size, tmp_path):
    heights = np.random.default_rng(0).random((64, 64)).astype(np.float32)
    with rasterio.open(
        tmp_path / "a.tif", "w", driver="GTiff", height=64, width=64, count=1, dtype="float32",
        crs="EPSG:32632", transform=Affine(size, 0, 0, 0, -size, 0),
    ) as file:  # fmt: skip
        file.write(heights, 1)
    with pytest.raises(DowncutError, match="cell_size is "):
        measure_file(tmp_path / "a.tif")


def test_the_limits_of_a_cell_are_cells():
    for size in (SMALLEST_CELL, LARGEST_CELL):
        assert Grid(2, 2, size).cell_size == size
