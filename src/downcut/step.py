"""What every step is: a frozen record of parameters which, called with arrays, returns arrays."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from downcut.errors import Cancelled, DowncutError
from downcut.grid import Grid
from downcut.layers import layer
from downcut.randomness import check_seed, derive
from downcut.run import Run

Array = NDArray[Any]
FARTHEST_HEIGHT = 1e12
"""Heights [m] whose slopes, squared, float32 still holds on the smallest cells."""
HIGHEST_SEA = 20_000
"""How far from the datum a sea may lie [m]."""

# The unit a person sees beside the slider; "1" marks a dimensionless number.
Metres = Annotated[float, Field(json_schema_extra={"unit": "m"})]
SquareMetres = Annotated[float, Field(json_schema_extra={"unit": "m²"})]
Degrees = Annotated[float, Field(json_schema_extra={"unit": "°"})]
Years = Annotated[float, Field(json_schema_extra={"unit": "yr"})]
Share = Annotated[float, Field(json_schema_extra={"unit": "1"}, ge=0, le=1)]
Number = Annotated[float, Field(json_schema_extra={"unit": "1"})]
Count = Annotated[int, Field(json_schema_extra={"unit": "1"})]
FeatureSize = Annotated[float, Field(ge=0.01, le=1e6, json_schema_extra={"unit": "m"})] | None


def _has_one_band(name: str) -> str:
    if (bands := layer(name).bands) > 1:
        raise ValueError(f"{name} holds {bands} numbers a cell: name a layer that holds one")
    return name


def _takes_any_number(name: str) -> str:
    if (kind := np.dtype(layer(name).dtype)) != np.float32:
        raise ValueError(f"{name} holds {kind.name}, and this step makes float32: name another")
    return name


LayerName = Annotated[
    str,
    Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", json_schema_extra={"unit": ""}),
    AfterValidator(_has_one_band),
]
"""A layer that a step may be told to read."""
TargetName = Annotated[LayerName, AfterValidator(_takes_any_number), Field(title="goes into")]
"""A layer that a step may be told to write."""


class Record(BaseModel):
    """A frozen set of parameters, each with its bounds, unit and a sentence for its slider."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )

    @field_validator("*")
    @classmethod
    def _zero_has_no_sign(cls, value: Any) -> Any:
        """−0 equals 0 but is written otherwise: equal records have one text, and one digest."""
        return value + 0.0 if isinstance(value, float) else value


class Step(Record):
    """One thing done to the land.

    A subclass declares what it reads and writes and implements `apply`. Everyone calls the
    instance: `step(elevation, grid=grid)`, with the arrays in the order of `inputs`.
    """

    reads: ClassVar[tuple[str, ...]] = ()
    """The call's arguments, each the name of a layer."""
    writes: ClassVar[tuple[str, ...]] = ()
    """The layers of the result, in order."""
    features: ClassVar[tuple[str, ...]] = ()
    """The tables that it puts into `run.features`; the executor lets it see the whole map then."""
    cites: ClassVar[tuple[str, ...]] = ()
    """Keys of docs/references.bib."""
    current_algorithm: ClassVar[int] = 1
    """Rises when the step's bits change."""
    exact: ClassVar[bool] = True
    """Only + − × ÷ √ and integers: the same bits on every processor."""
    nanoseconds: ClassVar[float] = 10.0
    """Rough cost a cell, for the time left that is shown."""
    working_bytes: ClassVar[int] = 8
    """Memory a cell beside the layers, for the estimate before work starts."""

    op: str
    algorithm: Annotated[int, Field(json_schema_extra={"unit": "1"}, ge=1)] = 1
    """Which version of the step's arithmetic the recipe was made with."""

    @field_validator("algorithm")
    @classmethod
    def _is_current(cls, value: int) -> int:
        if value != cls.current_algorithm:
            raise ValueError(
                f"this recipe was made with algorithm {value} of this step and this version has "
                f"{cls.current_algorithm}: remove the number to accept a different land, or "
                "install the version that made it"
            )
        return value

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "current_algorithm" in cls.__dict__:
            cls.__annotations__.setdefault("algorithm", Step.__annotations__["algorithm"])
            told = Step.model_fields["algorithm"].description
            cls.algorithm = Field(cls.current_algorithm, description=told)

    def inputs(self) -> dict[str, str]:
        """Return which layer each argument of the call is taken from."""
        return {name: name for name in self.reads}

    def outputs(self) -> tuple[str, ...]:
        """Return the names of the layers that come out."""
        return self.writes

    def optional(self) -> frozenset[str]:
        """Return the arguments that may be missing (None)."""
        return frozenset()

    def halo(self, grid: Grid) -> int | None:
        """Return how many cells around a window decide it; None if the whole map does."""
        raise NotImplementedError

    def work(self) -> float:
        """Return the rough cost of a cell [ns]."""
        return self.nanoseconds

    def outside(self, run: Run) -> str:
        """Return the name of all that decides the outputs and is no parameter: a file's content."""
        return ""

    def apply(self, *arrays: Any, grid: Grid, key: int, run: Run) -> Array | tuple[Array, ...]:
        """Make the outputs from clean, read-only inputs; `key` is all the chance there is."""
        raise NotImplementedError

    def __call__(
        self,
        *arrays: ArrayLike | None,
        grid: Grid,
        seed: int | str = 0,
        sea_level: float | None = None,
        run: Run | None = None,
        **named: ArrayLike | None,
    ) -> Any:
        """Apply the step to arrays, given in the order of `inputs` or by name.

        Parameters
        ----------
        *arrays, **named : (ny, nx) array-like
            Any dtype, byte order and stride; copied once where it must be; never written to.
        grid : Grid
            Where the cells lie.
        seed : int or str
            As a recipe with this seed would use it for its first step of this kind.
        sea_level : float, optional
            Height of the sea [m], for the steps that care; none for a land without one.
        run : Run, optional
            Give one to read its `ledger` and `features` afterwards.

        Returns
        -------
        ndarray, or one for each name in `outputs()`

        Raises
        ------
        DowncutError
            For arrays of another shape than the grid's, with NaN or infinity, or missing.
        """
        key = derive(check_seed(seed), self.op, 0)
        run = run or Run()
        if sea_level is not None:
            run = replace(run, sea_level=check_sea_level(sea_level))
        return self.on(self._bind(arrays, named), grid=grid, key=key, run=run)

    def on(
        self, arrays: Mapping[str, ArrayLike | None], *, grid: Grid, key: int, run: Run
    ) -> Array | tuple[Array, ...]:
        """Apply the step to arrays by the name of their argument: the executor's way in."""
        if run.stop.is_set():
            raise Cancelled
        clean = []
        for argument, name in self.inputs().items():
            value = arrays.get(argument)
            if value is None and argument not in self.optional():
                raise DowncutError(
                    f"{self.op} reads the layer {name!r}, which no step before it makes"
                )
            clean.append(None if value is None else at_the_door(value, argument, name, grid))
        return self.apply(*clean, grid=grid, key=key, run=run)

    def _bind(
        self, arrays: tuple[ArrayLike | None, ...], named: dict[str, ArrayLike | None]
    ) -> dict[str, ArrayLike | None]:
        wanted = list(self.inputs())
        unknown = sorted(set(named) - set(wanted)) or list(
            map(str, range(len(wanted), len(arrays)))
        )
        if unknown:
            raise DowncutError(
                f"{self.op} takes no array {unknown[0]}; it takes {', '.join(wanted) or 'none'}"
            )
        return {**dict(zip(wanted, arrays, strict=False)), **named}


