"""What a person sees on stderr while the land grows."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from downcut.execute import Progress as Told

Tell = Callable[[str, float], None]
"""Called with what is being done and the share of the whole that is done, 0 to 1."""

COMPILING = "compiling kernels, once for this version; the next run starts at once"


@contextmanager
def shown(*, quiet: bool, cold: bool) -> Iterator[Tell]:
    """Show progress while the block runs: a bar on a terminal, a few lines in a log."""
    if quiet:
        yield lambda _doing, _share: None
        return
    if cold:
        print(COMPILING, file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        yield _lines()
        return
    with _bar() as tell:
        yield tell


def on_progress(tell: Tell) -> "Callable[[Told], None]":
    """Return what the executor calls."""
    return lambda told: tell(told.op, told.share)


@contextmanager
def _bar() -> Iterator[Tell]:
    from rich import progress
    from rich.console import Console

    columns = (
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0)
        yield lambda doing, share: bar.update(task, description=doing, completed=share)


def _lines() -> Tell:
    """Say a line for each tenth of the way and each new doing: a log shows life and stays short."""
    tenth, seen = -1, set[str]()

    def tell(doing: str, share: float) -> None:
        nonlocal tenth
        if int(10 * share) > tenth or doing not in seen:
            tenth = max(tenth, int(10 * share))
            seen.add(doing)
            print(f"{share:4.0%} {doing}", file=sys.stderr, flush=True)

    return tell
