"""Heights from a file: a heightmap or a DEM as the ground, or as any layer."""

from dataclasses import fields
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field as Parameter

from downcut.errors import DowncutError
from downcut.fields.field import Field
from downcut.grid import LARGEST_CELL, SMALLEST_CELL, Grid
from downcut.importing import Asked, kept
from downcut.importing import Heightmap as Found
from downcut.importing.asked import LIMIT_CELLS
from downcut.run import Run
from downcut.sampling import averaged, resample
from downcut.step import Count, Metres, Number

Text = Annotated[str, Parameter(json_schema_extra={"unit": ""})]


class Heightmap(Field):
    """The heights in a file, its middle on the middle of the ground.

    Takes PNG of 8 and 16 bits, TIFF, GeoTIFF, EXR, .raw and .r16, .npy, .npz and whatever GDAL
    reads. Where the ground's cells are the file's, heights are the file's; between them a cubic
    spline runs, and larger cells get the mean. Beyond the file its edge goes on.

    Without metres in the file or beside it, 16-bit levels span 0 to 1000 m and cells 30 m.

    Examples
    --------
    >>> import downcut as dc, numpy as np, tempfile
    >>> file = tempfile.mkdtemp() + "/hill.npy"
    >>> np.save(file, [[1.0, 2.0], [3.0, 4.0]])
    >>> dc.fields.Heightmap(file=file, cell_size=10)(grid=dc.Grid(2, 2, 10)).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """

    op: Literal["fields.heightmap"] = "fields.heightmap"
    file: Text = Parameter("", max_length=4096, pattern=r"^[^\x00-\x1f]*$")
    """The path of the file; a recipe's own folder is where a relative one begins."""
    content: Text = Parameter("", pattern=r"^([0-9a-f]{32})?$")
    """The digest of the bytes of the file and of a FILE.json beside it; others are refused."""
    low: Metres | None = Parameter(None, ge=-1e6, le=1e6)
    """Height of the lowest level, 0; if none the file's own, else 0 m."""
    high: Metres | None = Parameter(None, ge=-1e6, le=1e6)
    """Height of the highest level, of 255, 65535 or 1.0; if none the file's own, else 1000 m."""
    cell_size: Metres | None = Parameter(None, ge=SMALLEST_CELL, le=LARGEST_CELL)
    """Edge of the file's cells; the file's own if none, else 30 m."""
    fill_voids: bool = False
    """Whether cells without data are filled from those around; else they are refused."""
    nodata: Number | None = Parameter(None, ge=-1e12, le=1e12)
    """The sample that stands for no data, where the file does not say it."""
    rows: Count | None = Parameter(None, ge=1, le=1_000_000)
    """Rows of samples without a header; if none, a side file, the other or a square tells."""
    columns: Count | None = Parameter(None, ge=1, le=1_000_000)
    """Columns of samples without a header, likewise."""
    dtype: (
        Literal["uint8", "uint16", "int16", "uint32", "int32", "float16", "float32", "float64"]
        | None
    ) = None
    """What a sample without a header is; by the file's suffix if none."""
    byte_order: Literal["little", "big"] | None = None
    """Byte order of samples without a header; little if nothing tells."""
    south_first: bool = False
    """Whether the file's first row is the southernmost, as Unity likes it."""
    limit_cells: Count = Parameter(LIMIT_CELLS, ge=1, le=10**12)
    """Cells beyond which the file is refused, before any is read."""

    exact: ClassVar[bool] = False
    nanoseconds: ClassVar[float] = 15.0
    working_bytes: ClassVar[int] = 40

    @property
    def reading(self) -> Asked:
        """What the parameters say about the file."""
        return Asked(**self.asked())

    def asked(self) -> dict[str, Any]:
        """Return what the parameters say about the file, as `importing.read` takes it."""
        named = {f.name: getattr(self, f.name) for f in fields(Asked) if hasattr(self, f.name)}
        shape, span = (self.rows, self.columns), (self.low, self.high)
        return {**named, "shape": shape, "height_range": span}

    def found(self, run: Run) -> Found:
        """Read the file; once for all lattices and windows.

        Raises
        ------
        DowncutError
            For no file, one that may not or cannot be read, or that is not the one that was meant.
        """
        if not self.file:
            raise DowncutError("fields.heightmap has no file: give the path of a heightmap")
        found = kept(run.file(self.file), **self.asked())
        if self.content and self.content != found.content:
            raise DowncutError(
                f"{self.file} is not the file that the recipe was made with: its content is "
                f"{found.content} and not {self.content}; take the content out of the recipe to "
                "grow another land from it"
            )
        return found

    def outside(self, run: Run) -> str:
        """The file's content, whatever it is called."""
        return self.found(run).content

    def sample(self, *, grid: Grid, key: int, run: Run) -> NDArray[np.float32]:
        """Return the file's heights on the grid's cells.

        Raises
        ------
        DowncutError
            As `found`, and where cells have no data.
        """
        found = self.found(run)
        found.refuse_gaps(self.file)
        return placed(found, grid, run)


def placed(found: Found, grid: Grid, run: Run) -> NDArray[np.float32]:
    """Return the heights on a grid: copied where cells coincide, else a spline or the mean."""
    source, values = found.grid, found.elevation
    shift = [to - of for to, of in zip(grid.corner, source.corner, strict=True)]
    if grid.cell_size == source.cell_size and all(s == round(s) for s in shift):
        (ny, nx), (down, right) = source.shape, map(int, shift)
        rows = np.clip(np.arange(down, down + grid.ny), 0, ny - 1)
        cols = np.clip(np.arange(right, right + grid.nx), 0, nx - 1)
        return np.ascontiguousarray(values[rows][:, cols])
    if grid.cell_size > source.cell_size * (1 + 1e-9):
        return averaged(values, source, grid, run)
    return resample(values, source, grid, run, found.spline)
