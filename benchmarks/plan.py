"""How much is measured: all, or little to be quick."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    size: int
    threads: list[int]
    quick: bool

    @property
    def repeats(self) -> int:
        return 1 if self.quick else 5

    @property
    def few(self) -> int:
        """How often the long works are measured."""
        return 1 if self.quick else 3

    @property
    def droplets(self) -> int:
        return 6250 if self.quick else 100_000

    def times(self, size: int) -> int:
        """Return how often a land of this size is measured."""
        return 1 if self.quick or size > 2048 else 3

    def scaled(self, size: int) -> int:
        """Return a land's edge: the one that figures are compared at, or less to be quick."""
        return size // 4 if self.quick else size
