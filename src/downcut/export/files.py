"""The one door to the disk: files appear whole or not at all, and only where none was.

A file is written beside its target under a temporary name, flushed to the disk, and renamed.
Files that belong together are all written before the first is renamed; only a kill or a power
cut in the moment of renaming can leave some of them old and some new, each of them whole.
"""

import atexit
import contextlib
import errno
import os
import secrets
import shutil
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from platform import node
from types import TracebackType
from typing import BinaryIO

import psutil

from downcut.errors import DowncutError
from downcut.export.names import refuse_name

SUFFIX = ".downcut-tmp"
ORPHAN_AGE = 3600.0
"""Seconds after which a temporary file of another machine is taken for abandoned."""

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}

_living: set[Path] = set()
"""Temporary files of this process: swept at its end, should an interrupt have slipped past."""


class Delivery:
    """Files that appear together: all of them whole, or none.

    Parameters
    ----------
    force : bool
        Whether files that exist may be replaced.

    Raises
    ------
    DowncutError
        Naming the path and the bytes needed, if a file exists, the disk is full, or the folder
        may not be written to. Nothing is left behind then, nor after Ctrl-C.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Delivery() as delivery, delivery.file(folder / "a.txt", 5) as file:
    ...     _ = file.write(b"whole")
    >>> (folder / "a.txt").read_bytes()
    b'whole'
    """

    def __init__(self, *, force: bool = False) -> None:
        self.force = force
        self.promised: list[Path] = []
        """What appears when the delivery ends well, in the order of writing."""
        self._ready: list[tuple[Path, Path]] = []
        self._temps: list[Path] = []
        self._made: list[Path] = []

    def __enter__(self) -> "Delivery":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        delivered = False
        try:
            if kind is None:
                self._deliver()
                delivered = True
        finally:
            self._clean(keep_folders=delivered)

    @contextmanager
    def file(self, path: Path, needed: int) -> Iterator[BinaryIO]:
        """Lend a binary file that becomes `path` when the delivery ends well.

        `needed` is its size in bytes, about, for the message when the disk is full.
        """
        refuse_name(path)
        target = Path(os.path.realpath(path))  # a link keeps pointing, at the new file
        with explained(path, needed):
            refuse_taken(path, self.force)
            temp = self._temporary(target)
            with temp.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            self._ready.append((temp, target))
            self.promised.append(path)

    @contextmanager
    def folder(self, path: Path, needed: int, marker: str) -> Iterator[Path]:
        """Lend an empty folder that becomes `path` when the delivery ends well.

        `marker` is a file that every folder of this kind holds: with `force`, only a folder that
        has it is replaced, so that no other one is ever thrown away.
        """
        refuse_name(path)
        target = Path(os.path.realpath(path))
        with explained(path, needed):
            refuse_foreign_folder(path, self.force, marker)
            temp = self._temporary(target)
            temp.mkdir()
            yield temp
            _flush_tree(temp)
            self._ready.append((temp, target))
            self.promised.append(path)

    def _temporary(self, target: Path) -> Path:
        """Return a new name beside `target`, whose folder is made and swept."""
        self._make_folder(target.parent)
        sweep(target.parent)
        temp = target.parent / temporary_name(target.name)
        self._temps.append(temp)
        _living.add(temp)
        return temp

    def _make_folder(self, folder: Path) -> None:
        missing = [p for p in (folder, *folder.parents) if not p.exists()]
        for place in reversed(missing):
            self._made.append(place)
            place.mkdir(exist_ok=True)

    def _deliver(self) -> None:
        for temp, target in self._ready:  # before the first is in place, so that none is
            if temp.is_file():
                refuse_taken(target, self.force)
        for temp, target in self._ready:
            with explained(target, temp.stat().st_size):
                if temp.is_dir():
                    _put_folder(temp, target, self.force)
                else:
                    _put(temp, target, self.force)
            _living.discard(temp)
        for folder in {target.parent for _, target in self._ready}:
            _flush_folder(folder)

    def _clean(self, *, keep_folders: bool) -> None:
        for temp in self._temps:
            with contextlib.suppress(OSError):
                _remove(temp)
                _living.discard(temp)
        for folder in [] if keep_folders else reversed(self._made):
            with contextlib.suppress(OSError):  # not ours alone any more
                folder.rmdir()


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
                _remove(temp)


