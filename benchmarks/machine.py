"""On what the figures were measured: enough to compare with, and nothing that names a computer."""

import hashlib
import platform
import threading
import time
from pathlib import Path

import numba
import numpy as np
import psutil

import downcut


def facts() -> dict[str, str]:
    """Return what the page says about the machine and the versions."""
    cores = psutil.cpu_count(logical=False)
    return {
        "processor": f"{processor()} ({platform.machine()})",
        "cores": f"{cores or 'unknown'} ({psutil.cpu_count()} threads)",
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "system": system(),
        "Python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "downcut": downcut.__version__,
    }


def processor() -> str:
    """Return the processor's model, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or "unknown"


def system() -> str:
    """Return the operating system's name and version."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return f"{platform.system()} {platform.release()}"


def granted(threads: int) -> float:
    """Return how many processors this many busy threads are given: fewer where others work too."""
    data = bytes(20_000_000)

    def work() -> None:  # hashing holds no lock
        for _ in range(10):
            hashlib.sha256(data).digest()

    busy = [threading.Thread(target=work) for _ in range(threads)]
    wall, processor = time.perf_counter(), time.process_time()
    for thread in busy:
        thread.start()
    for thread in busy:
        thread.join()
    return (time.process_time() - processor) / (time.perf_counter() - wall)
