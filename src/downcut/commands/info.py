"""`downcut info`: what a file of ours holds."""

from pathlib import Path
from typing import Annotated

import typer

from downcut.commands.app import app
from downcut.commands.options import AsJson


@app.command()
def info(file: Annotated[Path, typer.Argument()], as_json: AsJson = False) -> None:
    """Say what a file written by downcut holds."""
    from downcut import report
    from downcut.export.info import describe

    report.say(describe(file), report.facts, as_json=as_json)
