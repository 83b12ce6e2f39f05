"""Giving finished files and folders their names, in one stroke, to last."""

import contextlib
import errno
import os
import shutil
from pathlib import Path

from downcut.export.temporary import living, temporary_name


def put(temp: Path, target: Path, force: bool) -> None:
    """Give a finished file its name; without `force`, in one stroke that refuses a taken one."""
    if not force:
        try:
            os.link(temp, target)
            return  # the temporary name goes with the cleaning
        except FileExistsError:
            raise
        except (OSError, NotImplementedError):  # no hard links on this disk
            if target.exists():
                raise FileExistsError(errno.EEXIST, "exists", str(target)) from None
    os.replace(temp, target)  # noqa: PTH105 - the one call that promises to be atomic


def put_folder(temp: Path, target: Path, force: bool) -> None:
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
    living.add(aside)
    shutil.rmtree(aside, ignore_errors=True)
    living.discard(aside)


def flush_tree(folder: Path) -> None:
    """Flush every file of a folder, and the folders themselves, to the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            with Path(place, name).open("rb+") as file:
                os.fsync(file.fileno())
        flush_folder(Path(place))


def flush_folder(folder: Path) -> None:
    """Make the new names last through a power cut, where folders can be flushed."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
