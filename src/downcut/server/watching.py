"""Watching land change: the fields of a run as it goes, at the pace of the person who looks."""

import threading
import time
from typing import TYPE_CHECKING, Any

from downcut.errors import Cancelled, DowncutError, shown
from downcut.execute import Moment
from downcut.export.blocks import block
from downcut.grow import generate
from downcut.recipe import Recipe
from downcut.server.jobs import Desk, Job
from downcut.terrain import Terrain

if TYPE_CHECKING:
    from downcut.server.live import Live

FASTEST = 240.0
"""Fields a second that a person may ask for."""


class Watch:
    """A run that shows its fields; it pauses, goes on, goes a field further, and keeps a pace.

    It is the run that the batch makes: pausing and showing change nothing of it.

    Parameters
    ----------
    path : str or None
        The step that is watched, as `steps.2`, with all steps in it; None for every one.
    desk : Desk
        Whose turn is given away while the run is paused.
    speed : float
        Fields a second, at most.
    """

    def __init__(self, path: str | None, desk: Desk, speed: float) -> None:
        self.path, self.desk = path, desk
        self.interval = _interval(speed)
        self._go = threading.Event()
        self._go.set()
        self._one = False
        self._ended = False
        self._number, self._shown_at = 0, 0.0

    def obeys(self, message: dict[str, Any]) -> bool:
        """Do what a message asks of a run under way; tell whether it was for us."""
        do = message.get("do")
        if do == "play":
            self._go.set()
        elif do == "pause":
            self._go.clear()
        elif do == "next":
            self._one = True
            self._go.set()
        elif do == "speed":
            self.interval = _interval(message.get("value"))
        else:
            return False
        return True

    def end(self) -> None:
        """Wait for nobody any more."""
        self._ended = True
        self._go.set()

    def run(self, live: "Live", recipe: Recipe, job: Job, ask: int) -> Terrain:
        """Grow the land while its fields go to a page."""

        def look(moment: Moment) -> None:
            if self.path is None or f"{moment.path}.".startswith(f"{self.path}."):
                self._show(live, moment, job, ask)

        studio = live.studio
        return generate(
            recipe,
            threads=studio.threads,
            on_progress=job.tell,
            on_field=look,
            stop=job.stop,
            files=studio.uploads,
            kept=studio.kept,
            watched=_stage(self.path),
        )

    def _show(self, live: "Live", moment: Moment, job: Job, ask: int) -> None:
        """Send a field if the page can take one now, and keep the pace."""
        one, self._one = self._one, False
        self._number += 1
        if one or self._number == 1 or live.box.hungry:
            seen = moment.elevation.copy()
            facts = {
                "ask": ask,
                "part": "live",
                "number": self._number,
                "path": moment.path,
                "share": job.share,
                "cell_size": moment.grid.cell_size,
            }
            live.box.put(("block", "elevation"), lambda: block("elevation", seen, **facts))
        if one:
            self._go.clear()
        self._wait(job)

    def _wait(self, job: Job) -> None:
        job.stop.wait(max(0.0, self._shown_at + self.interval - time.monotonic()))
        if not self._go.is_set():
            with self.desk.lent(job):
                while not (self._go.wait(0.1) or job.stop.is_set()):
                    pass
        if job.stop.is_set() or self._ended:
            raise Cancelled
        self._shown_at = time.monotonic()


def _stage(path: str | None) -> int:
    """Return which step of the recipe's own list a path begins with."""
    number = (path or "").split(".")[1:2]
    return int(number[0]) if number and number[0].isdecimal() and len(number[0]) < 9 else 0


def _interval(speed: Any) -> float:
    if isinstance(speed, bool) or not isinstance(speed, int | float) or not 0 < speed <= FASTEST:
        raise DowncutError(
            f"speed is {shown(speed)}: give more than 0 and up to {FASTEST:g} a second"
        )
    return 1 / float(speed)
