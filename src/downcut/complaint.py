"""What is wrong with a recipe, in one sentence that names the place and the way out."""

from typing import Any

from pydantic import ValidationError

from downcut.errors import shown
from downcut.plain import cut, hint
from downcut.step import Record
from downcut.steps import STEPS, Repeat, op_of


def explain(error: ValidationError, root: type[Record]) -> str:
    """Turn pydantic's first complaint into one sentence with the place, the value, the way out."""
    first = error.errors(include_url=False)[0]
    ops = {*map(op_of, STEPS), "repeat"}
    place = cut(".".join(str(part) for part in first["loc"] if part not in ops)) or "the recipe"
    if first["type"] == "extra_forbidden":
        *_, name = first["loc"]
        names = sorted(_names_at(root, first["loc"][:-1]))
        return f"{place}: no such parameter{hint(str(name), names)}"
    if first["type"] == "union_tag_invalid":
        op = str(first["ctx"]["tag"])
        return f"{place}: no step is called {shown(op)}{hint(op, sorted(ops))}"
    if first["type"] == "union_tag_not_found":
        return f'{place}: a step needs its name, as {{"op": "fields.fbm"}}'
    message = first["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    if first["type"] in ("value_error", "missing"):
        return f"{place}: {message}" if first["loc"] else message
    return f"{place} is {shown(first['input'])}: {message.replace('input should', 'it should')}"


def _names_at(root: type[Record], loc: tuple[int | str, ...]) -> set[str]:
    """Return the parameters of the record at a place of pydantic's, which names ops on its way."""
    by_op: dict[Any, type[Record]] = {op_of(cls): cls for cls in STEPS}
    here: type[Record] = root
    for part in loc:
        if part in by_op or part == "repeat":
            here = by_op.get(part, Repeat)
        elif isinstance(part, str) and part in here.model_fields:
            records = _records_in(here.model_fields[part].annotation)
            here = records[0] if len(records) == 1 else here
    return set(here.model_fields)


def _records_in(annotation: Any) -> list[type[Record]]:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return [annotation]
    inner = getattr(annotation, "__args__", ())
    return [record for part in inner for record in _records_in(part)]
