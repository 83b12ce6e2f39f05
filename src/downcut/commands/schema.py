"""`downcut schema`: recipes as JSON Schema, or one step in words."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from downcut import request
from downcut.commands.app import app
from downcut.errors import DowncutError

if TYPE_CHECKING:
    from downcut.step import Record


@app.command()
def schema(
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="A step, as erosion.droplets.")
    ] = None,
) -> None:
    """Print the JSON Schema of recipes, or explain one step.

    \b
    downcut schema erosion.droplets     (or droplets; docs/steps.md lists all)
    downcut schema > recipe.schema.json
    """
    from downcut import report
    from downcut.recipe import Recipe
    from downcut.steps import STEPS, Repeat, op_of

    if step is None:
        print(json.dumps(Recipe.model_json_schema(), indent=2, ensure_ascii=False))
        return
    by_op: dict[str, type[Record]] = {**{op_of(each): each for each in STEPS}, "repeat": Repeat}
    short = [op for op in by_op if op.endswith(f".{step}")]
    op = short[0] if len(short) == 1 else step
    if op not in by_op:
        raise DowncutError(f"no step is called {step!r}{request.near(step, list(by_op))}")
    report.say(by_op[op].model_json_schema(), lambda it: report.parameters(op, it), as_json=False)
