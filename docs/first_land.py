"""The land that the studio shows at once: a preset grown small, as blocks in one file."""

import gzip
from pathlib import Path

import downcut as dc
from downcut import presets
from downcut.export import blocks

EDGE = 320
LARGEST = 600_000
"""Bytes that the file may have: it ships, and every studio begins with it."""


def write() -> None:
    """Grow the first preset and put it beside the others in the package."""
    land = dc.generate(dc.preset(presets.FIRST, size=EDGE))
    data = blocks.joined(blocks.seen(land, digest=land.recipe.digest, land=presets.FIRST))
    packed = gzip.compress(data, 9, mtime=0)
    if len(packed) > LARGEST:
        raise SystemExit(f"the first land has {len(packed)} bytes and {LARGEST} are the limit")
    (Path(presets.__file__).parent / presets.FIRST_LAND).write_bytes(packed)
