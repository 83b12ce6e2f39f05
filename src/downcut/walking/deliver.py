"""A walk in a folder: the page and what it shows, for any web server."""

from pathlib import Path

from downcut.errors import DowncutError
from downcut.export.files import Delivery, explained
from downcut.export.save import refuse_unwritable
from downcut.export.walk import Walk, walk_files
from downcut.pages import page

HOW = (
    "To walk there: python -m http.server in this folder, then http://localhost:8000/ in a "
    "browser. Any static server will do; a browser shows nothing from a file:// address."
)
LEAST_BYTES = 40_000


def refuse(folder: Path, force: bool) -> None:
    """Refuse, before any work, what `deliver` would refuse after it.

    Raises
    ------
    DowncutError
        If the page was not built, or the folder is a file, has something in it (without `force`)
        or may not be written to.
    """
    page("walk")
    with explained(folder, LEAST_BYTES):
        refuse_unwritable(folder)
        if folder.exists() and not folder.is_dir():
            raise DowncutError(f"{folder} is a file: give the name of a folder")
        if not force and folder.exists() and any(folder.iterdir()):
            raise DowncutError(
                f"{folder} is not empty: choose another folder, or write into it with --force"
            )


def deliver(walk: Walk, folder: Path, force: bool = False) -> list[Path]:
    """Write the page, walk.json, the blocks, the recipe and README.txt; all of them, or none.

    Raises
    ------
    DowncutError
        As `refuse`, and for a full disk.
    """
    refuse(folder, force)
    files = walk_files(walk)
    files |= {item.name: item.read_bytes() for item in page("walk").iterdir()}
    if walk.land.recipe is not None:
        files["recipe.json"] = walk.land.recipe.to_json(full=True).encode() + b"\n"
    files["README.txt"] = f"{walk.title or 'A land'}, to walk in\n\n{HOW}\n".encode()
    with Delivery(force=force) as delivery:
        for name, data in files.items():
            with delivery.file(folder / name, len(data)) as file:
                file.write(data)
        return list(delivery.promised)
