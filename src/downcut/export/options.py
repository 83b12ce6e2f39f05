"""What a format lets one choose: kinds from its writer's signature, words from the docstring."""

import inspect
import re
import sys
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from types import NoneType
from typing import Any

from downcut.export.formats import Writer

KINDS = {bool: "switch", int: "count", float: "number", str: "text"}
"""What a page calls the kinds of values."""


@dataclass(frozen=True)
class Choice:
    """One keyword of a writer."""

    name: str
    kind: str
    """One of `KINDS`."""
    default: Any
    """None where the writer decides by itself."""
    meaning: str
    """For the person who may want another value; may be empty."""
    choices: tuple[str | int, ...] = ()
    """What it may be, where there are only these."""
    bounds: tuple[int, int] | None = None
    """The least and the most that a count may be, where both are told."""
    unit: str = ""


def choices_of(write: Writer) -> list[Choice]:
    """Return what may be chosen of a writer; places on the Earth are left to who asks for them.

    Examples
    --------
    >>> from downcut.export.formats import FORMATS
    >>> [(c.name, c.kind, c.default) for c in choices_of(FORMATS[".obj"].write)]
    [('max_error', 'number', None)]
    >>> choices_of(FORMATS[".usd"].write)[1].choices
    ('z', 'y')
    """
    hints, told = typing.get_type_hints(write), dict(_told(write))
    found = []
    for name, parameter in inspect.signature(write).parameters.items():
        kinds = set(typing.get_args(hints[name]) or (hints[name],)) - {NoneType}
        if parameter.kind is not parameter.KEYWORD_ONLY or not kinds <= set(KINDS):
            continue
        heading, meaning = told.get(name, ("", ""))
        kind = KINDS[next(k for k in KINDS if k in kinds)]
        few = tuple(re.findall(r'"([^"]+)"', heading)) or _pair("or", heading) or ()
        unit = "".join(re.findall(r"\[(.+)\]", heading))
        told_of = (meaning, few, _pair("to", heading), unit)
        found.append(Choice(name, kind, parameter.default, *told_of))
    return found


def _pair(word: str, text: str) -> tuple[int, int] | None:
    """Return the two whole numbers that stand on either side of a word, if they do."""
    found = re.search(rf"(\d+) {word} (\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


def _told(write: Writer) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield (name, (what stands behind it, its meaning)) of a docstring's parameters."""
    text = inspect.getdoc(write) or ""
    _, _, below = text.partition("\nParameters\n----------\n")
    if not below and (other := re.search(r"see `(write_\w+)`", text)):
        yield from _told(getattr(sys.modules[write.__module__], other[1]))
    entries = below.split("\n\n")[0]
    for entry in re.finditer(r"^(\S.*)((?:\n +.*)*)", entries, re.MULTILINE):
        names, _, heading = entry[1].partition(" : ")
        meaning = " ".join(entry[2].split()).replace("`", "")
        for name in names.split(", "):
            yield name, (heading, meaning)