def _remove(temp: Path) -> None:
    """Remove a temporary file, or a folder and what is in it."""
    if temp.is_dir() and not temp.is_symlink():
        shutil.rmtree(temp)
    else:
        temp.unlink(missing_ok=True)


def refuse_taken(path: Path, force: bool) -> None:
    """Raise if `path` is a file already (without `force`), or can never become one.

    Raises
    ------
    DowncutError
    """
    if path.is_dir():
        raise DowncutError(f"{path} is a folder: give the name of a file in it")
    if path.exists() and not path.is_file():
        raise DowncutError(f"{path} is a device, not a file: give the name of a file")
    if path.exists() and not force:
        raise DowncutError(f"{path} exists: choose another name, or overwrite it with --force")


def refuse_foreign_folder(path: Path, force: bool, marker: str) -> None:
    """Raise if `path` is there (without `force`), or is not a folder with `marker` in it.

    Raises
    ------
    DowncutError
    """
    if not path.exists():
        return
    if not path.is_dir():
        raise DowncutError(f"{path} is a file and would become a folder: choose another name")
    if not (path / marker).is_file() and any(path.iterdir()):
        raise DowncutError(
            f"{path} is a folder of something else (it has no {marker}): choose another name"
        )
    if not force:
        raise DowncutError(f"{path} exists: choose another name, or overwrite it with --force")


@contextmanager
def explained(path: Path, needed: int) -> Iterator[None]:
    """Turn what the system says about `path` into a sentence with a way out."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FileExistsError) or error.errno == errno.EEXIST:
            message = f"{path} exists: choose another name, or overwrite it with --force"
        elif error.errno in _FULL:
            message = (
                f"{path} needs {needed:,} bytes and they do not fit there "
                f"({error.strerror}): free some space, choose another disk or a smaller land"
            )
        elif error.errno in _FORBIDDEN:
            message = (
                f"{path} may not be written ({error.strerror}): choose a folder of your own "
                f"with {needed:,} bytes free"
            )
        else:
            message = f"{path} cannot be written ({error.strerror or error}): choose another name"
        raise DowncutError(message) from error


def _put(temp: Path, target: Path, force: bool) -> None:
    """Give a finished file its name; without `force`, in one stroke that refuses a taken one."""
    if not force:
        try:
            os.link(temp, target)
            return  # the temporary name goes with the cleaning
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):  # no hard links on this disk
            refuse_taken(target, force)
    os.replace(temp, target)  # noqa: PTH105 - the one call that promises to be atomic


def _put_folder(temp: Path, target: Path, force: bool) -> None:
    """Give a finished folder its name; an older one stands aside, and comes back if this fails."""
    if not target.exists():
        temp.rename(target)
        return
    if not force:
        raise FileExistsError(errno.EEXIST, "exists", str(target))
    aside = target.parent / temporary_name(target.name)
    try:
        target.rename(aside)
        temp.rename(target)
    except BaseException:  # Ctrl-C too
        if aside.exists() and not target.exists():
            aside.rename(target)
        raise
    _living.add(aside)
    shutil.rmtree(aside, ignore_errors=True)
    _living.discard(aside)


def _flush_tree(folder: Path) -> None:
    """Flush every file of a folder, and the folders themselves, to the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            with Path(place, name).open("rb+") as file:
                os.fsync(file.fileno())
        _flush_folder(Path(place))


def _flush_folder(folder: Path) -> None:
    """Make the new names last through a power cut, where folders can be flushed."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@atexit.register
def _sweep_own() -> None:
    for temp in list(_living):
        with contextlib.suppress(OSError):
            _remove(temp)
