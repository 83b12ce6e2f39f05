"""Layers that a target wants and a recipe does not make: appended as default steps."""

from collections.abc import Iterable

from downcut.errors import DowncutError, shown
from downcut.recipe import Recipe
from downcut.step import Step
from downcut.steps import STEPS, op_of

DRESSERS = ("hydrology.", "surface.")
"""Steps that only look at the land, so that it stays as the recipe made it."""


def dressed(recipe: Recipe, layers: Iterable[str]) -> Recipe:
    """Return the recipe with a default step appended for each wanted layer that it does not make.

    Only steps that change no ground are appended, so the elevation keeps its bits.

    Raises
    ------
    DowncutError
        For a layer that no such step makes.

    Examples
    --------
    >>> import downcut as dc
    >>> recipe = dressed(dc.preset("sine-hills"), ["wetness", "elevation"])
    >>> [step.op for step in recipe.steps]
    ['fields.sines', 'erosion.droplets', 'hydrology.wetness']
    """
    made = {
        name
        for stage in recipe.stages(once=True)
        for task in stage.tasks
        for name in task.step.outputs()
        if stage.feature_size is None or name == "elevation"  # a lattice keeps its other layers
    }
    steps: list[Step] = []
    for wanted in layers:
        _append(wanted, made, steps)
    if not steps:
        return recipe
    content = recipe.model_dump(mode="json")
    content["steps"] += [step.model_dump(mode="json") for step in steps]
    return Recipe.from_dict(content)


def _append(wanted: str, made: set[str], steps: list[Step]) -> None:
    """Append the step that makes a layer, after the steps that make what it reads."""
    if wanted in made:
        return
    makers = {name: kind for kind in STEPS if _dresses(kind) for name in kind.writes}
    if wanted not in makers:
        known = ", ".join(sorted(makers))
        raise DowncutError(f"no layer {shown(wanted)} can be added to a land; there are {known}")
    step = makers[wanted].model_validate({})
    for argument, needed in step.inputs().items():
        if argument not in step.optional():
            _append(needed, made, steps)
    steps.append(step)
    made.update(step.outputs())


def _dresses(kind: type[Step]) -> bool:
    return op_of(kind).startswith(DRESSERS)
