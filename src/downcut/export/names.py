"""Names that no file can have, here or on the machine it is meant for."""

import os
import re

from downcut.errors import DowncutError, shown

LONGEST = 255
"""Bytes of a name, on nearly every disk."""

_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ ]*(\..*)?", re.IGNORECASE
)
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*\x00-\x1f]')


def refuse_name(path: str | os.PathLike[str], windows: bool = os.name == "nt") -> None:
    """Raise if a part of `path` can be no name: with what is wrong with it.

    Raises
    ------
    DowncutError
        For a NUL, signs that no encoding holds, a name of more than 255 bytes; and on Windows for
        a device's name, a sign that is not allowed, a blank or a dot at the end.
    """
    text = os.fspath(path)
    try:
        encoded = text.encode() if windows else os.fsencode(text)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise DowncutError(
            f"{shown(text)} holds signs that no file's name can have: leave them out"
        )
    _, rest = os.path.splitdrive(text)
    for part in re.split(r"[/\\]" if windows else "/", rest):
        if (length := len(os.fsencode(part))) > LONGEST:
            raise DowncutError(f"{shown(part)} is a name of {length} bytes: give at most {LONGEST}")
        if windows and part not in ("", ".", "..") and (why := _wrong_on_windows(part)):
            raise DowncutError(f"{shown(part)} {why}: choose another name")


def _wrong_on_windows(part: str) -> str:
    if _DEVICE.fullmatch(part):
        return "is the name of a device on Windows"
    if found := _NOT_ON_WINDOWS.search(part):
        return f"holds {found[0]!r}, which Windows allows in no name"
    return "ends in a dot or a blank, which Windows drops" if part[-1] in ". " else ""
