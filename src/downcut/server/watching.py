"""Watching land change: the fields of a run as it goes, at the pace of the person who looks."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from downcut.errors import Cancelled, DowncutError, shown
from downcut.execute import Moment
from downcut.export.blocks import block
from downcut.grid import Grid, covered
from downcut.grow import generate
from downcut.recipe import Recipe
from downcut.server.jobs import Desk, Job
from downcut.server.showing import step_of
from downcut.terrain import Terrain

if TYPE_CHECKING:
    from downcut.server.live import Live

FASTEST = 240.0
"""Fields a second that a person may ask for."""
LASTING = 2.5
"""Seconds that a step is seen for at least, where it has few fields to show …"""
LINGERING = 0.6
"""… but never so long over one of them."""
USUAL = 30.0
"""The pace that these are meant for [fields a second]; a quicker one shortens them."""


Send = Callable[[Moment, NDArray[np.float32]], None]
"""Puts a field of a moment on the line."""


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
        self._step, self._share = "", 0.0

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

        def send(moment: Moment, elevation: NDArray[np.float32]) -> None:
            facts = {"ask": ask, "part": "live", "number": self._number, "path": moment.path}
            inside = _without_apron(elevation, moment.grid, recipe.grid.grid)
            step = step_of(inside.shape)
            seen = inside[::step, ::step].copy()
            facts |= {"share": job.share, "cell_size": moment.grid.cell_size * step}
            # The first, which others are compared with, is not replaced by the next.
            kind = "start" if self._number == 1 else "elevation"
            live.box.put(("block", kind), lambda: block("elevation", seen, **facts))

        def look(moment: Moment) -> None:
            if self.path is None or f"{moment.path}.".startswith(f"{self.path}."):
                self._show(moment, send, live, job)

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

    def _show(self, moment: Moment, send: Send, live: "Live", job: Job) -> None:
        """Send a field if the page can take one now, and keep the pace."""
        if self._number == 0 and moment.start is not None:
            self._number = 1
            send(moment, moment.start)
            self._wait(job, self.interval)
        one, self._one = self._one, False
        self._number += 1
        if one or self._number == 1 or live.box.hungry:
            send(moment, moment.elevation)
        if one:
            self._go.clear()
        self._wait(job, self._pace(moment))

    def _pace(self, moment: Moment) -> float:
        """Return the seconds that a field is seen for: longer where its step shows but a few."""
        if moment.path != self._step or moment.share < self._share:
            self._step, self._share = moment.path, 0.0
        grown, self._share = moment.share - self._share, moment.share
        if ".steps." in moment.path:  # it comes again and again
            return self.interval
        lasting = min(LASTING * grown, LINGERING) * min(1.0, USUAL * self.interval)
        return max(self.interval, lasting)

    def _wait(self, job: Job, seconds: float) -> None:
        job.stop.wait(max(0.0, self._shown_at + seconds - time.monotonic()))
        if not self._go.is_set():
            with self.desk.lent(job):
                while not (self._go.wait(0.1) or job.stop.is_set()):
                    pass
        if job.stop.is_set() or self._ended:
            raise Cancelled
        self._shown_at = time.monotonic()


def _without_apron(
    elevation: NDArray[np.float32], there: Grid, ground: Grid
) -> NDArray[np.float32]:
    """Return the part of a lattice's field that lies on the ground."""
    if there == ground:
        return elevation
    top, bottom, left, right = covered(there, ground)
    return elevation[top:bottom, left:right]


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
