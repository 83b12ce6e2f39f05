"""Tables: equal columns, read-only, lines as ragged points."""

import numpy as np
import pytest

from downcut.errors import DowncutError
from downcut.features import Table


def test_columns_and_points_are_read_only_views():
    area = np.arange(3.0)
    table = Table({"area": area}, {"area": "m²"}, [0, 1, 1, 3], {"x": [1, 2, 3], "y": [0, 0, 0]})
    assert len(table) == 3
    assert table.units["area"] == "m²"
    assert [table.line(row)["x"].tolist() for row in range(3)] == [[1], [], [2, 3]]
    with pytest.raises(ValueError, match="read-only"):
        table["area"][0] = 7
    with pytest.raises(ValueError, match="read-only"):
        table.points["x"][0] = 7
    area[0] = 5  # the caller's own array stays the caller's
    with pytest.raises(DowncutError, match="no column 'volume' here; there are area"):
        table["volume"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (({"a": [1], "b": [1, 2]},), "have"),
        (({"a": [1, 2]}, {}, [0, 3], {"x": [1, 2, 3]}), "rows"),
        (({"a": [1]}, {}, [0, 3], {"x": [1, 2]}), "add up"),
        (({"a": [[1, 2]]},), "2 axes"),
        (({},), "rows"),
    ],
)
def test_what_does_not_fit_together_is_refused(parts, message):
    with pytest.raises(DowncutError, match=message):
        Table(*parts)


def test_a_table_of_places_has_no_lines():
    with pytest.raises(DowncutError, match="no lines"):
        Table({"x": [1.0]}).line(0)
