"""Who does the units of a pass: this process alone, local processes, or a Dask cluster."""

import importlib.util
import logging
import multiprocessing
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from downcut.errors import Cancelled, DowncutError
from downcut.scale import working
from downcut.scale.working import Mark, do

PAUSE = 0.005
"""How long [s] to wait before looking for finished units again."""


class Crew(ABC):
    """Whoever does units."""

    @abstractmethod
    def run(self, folder: Path, number: int, units: list[str], stop: Event) -> Iterator[Mark]:
        """Do units, and yield the mark of each as it is done, in any order."""

    def close(self) -> None:
        """Let go of all helpers."""
        return


class Alone(Crew):
    """This process, one unit after another."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads

    def run(self, folder: Path, number: int, units: list[str], stop: Event) -> Iterator[Mark]:
        """Do them here."""
        for unit in units:
            if stop.is_set():
                raise Cancelled
            yield do(str(folder), number, unit, self.threads, stop)


class Cluster(Crew):
    """Dask's workers: as many local processes as asked for, or those of a scheduler.

    Local ones are born while this process does what comes first: it does all work of one unit
    itself, with all threads.
    """

    def __init__(
        self,
        folder: Path,
        *,
        workers: int = 0,
        scheduler: str | None = None,
        memory: int = 0,
        on_dashboard: Callable[[str], None] | None = None,
    ) -> None:
        if importlib.util.find_spec("distributed") is None:
            raise DowncutError("building in tiles needs dask: pip install 'downcut[scale]'")
        self.scheduler, self.on_dashboard = scheduler, on_dashboard
        self.settings = {
            "n_workers": workers, "memory_limit": memory or 0,
            "local_directory": str(folder / "dask"),
        }  # fmt: skip
        self.cluster: Any = None
        self.client: Any = None
        self.born = ThreadPoolExecutor(1)
        self.birth = self.born.submit(self._start)
        if scheduler is not None:
            self.birth.result()

    def _start(self) -> None:
        import distributed

        with _born_ready() if self.scheduler is None else nullcontext():
            if self.scheduler is None:
                logging.getLogger("distributed").setLevel(logging.CRITICAL)
                self.cluster = distributed.LocalCluster(
                    threads_per_worker=1, processes=True, dashboard_address=":0",
                    host="127.0.0.1", silence_logs=logging.CRITICAL, **self.settings,
                )  # fmt: skip
            try:
                self.client = distributed.Client(
                    self.cluster or self.scheduler, timeout="10s", set_as_default=False
                )
            except (OSError, ValueError, TimeoutError) as error:
                raise DowncutError(
                    f"no scheduler answers at {self.scheduler} ({error}): start one by dask "
                    "scheduler"
                ) from None
        if self.client.dashboard_link and self.on_dashboard:
            self.on_dashboard(self.client.dashboard_link)

    def run(self, folder: Path, number: int, units: list[str], stop: Event) -> Iterator[Mark]:
        """Hand them out; a unit whose worker is lost goes to another."""
        if len(units) == 1 and self.scheduler is None:
            yield from Alone().run(folder, number, units, stop)
            return
        self.birth.result()
        yield from self._handed_out(folder, number, units, stop)

    def _handed_out(
        self, folder: Path, number: int, units: list[str], stop: Event
    ) -> Iterator[Mark]:
        from distributed import CancelledError, as_completed

        place = str(folder.absolute())
        threads = 1 if len(units) > 1 else 0
        unit_of = partial(do, place, number, threads=threads)
        futures = self.client.map(unit_of, units, pure=False, key=f"downcut-{number}")
        names = dict(zip((future.key for future in futures), units, strict=True))
        try:
            ready = as_completed(futures, loop=self.client.loop, raise_errors=False)
            while not ready.is_empty():
                if stop.is_set():
                    raise Cancelled
                if not ready.has_ready():
                    time.sleep(PAUSE)
                    continue
                future = next(ready)
                if future.status == "error":
                    self._explain(future.exception(), names[future.key])
                if future.status == "cancelled":
                    raise CancelledError(future.status)
                if future.status != "finished":  # its worker died before it could be asked
                    time.sleep(PAUSE)
                    ready.add(future)
                    continue
                yield future.result()
        except (CancelledError, OSError) as error:
            raise DowncutError(
                f"the scheduler {self.scheduler or 'of the local workers'} is gone ({error}): "
                "start it again and go on with --resume"
            ) from error
        finally:
            for future in futures:
                future.release()

    def _explain(self, error: BaseException, unit: str) -> None:
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            raise DowncutError(
                f"several workers died on the unit {unit}, most likely for want of "
                "memory: give a smaller --tile or fewer --workers and go on with --resume"
            )
        raise error

    def close(self) -> None:
        """End the local workers, or let go of the cluster."""
        wait([self.birth])
        self.born.shutdown()
        for each in (self.client, self.cluster):
            if each is not None:
                each.close(timeout=5)


@contextmanager
def _born_ready() -> Iterator[None]:
    """Let local workers be born of one process that has imported all they need, where that can be.

    Importing takes a process longer than the work on a small land, and what they share takes
    memory once.
    """
    import dask

    if "forkserver" not in multiprocessing.get_all_start_methods():
        yield
        return
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        from distributed.utils import get_mp_context

        get_mp_context().set_forkserver_preload(["distributed", working.__name__])
        yield
