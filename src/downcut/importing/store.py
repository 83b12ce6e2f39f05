"""Zarr stores of ours: whole, or refused."""

import json
from pathlib import Path
from typing import Any

from downcut.errors import DowncutError
from downcut.importing import own

MARKER = "zarr.json"


def is_store(path: Path) -> bool:
    """Tell whether a path is a folder that looks like a store."""
    return path.is_dir() and (path.suffix.lower() == ".zarr" or (path / MARKER).is_file())


def counted(folder: Path) -> dict[str, int]:
    """Return how many files and bytes of chunks there are, the root's own file apart."""
    files = [p for p in folder.rglob("*") if p.is_file() and p != folder / MARKER]
    return {"files": len(files), "bytes": sum(p.stat().st_size for p in files)}


def refuse_incomplete(folder: Path) -> dict[str, Any]:
    """Return what a store of ours says of itself, once it is known to be whole.

    Raises
    ------
    DowncutError
        For a store without its mark, with other files than it had, or with a damaged word.
    """
    try:
        text = (folder / MARKER).read_bytes()[: own.LONGEST_TEXT]
        facts: dict[str, Any] = json.loads(text)["attributes"]["downcut"]
        complete = facts["complete"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise DowncutError(
            f"{folder} is no Zarr store that downcut finished: go on with its build by --resume, "
            "or save the land again"
        ) from None
    if complete != counted(folder):
        raise DowncutError(f"{folder} has lost some of its chunks, or holds others: make it again")
    own.checked(facts, folder)
    return facts
