"""The command line's door: exit codes, and one sentence for whatever goes wrong.

It hears Ctrl-C before it imports the commands, so that even the first moments end in a sentence.
"""

import io
import os
import sys
from pathlib import Path
from typing import NoReturn

from downcut.errors import DowncutError
from downcut.stopping import Stopped, hear_no_more, left_behind, listening


def call(arguments: list[str]) -> int:
    """Run the command line and return its exit code; no traceback for a user's mistake."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):  # an ASCII terminal shows m? rather than a traceback
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        with listening():
            from downcut.commands import app

            code = app(arguments or ["--help"], prog_name="downcut", standalone_mode=False)
            sys.stdout.flush()
            return code or 0
    except Stopped as stopped:
        whole = ", ".join(map(str, stopped.written))
        ending = f"whole and in place: {whole}" if whole else "nothing was written"
        return _say(f"stopped; {ending}", stopped.exit_code)
    except (BrokenPipeError, SystemExit):  # the reader has left; Typer turns one into the other
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        mendable = _sentence(error)
        return _say(f"error: {mendable}", 2) if mendable else _surprise(error, arguments)


def _open_what_is_closed() -> None:
    """Give a program that was started without stdin, stdout or stderr an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            empty = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - for good
            setattr(sys, name, empty)


def _sentence(error: Exception) -> str | None:
    """Return what a person can do about an error; None if it is the program's own."""
    if isinstance(error, DowncutError):
        return str(error)
    if isinstance(error, MemoryError):
        return "the memory ran out: ask for a smaller land with --size"
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'}: {error.strerror or error}"
    misuse = getattr(error, "format_message", None)  # Click's errors, wherever Typer keeps them
    return str(misuse()) if misuse else None


def _surprise(error: Exception, arguments: list[str]) -> int:
    """Say in a line that the program is at fault; --debug has the rest."""
    import shlex
    import traceback

    if "--debug" in arguments:
        traceback.print_exception(error)
    again = shlex.join(["downcut", "--debug", *arguments])
    return _say(f"error inside downcut: {error!r}; the traceback: {again}", 1)


def _say(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


def main() -> NoReturn:
    """Run the command line as a program."""
    import warnings

    warnings.showwarning = lambda message, *_, **__: print(f"note: {message}", file=sys.stderr)
    code = call(sys.argv[1:])
    hear_no_more()
    if left_behind():  # it is compiling, holds nothing that needs closing, and may take long
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
