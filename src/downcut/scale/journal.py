"""The journal: what was asked for, and a mark for every unit that is done, with its files' sums."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from os import fstat
from os.path import samestat
from pathlib import Path
from typing import IO, Any

import downcut
from downcut.errors import DowncutError
from downcut.scale.parts import Parts, put_json

ABOUT = "build.json"
OVER = "over.json"


@dataclass(frozen=True)
class Journal:
    """What is known of a build, kept in its folder."""

    folder: Path
    """Of the work under way."""

    @cached_property
    def about(self) -> dict[str, Any]:
        """What was asked for."""
        found: dict[str, Any] = json.loads((self.folder / ABOUT).read_text("utf-8"))
        return found

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other build work in the folder meanwhile; a killed one's hold ends with it.

        Raises
        ------
        DowncutError
            If another does.
        """
        place = self.folder.with_name(self.folder.name + ".lock")
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("w") as file:
            if not (held(file) and place.exists() and samestat(fstat(file.fileno()), place.stat())):
                raise DowncutError(
                    f"another build is at work in {self.folder}: wait for its end, or stop it"
                )
            try:
                yield
            finally:
                with suppress(OSError):  # Windows removes no file that is open
                    place.unlink()

    def begin(self, recipe_text: str, tile: int, *, digest: str, resume: bool, force: bool) -> None:
        """Begin a build, or find the one to go on with.

        Raises
        ------
        DowncutError
            If another is under way, or there is none to resume, or it is of another land.
        """
        asked = {"recipe": recipe_text, "digest": digest, "tile": tile,
                 "version": downcut.__version__}  # fmt: skip
        there = (self.folder / ABOUT).is_file()
        if there and resume:
            self._refuse_another(asked)
            return
        if there and not force:
            raise DowncutError(
                f"{self.folder} holds a build that was cut short: go on with it by --resume, or "
                "begin anew by --force"
            )
        if self.folder.exists():
            if not there and any(self.folder.iterdir()):
                raise DowncutError(f"{self.folder} is in the way and none of ours: move it")
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        put_json(self.folder / ABOUT, asked)

    def _refuse_another(self, asked: dict[str, Any]) -> None:
        for name, what in (("version", "by downcut"), ("tile", "in tiles of"), ("digest", "of")):
            if self.about[name] != asked[name]:
                thing = "the recipe " if name == "digest" else ""
                raise DowncutError(
                    f"{self.folder} was begun {what} {thing}{self.about[name]}, and now it is "
                    f"{asked[name]}: ask for the same, or begin anew by --force"
                )

    def of(self, number: int, unit: str) -> Path:
        """Return where the mark of a unit is."""
        return self.folder / f"{number:04d}" / f"{unit}.done.json"

    def done(self, number: int, unit: str, parts: Parts) -> dict[str, Any] | None:
        """Return what is marked of a unit, if its files are what they were."""
        try:
            mark: dict[str, Any] = json.loads(self.of(number, unit).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return mark if parts.holds(mark["written"]) else None

    def is_over(self, number: int) -> list[dict[str, Any]] | None:
        """Return the marks of a pass that is over; its files may be gone since."""
        try:
            marks: list[dict[str, Any]] = json.loads(
                (self.folder / f"{number:04d}" / OVER).read_text("utf-8")
            )
        except (OSError, ValueError):
            return None
        return marks

    def end(self, number: int, marks: list[dict[str, Any]]) -> None:
        """Note that a pass is over: from now on its inputs may go."""
        put_json(self.folder / f"{number:04d}" / OVER, marks)

    def reopen(self, number: int) -> None:
        """Take back that a pass is over."""
        (self.folder / f"{number:04d}" / OVER).unlink(missing_ok=True)


def held(file: IO[str]) -> bool:
    """Take hold of a file until it is closed, unless another process has it; tell whether."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
