"""export.json: what tells of an export's files to programs."""

import hashlib
import json
from pathlib import Path
from typing import Any

CARD = "export.json"
"""A folder is one of ours if it is there."""
KIND = "downcut export"
LONGEST = 16 * 2**20


def read_card(place: Path) -> dict[str, Any] | None:
    """Return the card of an export; None if it is none, or tells of files elsewhere."""
    try:
        if place.stat().st_size > LONGEST:
            return None
        card = json.loads(place.read_text("utf-8"))
        inside = all(_is_inside(name) for name in card["files"])
        return dict(card) if card["kind"] == KIND and inside else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_inside(name: str) -> bool:
    """Tell whether a name leads to a file below the folder, on any system."""
    parts = name.split("/")
    return not any(part in ("", ".", "..") or "\\" in part or ":" in part for part in parts)


def bytes_of(file: Path) -> str:
    """Return the name of a file's bytes, as the card's `contents` has it."""
    with file.open("rb") as opened:
        return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"


def contents_of(card: dict[str, Any] | None) -> dict[str, str]:
    """Return the name of each file's bytes that a card tells of."""
    told = (card or {}).get("contents")
    return told if isinstance(told, dict) else {}
