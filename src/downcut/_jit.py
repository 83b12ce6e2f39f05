"""How kernels are compiled, once for all: options, the cache folder, the thread policy.

Kernels are sequential and release the GIL; threads come from `downcut.run`, which hands each of
them a slice of rows or tiles. So no kernel is compiled twice (sequential and parallel), no
threading layer can be entered from two sides, and a slice is short enough that Ctrl-C is heard.
"""

import atexit
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
from numba import config, njit

Kernel = Callable[..., Any]

# The only flags that keep the bits: they promise the compiler that no NaN or infinity occurs and
# that the sign of zero does not matter; they never reorder or fuse (`contract` and `reassoc` do).
_BIT_KEEPING = {"nnan", "ninf", "nsz"}


MONTH = 30 * 24 * 3600
_FROM = re.compile(r"^from (downcut[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)
_IMPORT = re.compile(r"^import (downcut[\w.]*)", re.MULTILINE)
_MAKES_KERNELS = re.compile(r"^from downcut\._jit import .*(kernel|inlined)", re.MULTILINE)


def _sources_digest() -> str:
    """Name the state of every source that kernels are made of.

    Numba's own cache misses edits in *other* files; edits of files that no kernel module imports
    need no new kernels.
    """
    digest = hashlib.blake2b(digest_size=8)
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel_sources() -> list[Path]:
    """Return the modules that compile kernels and, transitively, all they import of downcut."""
    texts = {path: path.read_text("utf-8") for path in Path(__file__).parent.rglob("*.py")}
    wanted = [path for path, text in texts.items() if _MAKES_KERNELS.search(text)]
    found: set[Path] = set()
    while wanted:
        if (path := wanted.pop()) not in found and path in texts:
            found.add(path)
            wanted += _imported(texts[path])
    return sorted(found)


def _imported(text: str) -> list[Path]:
    """Return where the modules that a source imports from downcut at its top would lie.

    A kernel sees the globals of its module, so imports inside functions and for types do not count.
    """
    root = Path(__file__).parent.parent
    names: set[str] = set()
    for module, what in _FROM.findall(text):
        names |= {module, *(f"{module}.{name}" for name in re.findall(r"\w+", what))}
    names |= set(_IMPORT.findall(text))
    places = [root.joinpath(*name.split(".")) for name in names]
    return [p.with_suffix(".py") for p in places] + [p / "__init__.py" for p in places]


def cache_folder() -> Path:
    """Return the folder of compiled kernels, made on first use; a temporary one if read-only."""
    name = f"kernels-{_sources_digest()}"
    wanted = Path(os.environ.get("DOWNCUT_CACHE") or platformdirs.user_cache_dir("downcut"))
    try:
        folder = wanted / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):  # which also says that it is in use
            _forget_old(wanted)
            return folder
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="downcut-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder


def _forget_old(wanted: Path) -> None:
    """Remove kernels of other versions of the sources that nobody has used for a month."""
    for folder in wanted.glob("kernels-*"):
        if time.time() - folder.stat().st_mtime > MONTH:
            shutil.rmtree(folder, ignore_errors=True)


CACHE = cache_folder()
config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]


def is_cold() -> bool:
    """Tell whether no kernel has been compiled yet for this version of the sources."""
    return not any(CACHE.rglob("*.nbi"))


# No pointer to a kernel is ever handed to C: leaving out the code for it saves a tenth of the
# compiling. (Leaving out what lets Python call `inlined` ones too saves 6 %, and a call crashes.)
_njit: Any = njit  # its stub does not know of the wrappers
_COMMON: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
}


def kernel(function: Kernel) -> Kernel:
    """Compile a private function of scalars and arrays: cached, without the GIL, no exceptions."""
    compiled: Kernel = _njit(boundscheck=None, **_COMMON)(function)
    return compiled


def finite_kernel(function: Kernel) -> Kernel:
    """Compile a kernel whose values are never NaN or infinite, so that loops vectorise."""
    compiled: Kernel = _njit(fastmath=_BIT_KEEPING, boundscheck=None, **_COMMON)(function)
    return compiled


def inlined(function: Kernel) -> Kernel:
    """Compile a small function that other kernels call; it becomes part of each of them.

    Forced: a call that the compiler leaves standing keeps the loop around it from vectorising.
    """
    compiled: Kernel = _njit(fastmath=_BIT_KEEPING, forceinline=True, **_COMMON)(function)
    return compiled
