"""`downcut site`: a folder that shows a land in 3-D from any web server."""

from downcut.commands.app import app
from downcut.commands.export import With, export
from downcut.commands.options import (
    AsJson,
    CellSize,
    Force,
    Outputs,
    Quiet,
    Range,
    Read,
    Seed,
    Settings,
    Size,
    Source,
    Threads,
)


@app.command()
def site(
    source: Source,
    output: Outputs = None,
    size: Size = None,
    cell_size: CellSize = None,
    seed: Seed = None,
    settings: Settings = None,
    range_: Range = None,
    read: Read = None,
    with_: With = None,
    force: Force = False,
    threads: Threads = "0",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a folder that shows the land in 3-D from any web server.

    \b
    downcut site alpine -o public/alpine
    downcut site island.tif --with layers=none
    """
    export(
        source,
        "site",
        output,
        size,
        cell_size,
        seed,
        settings,
        range_,
        read,
        with_=with_,
        force=force,
        threads=threads,
        as_json=as_json,
        quiet=quiet,
    )
