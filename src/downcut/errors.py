"""The one kind of error a person can mend: a sentence that names the way out."""

import reprlib

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 120


def shown(value: object) -> str:
    """Return the `repr` of what someone gave, cut to what a sentence can hold.

    Examples
    --------
    >>> shown("mountain"), len(shown("x" * 10**6)), shown([[[1]]] * 100)
    ("'mountain'", 120, '[[[1]], [[1]], [[1]], [[1]], [[1]], [[1]], ...]')
    """
    try:
        return _SHORT.repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a number of thousands of digits"


class DowncutError(ValueError):
    """A request that cannot be met as it stands.

    The message names the parameter, its value, what is allowed and what to do instead. The
    command line prints it and leaves with exit code 2; a library user catches it as ValueError.
    """


class Cancelled(Exception):  # noqa: N818 - nothing went wrong: someone asked to stop
    """The work was stopped on request; nothing was written."""
