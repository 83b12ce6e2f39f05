"""How much memory a process has taken at most."""

import os
import sys

import psutil


def peak() -> tuple[int, int]:
    """Return (process id, the most memory [bytes] that this process has held so far)."""
    try:
        import resource
    except ImportError:  # Windows
        return os.getpid(), int(psutil.Process().memory_info().rss)
    unit = 1 if sys.platform == "darwin" else 1024
    return os.getpid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
