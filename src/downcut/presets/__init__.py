"""The recipes that ship, as plain data: read without importing a single step."""

import json
from importlib import resources
from typing import Any

from downcut.errors import DowncutError

FIRST = "alpine"
"""The one that the studio begins with."""
FIRST_LAND = "first.land.gz"
"""Its land, small: a gzip of the blocks of `downcut.export.blocks`, made by `make docs`."""


def names() -> list[str]:
    """Return the presets' names."""
    return sorted(
        entry.name.removesuffix(".json")
        for entry in resources.files(__name__).iterdir()
        if entry.name.endswith(".json")
    )


def load(name: str) -> dict[str, Any]:
    """Return the recipe of this name.

    Raises
    ------
    DowncutError
        If there is none; the message lists them.
    """
    if name not in names():
        raise DowncutError(f"no preset is called {name!r}; there are {', '.join(names())}")
    text = (resources.files(__name__) / f"{name}.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def first_land() -> bytes:
    """Return the land that the studio shows at once, packed as it ships."""
    return (resources.files(__name__) / FIRST_LAND).read_bytes()
