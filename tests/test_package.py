"""What is released: one version, and nothing that only some systems have."""

import subprocess
import sys
from importlib.metadata import version

import downcut as dc

POSIX_ONLY = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog")

IMPORT_ALL = """
import importlib, pkgutil, sys
for name in {missing!r}:
    sys.modules[name] = None  # importing it fails, as on Windows
import downcut
modules = [each.name for each in pkgutil.walk_packages(downcut.__path__, "downcut.")]
for name in modules:
    if name != "downcut.__main__":
        importlib.import_module(name)
print(len(modules))
"""


def test_the_version_is_the_packages() -> None:
    assert dc.__version__ == version("downcut")


def test_every_module_can_be_imported_without_what_only_posix_has() -> None:
    # Python itself and its libraries are in first: only our own imports are asked.
    before = "import asyncio, multiprocessing, subprocess, tempfile, numba, psutil, PIL.Image\n"
    others = "import rich.console, rich.progress, typer, fastapi, uvicorn, rasterio\n"
    done = subprocess.run(
        [sys.executable, "-c", before + others + IMPORT_ALL.format(missing=POSIX_ONLY)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
