"""Recipes as plain data: what JSON holds, short and long, and its dotted places."""

import difflib
from typing import Any

from downcut.errors import DowncutError, shown
from downcut.step import Record


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON; a name given twice would silently mean its last value."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError(f"{shown(name)} is given twice in one object")
        made[name] = value
    return made


def compact(record: Record, content: dict[str, Any]) -> dict[str, Any]:
    """Drop from `content` what equals the default; keep what says which thing it is."""
    kept: dict[str, Any] = {}
    for name, field in type(record).model_fields.items():
        value, dumped = getattr(record, name), content[name]
        if name not in ("op", "algorithm", "format") and value == field.get_default(
            call_default_factory=True
        ):
            continue
        if isinstance(value, Record):
            dumped = compact(value, dumped)
        elif isinstance(value, (list, tuple)):
            dumped = [
                compact(v, d) if isinstance(v, Record) else d
                for v, d in zip(value, dumped, strict=True)
            ]
        kept[name] = dumped
    return kept


def put(content: Any, place: str, value: Any) -> None:
    """Set the value at a dotted place of plain data."""
    *way, last = place.split(".")
    here = content
    for done, name in enumerate([*way, last]):
        known = range(len(here)) if isinstance(here, list) else here
        key: Any = int(name) if isinstance(here, list) and _is_index(name) else name
        if not isinstance(here, (list, dict)) or key not in known:
            at = cut(".".join(way[:done]) or "the recipe")
            names = list(map(str, known)) if isinstance(here, (list, dict)) else []
            raise DowncutError(f"{cut(place)}: {at} has no {shown(name)}{hint(name, names)}")
        if done == len(way):
            here[key] = value
        else:
            here = here[key]


def cut(place: str) -> str:
    """Return a place as short as a sentence can hold it."""
    return place if len(place) < 200 else f"{place[:100]}…{place[-60:]}"


def _is_index(name: str) -> bool:
    return name.isdecimal() and len(name) < 10


def hint(name: str, names: list[str]) -> str:
    """Return how a sentence about an unknown name goes on."""
    near = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(names)}"
