"""What was asked for on the command line: words in, a recipe out, or a sentence that helps."""

import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from downcut import presets as shipped
from downcut.errors import DowncutError, shown

if TYPE_CHECKING:
    from downcut.recipe import Recipe

N = TypeVar("N", int, float)

LARGEST_RECIPE = 16 * 2**20
"""A recipe file beyond this [bytes] is something else."""

SAVED = ("recipe.json", "export.json")
"""What a folder that downcut filled tells its recipe by."""


def source(what: str, reading: dict[str, Any] | None = None) -> tuple[str, bytes | dict[str, Any]]:
    """Return the name of the land and its recipe, as text or plain data.

    `reading` says of a heightmap what its file does not: parameters of `fields.heightmap`. What
    was assumed about it is told on stderr.
    """
    if what in shipped.names():
        return what, _no_reading(shipped.load(what), what, reading)
    if what == "-":
        text = _limited(sys.stdin.buffer.read(LARGEST_RECIPE + 1), "what came in")
        return "recipe", _no_reading(text, "what came in", reading)
    path = _inside(Path(what))
    if is_stored(what):
        return path.stem, _no_reading(_of_store(path), what, reading)
    if path.is_file():
        if path.name in SAVED:
            return path.absolute().parent.name, _of_file(path, reading)
        return path.stem, _of_file(path, reading)
    if path.suffix or len(path.parts) > 1 or path.exists():
        raise DowncutError(f"{what} is {_odd(path)}: give a file")
    raise DowncutError(f"no preset or file is called {shown(what)}{near(what, shipped.names())}")


def is_stored(what: str) -> bool:
    """Tell whether a source is a store, whose samples need not be grown."""
    return Path(what).suffix.lower() == ".zarr" and Path(what).is_dir()


def _inside(path: Path) -> Path:
    """Return the file of a saved land's folder that has its recipe; else the path itself."""
    there = [path / name for name in SAVED if path.is_dir() and (path / name).is_file()]
    return there[0] if there else path


def _odd(path: Path) -> str:
    if path.is_dir():
        return "a folder"
    return "a device or a pipe" if path.exists() else "not there"


def _of_file(path: Path, reading: dict[str, Any] | None) -> bytes | dict[str, Any]:
    with path.open("rb") as file:
        if path.suffix.lower() == ".json" or file.read(64).lstrip().startswith(b"{"):
            file.seek(0)
            text = _limited(file.read(LARGEST_RECIPE + 1), str(path))
            return _no_reading(_anchored(text, path.parent), str(path), reading)
    from downcut.handover.source import source as land_of

    content, notes = land_of(path, **(reading or {}))
    for note in notes:
        print(f"note: {path}: {note}", file=sys.stderr)
    return content


def _of_store(path: Path) -> dict[str, Any]:
    from downcut.importing.store import refuse_incomplete

    recipe = refuse_incomplete(path).get("recipe")
    if not isinstance(recipe, dict):
        raise DowncutError(f"{path} was saved from a land without a recipe: open it from Python")
    return recipe


T = TypeVar("T")


def _no_reading(content: T, what: str, reading: dict[str, Any] | None) -> T:
    for name in reading or {}:
        if name != "cell_size":
            raise DowncutError(f"{what} is a recipe, and {name} says how a heightmap is read")
    return content


def _anchored(text: bytes, folder: Path) -> bytes | dict[str, Any]:
    """Let the relative paths in a recipe file begin in its folder; a side file is its recipe."""
    from downcut.plain import each_once

    try:
        content = json.loads(text, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        return text  # whoever reads it says what is wrong
    if not isinstance(content, dict):
        return text
    if content.get("generator") == "downcut" and isinstance(content.get("recipe"), dict):
        return dict(content["recipe"])
    found = False
    for step in _files_in(content):
        path = folder.absolute() / step["file"]
        found, step["file"] = True, str(path)
    return content if found else text


def _files_in(content: Any) -> Iterator[dict[str, Any]]:
    """Yield every step of plain data that names a file."""
    steps = content.get("steps") if isinstance(content, dict) else None
    for step in steps if isinstance(steps, list) else ():
        yield from _files_in(step)
        if isinstance(step, dict) and step.get("file") and isinstance(step["file"], str):
            yield step


def _limited(text: bytes, what: str) -> bytes:
    if len(text) > LARGEST_RECIPE:
        raise DowncutError(f"{what} is larger than {LARGEST_RECIPE >> 20} MiB: that is no recipe")
    return text


def near(name: str, known: list[str]) -> str:
    """Return how a sentence about an unknown name goes on."""
    closest = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {closest[0]!r}?" if closest else f"; there are {', '.join(known)}"


def size(text: str | None) -> int | tuple[int, int] | None:
    """Read N or NYxNX."""
    if text is None:
        return None
    counts = text.lower().replace("×", "x").split("x")
    if len(counts) > 2 or not all(count.isdecimal() and len(count) < 10 for count in counts):
        raise DowncutError(f"--size is {text!r}: give N or NYxNX, as 1024 or 512x1024")
    return (int(counts[0]), int(counts[1])) if len(counts) == 2 else int(counts[0])


def number(text: str | None, option: str, kind: type[N]) -> N | None:
    """Read the value of an option that takes a number."""
    if text is None:
        return None
    try:
        return kind(text)
    except ValueError:
        example = "30.5" if kind is float else "2"
        raise DowncutError(f"{option} is {text!r}: give a number, as {example}") from None


def numbers(text: str | None, option: str, example: str) -> tuple[float, float] | None:
    """Read two numbers with a comma between them."""
    if text is None:
        return None
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise DowncutError(f"{option} is {shown(text)}: give two numbers, as {example}") from None
    return first, second


def tiles(text: str | None) -> tuple[int, int]:
    """Read N or RxC: rows and columns of tiles; 1 by 1 where nothing was asked for."""
    counts = (text or "1").lower().replace("×", "x").split("x")
    if len(counts) > 2 or not all(c.isdecimal() and 0 < int(c[:9]) <= 10_000 for c in counts):
        raise DowncutError(f"--tiles is {shown(text)}: give ROWSxCOLUMNS, as 4x4")
    return int(counts[0]), int(counts[-1])


def settings(
    texts: list[str], option: str = "--set", example: str = "steps.1.rounds=8"
) -> dict[str, Any]:
    """Read PLACE=VALUE: a value that is not JSON is a word."""
    settings: dict[str, Any] = {}
    what = "PLACE=VALUE" if option == "--set" else "NAME=VALUE"
    for text in texts:
        place, equals, value = text.partition("=")
        if not (place and equals):
            raise DowncutError(f"{option} is {text!r}: give {what}, as {example}")
        try:
            settings[place] = json.loads(value)
        except (ValueError, RecursionError):
            settings[place] = value
    return settings


def recipe(content: bytes | dict[str, Any], seed: str | None, changes: Any) -> "Recipe":
    """Read a recipe and change it as `Recipe.changed` does; imports every step."""
    from downcut.importing.reading import content_of
    from downcut.randomness import random_seed
    from downcut.recipe import Recipe

    read = Recipe.from_dict(content) if isinstance(content, dict) else Recipe.from_json(content)
    read = read.changed(seed=random_seed() if seed == "random" else seed, **changes)
    plain = read.model_dump(mode="json")
    unnamed = [step for step in _files_in(plain) if not step["content"]]
    for step in unnamed:  # so that the digest names the file's content
        step["content"] = content_of(Path(step["file"]))
    return Recipe.from_dict(plain) if unnamed else read
