"""The commands, one a file: `downcut generate alpine --size 1024 -o out/alpine`.

No terrain logic and no heavy import at the top: `--help` answers before numba could wake up.
"""

# In the order in which --help lists them.
from downcut.commands import generate, export, site, studio, presets, schema, info, verify, measure  # noqa: F401, I001
from downcut.commands.app import app

__all__ = ["app"]
