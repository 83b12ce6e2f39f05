"""Kernels of droplets that tick: to count droplets and steps, never to be timed.

A kernel's parts are exchanged before it is first compiled, so this needs a process and a cache of
kernels of its own.
"""

import contextlib
import ctypes
import warnings
from collections.abc import Callable, Iterator

from numba import njit
from numba.core.errors import NumbaWarning

from downcut.erosion import rolling
from downcut.erosion.lanes import GOES, LANES

Counts = dict[str, int]


@contextlib.contextmanager
def counting() -> Iterator[Callable[[], Counts]]:
    """Yield a function that returns the droplets and steps within the map since it was called."""
    seen = {"droplets": 0, "steps": 0}
    kind = ctypes.CFUNCTYPE(None, ctypes.c_int64)
    fallen, moved = (kind(lambda n, name=name: add(seen, name, n)) for name in seen)
    starts, weigh = rolling.starts_on, rolling.weigh

    def counts() -> Counts:
        found = dict(seen)
        seen.update(droplets=0, steps=0)
        return found

    @njit
    def starts_that_tick(*given):  # type: ignore[no-untyped-def]
        count = starts(*given)
        fallen(count)
        return count

    @njit
    def weigh_that_ticks(law, strength, f, lanes):  # type: ignore[no-untyped-def]
        going = 0
        for lane in range(LANES):
            going += f[GOES + lane] > 0
        moved(going)
        weigh(law, strength, f, lanes)

    rolling.starts_on, rolling.weigh = starts_that_tick, weigh_that_ticks
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # what ticks cannot be cached
        try:
            yield counts
        finally:
            rolling.starts_on, rolling.weigh = starts, weigh


def add(seen: Counts, name: str, number: int) -> None:
    seen[name] += number
