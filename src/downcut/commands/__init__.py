"""The commands, one a file: `downcut generate alpine --size 1024 -o out/alpine`.

No terrain logic and no heavy import at the top: `--help` answers before numba could wake up.
"""

# In the order in which --help lists them.
from downcut.commands import (  # noqa: I001
    generate,  # noqa: F401
    build,  # noqa: F401
    export,  # noqa: F401
    site,  # noqa: F401
    studio,  # noqa: F401
    serve,  # noqa: F401
    presets,  # noqa: F401
    schema,  # noqa: F401
    info,  # noqa: F401
    verify,  # noqa: F401
    measure,  # noqa: F401
)
from downcut.commands.app import app

__all__ = ["app"]
