"""The one door to the disk: files appear whole or not at all, and only where none was.

A file is written beside its target under a temporary name, flushed to the disk, and renamed.
Files that belong together are all written before the first is renamed; only a kill or a power
cut in the moment of renaming can leave some of them old and some new, each of them whole.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from downcut.errors import DowncutError
from downcut.export.names import refuse_name
from downcut.export.placing import flush_folder, flush_tree, put, put_folder
from downcut.export.temporary import living, remove, sweep, temporary_name

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


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
        self._swept: set[Path] = set()

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
            flush_tree(temp)
            self._ready.append((temp, target))
            self.promised.append(path)

    def written(self) -> dict[Path, Path]:
        """Return where each whole file lies until the delivery ends, by its name to be."""
        pairs = zip(self.promised, self._ready, strict=True)
        return {path: temp for path, (temp, _) in pairs if temp.is_file()}

    def _temporary(self, target: Path) -> Path:
        """Return a new name beside `target`, whose folder is made and swept."""
        self._make_folder(target.parent)
        if target.parent not in self._swept:  # a thousand tiles need it once
            self._swept.add(target.parent)
            sweep(target.parent)
        temp = target.parent / temporary_name(target.name)
        self._temps.append(temp)
        living.add(temp)
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
                    put_folder(temp, target, self.force)
                else:
                    put(temp, target, self.force)
            living.discard(temp)
        for folder in {target.parent for _, target in self._ready}:
            flush_folder(folder)

    def _clean(self, *, keep_folders: bool) -> None:
        for temp in self._temps:
            with contextlib.suppress(OSError):
                remove(temp)
                living.discard(temp)
        for folder in [] if keep_folders else reversed(self._made):
            with contextlib.suppress(OSError):  # not ours alone any more
                folder.rmdir()


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
