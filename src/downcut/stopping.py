"""How the command line hears Ctrl-C: work runs beside the main thread, which only waits."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

_heard: list[int] = []
_WORKER = "downcut-work"

PATIENCE = 1.0
"""How long [s] the work may take to end by itself: a slice is short, compiling is not."""


class Stopped(BaseException):
    """Someone asked the program to end; a BaseException, so that no library swallows it."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.exit_code = 128 + signal_number
        self.written: list[Path] = []
        """What was whole and in its place by then."""


@contextmanager
def listening() -> Iterator[None]:
    """Turn SIGINT and SIGTERM into `Stopped` while the block runs."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers; whoever owns it decides
        return
    numbers: list[int] = [signal.SIGINT, signal.SIGTERM]
    before: dict[int, Any] = {number: signal.getsignal(number) for number in numbers}

    def stop(number: int, _: FrameType | None) -> None:
        for each in numbers:  # an impatient second Ctrl-C must not cut the cleaning short
            signal.signal(each, signal.SIG_IGN)
        _heard.append(number)
        raise Stopped(number)

    try:
        for number in numbers:
            signal.signal(number, stop)
        yield
    except Exception:
        if _heard:  # Python itself turned `Stopped` into another error, as in __set_name__
            raise Stopped(_heard[0]) from None
        raise
    finally:
        _heard.clear()
        for number, handler in before.items():
            signal.signal(number, handler)


def hear_no_more() -> None:
    """Ignore SIGINT and SIGTERM from now on: all is done, and Python takes a while to close."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def beside(work: Callable[[threading.Event], T]) -> T:
    """Return `work(stop)`, done in a second thread so that this one hears signals at once.

    When `Stopped` arrives, `stop` is set and the work has `PATIENCE` seconds to end; a compiler
    that does not listen is left behind, and dies with the process.
    """
    stop, done = threading.Event(), threading.Event()
    results: list[T] = []
    errors: list[BaseException] = []

    def job() -> None:
        try:
            results.append(work(stop))
        except BaseException as error:  # handed to the waiting thread, whatever it is
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=job, name=_WORKER, daemon=True).start()
    try:
        while not done.wait(0.2):  # a wait without end is deaf to Ctrl-C on Windows
            if _heard:  # raised inside a callback of C code, where exceptions are lost
                raise Stopped(_heard[0])
    except Stopped:
        stop.set()
        done.wait(PATIENCE)
        raise
    if errors:
        raise errors[0]
    return results[0]


def left_behind() -> bool:
    """Tell whether work that did not listen is still under way."""
    return any(thread.name == _WORKER for thread in threading.enumerate())
