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

from downcut.erosion import droplets

Counts = dict[str, int]


@contextlib.contextmanager
def counting() -> Iterator[Callable[[], Counts]]:
    """Yield a function that returns the droplets and steps within the map since it was called.

    A droplet looks at the ground once where it starts, and with each step within the map twice:
    where it arrives, and there again after the ground has changed.
    """
    seen = {"looks": 0, "droplets": 0}
    kind = ctypes.CFUNCTYPE(None)
    look, start = (kind(lambda name=name: add(seen, name)) for name in seen)
    between, roll = droplets._between, droplets._roll

    def counts() -> Counts:
        looks, fallen = seen["looks"], seen["droplets"]
        seen.update(looks=0, droplets=0)
        return {"droplets": fallen, "steps": (looks - fallen) // 2}

    droplets._between = ticking(look, between)
    droplets._roll = ticking(start, roll)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # what ticks cannot be cached
        try:
            yield counts
        finally:
            droplets._between, droplets._roll = between, roll


def add(seen: Counts, name: str) -> None:
    seen[name] += 1


def ticking(tick: Callable[[], None], kernel: Callable[..., object]) -> Callable[..., object]:
    """Return a kernel that ticks before it does its work."""

    @njit
    def both(*given):  # type: ignore[no-untyped-def]
        tick()
        return kernel(*given)

    return both
