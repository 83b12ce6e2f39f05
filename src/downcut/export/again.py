"""Meshes written again: whether a file is, byte for byte, what its land becomes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from downcut.errors import DowncutError
from downcut.export.formats import by_name
from downcut.export.stl import Printing, write_solid
from downcut.terrain import Terrain


class _Beside:
    """Takes what is written and compares it with a file there is, so that nothing is kept."""

    def __init__(self, there: BinaryIO) -> None:
        self.there = there
        self.same = True

    def write(self, data: Any) -> int:
        """Compare some bytes."""
        block = memoryview(data).cast("B")
        self.same = self.same and self.there.read(len(block)) == block
        return len(block)


def same_again(path: Path, land: Terrain, written_with: Mapping[str, Any]) -> bool:
    """Tell whether writing this land with these options gives the file that is there.

    The same land gives the same bytes with the same versions of the packages. Options that no
    writer takes were not written by one: the file is another then.
    """
    with path.open("rb") as there:
        beside: Any = _Beside(there)
        try:
            if path.suffix.lower() == ".stl":
                write_solid(land, beside, Printing(**written_with))
            elif form := by_name(path):
                form.write(land, beside, **written_with)
        except (DowncutError, TypeError, ValueError, ArithmeticError):
            return False
        return beside.same and not there.read(1)
