"""The programs that a land can be handed to, one file a target."""

import importlib
from typing import TYPE_CHECKING

from downcut.errors import DowncutError

if TYPE_CHECKING:
    from downcut.export.targets.target import Target

# Every target there is: a new one takes one file, whose TARGET it is, and its name here.
NAMES = (
    "unreal",
    "unity",
    "godot",
    "blender",
    "gis",
    "map",
    "web",
    "site",
    "print",
    "usd",
    "mujoco",
)


def by_name(name: str) -> "Target":
    """Return the target of this name.

    Raises
    ------
    DowncutError
        For a name that there is not.
    """
    if name not in NAMES:
        import difflib

        near = difflib.get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(NAMES)}"
        raise DowncutError(f"no target is called {name!r}; {hint}")
    found: Target = importlib.import_module(f"downcut.export.targets.{name}").TARGET
    return found
