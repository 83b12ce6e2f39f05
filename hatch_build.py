"""The build hook: the pages of web/ go into the package, built with npm where they are not yet."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "scripts"))
import pages

WITHOUT = "DOWNCUT_WITHOUT_PAGES"
"""Set to anything, it installs the package without its pages, and so without npm."""


class PagesHook(BuildHookInterface):
    """Builds the pages before they are packed."""

    def dependencies(self) -> list[str]:
        """Ask for a node only where a build needs one."""
        return [pages.WHEEL] if not os.environ.get(WITHOUT) and pages.needs_wheel() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build; an editable install goes on without, for the work that needs no page."""
        if os.environ.get(WITHOUT):
            return
        try:
            pages.build()
        except (RuntimeError, OSError) as error:
            message = f"downcut's pages cannot be built: {error}."
            if version != "editable":
                sys.exit(f"{message} {WITHOUT}=1 installs downcut without them.")
            print(f"{message} Until `make pages` succeeds, this downcut has none.", file=sys.stderr)
