"""A recipe: a ground, a seed and a list of steps, and the names that recipes go by."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from downcut.complaint import explain
from downcut.errors import DowncutError, shown
from downcut.grid import SMALLEST_CELL, Grid
from downcut.plain import compact, each_once, put
from downcut.randomness import check_seed, derive
from downcut.step import HIGHEST_SEA, Count, Metres, Record, Step
from downcut.steps import AnyStep, Repeat

FORMAT: Literal[1] = 1
"""The shape of recipe files; rises when an old file needs a migration to be read."""
MOST_RUNS = 100_000
"""How often a recipe may run a step in all: repeats inside repeats multiply."""

Seed = Annotated[
    int | str,
    BeforeValidator(check_seed),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "default": "0", "maxLength": 200}),
]


class Extent(Record):
    """The ground: how many cells there are and how large they are."""

    ny: Count = Field(512, ge=1, le=1_000_000)
    """Rows, from north to south."""
    nx: Count = Field(512, ge=1, le=1_000_000)
    """Columns, from west to east."""
    cell_size: Metres = Field(30.0, ge=SMALLEST_CELL, le=100_000)
    """Edge of a cell."""

    @property
    def grid(self) -> Grid:
        """The grid, centred on the world's origin."""
        return Grid(self.ny, self.nx, self.cell_size)


@dataclass(frozen=True)
class Stage:
    """A step of the recipe's own list, or a Repeat, with all that it unrolls to."""

    tasks: tuple["Task", ...]
    feature_size: float | None
    """Cell of the lattice it runs on [m]; None for the land's own."""


@dataclass(frozen=True)
class Task:
    """One execution of one step: which, at which place of the recipe, with which chance."""

    step: Step
    path: str
    """Where it stands, as the command line names it: steps.1 or steps.2.steps.0."""
    key: int
    """All the chance there is for it."""


