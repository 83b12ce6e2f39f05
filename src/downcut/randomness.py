"""The only source of chance: integer hashes of (seed, stream, place).

Nothing here keeps a state, so the same place gets the same chance from any thread, tile or
machine, in any order. Streams are named on the Python side (`derive`) and spent in kernels
(`hash64`, `uniform`).
"""

import hashlib
import re
import secrets

import numpy as np

from downcut._jit import inlined
from downcut.errors import DowncutError, shown

LARGEST_SEED = 2**64 - 1
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a letter, as a stray byte of a command line becomes: no text holds it."""

_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_ROW = np.uint64(0x9E3779B97F4A7C15)
_COL = np.uint64(0xC2B2AE3D27D4EB4F)


def random_seed() -> int:
    """Choose a seed from the machine's entropy, small enough to read out and type in."""
    return secrets.randbelow(2**32)


def check_seed(seed: object) -> int | str:
    """Return `seed` in its one form: a whole number 0…2⁶⁴−1, or a word.

    Raises
    ------
    DowncutError
        For a bool, a fraction, a number out of range, an empty word or half a letter.

    Examples
    --------
    >>> check_seed("7"), check_seed(7), check_seed("mountain")
    (7, 7, 'mountain')
    """
    if isinstance(seed, str) and re.fullmatch(r"\s*[+-]?\d{1,40}\s*", seed):
        seed = int(seed)
    if isinstance(seed, str) and seed.strip() and len(seed) <= 200 and not _HALF.search(seed):
        return seed
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool):
        raise DowncutError(
            f"seed is {shown(seed)}: give a whole number from 0 to 2^64-1 "
            "or a word of up to 200 letters"
        )
    number = int(seed)
    if not 0 <= number <= LARGEST_SEED:
        raise DowncutError(
            f"seed is {shown(number)}: whole numbers go from 0 to 2^64-1; or give a word"
        )
    return number


def derive(seed: int | str, *stream: int | str) -> int:
    """Return the 64-bit number of a named stream of a seed, the same on every machine.

    Examples
    --------
    >>> derive("mountain") == derive("mountain"), derive(1, "a") == derive(1, "b")
    (True, False)
    """
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in (seed, *stream))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@inlined
def mix64(h):  # type: ignore[no-untyped-def]
    """Spread every bit of `h` over all 64 (Stafford's variant 13 of the murmur finaliser)."""
    h ^= h >> np.uint64(30)
    h *= _M1
    h ^= h >> np.uint64(27)
    h *= _M2
    return h ^ (h >> np.uint64(31))


@inlined
def hash64(key, row, col):  # type: ignore[no-untyped-def]
    """64 hash bits of a place: key is uint64, row and col are int64 (negative ones too)."""
    return hash_along(hash_of_row(key, row), col)


@inlined
def hash_of_row(key, row):  # type: ignore[no-untyped-def]
    """The half of `hash64` that all places of a row share."""
    return mix64(key ^ (np.uint64(row) * _ROW))


@inlined
def hash_along(half, col):  # type: ignore[no-untyped-def]
    """The other half: 64 hash bits of a place in that row."""
    return mix64(half ^ (np.uint64(col) * _COL))
