"""Results kept in memory, so that only the steps after a changed one are run again."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import psutil
from numpy.typing import NDArray

from downcut.features import Table
from downcut.terrain import StepReport

SHARE = 1 / 8
"""Of the machine's memory."""


@dataclass(frozen=True)
class Note:
    """What running a stage left beside its layers."""

    reports: Mapping[str, StepReport]
    """Of its steps, by where they stand within it."""
    features: Mapping[str, Table] = field(default_factory=dict)


@dataclass(frozen=True)
class Stand:
    """The land after some steps, and how it came to be."""

    layers: Mapping[str, NDArray[Any]]
    notes: Mapping[str, Note]
    """In the order of the work, by its name: that on lattices included."""


class Kept:
    """Stands by name; those unused for longest make room.

    Stands share the layers that the steps between them left alone, so these count once.

    Parameters
    ----------
    limit : int, optional
        Bytes of layers to keep; an eighth of the machine's memory by default.

    Examples
    --------
    >>> import downcut as dc
    >>> from downcut.keeping import Kept
    >>> kept, recipe = Kept(), dc.preset("sine-hills", size=32)
    >>> land = dc.generate(recipe, kept=kept)
    >>> dc.generate(recipe, kept=kept)["elevation"].base is land["elevation"].base
    True
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = int(psutil.virtual_memory().total * SHARE) if limit is None else limit
        self._stands: OrderedDict[str, Stand] = OrderedDict()
        self._uses: dict[int, int] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """Bytes of the layers that are kept."""
        return self._bytes

    def keep(self, name: str, stand: Stand) -> None:
        """Keep a stand."""
        with self._lock:
            self._drop(name)
            self._stands[name] = stand
            for array in stand.layers.values():
                self._uses[id(array)] = self._uses.get(id(array), 0) + 1
                self._bytes += array.nbytes if self._uses[id(array)] == 1 else 0
            while self._bytes > self.limit:
                self._drop(next(iter(self._stands)))

    def find(self, name: str) -> Stand | None:
        """Return the stand of this name, if it is still kept."""
        with self._lock:
            if name in self._stands:
                self._stands.move_to_end(name)
            return self._stands.get(name)

    def forget(self) -> None:
        """Let all of them go."""
        with self._lock:
            for name in list(self._stands):
                self._drop(name)

    def _drop(self, name: str) -> None:
        stand = self._stands.pop(name, None)
        for array in stand.layers.values() if stand else ():
            self._uses[id(array)] -= 1
            if not self._uses[id(array)]:
                del self._uses[id(array)]
                self._bytes -= array.nbytes
