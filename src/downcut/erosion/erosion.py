"""What every erosion is: a step that changes elevation, where and on which cells one asks."""

from typing import Any, ClassVar

from downcut.step import FeatureSize, LayerName, Step


class Erosion(Step):
    """A step that changes elevation and counts the earth it moves."""

    reads: ClassVar[tuple[str, ...]] = ("elevation",)
    writes: ClassVar[tuple[str, ...]] = ("elevation",)

    mask: LayerName | None = None
    """A layer, 0 to 1, that says how much of it happens where; outside 0 to 1 it is clipped."""
    feature_size: FeatureSize = None
    """Cell of the world's lattice that the step runs on; none for the land's own cells."""

    def inputs(self) -> dict[str, str]:
        """Elevation, and the mask where one is named."""
        return super().inputs() | ({"mask": self.mask} if self.mask else {})


def writeable(array: Any) -> Any:
    """Return the array, or a copy if it is read-only: another type, and kernel, to the compiler."""
    return array if array is None or array.flags.writeable else array.copy()
