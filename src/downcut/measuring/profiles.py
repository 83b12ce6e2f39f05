"""Long profiles: how the main rivers fall from their source to where they leave the land."""

import numpy as np

from downcut._jit import kernel
from downcut.measuring.ground import Ground
from downcut.step import Array

MAIN_RIVERS = 5


def long_profiles(ground: Ground, rivers: int = MAIN_RIVERS) -> tuple[tuple[Array, Array], ...]:
    """Return (way from the mouth [m], elevation [m]) of the rivers with the largest basins.

    From the mouth up, a river is always the donor that drains most, to where 100 cells drain.
    The elevation is the ground's own, hollows and all: a river of a natural land never climbs.
    """
    flow, area = ground.flow.ravel(), ground.area.ravel()
    main = np.full(flow.size, -1, np.int64)
    _main_donors(flow, ground.cells, area, main)
    mouths = np.flatnonzero(ground.channel.ravel() & ~_goes_on(ground))
    largest = mouths[np.argsort(-area[mouths], kind="stable")[:rivers]]
    return tuple(_profile(ground, main, int(mouth)) for mouth in largest)


def _goes_on(ground: Ground) -> Array:
    """Tell where water flows on over land."""
    flow = ground.flow.ravel()
    on: Array = (flow != np.arange(flow.size)) & ground.land.ravel()[flow]
    return on


def _profile(ground: Ground, main: Array, mouth: int) -> tuple[Array, Array]:
    channel, nx = ground.channel.ravel(), ground.z.shape[1]
    cells = [mouth]
    while main[cells[-1]] >= 0 and channel[main[cells[-1]]]:
        cells.append(int(main[cells[-1]]))
    path = np.array(cells)
    rows, cols = np.divmod(path, nx)
    steps = np.hypot(np.diff(rows), np.diff(cols)) * ground.cell_size
    way = np.concatenate([[0.0], np.cumsum(steps)])
    return way, ground.z.ravel()[path].astype(np.float64)


@kernel
def _main_donors(receivers, cells, area, main):  # type: ignore[no-untyped-def]
    """main[cell] = the donor that drains most."""
    for n in range(cells.size):
        cell = cells[n]
        receiver = receivers[cell]
        if receiver != cell and (main[receiver] < 0 or area[cell] > area[main[receiver]]):
            main[receiver] = cell
