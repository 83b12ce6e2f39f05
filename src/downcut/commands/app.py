"""The application: what every command hangs on."""

from typing import Annotated

import typer

from downcut import __version__

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,  # plain help: a third of the time
    pretty_exceptions_enable=False,
    help="Grow terrain from a recipe: noise, uplift, rivers that cut, slopes that slide.",
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"downcut {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")
    ] = False,
) -> None:
    """Grow terrain from a recipe: noise, uplift, rivers that cut, slopes that slide."""
