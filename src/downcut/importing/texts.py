"""Grids of text: whether all their numbers are there, and are numbers."""

from pathlib import Path

from downcut.errors import DowncutError, shown

CHUNK, LINE = 2**20, 2**16
NUMBERS = b"0123456789+-.,eE \t\r\n\f\v"
"""What numbers are written with, and what stands between them."""


def refuse_broken_text(path: Path, cells: int, *, nan: bool) -> None:
    """Raise unless an ESRI ASCII grid holds a number for every cell; the header's lines go first.

    `nan` says whether that word is a number to GDAL: it is 0 in a grid of whole numbers.

    Raises
    ------
    DowncutError
        With the count, or what stands where a number should.
    """
    count, inside, known = 0, False, NUMBERS + b"nNaA" * nan
    with path.open("rb") as file:
        for line in iter(lambda: file.readline(LINE), b""):
            if not line.lstrip()[:1].isalpha() or line.lstrip()[:3].lower() == b"nan":
                file.seek(-len(line), 1)
                break
        while chunk := file.read(CHUNK):
            if strange := chunk.translate(None, known)[:9].decode("latin-1"):
                raise DowncutError(f"{path} holds {shown(strange)} among its heights")
            count += len(chunk.split()) - (inside and not chunk[:1].isspace())
            inside = not chunk[-1:].isspace()
    if count < cells:
        raise DowncutError(f"{path} is cut off: it has {count:,} heights of {cells:,}")
