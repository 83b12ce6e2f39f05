"""export.json: what tells of an export's files to programs."""

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
        inside = all(Path(name).name == name for name in card["files"])
        return dict(card) if card["kind"] == KIND and inside else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
