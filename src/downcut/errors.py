"""The one kind of error a person can mend: a sentence that names the way out."""


class DowncutError(ValueError):
    """A request that cannot be met as it stands.

    The message names the parameter, its value, what is allowed and what to do instead. The
    command line prints it and leaves with exit code 2; a library user catches it as ValueError.
    """


class Cancelled(Exception):  # noqa: N818 - nothing went wrong: someone asked to stop
    """The work was stopped on request; nothing was written."""
