"""The pages downcut shows in a browser, built from web/ into folders beside this file."""

from importlib import resources
from importlib.resources.abc import Traversable

from downcut.errors import DowncutError


def page(name: str) -> Traversable:
    """Return the folder of a page: its index.html and all that this needs, in one level.

    Raises
    ------
    DowncutError
        If it was not built; the message says how to build it.
    """
    folder = resources.files(__name__) / name
    if not (folder / "index.html").is_file():
        raise DowncutError(
            f"the page {name!r} was not built with this downcut: in a checkout run `make pages`, "
            "or install downcut again where npm can reach its registry"
        )
    return folder