class Recipe(Record):
    """How to grow a piece of land: the same recipe gives the same bits everywhere."""

    format: Literal[1] = FORMAT
    """The shape of this file."""
    title: str = Field("", max_length=200)
    """What the land is called."""
    description: str = Field("", max_length=2000)
    """A sentence about it."""
    grid: Extent = Extent()
    """The ground."""
    seed: Seed = 0
    """A whole number from 0 to 2⁶⁴−1, or a word."""
    sea_level: Metres | None = Field(None, ge=-HIGHEST_SEA, le=HIGHEST_SEA)
    """Height of the sea, for every step that cares; none for a land without one."""
    steps: list[AnyStep] = Field(min_length=1, max_length=1000)
    """What is done, in order."""

    unnamed: ClassVar[set[str]] = {"title", "description"}
    """Fields that do not change the land and so are not part of its digest."""

    @model_validator(mode="after")
    def _ends(self) -> "Recipe":
        if (runs := _runs(self.steps)) > MOST_RUNS:
            raise ValueError(
                f"the recipe would run {shown(runs)} steps, repeats multiplied, and {MOST_RUNS} is "
                "the limit: lower the times of a repeat"
            )
        return self

    @model_validator(mode="after")
    def _lattices_nest(self) -> "Recipe":
        for step, stage in zip(self.steps, self.stages(once=True), strict=True):
            if not isinstance(step, Repeat):
                continue
            for task in stage.tasks:
                if getattr(task.step, "feature_size", None) is not None:
                    raise ValueError(
                        f"{task.path} ({task.step.op}) has a feature_size inside a repeat: give it "
                        "to the repeat, whose rounds all run on one lattice"
                    )
        return self

    @model_validator(mode="after")
    def _layers_exist(self) -> "Recipe":
        made: set[str] = set()
        for index, stage in enumerate(self.stages(once=True)):
            inside = set(made)
            if stage.feature_size is not None and "elevation" not in made:
                raise ValueError(
                    f"steps.{index} has a feature_size: it changes the layer 'elevation', which no "
                    f"step before it makes; made so far: {', '.join(sorted(made)) or 'none'}"
                )
            for task in stage.tasks:
                optional = task.step.optional()
                for argument, name in task.step.inputs().items():
                    if name not in inside and argument not in optional:
                        raise ValueError(
                            f"{task.path} ({task.step.op}) reads the layer {name!r}, which no step "
                            f"before it makes; made so far: {', '.join(sorted(inside)) or 'none'}"
                        )
                inside.update(task.step.outputs())
            # a lattice hands over the change of elevation; its other layers stay there
            made |= inside if stage.feature_size is None else inside & {"elevation"}
        return self

    def tasks(self, once: bool = False) -> Iterator[Task]:
        """Unroll the recipe into executions; with `once`, each step of a Repeat a single time.

        A step's chance is derived from the seed, its op, how many of that op stand before it and
        the iteration: other steps can come and go without changing it.
        """
        seen: dict[str, int] = {}

        def walk(steps: list[Any], path: str, rounds: tuple[int, ...]) -> Iterator[Task]:
            for index, step in enumerate(steps):
                place = f"{path}.{index}"
                if isinstance(step, Repeat):
                    for iteration in range(1 if once else step.times):
                        yield from walk(step.steps, f"{place}.steps", (*rounds, iteration))
                    continue
                number = numbers[place]
                yield Task(step, place, derive(self.seed, step.op, number, *rounds))

        numbers: dict[str, int] = {}

        def count(steps: list[Any], path: str) -> None:
            for index, step in enumerate(steps):
                place = f"{path}.{index}"
                if isinstance(step, Repeat):
                    count(step.steps, f"{place}.steps")
                else:
                    numbers[place] = seen.get(step.op, 0)
                    seen[step.op] = numbers[place] + 1

        count(self.steps, "steps")
        return walk(self.steps, "steps", ())

    def stages(self, once: bool = False) -> list[Stage]:
        """Return the recipe's own list with its steps unrolled, as `tasks` does."""
        tasks: dict[str, list[Task]] = {}
        for task in self.tasks(once):
            tasks.setdefault(task.path.split(".")[1], []).append(task)
        return [
            Stage(tuple(tasks[str(index)]), getattr(step, "feature_size", None))
            for index, step in enumerate(self.steps)
        ]

    @cached_property
    def digest(self) -> str:
        """The recipe's name: equal for recipes that give the same land."""
        return self.prefix_digest(len(self.steps))

    def prefix_digest(self, count: int) -> str:
        """Return the name of the recipe cut after its first `count` steps."""
        content = self.model_dump(mode="json", exclude=self.unnamed)
        content["steps"] = list(map(_named, content["steps"][:count]))
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def to_json(self, *, full: bool = False, indent: int | None = 2) -> str:
        """Return the recipe as text: what differs from the defaults, or (`full`) everything."""
        content = self.model_dump(mode="json")
        return json.dumps(
            content if full else compact(self, content), indent=indent, ensure_ascii=False
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> "Recipe":
        """Read a recipe from compact or full text.

        Raises
        ------
        DowncutError
            Naming the place of the first mistake, the value and what is allowed.
        """
        try:
            content = json.loads(text, object_pairs_hook=each_once)
        except (ValueError, RecursionError) as error:
            raise DowncutError(f"the recipe is not JSON: {error}") from None
        return cls.from_dict(content)

    @classmethod
    def from_dict(cls, content: Any) -> "Recipe":
        """Read a recipe from plain data; see `from_json`."""
        try:
            return cls.model_validate(content)
        except ValidationError as error:
            raise DowncutError(explain(error, cls)) from None

    def changed(
        self,
        *,
        size: int | tuple[int, int] | None = None,
        cell_size: float | None = None,
        seed: int | str | None = None,
        settings: dict[str, Any] | None = None,
    ) -> "Recipe":
        """Return the recipe with another size, cell size, seed or parameters.

        A size alone keeps the extent (its shorter edge for another shape) and changes the cell;
        with `cell_size` it changes the extent. `settings` maps places to values, as
        {"steps.1.rounds": 8}.
        """
        content = self.model_dump(mode="json")
        if size is not None:
            ny, nx = (size, size) if isinstance(size, int) else size
            if cell_size is None and min(ny, nx) >= 1:
                shorter = min(self.grid.ny, self.grid.nx) * self.grid.cell_size
                content["grid"]["cell_size"] = shorter / min(ny, nx)
            content["grid"] |= {"ny": ny, "nx": nx}
        if cell_size is not None:
            content["grid"]["cell_size"] = cell_size
        if seed is not None:
            content["seed"] = str(check_seed(seed))
        for place, value in (settings or {}).items():
            put(content, place, value)
        return type(self).from_dict(content)


def _named(step: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a step where its file lies, once the file's content has a name."""
    if "steps" in step:
        return step | {"steps": list(map(_named, step["steps"]))}
    return {k: v for k, v in step.items() if k != "file"} if step.get("content") else step


def _runs(steps: list[Any]) -> int:
    """Return how often steps run, repeats multiplied."""
    return sum(s.times * _runs(s.steps) if isinstance(s, Repeat) else 1 for s in steps)
