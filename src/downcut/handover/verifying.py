"""Whether a file still holds the land that its recipe grows."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import downcut
from downcut.errors import DowncutError
from downcut.execute import Progress
from downcut.export.again import same_again
from downcut.export.formats import by_name
from downcut.export.info import READERS, describe
from downcut.grow import generate
from downcut.handover.card import CARD, bytes_of, contents_of, read_card
from downcut.handover.verdict import Check, Verdict
from downcut.handover.whole_store import verify_store
from downcut.importing import Asked, picture
from downcut.importing.heightmap import Raster
from downcut.importing.own import name_of
from downcut.importing.reading import guarded, header, read
from downcut.importing.store import is_store
from downcut.recipe import Recipe
from downcut.terrain import Terrain

ROUNDING = 2.0**-20
"""Of the largest height: what float32 and the decoding of levels may add to half a level."""


def verify(
    path: str | os.PathLike[str],
    *,
    threads: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> Verdict:
    """Grow the land that a file says it holds, and compare.

    Parameters
    ----------
    path : path
        A file that downcut wrote, its side file, the folder (or export.json) of an export, or
        a store. Of a store larger than 2048² cells, windows at its corners and in its middle are
        grown alone, and all bytes are named anew.

    Returns
    -------
    Verdict
        True where the recipe is what its digest says, the land grown from it has the checksum
        that the file names, and every height is within the format's error of it.

    Raises
    ------
    DowncutError
        For a file without a recipe, one that this version cannot grow, or one of whose content
        nothing can be compared.

    Examples
    --------
    >>> import downcut as dc, tempfile
    >>> file = dc.save(dc.generate(dc.preset("sine-hills")), tempfile.mkdtemp() + "/hills.png")[0]
    >>> verdict = dc.verify(file)
    >>> verdict.agrees, verdict.checks[0].allowed_m < 1e-5
    (True, True)
    """
    place = Path(path)
    if is_store(place):
        return verify_store(place, threads, on_progress, stop or threading.Event())
    place = place / CARD if place.is_dir() else place
    facts = _facts(place)
    recipe = Recipe.from_dict(facts["recipe"])
    if recipe.digest != facts["digest"]:
        sentence = f"{place}: its recipe has been changed, for its digest names another"
        return Verdict(False, sentence, recipe.digest, facts["version"], ())
    land = generate(recipe, threads=threads, on_progress=on_progress, stop=stop)
    card = read_card(place) if place.name == CARD else None
    names = list(card["files"]) if card else [_told_by(place).name]
    whole = contents_of(card) if facts.get("checksum") == land.checksum else {}
    checks = tuple(
        _by_bytes(_check(file, land, facts["version"]), file, whole.get(name))
        for name, file in ((name, place.parent / name) for name in names)
    )
    if not any(check.compared for check in checks):
        said = checks[0].sentence if checks else f"{place} names no files"
        raise DowncutError(f"{said}: verify the heights beside it")
    agrees = all(check.agrees for check in checks)
    return Verdict(agrees, _summed(checks, place), recipe.digest, facts["version"], checks)


def _summed(checks: tuple[Check, ...], place: Path) -> str:
    wrong = [check.sentence for check in checks if not check.agrees]
    if wrong:
        return wrong[0] + f"; {len(wrong) - 1} more are not as they were" * (len(wrong) > 1)
    if len(checks) == 1:
        return checks[0].sentence
    compared = sum(check.compared for check in checks)
    rest = len(checks) - compared
    more = f"; {rest} more could not be compared" if rest else ""
    return f"{place.parent}: {compared} of {len(checks)} files hold what their recipe grows{more}"


def _facts(place: Path) -> dict[str, Any]:
    """Return what a file says of itself, with a recipe in it."""
    found = describe(place)
    missing = [name for name in ("recipe", "digest", "version") if not found.get(name)]
    if missing:
        raise DowncutError(
            f"{place} has no {missing[0]} inside: there is nothing to compare it with"
        )
    return found


def _told_by(place: Path) -> Path:
    """Return the file that a side file tells of, or the file itself."""
    told = place.with_suffix("")
    return told if place.suffix == ".json" and told.is_file() else place


def _check(file: Path, land: Terrain, version: str) -> Check:
    """Compare one file with the land grown whole."""
    if not file.exists():
        return Check(str(file), False, f"{file} is missing")
    try:
        raster, facts = _told(file)
        part = _window(land, facts) if facts else None
        if facts is None or part is None or facts.get("layer", "elevation") not in part.layers:
            sentence = f"{file} says nothing of this land's cells and was not compared"
            return Check(str(file), True, sentence, compared=False)
        if raster is None or facts.get("layer", "elevation") != "elevation":
            return _by_name(file, raster, facts, part)
        return _by_heights(file, raster, facts, part, version)
    except DowncutError as broken:
        return Check(str(file), False, str(broken))


def _by_bytes(check: Check, file: Path, name: str | None) -> Check:
    """Compare what says nothing of the land, a page or a weight, with its name in export.json."""
    if check.compared or not name or not file.is_file():
        return check
    if bytes_of(file) == name:
        return Check(str(file), True, f"{file} is what was written with the land, byte for byte")
    return Check(str(file), False, f"{file} has been changed since downcut wrote it")


def _told(file: Path) -> tuple[Raster | None, dict[str, Any] | None]:
    """Return a file's raster, if it is one of heights or of a layer, and what it says of itself.

    A broken file is an error if its name is of a format that says something of itself.
    """
    if not file.is_file():
        return None, None
    try:
        if painted := picture.painted(file):
            return None, painted
        if file.suffix.lower() in READERS:
            return None, describe(file)
        raster, _ = header(file, Asked())
    except DowncutError:
        if by_name(file) is None or file.suffix.lower() == ".json":  # as the page of a map
            return None, None
        raise
    return raster, raster.facts


def _window(land: Terrain, facts: dict[str, Any]) -> Terrain | None:
    """Return the part of the land that a file says it holds; None if it is no part of it."""
    top, left = land.grid.corner
    row = float(facts.get("corner_row", top)) - top
    col = float(facts.get("corner_col", left)) - left
    ny, nx = facts.get("ny", 0), facts.get("nx", 0)
    inside = 0 <= row <= land.grid.ny - ny and 0 <= col <= land.grid.nx - nx
    if not inside or row % 1 or col % 1 or facts.get("cell_size_m") != land.grid.cell_size:
        return None
    if (ny, nx) == land.grid.shape:
        return land
    return land.window(int(row), int(col), ny, nx)


def _by_heights(
    file: Path, raster: Raster, facts: dict[str, Any], part: Terrain, version: str
) -> Check:
    """Compare height by height."""
    grown = part["elevation"]
    allowed = abs(raster.scale) / 2 if raster.dtype.kind in "iu" else 0.0
    limit = allowed + (ROUNDING * float(np.abs(grown).max()) if allowed else 0.0)
    gap = np.abs(read(file).elevation.astype(np.float64) - grown)
    worst, off = float(gap.max()), int(np.count_nonzero(~(gap <= limit)))
    count = f"{grown.shape[0]} × {grown.shape[1]} heights"
    same = facts.get("checksum") == part.checksum
    if not off:
        how = f"within {allowed:.3g} m, half a level" if allowed else "exactly"
        other = "" if same else "; its checksum names other layers beside them"
        sentence = f"{file} holds the land that its recipe grows: {count} agree {how}{other}"
        return Check(str(file), True, sentence, worst, allowed)
    age = "" if version == downcut.__version__ else f"; it was written by downcut {version}"
    cause = "its heights were changed" if same else "its recipe grows another land here"
    sentence = (
        f"{file} differs from what its recipe grows: {off:,} of {count} by up to {worst:.6g} m "
        f"({allowed:.3g} m allowed); {cause}{age}"
    )
    return Check(str(file), False, sentence, worst, allowed)


def _by_name(file: Path, raster: Raster | None, facts: dict[str, Any], part: Terrain) -> Check:
    """Compare the checksum that a file names, and where it has one, the name of its samples."""
    if facts.get("checksum") != part.checksum:
        sentence = f"{file} names another land than its recipe grows (by checksum)"
        return Check(str(file), False, sentence)
    if "written_with" in facts and facts.get("version") == downcut.__version__:
        return _by_writing(file, facts, part)
    plain = raster is not None and facts.get("bands", 1) == 1 and "samples" in facts
    written = name_of(np.ma.getdata(guarded(raster.load, file))) if raster and plain else None
    if written is None:
        sentence = f"{file} names the land that its recipe grows (by checksum)"
        return Check(str(file), True, sentence)
    if facts["samples"] == written:
        sentence = f"{file} holds its layer of the land that its recipe grows, as it was written"
        return Check(str(file), True, sentence)
    return Check(str(file), False, f"{file} has been changed since downcut wrote it")


def _by_writing(file: Path, facts: dict[str, Any], part: Terrain) -> Check:
    """Write the land grown as this file again, and compare byte for byte."""
    if same_again(file, part, facts["written_with"]):
        sentence = f"{file} holds the land that its recipe grows, byte for byte"
        return Check(str(file), True, sentence)
    sentence = (
        f"{file} differs from what writing its land again gives: it has been changed, or was "
        "written with other versions of packages"
    )
    return Check(str(file), False, sentence)
