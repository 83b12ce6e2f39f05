"""One droplet on the land that a page shows: its way, by the rules of the recipe's own rain."""

from typing import Any

import numpy as np

from downcut.erosion.droplets import Droplets
from downcut.errors import DowncutError
from downcut.recipe import Recipe
from downcut.server.messages import number_of, size_of
from downcut.server.studio import Studio, asked_recipe

COLUMNS = ("x", "y", "elevation", "water", "speed", "sediment")


def way_of(message: dict[str, Any], studio: Studio) -> list[list[float]]:
    """Return a point for each step of the droplet that a message lets fall, as `COLUMNS`.

    Raises
    ------
    DowncutError
        For a place off the land, or a land that is not kept.
    """
    recipe = asked_recipe(message.get("recipe"), size_of(message.get("size")))
    x, y = number_of(message, "x"), number_of(message, "y")
    land = studio.lands.find(recipe.digest)
    if land is None:
        raise DowncutError("this land is not kept: let it grow first, then let a droplet fall")
    line = rain_of(recipe).trace(land["elevation"], x, y, grid=land.grid).line(0)
    points: list[list[float]] = np.column_stack([line[name] for name in COLUMNS]).tolist()
    return points


def rain_of(recipe: Recipe) -> Droplets:
    """Return the recipe's first rain in droplets, or the usual one where it has none."""
    steps = (task.step for task in recipe.tasks(once=True))
    return next((step for step in steps if isinstance(step, Droplets)), Droplets())
