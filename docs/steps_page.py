"""The page of the steps: their records as tables, the same text on every machine."""

import inspect
import re
import types
from collections.abc import Iterable
from typing import Any

import references

from downcut import report
from downcut.recipe import Recipe
from downcut.step import Record, Step
from downcut.steps import STEPS, Repeat, op_of

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

PACKAGES = {
    "fields": "They make the ground, or any other layer, from positions alone.",
    "erosion": "It changes the ground, and accounts for the earth it moves.",
    "hydrology": "It reads the ground and names water.",
    "surface": "It dresses the land: light, colour, what covers the ground.",
}

HEAD = """\
# Steps

Made by `make docs` from the program's own records: do not edit. `downcut schema` prints the same as
JSON Schema, and `downcut schema thermal` explains one step in the terminal.

Parameters are in world units or dimensionless (unit 1). *none* stands for JSON's `null`. Every step
also has `algorithm`, the version of its arithmetic; leave it out, and the present one is meant.
"""


def text() -> str:
    """Return docs/steps.md."""
    parts = [HEAD]
    for package, what in PACKAGES.items():
        kinds = [kind for kind in STEPS if op_of(kind).startswith(f"{package}.")]
        parts.append(f"## {package.capitalize()}\n\n{what}\n")
        parts += [step_section(kind) for kind in kinds]
    parts.append("## The recipe around them\n")
    parts += [record_section(Repeat, "repeat"), record_section(Recipe, "Recipe")]
    parts += [record_section(kind, kind.__name__) for kind in parts_of((*STEPS, Recipe))]
    parts.append(references.reference_list(key for kind in STEPS for key in sources(kind)))
    return "\n".join(parts)


def sources(kind: type[Step]) -> list[str]:
    """Return the keys that a step cites, in its record or its docstring."""
    return [key.lower() for key in (*kind.cites, *references.MENTION.findall(first(kind)))]


def first(kind: type[Record]) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join(inspect.getdoc(kind).split("\n\n")[0].split())


def parts_of(kinds: Iterable[type[Record]]) -> list[type[Record]]:
    """Return the records that are parameters of others, as Warp, in the order they are met."""
    found: dict[type[Record], None] = {}
    for kind in kinds:
        for field in kind.model_fields.values():
            found |= dict.fromkeys(_records_in(field.annotation))
    return list(found)


def _records_in(annotation: Any) -> list[type[Record]]:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        named = issubclass(annotation, Record) and not issubclass(annotation, (Step, Repeat))
        return [annotation] if named else []
    inner = getattr(annotation, "__args__", ())
    return [record for part in inner for record in _records_in(part)]


def step_section(kind: type[Step]) -> str:
    """Return what a step does, what it reads and writes, its parameters and its sources."""
    step = kind()
    reads = [
        f"`{name}`{' (if there is one)' if argument in step.optional() else ''}"
        for argument, name in step.inputs().items()
    ]
    known = references.load()
    facts = [f"Reads {', '.join(reads) or 'nothing'}; writes {_codes(step.outputs())}."]
    if kind.cites:
        links = [references.link(key.lower(), known) for key in kind.cites]
        facts.append(f"Sources: {', '.join(links)}.")
    facts.append(
        "The same bits on every processor." if kind.exact else "Not bit-exact across processors."
    )
    return record_section(kind, op_of(kind), " ".join(facts))


def record_section(kind: type[Record], title: str, facts: str = "") -> str:
    """Return a heading, the first paragraph of the docstring, and the table of parameters."""
    parts = [
        f"### {title}",
        references.linked(first(kind)),
        facts,
        parameters(kind.model_json_schema()),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def parameters(schema: dict[str, Any]) -> str:
    """Return the table of a record's parameters."""
    properties = schema["properties"] if "properties" in schema else _target(schema)["properties"]
    rows = [
        [f"`{name}`", default(it), unit(it), allowed(it), it.get("description", "")]
        for name, it in properties.items()
        if name not in ("op", "algorithm", "format")
    ]
    if not rows:
        return "No parameters."
    lines = [["parameter", "default", "unit", "range", "what it does"], ["---"] * 5, *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _target(schema: dict[str, Any]) -> dict[str, Any]:
    return schema["$defs"][schema["$ref"].rsplit("/", 1)[1]]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def default(declared: dict[str, Any]) -> str:
    """Return a parameter's default in few words; empty where one must be given."""
    if "default" not in declared:
        return ""
    value = declared["default"]
    if value is None:
        return "*none*"
    if isinstance(value, list):
        return f"{len(value)} of them"
    if isinstance(value, dict):
        return ", ".join(f"{name} {part:g}" for name, part in value.items())
    return f"{value:g}" if isinstance(value, float) else f"{value}".lower()


def allowed(declared: dict[str, Any]) -> str:
    """Return the values a parameter may have; another record by a link."""
    options = [declared, *declared.get("anyOf", ()), declared.get("items", {})]
    for name in (each["$ref"].rsplit("/", 1)[1] for each in options if "$ref" in each):
        return f"[{name}](#{name.lower()})"
    if "oneOf" in declared.get("items", {}):
        return "steps"
    if patterns := [each["pattern"] for each in options if "pattern" in each]:
        return "name of a layer" if patterns[0].startswith("^[a-z]") else "text"
    return re.sub(r"1e\+0?(\d+)", lambda m: f"10{m[1].translate(RAISED)}", report.allowed(declared))


def unit(declared: dict[str, Any]) -> str:
    """Return a parameter's unit, of one that may be none too."""
    options = [declared, *declared.get("anyOf", ())]
    return next((each["unit"] for each in options if "unit" in each), "")
