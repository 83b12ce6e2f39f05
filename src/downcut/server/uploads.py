"""Files from the page: named by their content, kept for this run, read by nobody else."""

import hashlib
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

from downcut.errors import DowncutError, shown

MOST_BYTES = 2 << 30
"""Of all uploads of a run together."""
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}$")


class Uploads(Mapping[str, Path]):
    """What was uploaded, by the name that recipes call it: its content's digest and suffix."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="downcut-studio-"))

    def __getitem__(self, name: str) -> Path:
        path = self._folder / name
        if Path(name).name != name or not path.is_file():
            raise KeyError(name)
        return path

    def __iter__(self) -> Iterator[str]:
        return (path.name for path in sorted(self._folder.iterdir()) if path.suffix != ".part")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    async def receive(self, name: str, chunks: AsyncIterator[bytes]) -> str:
        """Write a body to the disk as it comes and return the name that recipes call it.

        `name` is what the person calls the file: only its suffix matters.

        Raises
        ------
        DowncutError
            For a name without a suffix, or when this run has uploaded too much.
        """
        suffix = _SUFFIX.search(name)
        if suffix is None:
            raise DowncutError(f"the file is called {shown(name)}: its suffix must say its format")
        digest, room = hashlib.blake2b(digest_size=16), MOST_BYTES - self._bytes()
        part = tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False)  # noqa: SIM115 - renamed below
        try:
            with part:
                async for chunk in chunks:
                    room -= len(chunk)
                    if room < 0:
                        raise DowncutError(
                            f"the uploads of a run may have {MOST_BYTES >> 30} GB together: "
                            "restart the studio to begin anew"
                        )
                    digest.update(chunk)
                    part.write(chunk)
            called = digest.hexdigest() + suffix[0].lower()
            Path(part.name).replace(self._folder / called)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise
        return called

    def take_in(self, path: Path) -> str:
        """Copy a file of this machine's own and return the name that recipes call it."""
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
        called = digest.hexdigest() + path.suffix.lower()
        shutil.copyfile(path, self._folder / called)
        return called

    def _bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.iterdir())

    def forget(self) -> None:
        """Remove them all: the run has ended."""
        shutil.rmtree(self._folder, ignore_errors=True)
