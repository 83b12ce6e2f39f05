"""Whether the values of a format's options are of the kinds that its writer names."""

import typing
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any

from downcut.errors import DowncutError, shown

WORDS = {str: "a word", int: "a whole number", float: "a number", bool: "true or false"}
LARGEST = 2.0**63
"""No option is a number beyond it; NaN and infinity are left to writers, who name their bounds."""


def fitted(write: Callable[..., Any], name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as the writer takes them: NumPy's numbers as Python's, 2 for 2.0.

    Options of other kinds than words, numbers and truths, as a place on the Earth, stay as they
    are.

    Raises
    ------
    DowncutError
        Naming the option, its value and what it may be.

    Examples
    --------
    >>> def write_x(terrain, file, *, base: float = 3.0, word: str | None = None): ...
    >>> fitted(write_x, "a.x", {"base": 2})
    {'base': 2.0}
    """
    hints = typing.get_type_hints(write)
    return {
        option: _fit(value, hints.get(option), f"{name}: {option}")
        for option, value in options.items()
    }


def _fit(value: Any, hint: Any, name: str) -> Any:
    kinds = set(typing.get_args(hint) or (hint,))
    if not kinds <= {*WORDS, NoneType}:
        return value
    if getattr(value, "shape", None) == ():  # a number of NumPy's
        value = value.item()
    kind = next((k for k in (NoneType, bool, int, float, str) if isinstance(value, k)), object)
    if kind is int and -LARGEST < value < LARGEST and int not in kinds and float in kinds:
        return float(value)
    if kind not in kinds or (kind is int and not -LARGEST < value < LARGEST):
        raise DowncutError(f"{name} is {shown(value)}: give {_words(kinds)}")
    return value


def _words(kinds: set[Any]) -> str:
    return " or ".join(words for kind, words in WORDS.items() if kind in kinds)