def check_sea_level(level: float) -> float:
    """Return the height of the sea if it is one.

    Raises
    ------
    DowncutError
        Unless it lies within ±20 000 m.
    """
    if not abs(level) <= HIGHEST_SEA:
        raise DowncutError(f"sea_level is {level}: it lies from {-HIGHEST_SEA} to {HIGHEST_SEA} m")
    return float(level)


def at_the_door(value: ArrayLike, argument: str, name: str, grid: Grid) -> Array:
    """Return `value` as a clean array of the layer's dtype, C order; a copy only where needed.

    Raises
    ------
    DowncutError
        For a shape other than the grid's, values that are not real numbers, NaN or infinity, or
        heights beyond ±10¹² m.
    """
    declared = layer(name)
    array = np.asanyarray(value)
    shape = grid.shape if declared.bands == 1 else (*grid.shape, declared.bands)
    if array.shape != shape:
        raise DowncutError(f"{argument} has shape {array.shape}, the grid has {shape}")
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise DowncutError(f"{argument} has masked cells: fill them first")
    if array.dtype.kind not in "biuf":
        raise DowncutError(f"{argument} has dtype {array.dtype}: give real numbers")
    if np.dtype(declared.dtype).kind in "iu":
        _refuse_unless_it_fits(array, argument, np.iinfo(declared.dtype))
    with np.errstate(over="ignore"):  # too large for the layer: counted as infinite below
        array = np.ascontiguousarray(array, dtype=declared.dtype)
    refuse_unreal(array, argument, name)
    return array


def refuse_unreal(array: Array, argument: str, name: str) -> None:
    """Refuse what the layer of this name may not hold: NaN, infinity, a height out of reach.

    Raises
    ------
    DowncutError
        With how many cells, or from what to what.
    """
    if array.dtype.kind == "f":
        low, high = _range_without_gaps(array, argument)
        if layer(name).unit == "m":
            _refuse_beyond(low, high, argument, FARTHEST_HEIGHT)


def _range_without_gaps(array: Array, argument: str) -> tuple[float, float]:
    # The lowest and the highest tell of any gap: both are NaN where a cell is.
    with np.errstate(invalid="ignore"):
        low, high = float(array.min()), float(array.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        bad = int(np.count_nonzero(~np.isfinite(array)))
        raise DowncutError(
            f"{argument} has {bad} of {array.size} cells that are NaN or infinite: fill them first"
        )
    return low, high


def _refuse_unless_it_fits(array: Array, argument: str, limits: "np.iinfo[Any]") -> None:
    """Refuse what a layer of whole numbers cannot hold: it would wrap around."""
    if array.dtype.kind == "f":
        _range_without_gaps(array, argument)
    if array.size and not (limits.min <= array.min() and array.max() <= limits.max):
        raise DowncutError(
            f"{argument} has values from {array.min()} to {array.max()}: "
            f"give {limits.min} to {limits.max}"
        )


def _refuse_beyond(low: float, high: float, argument: str, limit: float) -> None:
    if max(-low, high) > limit:
        raise DowncutError(
            f"{argument} has values from {low:g} to {high:g}: give {-limit:g} to {limit:g}"
        )
