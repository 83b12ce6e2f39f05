"""Temporary files beside their targets: whose they are by their names, and how they go."""

import atexit
import contextlib
import os
import secrets
import shutil
import time
import zlib
from pathlib import Path
from platform import node

import psutil

SUFFIX = ".downcut-tmp"
ORPHAN_AGE = 3600.0
"""Seconds after which a temporary file of another machine is taken for abandoned."""

living: set[Path] = set()
"""Temporary files of this process: swept at its end, should an interrupt have slipped past."""


def temporary_name(name: str) -> str:
    """Return a name that says whose it is: this machine's and this process's."""
    owner = f"{zlib.crc32(node().encode()):08x}.{os.getpid()}.{secrets.token_hex(4)}"
    return f".{name[:40]}.{owner}{SUFFIX}"


def sweep(folder: Path) -> None:
    """Remove temporary files of ours whose process is gone (or, elsewhere's, an hour old)."""
    here = f"{zlib.crc32(node().encode()):08x}"
    for temp in folder.glob(f".*{SUFFIX}"):
        parts = temp.name.removesuffix(SUFFIX).rsplit(".", 3)
        if len(parts) != 4 or not parts[2].isdigit():
            continue
        with contextlib.suppress(OSError, OverflowError):
            known = parts[1] == here
            gone = not psutil.pid_exists(int(parts[2])) if known else False
            if gone or (not known and time.time() - temp.stat().st_mtime > ORPHAN_AGE):
                remove(temp)


def remove(temp: Path) -> None:
    """Remove a temporary file, or a folder and what is in it."""
    if temp.is_dir() and not temp.is_symlink():
        shutil.rmtree(temp)
    else:
        temp.unlink(missing_ok=True)


@atexit.register
def _sweep_own() -> None:
    for temp in list(living):
        with contextlib.suppress(OSError):
            remove(temp)
