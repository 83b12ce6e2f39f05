"""What the executor lends a step: threads, progress, a way to stop, and what it notes down."""

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from downcut.errors import Cancelled, DowncutError, shown
from downcut.features import Table

T = TypeVar("T")
Region = tuple[int, int, int, int]
"""(first row, last row + 1, first column, last column + 1) of a part of an array."""


@dataclass
class Ledger:
    """Earth moved [m³], each sum taken where the movement happens, never as a difference.

    The ground's change in volume is uplifted − eroded + deposited + clamped, and what was eroded
    but not deposited is carried_out (off the map, or still in the water at the end).
    """

    uplifted: float = 0.0
    eroded: float = 0.0
    deposited: float = 0.0
    carried_out: float = 0.0
    clamped: float = 0.0
    """Added (or, negative, taken) by a limit or by rounding."""

    @property
    def change(self) -> float:
        """By how much the ground has grown."""
        return self.uplifted - self.eroded + self.deposited + self.clamped

    def note(self, cell_area: float, **heights: float) -> None:
        """Add heights [m], summed over cells of so many m², to the sums of these names."""
        for name, height in heights.items():
            setattr(self, name, getattr(self, name) + float(height) * cell_area)

    def add(self, other: "Ledger") -> None:
        """Add every sum of `other` to this one."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))


_SUMS = tuple(sum_.name for sum_ in fields(Ledger))


def all_threads() -> int:
    """Return how many threads this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # absent on Windows and macOS
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@dataclass
class Run:
    """How one step is carried out: its threads, its audience, and what it must account for."""

    threads: int = 0
    """How many threads to use; 0 for all."""
    on_progress: Callable[[float], None] | None = None
    """Called with the share of this step that is done, 0 to 1."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Set it from anywhere, and the work ends with Cancelled within a slice."""
    core: Region | None = None
    """The part of the arrays whose earth counts; None for all of it."""
    ledger: Ledger = field(default_factory=Ledger)
    sea_level: float | None = None
    """Height of the sea around the land [m]; None for a land without one."""
    features: dict[str, Table] = field(default_factory=dict)
    """The tables that the step gives beside its layers, by name."""
    files: Mapping[str, Path] | None = None
    """The files that steps may read, by the name that the recipe calls them; None for any path.

    A recipe from a stranger must not name the files of the machine that grows it.
    """
    on_field: Callable[[Any], None] | None = None
    """Called with the elevation, (ny, nx) float32, as it is on the way; it may take its time."""
    shared: dict[str, Any] | None = None
    """What steps of one work leave for each other; None unless whoever gives it promises that
    no layer is written to while it lasts."""
    told: float = 0.0
    """The share of the step that was last told to be done."""

    def __post_init__(self) -> None:
        if not 0 <= self.threads <= 1024:
            raise DowncutError(f"threads is {self.threads}: give 1 to 1024, or 0 for all")
        self.threads = self.threads or all_threads()

    def file(self, name: str) -> Path:
        """Return the path of a file that a step wants to read.

        Raises
        ------
        DowncutError
            If only certain files may be read, and this is none of them.
        """
        if self.files is None:
            return Path(name)
        if name not in self.files:
            raise DowncutError(
                f"file is {shown(name)}, which did not come with the recipe: "
                f"{'give ' + ', '.join(map(shown, self.files)) if self.files else 'none did'}"
            )
        return self.files[name]

    def show(self, elevation: Any) -> None:
        """Let whoever watches see the land as it is now."""
        if self.on_field:
            self.on_field(elevation)

    def core_of(self, shape: tuple[int, int]) -> Region:
        """Return the part of arrays of this shape whose earth counts."""
        return self.core or (0, shape[0], 0, shape[1])

    def slices(
        self,
        work: Callable[[int, int], T],
        count: int,
        size: int,
        part: tuple[int, int] = (0, 1),
    ) -> list[T]:
        """Do `work(start, stop)` for every slice of `range(count)`, in threads.

        Slices must not touch each other's results; what they return comes back in order, so
        sums over it do not depend on threads. `part` is (k, n): this call is the k-th of n
        equal parts of the step, for the progress.

        Raises
        ------
        Cancelled
            If `stop` is set, after the slices under way have ended.
        """
        bounds = [(start, min(start + size, count)) for start in range(0, count, size)]
        if self.threads == 1 or len(bounds) == 1:
            results = []
            for number, (start, stop) in enumerate(bounds):
                self._heed((part[0] + number / len(bounds)) / part[1])
                results.append(work(start, stop))
        else:
            results = self._together(work, bounds, part)
        self._heed((part[0] + 1) / part[1])
        return results

    def _heed(self, share: float) -> None:
        """Tell how far the step is, and stop if asked to."""
        if self.stop.is_set():
            raise Cancelled
        self.told = max(self.told, share)  # a step may call one that counts from 0 again
        if self.on_progress:
            self.on_progress(self.told)

    def _together(
        self, work: Callable[[int, int], T], bounds: list[tuple[int, int]], part: tuple[int, int]
    ) -> list[T]:
        """Take slices in turn, here and in the pool's threads, until none is left."""
        results: dict[int, T] = {}
        left = iter(enumerate(bounds))  # one step of it is one step of the interpreter

        def help_out() -> None:
            for number, slice_ in left:
                results[number] = work(*slice_)

        helpers = min(self.threads, len(bounds)) - 1
        futures = [_pool(self.threads).submit(help_out) for _ in range(helpers)]
        try:
            for number, slice_ in left:
                self._heed((part[0] + len(results) / len(bounds)) / part[1])
                results[number] = work(*slice_)
            for future in futures:
                if not future.cancel():  # one that others keep from beginning has nothing to do
                    future.result()
        except BaseException:  # Ctrl-C too: let nothing run on behind the caller's back
            for _ in left:
                pass
            wait(futures)
            raise
        return [results[number] for number in range(len(bounds))]


_pools: dict[int, ThreadPoolExecutor] = {}
_pools_lock = threading.Lock()


def _pool(threads: int) -> ThreadPoolExecutor:
    """Return the process's pool of this many threads; starting one costs more than a slice."""
    with _pools_lock:
        if threads not in _pools:
            _pools[threads] = ThreadPoolExecutor(threads, thread_name_prefix="downcut")
        return _pools[threads]
