"""Features: what is a line or a place rather than a field, as tables of equal columns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError

Column = NDArray[Any]

KINDS = (
    "great_tree", "tree", "far_tree", "bush", "flower", "reed", "stone", "pebble", "grass",
)  # fmt: skip
"""What the column `kind` of things that stand on the land holds: places in this list."""
SPECIES = {
    "tree": ["broadleaf", "conifer", "birch", "pine"],
    "flower": ["white", "yellow", "violet"],
    "bush": ["leafy", "heather", "sage", "cactus", "tussock"],
}
"""What `species` holds: places in the list of its kind; kinds that are not here have one."""


@dataclass(frozen=True)
class Table:
    """Rows of named columns and, where each row is a line, the points of all lines.

    Parameters
    ----------
    columns : mapping of name to (n,) array
        One value a row. By convention `id` is row + 1, so that 0 can say none.
    units : mapping of name to text
        Of columns and points; those without one are dimensionless.
    offsets : (n + 1,) array of int64, optional
        Line i is made of the points offsets[i] to offsets[i + 1] − 1.
    points : mapping of name to (offsets[n],) array
        Among them x and y [m]: east and north of the world's origin.

    Raises
    ------
    DowncutError
        For columns, or points, of unequal length.

    Examples
    --------
    >>> river = Table({"order": [2]}, offsets=[0, 3], points={"x": [0, 1, 2], "y": [0, 0, 1]})
    >>> len(river), river["order"].tolist(), river.line(0)["x"].tolist()
    (1, [2], [0, 1, 2])
    """

    columns: Mapping[str, Column]
    units: Mapping[str, str] = field(default_factory=dict)
    offsets: Column | None = None
    points: Mapping[str, Column] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns, points = _locked(self.columns), _locked(self.points)
        rows = {len(column) for column in columns.values()}
        if self.offsets is not None:
            offsets = _locked({"offsets": np.asarray(self.offsets, np.int64)})["offsets"]
            rows.add(len(offsets) - 1)
            if {len(point) for point in points.values()} != {int(offsets[-1])}:
                raise DowncutError("the points of a table's lines do not add up to its offsets")
            object.__setattr__(self, "offsets", offsets)
        if len(rows) != 1:
            raise DowncutError(f"the columns of a table have {sorted(rows)} rows: give one length")
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "units", MappingProxyType(dict(self.units)))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        lines = "" if self.offsets is None else f", lines of {len(self.points['x']):,} points"
        return f"<Table of {len(self):,} rows: {', '.join(self.columns)}{lines}>"

    def __getitem__(self, name: str) -> Column:
        """Return the column of this name."""
        if name not in self.columns:
            raise DowncutError(f"no column {name!r} here; there are {', '.join(self.columns)}")
        return self.columns[name]

    def line(self, row: int) -> dict[str, Column]:
        """Return the points of a row's line by name, from its first to its last."""
        if self.offsets is None:
            raise DowncutError("this table has no lines: its rows are places")
        start, stop = self.offsets[row], self.offsets[row + 1]
        return {name: values[start:stop] for name, values in self.points.items()}


def _locked(columns: Mapping[str, Any]) -> Mapping[str, Column]:
    """Return read-only views of one-dimensional arrays."""
    locked = {}
    for name, values in columns.items():
        view = np.asarray(values).view()
        if view.ndim != 1:
            raise DowncutError(f"column {name} of a table has {view.ndim} axes: give one")
        view.flags.writeable = False
        locked[name] = view
    return MappingProxyType(locked)
