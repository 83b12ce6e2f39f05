"""Many lands of one recipe: a seed each, several at a time, in order."""

import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from downcut.errors import DowncutError
from downcut.grow import generate, preset
from downcut.memory import check_memory
from downcut.recipe import Recipe
from downcut.run import Run, all_threads
from downcut.terrain import Terrain

MOST_SEEDS = 10_000_000
"""In one run: their files would fill any folder."""


def generate_many(
    recipe: Recipe | str | dict[str, Any],
    seeds: Iterable[int | str],
    *,
    workers: int = 0,
    stop: threading.Event | None = None,
) -> Generator[Terrain, None, None]:
    """Grow the lands of one recipe with many seeds.

    Small lands leave most threads idle, so several are grown side by side, each in a thread of
    its own (kernels hold no GIL, and threads share what is compiled). No more than `workers`
    lands wait to be taken, however slowly that happens, so a million seeds need no more memory
    than a few.

    Parameters
    ----------
    recipe : Recipe, name of a preset, or plain data
    seeds : iterable of int or str
        Read as needed: it may be endless.
    workers : int, 0 to 1024
        Lands at a time; 0 for as many as there are threads. The bits do not depend on it.
    stop : threading.Event, optional
        Set it from another thread to end the work with `Cancelled`.

    Returns
    -------
    iterator of Terrain
        In the order of the seeds, each the same bits as `generate` gives. Ctrl-C or closing the
        iterator ends the work under way within a slice.

    Raises
    ------
    DowncutError
        At once for a bad recipe or one of which so many do not fit in memory, and in its turn
        for a bad seed.

    Examples
    --------
    >>> import downcut as dc
    >>> lands = dc.generate_many(dc.preset("sine-hills", size=32), range(3))
    >>> [land.recipe.seed for land in lands]
    [0, 1, 2]
    """
    if isinstance(recipe, str):
        recipe = preset(recipe)
    elif isinstance(recipe, dict):
        recipe = Recipe.from_dict(recipe)
    count = check_many(recipe, workers)
    return _in_order(recipe, iter(seeds), count, stop or threading.Event())


def check_many(recipe: Recipe, workers: int) -> int:
    """Return how many lands are grown at a time, 0 being as many as there are threads.

    Raises
    ------
    DowncutError
        If so many do not fit in memory, or there are too many.
    """
    count = Run(threads=workers).threads
    check_memory(recipe, count)
    return count


def _in_order(
    recipe: Recipe, seeds: Iterator[int | str], count: int, stop: threading.Event
) -> Generator[Terrain, None, None]:
    threads = max(1, all_threads() // count)

    def grow(seed: int | str) -> Terrain:
        return generate(recipe.changed(seed=seed), threads=threads, stop=stop)

    waiting: deque[Future[Terrain]] = deque()
    pool = ThreadPoolExecutor(count, "downcut-land")
    try:
        for seed in seeds:
            waiting.append(pool.submit(grow, seed))
            if len(waiting) > count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        if waiting:
            stop.set()
        pool.shutdown(cancel_futures=True)


def seed_range(text: str) -> list[int]:
    """Read seeds as 0:1000 (without the last), 0:1000:10, or 3,5,8.

    Raises
    ------
    DowncutError
        For anything else, or no seeds at all.

    Examples
    --------
    >>> seed_range("0:3"), seed_range("0:10:5"), seed_range("7"), seed_range("3,5")
    ([0, 1, 2], [0, 5], [7], [3, 5])
    """
    ends = text.split(":")
    parts = ends if len(ends) > 1 else text.split(",")
    found: list[int] = []
    if all(part.isdecimal() and len(part) <= 20 for part in parts) and len(ends) <= 3:
        numbers = [int(part) for part in parts]
        if len(ends) == 1:
            found = list(dict.fromkeys(numbers))
        elif len(numbers) == 2 or numbers[2] > 0:
            found = list(range(*numbers)[:MOST_SEEDS])
    if not found:
        raise DowncutError(
            f"--seeds is {text[:80]!r}: give FIRST:END without the end, as 0:1000, or 3,5,8"
        )
    return found
