"""What pages say on the live line, checked: each mistake is one sentence."""

from typing import Any

import numpy as np

from downcut.errors import DowncutError, shown


def ask_of(message: dict[str, Any]) -> int:
    """Return the number that a page calls its question by."""
    ask = message.get("ask")
    if not isinstance(ask, int) or isinstance(ask, bool) or not 0 <= ask < 2**53:
        raise DowncutError(f"ask is {shown(ask)}: give a whole number that names the question")
    return ask


def names_of(names: Any) -> list[str]:
    """Return the layers that a page wants to see."""
    if not (
        isinstance(names, list) and len(names) <= 64 and all(isinstance(n, str) for n in names)
    ):
        raise DowncutError(f"layers is {shown(names)}: give a list of names")
    return names


def sizes_of(sizes: Any) -> list[int | None]:
    """Return the sizes that a land is to be grown at, one after another."""
    if not isinstance(sizes, list) or not 1 <= len(sizes) <= 4:
        raise DowncutError(f"sizes is {shown(sizes)}: give one to four numbers of cells")
    return [size_of(size) for size in sizes]


def size_of(size: Any) -> int | None:
    """Return a number of cells along the longer edge; None for the recipe's own."""
    if size is None or (
        isinstance(size, int) and not isinstance(size, bool) and 1 <= size <= 10**6
    ):
        return size
    raise DowncutError(f"size is {shown(size)}: give a number of cells")


def number_of(message: dict[str, Any], name: str, default: float | None = None) -> float:
    """Return a number that a message says, or must say where there is no default."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise DowncutError(f"{name} is {shown(value)}: give a number")
    return float(value)
