"""What was found of a file that says which land it holds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """What was found of one file."""

    file: str
    agrees: bool
    sentence: str
    largest_difference_m: float | None = None
    """Between the file's heights and those grown; None where they were not compared."""
    allowed_m: float | None = None
    """Half a level of the format; 0 where it holds heights exactly."""
    compared: bool = True
    """Whether there was anything to compare."""


@dataclass(frozen=True)
class Verdict:
    """What was found of a file, or of every file of an export."""

    agrees: bool
    sentence: str
    digest: str
    version: str
    checks: tuple[Check, ...]

    def __bool__(self) -> bool:
        return self.agrees
