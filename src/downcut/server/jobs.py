"""Work that takes time: one piece after another, with progress and a way to stop."""

import itertools
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from downcut.errors import Cancelled, DowncutError
from downcut.execute import Progress

MOST_WAITING = 32
"""Jobs that may wait for their turn; the next is turned away."""
MOST_KEPT = 64
"""Jobs that are remembered once they have ended."""

State = Literal["waiting", "running", "done", "failed", "stopped"]


class BusyError(DowncutError):
    """The queue is full: the request may be tried again."""


@dataclass
class Job:
    """A piece of work, from asking to its end."""

    kind: str
    work: Callable[["Job"], Any]
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: State = "waiting"
    share: float = 0.0
    op: str = ""
    path: str = ""
    error: str = ""
    result: Any = None
    stop: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    begun: float = 0.0
    listener: Callable[["Job"], None] = lambda _job: None
    """Called in the working thread when something has changed."""

    def tell(self, told: Progress) -> None:
        """Note how far the work is."""
        self.share, self.op, self.path = told.share, told.op, told.path
        self.listener(self)

    def told(self) -> dict[str, Any]:
        """Return what a page is told."""
        facts = {"job": self.id, "kind": self.kind, "state": self.state, "share": self.share}
        if self.state == "running":
            facts |= {"op": self.op, "path": self.path, "left": self.seconds_left}
        return facts | ({"error": self.error} if self.error else {}) | self._found()

    @property
    def seconds_left(self) -> float | None:
        """What the rest will take, if it goes on like this; None while nobody can say."""
        spent = time.monotonic() - self.begun
        return spent * (1 - self.share) / self.share if self.share > 0.02 else None

    def _found(self) -> dict[str, Any]:
        return {"result": self.result} if self.state == "done" else {}


class Desk:
    """Takes jobs and does them one after another.

    Examples
    --------
    >>> desk = Desk()
    >>> job = desk.take("sum", lambda job: 1 + 1)
    >>> job.ended.wait(5), job.state, job.result
    (True, 'done', 2)
    """

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._changed = threading.Condition()
        self._numbers = itertools.count()

    def take(
        self, kind: str, work: Callable[[Job], Any], listener: Callable[[Job], None] | None = None
    ) -> Job:
        """Queue a job and return it at once.

        Raises
        ------
        BusyError
            If too many are waiting already.
        """
        job = Job(kind, work)
        if listener:
            job.listener = listener
        with self._changed:
            if len(self._queue) > MOST_WAITING:
                raise BusyError(
                    "the studio has more to do than it can remember: try again in a moment"
                )
            self._queue.append(job)
            self._jobs[job.id] = job
            self._forget()
        name = f"downcut-job-{next(self._numbers)}"
        threading.Thread(target=self._do, args=(job,), name=name, daemon=True).start()
        return job

    def job(self, name: str) -> Job:
        """Return the job of this id.

        Raises
        ------
        KeyError
        """
        return self._jobs[name]

    def stop_all(self) -> None:
        """Stop whatever runs or waits; the server is about to end."""
        for job in list(self._jobs.values()):
            self.stop(job)

    def stop(self, job: Job) -> None:
        """Ask a job to stop; it does within a slice of its work."""
        job.stop.set()
        with self._changed:
            self._changed.notify_all()

    @contextmanager
    def lent(self, job: Job) -> Iterator[None]:
        """Give the turn away while a job only waits for a person."""
        self._leave(job)
        try:
            yield
        finally:
            with self._changed:
                self._queue.append(job)
            self._await_turn(job)

    def _do(self, job: Job) -> None:
        try:
            self._await_turn(job)
            job.state, job.begun = "running", time.monotonic()
            job.listener(job)
            job.result = job.work(job)
            job.share, job.state = 1.0, "done"
        except Cancelled:
            job.state = "stopped"
        except DowncutError as error:
            job.state, job.error = "failed", str(error)
        except MemoryError:
            job.state, job.error = "failed", "the memory ran out: ask for a smaller land"
        except Exception as error:
            job.state = "failed"
            job.error = f"this is a fault of downcut's own: {type(error).__name__}: {error}"
        finally:
            self._leave(job)
            job.ended.set()
            job.listener(job)

    def _await_turn(self, job: Job) -> None:
        with self._changed:
            self._changed.wait_for(lambda: job.stop.is_set() or self._queue[0] is job)
        if job.stop.is_set():
            raise Cancelled

    def _leave(self, job: Job) -> None:
        with self._changed:
            if job in self._queue:
                self._queue.remove(job)
            self._changed.notify_all()

    def _forget(self) -> None:
        ended = [job for job in self._jobs.values() if job.ended.is_set()]
        for job in ended[: max(0, len(ended) - MOST_KEPT)]:
            del self._jobs[job.id]
