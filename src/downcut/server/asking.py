"""What a page asks for, bounded before anything is done about it."""

from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from downcut.server.studio import Studio


class Asked(BaseModel):
    """A piece of work that a page asks for."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["grow", "measure", "export"]
    """What is to be done: grow a land, measure it, or write it to files."""
    recipe: dict[str, Any]
    """The recipe, compact or full."""
    size: int | None = Field(None, ge=1, le=1_000_000)
    """Cells along the longer edge; the recipe's own without it."""
    target: str | None = Field(None, max_length=40)
    """For an export: the program that the land is for …"""
    format: str | None = Field(None, max_length=12, pattern=r"^\.[a-z0-9.]+$")
    """… or the suffix of a single file."""
    layer: str | None = Field(None, max_length=40)
    """For a single file: the layer that it holds."""
    tiles: tuple[Annotated[int, Field(ge=1, le=32)], Annotated[int, Field(ge=1, le=32)]] = (1, 1)
    """For a target: rows and columns of tiles."""
    at: (
        tuple[Annotated[float, Field(ge=-180, le=180)], Annotated[float, Field(ge=-90, le=90)]]
        | None
    ) = None
    """For a target that lies on the Earth: longitude and latitude of the land's middle [°]."""
    options: dict[str, bool | int | float | str] = Field(default_factory=dict, max_length=32)
    """Options of the target or the format."""
    name: str = Field("land", max_length=80)
    """What the files are called."""


def studio_of(request: Request) -> Studio:
    """Return the state of this run."""
    studio: Studio = request.app.state.studio
    return studio
